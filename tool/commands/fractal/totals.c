/* SPDX-License-Identifier: MIT
 * Sums over frames, and their table; see totals.h. Headers and checksums of frames count for the
 * stream alone, the header of a plane for the plane.
 */
#include "commands/fractal/totals.h"

#include <math.h>

#include "commands/fractal/planes.h"

static void add_bytes(plane_totals *p, size_t raw, size_t bytes, double later) {
    p->raw += (double)raw;
    p->bytes += (double)bytes;
    p->later_raw += later * (double)raw;
    p->later_bytes += later * (double)bytes;
}

static void add_modes(plane_totals *p, const weft_fractal_counts *counts, double later) {
    p->later_ranges += later * (double)counts->ranges;
    p->later_changed += later * (double)(counts->coded + counts->repeated);
    p->later_coded += later * (double)counts->coded;
}

void totals_add(totals *t, const video_format *format, const weft_fractal_frame *frame) {
    const double later = frame->is_reference ? 0 : 1;
    double error[WEFT_FRACTAL_PLANES] = {0};

    t->frames++;
    t->references += frame->is_reference != 0;
    t->search_seconds += frame->search_seconds;
    for (int i = 0; i < frame->planes; i++) {
        const weft_fractal_counts *counts = &frame->plane[i];
        const video_plane at = plane_of_video(format, i);

        add_bytes(&t->plane[i], at.rows * at.columns, counts->bytes, later);
        add_modes(&t->plane[i], counts, later);
        add_modes(&t->plane[QUALITY_OF_ALL], counts, later);
        t->terms_decided += counts->terms_decided;
        t->terms_evaluated += counts->terms_evaluated;
        error[i] = counts->mean_square_error;
    }
    add_bytes(&t->plane[QUALITY_OF_ALL], video_frame_bytes(format), frame->bytes, later);
    quality_add(&t->decoded, frame->planes, error);
}

static double ratio(double a, double b) {
    return b > 0 ? a / b : NAN;
}

/* "67.1 %" */
static const char *share_cell(double part, double whole, char cell[CELL_SIZE]) {
    return number_cell("%.1f %%", 100 * ratio(part, whole), cell);
}

const char *totals_so_far(const totals *t, char text[TOTALS_TEXT]) {
    const plane_totals *all = &t->plane[QUALITY_OF_ALL];
    char decibels[CELL_SIZE], times[CELL_SIZE];

    snprintf(text, TOTALS_TEXT, "%s dB, %s:1",
             decibel_cell(quality_of_mean_error(&t->decoded, QUALITY_OF_ALL), decibels),
             number_cell("%.2f", ratio(all->raw, all->bytes), times));
    return text;
}

void totals_print_frame(FILE *to, size_t number, const video_format *format,
                        const weft_fractal_frame *frame) {
    char text[TOTALS_TEXT], share[CELL_SIZE];
    totals one = {0};
    const plane_totals *all = &one.plane[QUALITY_OF_ALL];

    totals_add(&one, format, frame);
    fprintf(to, "frame %zu: %s, %zu bytes, %s", number,
            frame->is_reference ? "reference" : "changes", frame->bytes, totals_so_far(&one, text));
    if (!frame->is_reference) {
        fprintf(to, ", %s changed", share_cell(all->later_changed, all->later_ranges, share));
    }
    fputc('\n', to);
}

static void print_row(FILE *to, const char *name, const totals *t, int row, double pixels) {
    const plane_totals *p = &t->plane[row];
    char times[CELL_SIZE], later[CELL_SIZE], rate[CELL_SIZE], of_mean[CELL_SIZE], mean[CELL_SIZE];
    char changed[CELL_SIZE], again[CELL_SIZE];

    fprintf(to, "%-5s %11.0f %9s %9s %9s %8s %8s %8s %8s\n", name, p->bytes,
            number_cell("%.2f:1", ratio(p->raw, p->bytes), times),
            number_cell("%.2f:1", ratio(p->later_raw, p->later_bytes), later),
            number_cell("%.4f", ratio(8 * p->bytes, pixels), rate),
            decibel_cell(quality_of_mean_error(&t->decoded, row), of_mean),
            decibel_cell(quality_mean(&t->decoded, row), mean),
            share_cell(p->later_changed, p->later_ranges, changed),
            share_cell(p->later_coded, p->later_ranges, again));
}

void totals_print(FILE *to, const totals *t, const video_format *format, double seconds) {
    const double pixels = (double)t->frames * (double)format->height * (double)format->width;
    const int planes = t->decoded.planes;

    fprintf(to, "%-5s %11s %9s %9s %9s %8s %8s %8s %8s\n", "plane", "bytes", "ratio", "later",
            "bit/pixel", "PSNR", "of each", "changed", "new");
    for (int i = 0; i < planes; i++) {
        print_row(to, plane_words[i], t, i, pixels);
    }
    print_row(to, "all", t, QUALITY_OF_ALL, pixels);
    fprintf(
        to,
        "PSNR: of the mean error, in dB; of each: the mean of the frames' PSNR; all: Y counts "
        "six times.\nlater, changed, new: of frames that are no references, %zu of %zu; new: codes "
        "that are not the last ones again.\n",
        t->frames - t->references, t->frames);
    fprintf(to, "%.3g terms evaluated of %.3g, %.3g/s; %.3g frames/s, %.0f %% in the search.\n",
            t->terms_evaluated, t->terms_decided,
            t->search_seconds > 0 ? t->terms_evaluated / t->search_seconds : 0,
            seconds > 0 ? (double)t->frames / seconds : 0,
            seconds > 0 ? 100 * t->search_seconds / seconds : 0);
}
