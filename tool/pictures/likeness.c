/* SPDX-License-Identifier: MIT
 * SSIM row by row: the five means that it is made of are weighted along a row once, and the last 11
 * rows of them are kept.
 */
#include "pictures/likeness.h"

#include <math.h>
#include <stdlib.h>

#include "shell/complain.h"
#include "shell/progress.h"

enum { WINDOW = 11, MEANS = 5 }; /* of a, b, a^2, b^2, ab */
static const double window_sigma = 1.5;

/* ---- differences ----------------------------------------------------------------------------- */

static double alpha_value(const image *picture, size_t i) {
    const image alpha = {.depth = picture->depth, .pixels = picture->alpha};

    if (picture->alpha == NULL) {
        return picture->depth == 32 ? 1 : image_largest(picture->depth);
    }
    return image_value(&alpha, i);
}

static void count(likeness *found, size_t i, double difference) {
    found->samples++;
    found->differing += difference > 0;
    if (difference > found->largest) {
        found->largest = difference;
        found->at = i;
    }
}

/* The sum of squares of the colours. */
static double compare(likeness *found, const image *a, const image *b) {
    const size_t samples = image_plane_samples(a), colours = a->planes * samples;
    double squares = 0;

    for (size_t i = 0; i < colours; i++) {
        const double difference = fabs(image_value(a, i) - image_value(b, i));

        count(found, i, difference);
        squares += difference * difference;
    }
    for (size_t i = 0; (a->alpha || b->alpha) && i < samples; i++) {
        count(found, colours + i, fabs(alpha_value(a, i) - alpha_value(b, i)));
    }
    return squares;
}

/* ---- SSIM ------------------------------------------------------------------------------------ */

typedef struct windows {
    double weights[WINDOW];
    double c1, c2;         /* keep quotients of small numbers from meaning much */
    size_t width, columns; /* of a row; of the windows in it */
    double *row;           /* [MEANS][width] */
    double *rows;          /* [WINDOW][MEANS][columns], weighted along the row */
    double *sums;          /* [MEANS][columns], weighted both ways */
} windows;

static int make_windows(windows *w, size_t width, double peak) {
    double sum = 0;

    *w = (windows){.c1 = 0.01 * peak * 0.01 * peak,
                   .c2 = 0.03 * peak * 0.03 * peak,
                   .width = width,
                   .columns = width - WINDOW + 1};
    for (int i = 0; i < WINDOW; i++) {
        const double x = (i - WINDOW / 2) / window_sigma;

        w->weights[i] = exp(-x * x / 2);
        sum += w->weights[i];
    }
    for (int i = 0; i < WINDOW; i++) {
        w->weights[i] /= sum;
    }
    w->row = allocate(MEANS * width, sizeof *w->row);
    w->rows = allocate(WINDOW * MEANS * w->columns, sizeof *w->rows);
    w->sums = allocate(MEANS * w->columns, sizeof *w->sums);
    return w->row && w->rows && w->sums ? EXIT_DONE : EXIT_MEMORY;
}

static void free_windows(windows *w) {
    free(w->row);
    free(w->rows);
    free(w->sums);
}

static void add_weighted(double *restrict to, const double *restrict from, double weight,
                         size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] += weight * from[i];
    }
}

static void clear(double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        values[i] = 0;
    }
}

/* Row m of a plane into its place among the rows. */
static void take_row(windows *w, const image *a, const image *b, size_t first, size_t m) {
    double *to = w->rows + m % WINDOW * MEANS * w->columns;

    for (size_t n = 0; n < w->width; n++) {
        const double x = image_value(a, first + n), y = image_value(b, first + n);
        const double values[MEANS] = {x, y, x * x, y * y, x * y};

        for (size_t i = 0; i < MEANS; i++) {
            w->row[i * w->width + n] = values[i];
        }
    }
    clear(to, MEANS * w->columns);
    for (size_t i = 0; i < MEANS; i++) {
        for (size_t tap = 0; tap < WINDOW; tap++) {
            add_weighted(to + i * w->columns, w->row + i * w->width + tap, w->weights[tap],
                         w->columns);
        }
    }
}

/* The sum of all windows whose last row is m. */
static double sum_windows(windows *w, size_t m) {
    const size_t n = w->columns;
    double sum = 0;

    clear(w->sums, MEANS * n);
    for (size_t tap = 0; tap < WINDOW; tap++) {
        add_weighted(w->sums, w->rows + (m + 1 + tap) % WINDOW * MEANS * n, w->weights[tap],
                     MEANS * n);
    }
    for (size_t i = 0; i < n; i++) {
        const double x = w->sums[i], y = w->sums[n + i];
        const double spread = w->sums[2 * n + i] - x * x + w->sums[3 * n + i] - y * y;
        const double together = w->sums[4 * n + i] - x * y;

        sum += (2 * x * y + w->c1) * (2 * together + w->c2) /
               ((x * x + y * y + w->c1) * (spread + w->c2));
    }
    return sum;
}

static int find_ssim(likeness *found, const image *a, const image *b, double peak) {
    const size_t rows = a->planes * a->height;
    windows w = {0};
    double sum = 0;
    int code;

    if (a->height < WINDOW || a->width < WINDOW) {
        found->ssim = NAN;
        return EXIT_DONE;
    }
    code = make_windows(&w, a->width, peak);
    for (size_t row = 0; code == EXIT_DONE && row < rows; row++) {
        take_row(&w, a, b, row * a->width, row % a->height);
        if (row % a->height >= WINDOW - 1) {
            sum += sum_windows(&w, row % a->height);
        }
        progress_step((double)row / (double)rows, NULL);
    }
    found->ssim = sum / (double)(a->planes * (a->height - WINDOW + 1)) / (double)w.columns;
    free_windows(&w);
    return code;
}

int likeness_find(likeness *found, const image *a, const image *b, double peak) {
    double squares;
    int code;

    *found = (likeness){0};
    progress_start("comparing");
    squares = compare(found, a, b);
    found->psnr =
        20 * log10(peak) - 10 * log10(squares / (double)(a->planes * image_plane_samples(a)));
    code = find_ssim(found, a, b, peak);
    progress_end();
    return code;
}

int likeness_draw(image *drawing, const image *a, const image *b) {
    const size_t count_of_colours = a->planes * image_plane_samples(a);
    double largest = 0;
    int code = image_allocate(drawing, a->height, a->width, a->planes, a->depth == 8 ? 8 : 16, 0);

    for (size_t i = 0; code == EXIT_DONE && i < count_of_colours; i++) {
        largest = fmax(largest, fabs(image_value(a, i) - image_value(b, i)));
    }
    for (size_t i = 0; code == EXIT_DONE && i < count_of_colours; i++) {
        const double share =
            largest > 0 ? fabs(image_value(a, i) - image_value(b, i)) / largest : 0;

        image_set_sample(drawing, i, (unsigned)lrint(share * image_largest(drawing->depth)));
    }
    return code;
}
