/* SPDX-License-Identifier: MIT
 * The tables of Bluestein's algorithm, for lines that have no factor list: X[k] = c[k] sum_n (x[n]
 * c[n]) conj c[k - n], with the chirp c[n] = exp(-pi i n^2 / N). The sum is a convolution, done by
 * two transforms of a length whose factor list begins and ends with powers of two. Part of the one
 * arithmetic, for every executor.
 */
#ifndef WEFT_ARITH_CHIRP_H
#define WEFT_ARITH_CHIRP_H

#include "arith/factors.h"

/* The length of the two transforms: of 2^k times 1, 3, 5 and 9, with 2^k from 64 on, which is the
 * product of two radices or more, the shortest from 2 length - 1 on. */
static WEFT_CONSTANT size_t convolution_length(size_t length) {
    const size_t factors[] = {1, 3, 5, 9};
    size_t shortest = 0;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        size_t padded = 64 * factors[i];
        while (padded < 2 * length - 1) {
            padded *= 2;
        }
        if (shortest == 0 || padded < shortest) {
            shortest = padded;
        }
    }
    return shortest;
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
