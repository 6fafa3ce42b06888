/* SPDX-License-Identifier: MIT
 * The kernels of the search cpu for one instruction set (WEFT_KERNELS_OF, given to the compiler as
 * options too): WEFT_LANES entries side by side as int16. Because |x - y| = 2 max(x, y) - x - y, a
 * term takes a maximum and an addition; what is left over are sums that are known before. All of it
 * fits into 16 bits: see MOST_SUM.
 */
#include "cpu_kernels.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef int16_t vector __attribute__((vector_size(WEFT_LANES * sizeof(int16_t))));

/* The number x in every lane. */
static inline vector vector_of(int x) {
    return (int16_t)x - (vector){0};
}

#if WEFT_LANES == 32 && defined(__AVX512BW__)
#define LANES_INTRINSIC(name) _mm512_##name
#elif WEFT_LANES == 16 && defined(__AVX2__)
#define LANES_INTRINSIC(name) _mm256_##name
#elif WEFT_LANES == 8 && defined(__SSE2__)
#define LANES_INTRINSIC(name) _mm_##name
#endif

#if defined(LANES_INTRINSIC)
#if WEFT_LANES == 32
typedef __m512i bits;
#elif WEFT_LANES == 16
typedef __m256i bits;
#else
typedef __m128i bits;
#endif
static inline vector larger(vector a, vector b) {
    return (vector)LANES_INTRINSIC(max_epi16)((bits)a, (bits)b);
}

static inline vector smaller(vector a, vector b) {
    return (vector)LANES_INTRINSIC(min_epi16)((bits)a, (bits)b);
}
#else
static inline vector larger(vector a, vector b) {
    vector is_larger = a > b;
    return (a & is_larger) | (b & ~is_larger);
}

static inline vector smaller(vector a, vector b) {
    return larger(b, a) ^ a ^ b;
}
#endif

static inline int is_any_below(vector a, vector limit) {
#if WEFT_LANES == 32 && defined(__AVX512BW__)
    return _mm512_cmplt_epi16_mask((bits)a, (bits)limit) != 0;
#elif WEFT_LANES == 16 && defined(__AVX2__)
    return _mm256_movemask_epi8((bits)(a < limit)) != 0;
#elif WEFT_LANES == 8 && defined(__SSE2__)
    return _mm_movemask_epi8((bits)(a < limit)) != 0;
#else
    vector is_below = a < limit;
    int any = 0;
    for (int i = 0; i < WEFT_LANES; i++) {
        any |= is_below[i];
    }
    return any != 0;
#endif
}

/* ---- sums of a range and a group ---------------------------------------------------------------
 */

/* For each scale: of the positive ones the sums of max(q d, 4 r), of the negative ones those of
 * min(-q d, -4 r), which are -max(q d, 4 r). */
typedef struct sums {
    vector minus_4, minus_3, minus_2, plus_1, plus_2, plus_3, plus_4;
} sums;

/* What a value of a group is multiplied by. */
typedef struct multiples {
    vector by_1, by_2, by_3, by_4;
} multiples;

static inline multiples multiples_of(vector d) {
    multiples m = {.by_1 = d, .by_2 = d + d};
    m.by_3 = m.by_2 + d;
    m.by_4 = m.by_2 + m.by_2;
    return m;
}

static inline void add_terms(sums *s, const multiples *m, int range_value) {
    vector r = vector_of(4 * range_value), minus_r = vector_of(-4 * range_value);
    s->minus_4 += smaller(m->by_4, minus_r);
    s->minus_3 += smaller(m->by_3, minus_r);
    s->minus_2 += smaller(m->by_2, minus_r);
    s->plus_1 += larger(m->by_1, r);
    s->plus_2 += larger(m->by_2, r);
    s->plus_3 += larger(m->by_3, r);
    s->plus_4 += larger(m->by_4, r);
}

/* The least sum over all scales of |q d - 4 r|, for each entry, plus 4 times the sum of r. */
static inline vector least_of(const sums *s, vector sum_of_d) {
    multiples m = multiples_of(sum_of_d);
    vector least = s->plus_1 + s->plus_1 - m.by_1;
    least = smaller(least, s->plus_2 + s->plus_2 - m.by_2);
    least = smaller(least, s->plus_3 + s->plus_3 - m.by_3);
    least = smaller(least, s->plus_4 + s->plus_4 - m.by_4);
    least = smaller(least, m.by_2 - s->minus_2 - s->minus_2);
    least = smaller(least, m.by_3 - s->minus_3 - s->minus_3);
    return smaller(least, m.by_4 - s->minus_4 - s->minus_4);
}

/* ---- ranges and groups -------------------------------------------------------------------------
 */

static vector load(const int16_t *from) {
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

static int sum_of(const int16_t *range) {
    int sum = 0;
    for (int i = 0; i < BLOCK_PIXELS; i++) {
        sum += range[i];
    }
    return 4 * sum;
}

/* Entries below the best so far, in their order: the first of the least. */
static __attribute__((noinline)) void take_best(vector least, size_t group, int sum_of_range,
                                                cpu_best *best) {
    for (int i = 0; i < WEFT_LANES; i++) {
        if (least[i] - sum_of_range < best->sum) {
            best->sum = least[i] - sum_of_range;
            best->entry = (int32_t)group * WEFT_LANES + i;
        }
    }
}

static inline void hold_against_best(const sums *s, vector sum_of_d, size_t group, int sum_of_range,
                                     cpu_best *best) {
    vector least = least_of(s, sum_of_d);
    if (is_any_below(least, vector_of(best->sum + sum_of_range))) {
        take_best(least, group, sum_of_range, best);
    }
}

static void find_one(const int16_t *entries, size_t first, size_t end, const int16_t *range,
                     cpu_best *best) {
    const int sum_of_range = sum_of(range);
    for (size_t group = first; group < end; group++) {
        const int16_t *values = entries + group * GROUP_VECTORS * WEFT_LANES;
        sums s = {0};
        for (int i = 0; i < BLOCK_PIXELS; i++) {
            multiples m = multiples_of(load(values + i * WEFT_LANES));
            add_terms(&s, &m, range[i]);
        }
        hold_against_best(&s, load(values + BLOCK_PIXELS * WEFT_LANES), group, sum_of_range, best);
    }
}

#if WEFT_LANES == 32
/* Two ranges have the multiples of an entry in common; AVX-512 has registers for them. */
static void find_two(const int16_t *entries, size_t first, size_t end, const int16_t *range,
                     cpu_best *best) {
    const int16_t *other = range + BLOCK_PIXELS;
    const int sum_of_range = sum_of(range), sum_of_other = sum_of(other);
    for (size_t group = first; group < end; group++) {
        const int16_t *values = entries + group * GROUP_VECTORS * WEFT_LANES;
        sums s = {0}, of_other = {0};
        for (int i = 0; i < BLOCK_PIXELS; i++) {
            multiples m = multiples_of(load(values + i * WEFT_LANES));
            add_terms(&s, &m, range[i]);
            add_terms(&of_other, &m, other[i]);
        }
        vector sum_of_d = load(values + BLOCK_PIXELS * WEFT_LANES);
        hold_against_best(&s, sum_of_d, group, sum_of_range, best);
        hold_against_best(&of_other, sum_of_d, group, sum_of_other, best + 1);
    }
}
#endif

static void find(const void *entries, size_t first, size_t end, const int16_t *ranges, size_t count,
                 cpu_best *best) {
    size_t i = 0;
#if WEFT_LANES == 32
    for (; i + 1 < count; i += 2) {
        find_two(entries, first, end, ranges + i * BLOCK_PIXELS, best + i);
    }
#endif
    for (; i < count; i++) {
        find_one(entries, first, end, ranges + i * BLOCK_PIXELS, best + i);
    }
}

#define JOINED(isa) fractal_kernels_##isa
#define NAMED(isa) JOINED(isa)

extern const cpu_kernels NAMED(WEFT_KERNELS_OF);
const cpu_kernels NAMED(WEFT_KERNELS_OF) = {.lanes = WEFT_LANES, .find = find};
