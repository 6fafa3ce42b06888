/* SPDX-License-Identifier: MIT
 * An array of C columns is all of the spectrum of a picture that is C wide if it is Hermitian, and
 * half of one that is 2 (C - 1) wide if its first and last columns are.
 */
#include "files/spectrum_reading.h"

/* Sums of squares, which of doubles go beyond what a double holds. The mean, which may be far
 * larger than all other values, counts apart: its rounding is in all of them. */
typedef struct squares {
    long double mean, others, apart;
} squares;

static void add_squares(squares *q, long double value, long double apart, int is_mean) {
    *(is_mean ? &q->mean : &q->others) += value * value;
    q->apart += apart * apart;
}

static int are_alike(const spectrum *s, const squares *q) {
    const double rounding = 1e-6, of_mean = s->precision == WEFT_F64 ? 1e-14 : 1e-7;

    return q->apart <= rounding * rounding * q->others + of_mean * of_mean * q->mean;
}

/* Whether X[k][l] is the conjugate of X[-k][-l] up to rounding, as in the fft2 of real numbers: in
 * an array of all columns, or in the two columns of a half spectrum where -l is l. */
static int is_hermitian(const spectrum *s, int has_all_columns) {
    const size_t columns = spectrum_row_length(s);
    squares q = {0};

    for (size_t row = 0; row < s->planes * s->height; row++) {
        size_t k = row % s->height, opposite = row - k + (s->height - k) % s->height;

        for (size_t l = 0; l < columns; l += has_all_columns ? 1 : columns - 1) {
            size_t i = 2 * (row * columns + l);
            size_t j = 2 * (opposite * columns + (has_all_columns ? (columns - l) % columns : l));
            long double re = spectrum_number(s, i), im = spectrum_number(s, i + 1);

            add_squares(&q, re, re - spectrum_number(s, j), k == 0 && l == 0);
            add_squares(&q, im, im + spectrum_number(s, j + 1), k == 0 && l == 0);
        }
    }
    return are_alike(s, &q);
}

/* Whether all columns but the first are the same, as they are in half the spectrum of a picture
 * whose rows are constant, or of one that is 0 but for its first column. */
static int has_like_columns(const spectrum *s) {
    const size_t reals = 2 * spectrum_row_length(s);
    squares q = {0};

    for (size_t row = 0; row < s->planes * s->height; row++) {
        for (size_t i = 0; i < reals; i++) {
            long double value = spectrum_number(s, row * reals + i);
            long double second = spectrum_number(s, row * reals + 2 + i % 2);

            add_squares(&q, value, i < 2 ? 0 : value - second, row % s->height == 0 && i < 2);
        }
    }
    return are_alike(s, &q);
}

/* Where both fit, the more usual is first: all of a symmetric picture, whose half would be that of
 * no usual one; but if the half would be that of a plain one, the half if it is of a picture whose
 * width is a multiple of 4. */
spectrum_reading spectrum_find_reading(const spectrum *s) {
    const size_t columns = spectrum_row_length(s);

    if (columns <= 2 || !is_hermitian(s, 1)) {
        return READ_HALF;
    }
    if (!is_hermitian(s, 0)) {
        return READ_FULL;
    }
    return columns % 2 == 1 && has_like_columns(s) ? READ_HALF_OR_FULL : READ_FULL_OR_HALF;
}

int spectrum_looks_shifted(const spectrum *s) {
    const size_t columns = spectrum_row_length(s), middle = s->height / 2 * columns;
    long double most = 0;
    size_t largest = 0;

    for (size_t i = 0; i < s->height * columns; i++) {
        const long double re = spectrum_number(s, 2 * i), im = spectrum_number(s, 2 * i + 1);

        if (re * re + im * im > most) {
            most = re * re + im * im;
            largest = i;
        }
    }
    return largest > 0 && (largest == middle || largest == middle + columns / 2);
}
