/* SPDX-License-Identifier: MIT
 * The tables of Bluestein's algorithm, for lines that have no factor list: X[k] = c[k] sum_n (x[n]
 * c[n]) conj c[k - n], with the chirp c[n] = exp(-pi i n^2 / N). The sum is a convolution, done by
 * two transforms of a power of two. Part of the one arithmetic, for every executor.
 */
#ifndef WEFT_ARITH_CHIRP_H
#define WEFT_ARITH_CHIRP_H

#include "arith/numbers.h"

/* The length of the two transforms: the power of two from 2 length - 1 on. */
static WEFT_CONSTANT size_t convolution_length(size_t length) {
    size_t padded = 1;
    while (padded < 2 * length - 1) {
        padded *= 2;
    }
    return padded;
}

/* Tables of a longer one would take minutes and tens of gigabytes to make. */
enum { LONGEST_CONVOLUTION = 1 << 27 };

/* chirp[length] gets c[n]; spectrum[convolution_length(length)] the DFT of conj c[n] for n from -
 * (length - 1) to length - 1, modulo the convolution's length, divided by that length. Both are
 * computed in long double and rounded once; `scratch`, chirp_scratch() bytes, is aligned as memory
 * of malloc() is. */
WEFT_C void REAL_NAME(chirp_fill)(size_t length, cpx *chirp, cpx *spectrum, void *scratch);
#define chirp_fill REAL_NAME(chirp_fill)

/* Of as many complex numbers in long double as the convolution has, and their roots. */
static inline size_t chirp_scratch(size_t length) {
    return convolution_length(length) / 2 * 3 * (2 * sizeof(long double));
}

#endif
