/* SPDX-License-Identifier: MIT
 * What a strategy is: one struct per way of computing the transform, filled in by one file of
 * cpu_ref/ or cuda/ (each compiled once per precision) and listed in strategy.def. choose.c asks
 * it, plan.c runs it and has checked every argument before a strategy sees it.
 */
#ifndef WEFT_STRATEGY_H
#define WEFT_STRATEGY_H

#include "memory_space.h"
#include "problem.h"

/* What a strategy promises to those who choose, test and time it. That it filters in one call is
 * promised by strategy.filter. */
enum strategy_flag {
    EQUAL_BITS = 1,   /* its results have the same bits as those of every other with this flag */
    USES_THREADS = 2, /* problem.threads changes how it runs: the bench then times 1 and n */
    IS_ONE_PASS = 4   /* nothing of an image is in memory between its columns and its rows */
};

/* The sizes that it takes wherever it runs; supports() knows more. Sides from 1 to any length where
 * both limits are 0. */
typedef struct strategy_sizes {
    int powers_of_two, squares; /* 1: only such */
    size_t shortest, longest;   /* side */
} strategy_sizes;

struct text; /* text.h */

typedef struct strategy {
    const char *name;  /* "cpu.reference": the name in the API, in files, tables and tests */
    const char *about; /* one line */
    /* What may follow the name after colons, as "twiddle=lut|compute real=zero|tangle": the first
     * value of each is the default. NULL: nothing may. */
    const char *options;
    const memory_space *space; /* where image, spectrum and work live */

    /* WEFT_OK if this problem can run here; else weft_fail() with WEFT_UNSUPPORTED or
     * WEFT_NO_DEVICE and the reason, or WEFT_DEVICE_FAILED or WEFT_NO_MEMORY when the GPU could not
     * be asked. Takes nothing, changes nothing. */
    weft_status (*supports)(const problem *p);

    /* *state holds what execution needs; *workspace is the bytes of `work` that a call wants. */
    weft_status (*create)(const problem *p, void **state, size_t *workspace);
    void (*destroy)(void *state); /* NULL is fine */

    /* All images of the batch. image and spectrum may be equal (PACKED, REAL, equal pitches). */
    weft_status (*forward)(const void *state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream);
    weft_status (*inverse)(const void *state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream);

    /* spectrum[k][l] *= transfer[k][l] for all images of the batch, of which plan.c builds
     * weft_filter; NULL is fine where there is a filter. */
    weft_status (*multiply)(const void *state, void *spectrum, const void *transfer,
                            weft_transfer kind, struct CUstream_st *stream);

    /* weft_filter in one; NULL: composed of the three above. `work` is workspace bytes as there. */
    weft_status (*filter)(const void *state, const void *image, const void *transfer,
                          weft_transfer kind, void *out, void *work, struct CUstream_st *stream);

    /* Adds a line for each pass to what a plan says of itself; NULL: nothing to say. */
    void (*describe)(const void *state, struct text *to);

    /* What of this machine it will use, or what it misses, for `weft info`; NULL: nothing to say.
     */
    const char *(*here)(void);

    unsigned flags; /* of strategy_flag */
    strategy_sizes sizes;

    /* Whether this machine has the fused multiply-add that EQUAL_BITS takes; NULL: always. */
    int (*has_fused)(void);
} strategy;

/* The list of strategy.def, for most problems fastest first; a row holds one strategy compiled
 * for each precision.
 */
typedef struct strategy_row {
    const strategy *for_precision[2]; /* indexed by weft_precision */
} strategy_row;

extern const strategy_row strategy_table[];
extern const int strategy_count;

#endif
