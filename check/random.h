/* SPDX-License-Identifier: MIT
 * Random numbers that are the same everywhere for the same seed: splitmix64. The tests and the
 * references of verify and bench draw their inputs from it.
 */
#ifndef WEFT_CHECK_RANDOM_H
#define WEFT_CHECK_RANDOM_H

#include <stdint.h>

#include "weft.h"

static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t seed_of(size_t a, size_t b, size_t c) {
    uint64_t state = (uint64_t)a << 40 ^ (uint64_t)b << 20 ^ (uint64_t)c;
    return next_random(&state);
}

/* What the state is after so many draws. */
static inline uint64_t seed_after(uint64_t state, size_t draws) {
    return state + draws * 0x9e3779b97f4a7c15u;
}

/* Uniform in [0, 1), a multiple of 2^-bits. */
static inline double random_uniform(uint64_t *state, int bits) {
    return (double)(next_random(state) >> (64 - bits)) / (double)((uint64_t)1 << bits);
}

/* Uniform in [-0.5, 0.5), exact in the precision. */
static inline double next_noise(uint64_t *state, weft_precision precision) {
    return random_uniform(state, precision == WEFT_F32 ? 24 : 53) - 0.5;
}

static inline void fill_noise(uint64_t seed, weft_precision precision, size_t count,
                              double *values) {
    for (size_t i = 0; i < count; i++) {
        values[i] = next_noise(&seed, precision);
    }
}

#endif
