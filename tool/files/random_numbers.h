/* SPDX-License-Identifier: MIT
 * Random numbers of drawn pictures: splitmix64 and what is made of it, integers only, so that all
 * machines draw the same.
 */
#ifndef WEFT_TOOL_FILES_RANDOM_NUMBERS_H
#define WEFT_TOOL_FILES_RANDOM_NUMBERS_H

#include <stdint.h>

static const uint64_t golden = 0x9e3779b97f4a7c15; /* the step of splitmix64's state */

/* splitmix64's output function. */
static inline uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

static inline uint64_t next_random(uint64_t *state) {
    *state += golden;
    return mix(*state);
}

/* A 32-bit random number to 0..limit-1: limit * random / 2^32, without overflow for any limit. */
static inline uint64_t scale_random(uint64_t random, uint64_t limit) {
    return (limit >> 32) * random + ((limit & UINT32_MAX) * random >> 32);
}

/* The same to -most..most. */
static inline int64_t symmetric(uint64_t random, int64_t most) {
    return (int64_t)scale_random(random, 2 * (uint64_t)most + 1) - most;
}

static inline int32_t clamp(int64_t x, int64_t least, int64_t most) {
    return (int32_t)(x < least ? least : x > most ? most : x);
}

#endif
