/* SPDX-License-Identifier: MIT
 * splitmix64 and what is drawn from it; see random.h.
 */
#include "random.h"

uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t seed_of(size_t a, size_t b, size_t c) {
    uint64_t state = (uint64_t)a << 40 ^ (uint64_t)b << 20 ^ (uint64_t)c;
    return next_random(&state);
}

double random_uniform(uint64_t *state, int bits) {
    return (double)(next_random(state) >> (64 - bits)) / (double)((uint64_t)1 << bits);
}

void fill_noise(uint64_t seed, weft_precision precision, size_t count, double *values) {
    const int bits = precision == WEFT_F32 ? 24 : 53;
    for (size_t i = 0; i < count; i++) {
        values[i] = random_uniform(&seed, bits) - 0.5;
    }
}
