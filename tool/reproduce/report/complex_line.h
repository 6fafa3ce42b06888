/* SPDX-License-Identifier: MIT
 * Lines of complex numbers in double precision: the sum that defines their transform, and the
 * report's recurrence, as it is right and as it reads where its text slips. Written from the
 * report's formulas: of the library only sines and cosines take part.
 */
#ifndef WEFT_TOOL_REPRODUCE_REPORT_COMPLEX_LINE_H
#define WEFT_TOOL_REPRODUCE_REPORT_COMPLEX_LINE_H

#include <complex.h>
#include <stddef.h>

typedef double complex complex_number;

enum { LINE = 64 }; /* N of what is found out about lines */

complex_number line_root(size_t k, size_t n); /* exp(-2 pi i k / n) */

/* Noise of mean zero; the imaginary parts are 0 if it is to be real. */
void line_noise(size_t n, int is_real, unsigned seed, complex_number *f);

/* F'(u) = sum of f(x) W_N^(x u), from the definition. Any N. */
void line_sums(size_t n, const complex_number *f, complex_number *F);

/* How the recurrence A[n] <- A[n + u S] + W_L^u A[n + u S + S], L = N / S, is read. */
typedef enum reading {
    READ_RIGHT,
    READ_IN_PLACE,    /* one array, one n after the other */
    READ_WITHOUT_MOD, /* indices are not taken mod N; behind the array is nothing */
    READ_HALF_ROOT    /* with W of half the length, the only one that is defined */
} reading;

/* The same through it, in f; `other` is as long. Of an N that is no power of two it does what log2
 * N, rounded down, leaves of it. */
void line_recurrence(size_t n, complex_number *f, complex_number *other, reading how);

/* The relative L2 error of what is there. */
double line_error(size_t n, const complex_number *there, const complex_number *right);

#endif
