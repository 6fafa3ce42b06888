/* SPDX-License-Identifier: MIT
 * The gates: how large an error may be, and over how many images it is taken. All limits of errors
 * that follow from the theory of rounding stand here, for tests, verify, bench and reproduce.
 * In: a shape, or a plan's problem and what it runs. Write gates as !(error <= gate), so that NaN
 * fails.
 */
#ifndef WEFT_CHECK_GATES_H
#define WEFT_CHECK_GATES_H

#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* u = 2^-24 or 2^-53, L = max(1, log2(H W)), c = 1 when H and W have no prime factor above 7, else
 * 2. For one transform of one image with the factor 1. */
double gate_l2(size_t height, size_t width, weft_precision precision);  /* c u sqrt(L) */
double gate_max(size_t height, size_t width, weft_precision precision); /* 1.5 c u sqrt(L)
                                                                           sqrt(1 + ln(H W)) */

/* How many images of the batch are judged together: all of it where they are small, since the error
 * of a few numbers is a matter of chance, else one. */
size_t gates_pool(const problem *p);

typedef struct gates {
    double l2;      /* of ||error|| / ||expected|| over the images that are judged together */
    double max_rms; /* of the largest |error| / the RMS of what is expected there */
} gates;

/* max_rms is of the largest of all outputs of the batch. For OPERATION_FILTER, and for a round
 * trip, which is a filter that multiplies by 1, both are 1.75 times as large. A factor of
 * normalisation that is no power of two adds 2 u: it is rounded, and so is its product. The spectra
 * of U8 and U16 images have no max_rms. is_worst_case: the limits are Higham's bound for any
 * input, 6.7 u L, instead of those for random input. */
gates gates_of(const problem *p, operation what, int is_worst_case);

#ifdef __cplusplus
}
#endif
#endif
