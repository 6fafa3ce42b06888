/* SPDX-License-Identifier: MIT
 * What a search is: one struct per way of finding the code of a range, filled in by one file and
 * listed in search.def. encoder.c makes codebooks and ranges, and asks it; all searches of a
 * profile give the same answers.
 */
#ifndef WEFT_FRACTAL_SEARCH_H
#define WEFT_FRACTAL_SEARCH_H

#include <stdlib.h>

#include "codebook.h"
#include "scales.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the seed profile an answer (j, z) has the least sum over i of |q_z d_j[i] - 4 r[i]|, which a
 * flat range has with q = 0. Among equals flat comes first, then the least j, then the least z.
 * Without flat ranges that sum of a flat one counts as NO_FLAT_SUM, which is above all others. */
enum { NO_FLAT_SUM = 1 << 15 };

static inline int sum_of_differences(const int16_t *domain, int scale, const int16_t *range) {
    int sum = 0;
    for (int i = 0; i < BLOCK_PIXELS; i++) {
        sum += abs(scale * domain[i] - 4 * range[i]);
    }
    return sum;
}

static inline int flat_sum(const int16_t *range) {
    return sum_of_differences(range, 0, range);
}

/* In the dense profile, with c the sum of d r, sigma that of d^2, and a scale of k sixteenths, an
 * answer has the least error k (k sigma - 32 c), which is 256 times what the squares of all
 * differences add up to, less those of a flat range. Among equals flat comes first, then the least
 * j, then the least |k|. So one k is enough for each domain, the nearest to 16 c / sigma. */
static inline int dense_scale(int product, int square) {
    int k = square > 0 ? (32 * abs(product) + square - 1) / (2 * square) : 0;
    k = k < DENSE_FLAT ? k : DENSE_FLAT;
    return product < 0 ? -k : k;
}

static inline int64_t dense_error(int k, int product, int square) {
    return (int64_t)k * ((int64_t)k * square - 32 * (int64_t)product);
}

/* The least error of a domain, and the k that it has it with. */
static inline int64_t least_dense_error(const int16_t *domain, const int16_t *range, int *k) {
    int product = 0, square = 0;
    for (int i = 0; i < BLOCK_PIXELS; i++) {
        product += domain[i] * range[i];
        square += domain[i] * domain[i];
    }
    *k = dense_scale(product, square);
    return dense_error(*k, product, square);
}

typedef struct search_problem {
    const weft_fractal_desc *desc; /* with all defaults filled in */
    int planes;
    plane_blocks blocks[WEFT_FRACTAL_PLANES];
} search_problem;

/* The ranges of a plane that are to be searched. */
typedef struct range_list {
    size_t count;
    const uint32_t *number;
    const int16_t *values; /* count x BLOCK_PIXELS, without their means */
    const uint8_t *plane;  /* where they come from, padded */
} range_list;

typedef struct search_answer {
    uint32_t domain;
    uint8_t z;
} search_answer;

/* What is added to by a search. */
typedef struct search_work {
    double terms; /* that were evaluated */
    double transfer_seconds,
        kernel_seconds; /* of a device; what ran beside each other counts once */
} search_work;

/* Codebooks are taken and ranges are found in the default floating-point environment. */
typedef struct search {
    const char *name, *about;
    int makes_codebook; /* it can, from codebook.plane alone, and does so where the description says
                           WEFT_FRACTAL_DEVICE: codebook.count says how many domains it kept when
                           find() has returned, and number and values may be stale */

    /* WEFT_OK, or weft_fail() with WEFT_UNSUPPORTED or WEFT_NO_DEVICE and the reason. */
    weft_status (*supports)(const search_problem *p);
    /* Takes all memory that the other calls want. */
    weft_status (*create)(const search_problem *p, void **state);
    void (*destroy)(void *state); /* NULL is fine */
    /* The codebook of a plane, for all searches in it until the next one. The arrays of the
     * codebook stay as they are until then. */
    weft_status (*take_codebook)(void *state, int plane, codebook *book);
    /* NULL, or begins to search, and returns while it goes on. The ranges stay as they are until
     * find() is called for the same ones, which then waits for the answers; other planes may begin
     * before. */
    weft_status (*begin)(void *state, int plane, const range_list *ranges);
    weft_status (*find)(void *state, int plane, const range_list *ranges, search_answer *answers,
                        search_work *work);
} search;

/* The first one that is asked for and that supports the problem. name: NULL, "auto", or one. */
weft_status search_choose(const char *name, const search_problem *p, const search **chosen);

/* Refusals that several searches share. Each is WEFT_OK unless the description asks for it. */
weft_status refuse_profile(const char *name, const search_problem *p, weft_fractal_profile only);
enum history_taken { TAKES_NOTHING, TAKES_FLOATS };
weft_status refuse_history(const char *name, const search_problem *p, enum history_taken takes);
weft_status refuse_elimination(const char *name, const search_problem *p);

#ifdef __cplusplus
}
#endif

#endif
