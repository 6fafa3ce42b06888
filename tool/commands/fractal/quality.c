/* SPDX-License-Identifier: MIT
 * Mean square errors, and decibels of a peak of 255; see quality.h.
 */
#include "commands/fractal/quality.h"

#include <math.h>

#include "commands/fractal/planes.h"

enum { LUMA_WEIGHT = 6 };

double decibels_of(double mean_square_error) {
    const double peak = UINT8_MAX;

    return mean_square_error > 0 ? 10 * log10(peak * peak / mean_square_error) : HUGE_VAL;
}

void quality_add(quality *q, int planes, const double error[WEFT_FRACTAL_PLANES]) {
    double sum = 0, weights = 0;

    q->planes = planes;
    q->frames++;
    for (int i = 0; i < planes; i++) {
        const double weight = i == 0 ? LUMA_WEIGHT : 1;

        q->error[i] += error[i];
        q->decibels[i] += decibels_of(error[i]);
        sum += weight * error[i];
        weights += weight;
    }
    q->error[QUALITY_OF_ALL] += sum / weights;
    q->decibels[QUALITY_OF_ALL] += decibels_of(sum / weights);
}

void quality_compare(quality *q, const video_format *format, const uint8_t *original,
                     const uint8_t *decoded) {
    double error[WEFT_FRACTAL_PLANES] = {0};

    for (int i = 0; i < planes_of_video(format); i++) {
        const video_plane at = plane_of_video(format, i);
        const size_t count = at.rows * at.columns;
        uint64_t sum = 0;

        for (size_t k = at.start; k < at.start + count; k++) {
            const int32_t difference = original[k] - decoded[k];

            sum += (uint64_t)(difference * difference);
        }
        error[i] = (double)sum / (double)count;
    }
    quality_add(q, planes_of_video(format), error);
}

double quality_of_mean_error(const quality *q, int row) {
    return q->frames > 0 ? decibels_of(q->error[row] / (double)q->frames) : NAN;
}

double quality_mean(const quality *q, int row) {
    return q->frames > 0 ? q->decibels[row] / (double)q->frames : NAN;
}

const char *decibel_cell(double decibels, char cell[CELL_SIZE]) {
    return isinf(decibels) ? "inf" : number_cell("%.2f", decibels, cell);
}

static void print_both(FILE *to, const char *name, const quality *q, int row) {
    char of_mean[CELL_SIZE], mean[CELL_SIZE] = "";
    const int is_one = q->frames < 2;

    fprintf(to, "  %s %s dB%s%s%s", name, decibel_cell(quality_of_mean_error(q, row), of_mean),
            is_one ? "" : " (", is_one ? "" : decibel_cell(quality_mean(q, row), mean),
            is_one ? "" : ")");
}

void quality_print(FILE *to, const char *name, const quality *q) {
    fprintf(to, "%s", name);
    for (int i = 0; i < q->planes; i++) {
        print_both(to, plane_words[i], q, i);
    }
    if (q->planes > 1) {
        print_both(to, "all", q, QUALITY_OF_ALL);
    }
    fputc('\n', to);
}
