/* SPDX-License-Identifier: MIT
 * The steps at the edges and the window, said of the spectrum: the rows of a picture are sums over
 * the columns of its spectrum, so that the difference of two rows is such a sum, too; and a Hann
 * window has three bins of its own, so that its product with a picture is a sum of three bins.
 */
#include "pictures/edges.h"

#include <math.h>
#include <stdlib.h>

#include "pictures/bins.h"
#include "shell/complain.h"

/* ---- the periodic part ----------------------------------------------------------------------- */

typedef struct steps {
    double complex *row_turns, *column_turns; /* exp(-2 pi i k / H) - 1, and of l and W */
    double complex *rows;    /* of each l: the transform of the last row less the first */
    double complex *columns; /* of each k: the same of columns */
} steps;

static void free_steps(steps *t) {
    free(t->row_turns);
    free(t->column_turns);
    free(t->rows);
    free(t->columns);
}

/* NULL after a complaint. */
static double complex *turns(size_t count, size_t n) {
    double complex *values = allocate(count, sizeof *values);

    for (size_t i = 0; values != NULL && i < count; i++) {
        const double half = sin(M_PI * (double)i / (double)n);
        values[i] = complex_of(-2 * half * half, -sin(2 * M_PI * (double)i / (double)n));
    }
    return values;
}

static int make_steps(steps *t, const spectrum *s) {
    t->row_turns = turns(s->height, s->height);
    t->column_turns = turns(spectrum_row_length(s), s->width);
    t->rows = allocate(spectrum_row_length(s), sizeof *t->rows);
    t->columns = allocate(s->height, sizeof *t->columns);
    return t->row_turns && t->column_turns && t->rows && t->columns ? EXIT_DONE : EXIT_MEMORY;
}

/* A bin of a column beyond W/2 is the conjugate of a stored one, of another row. */
static void find_steps(steps *t, const spectrum *s, size_t plane) {
    const size_t columns = spectrum_row_length(s);

    for (size_t l = 0; l < columns; l++) {
        t->rows[l] = 0;
    }
    for (size_t k = 0; k < s->height; k++) {
        t->columns[k] = 0;
    }
    for (size_t k = 0; k < s->height; k++) {
        const size_t mirrored = (s->height - k) % s->height;

        for (size_t l = 0; l < columns; l++) {
            const double complex x = bin_stored(s, plane, k, l), turned = x * t->column_turns[l];

            t->rows[l] += x * t->row_turns[k] / (double)s->height;
            t->columns[k] += turned / (double)s->width;
            if (bin_weight(s, l) == 2) {
                t->columns[mirrored] += conj(turned) / (double)s->width;
            }
        }
    }
}

/* The smooth picture's bins solve Poisson's equation, whose right side has the steps. */
static void subtract_smooth(const steps *t, spectrum *s, size_t plane) {
    for (size_t k = 0; k < s->height; k++) {
        for (size_t l = k == 0 ? 1 : 0; l < spectrum_row_length(s); l++) {
            const double complex smooth =
                (t->rows[l] * conj(t->row_turns[k]) + t->columns[k] * conj(t->column_turns[l])) /
                (2 * creal(t->row_turns[k]) + 2 * creal(t->column_turns[l]));

            bin_store(s, plane, k, l, bin_stored(s, plane, k, l) + smooth);
        }
    }
}

int edges_take_away_steps(spectrum *s) {
    steps t = {0};
    const int code = make_steps(&t, s);

    for (size_t plane = 0; code == EXIT_DONE && plane < s->planes; plane++) {
        find_steps(&t, s, plane);
        subtract_smooth(&t, s, plane);
    }
    free_steps(&t);
    return code;
}

/* ---- the window ------------------------------------------------------------------------------ */

static double complex windowed(double complex before, double complex x, double complex after) {
    return x / 2 - (before + after) / 4;
}

/* All rows; `outside` has of each k the bins left and right of those that are stored. */
static void window_rows(spectrum *s, size_t plane, double complex *outside) {
    const size_t columns = spectrum_row_length(s);

    for (size_t k = 0; k < s->height; k++) {
        outside[2 * k] = bin_of(s, plane, k, s->width - 1);
        outside[2 * k + 1] = bin_of(s, plane, k, columns % s->width);
    }
    for (size_t k = 0; k < s->height; k++) {
        double complex before = outside[2 * k];

        for (size_t l = 0; l < columns; l++) {
            const double complex x = bin_stored(s, plane, k, l);

            bin_store(
                s, plane, k, l,
                windowed(before, x,
                         l + 1 < columns ? bin_stored(s, plane, k, l + 1) : outside[2 * k + 1]));
            before = x;
        }
    }
}

/* All columns, row by row. `kept` has the first row, and the one before this row, as they were. */
static void window_columns(spectrum *s, size_t plane, double complex *kept) {
    const size_t columns = spectrum_row_length(s);
    double complex *first = kept, *before = kept + columns;

    for (size_t l = 0; l < columns; l++) {
        first[l] = bin_stored(s, plane, 0, l);
        before[l] = bin_stored(s, plane, s->height - 1, l);
    }
    for (size_t k = 0; k < s->height; k++) {
        for (size_t l = 0; l < columns; l++) {
            const double complex x = bin_stored(s, plane, k, l);

            bin_store(s, plane, k, l,
                      windowed(before[l], x,
                               k + 1 < s->height ? bin_stored(s, plane, k + 1, l) : first[l]));
            before[l] = x;
        }
    }
}

int edges_apply_hann(spectrum *s) {
    const size_t columns = spectrum_row_length(s);
    double complex *kept = allocate(2 * (s->height > columns ? s->height : columns), sizeof *kept);

    for (size_t plane = 0; kept != NULL && plane < s->planes; plane++) {
        const double complex mean = bin_stored(s, plane, 0, 0);

        bin_store(s, plane, 0, 0, 0);
        if (s->width > 1) {
            window_rows(s, plane, kept);
        }
        if (s->height > 1) {
            window_columns(s, plane, kept);
        }
        bin_store(s, plane, 0, 0, mean);
    }
    free(kept);
    return kept != NULL ? EXIT_DONE : EXIT_MEMORY;
}
