/* SPDX-License-Identifier: MIT
 * The kernels of the search cpu with floats, for one instruction set (WEFT_KERNELS_OF, given to the
 * compiler as options too): WEFT_LANES entries side by side, each term as it is written. All
 * numbers are integers below 2^24, so that sums are exact and codes those of integers.
 */
#include <string.h>

#include "cpu_kernels.h"
#include "scales.h"

typedef float vector __attribute__((vector_size(WEFT_LANES * sizeof(float))));
typedef int32_t bits __attribute__((vector_size(WEFT_LANES * sizeof(int32_t))));

static inline vector absolute(vector x) {
    return (vector)((bits)x & 0x7fffffff);
}

static inline vector smaller(vector a, vector b) {
    bits is_smaller = a < b;
    return (vector)(((bits)a & is_smaller) | ((bits)b & ~is_smaller));
}

static vector load(const float *from) {
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Of a range and a group, over all scales. */
static inline vector least_sums(const float *group, const int16_t *range) {
    vector sums[SEED_SCALES] = {{0}};
    for (int i = 0; i < BLOCK_PIXELS; i++) {
        const vector d = load(group + i * WEFT_LANES);
        const float r = (float)(4 * range[i]);
#pragma GCC unroll 7
        for (int z = 0; z < SEED_SCALES; z++) {
            sums[z] += absolute((float)seed_scales[z] * d - r);
        }
    }
    vector least = sums[0];
#pragma GCC unroll 7
    for (int z = 1; z < SEED_SCALES; z++) {
        least = smaller(least, sums[z]);
    }
    return least;
}

static void find_one(const float *entries, size_t first, size_t end, const int16_t *range,
                     cpu_best *best) {
    for (size_t group = first; group < end; group++) {
        vector least = least_sums(entries + group * GROUP_VECTORS * WEFT_LANES, range);
        bits is_below = least < (float)best->sum;
        int32_t is_any = 0;
        for (int i = 0; i < WEFT_LANES; i++) {
            is_any |= is_below[i];
        }
        for (int i = 0; is_any && i < WEFT_LANES; i++) {
            if (least[i] < (float)best->sum) {
                *best = (cpu_best){(int32_t)least[i], (int32_t)group * WEFT_LANES + i};
            }
        }
    }
}

static void find(const void *entries, size_t first, size_t end, const int16_t *ranges, size_t count,
                 cpu_best *best) {
    for (size_t i = 0; i < count; i++) {
        find_one(entries, first, end, ranges + i * BLOCK_PIXELS, best + i);
    }
}

#define JOINED(isa) fractal_float_kernels_##isa
#define NAMED(isa) JOINED(isa)

extern const cpu_kernels NAMED(WEFT_KERNELS_OF);
const cpu_kernels NAMED(WEFT_KERNELS_OF) = {.lanes = WEFT_LANES, .is_float = 1, .find = find};
