/* SPDX-License-Identifier: MIT
 * Random numbers that are the same everywhere for the same seed: splitmix64. The tests and the
 * references of verify and bench draw their inputs from it.
 */
#ifndef WEFT_CHECK_RANDOM_H
#define WEFT_CHECK_RANDOM_H

#include <stdint.h>

#include "weft.h"

uint64_t next_random(uint64_t *state);
uint64_t seed_of(size_t a, size_t b, size_t c);

/* Uniform in [0, 1), a multiple of 2^-bits. */
double random_uniform(uint64_t *state, int bits);

/* Uniform in [-0.5, 0.5), exact in the precision. */
void fill_noise(uint64_t seed, weft_precision precision, size_t count, double *values);

#endif
