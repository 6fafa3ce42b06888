/* SPDX-License-Identifier: MIT
 * One image at work in cpu.fast, and what passes with either kind of kernels do in the same way:
 * where memory lies, sums of integer pixels, and rows 0 and H/2, which share slot 0. fast.c runs
 * the passes.
 */
#ifndef WEFT_CPU_REF_FAST_JOB_H
#define WEFT_CPU_REF_FAST_JOB_H

#include <stdatomic.h>
#include <stdint.h>

#include "fast/plan.h"
#include "means.h"
#include "multiply.h"
#include "scaling.h"
#include "team.h"

/* How an image is scaled; and, if it is measured before, what all threads have found so far. */
typedef struct REAL_NAME(measure) {
    scaling scaling;
    _Atomic double input, transfer; /* their largest absolute values */
} measure;

/* One image at work, as a member of the team that transforms it sees it. */
typedef struct REAL_NAME(job) {
    const fast_plan *plan;
    const struct call *call;
    size_t member;
    const void *image;
    size_t index, first; /* in the batch; its first element of `image` */
    spectrum_view spectrum;
    intermediate_view intermediate;
    char *scratch;          /* of all members */
    uint64_t *sums;         /* of each column of integer pixels */
    transfer_view transfer; /* of a filter */
    void *out;              /* what columns_inverse() writes */
    measure *measure;
} job;

/* One member calls `before`, if it is not NULL, before any task begins. */
typedef struct pass {
    void (*before)(const job *j);
    void (*task)(const job *j, size_t index);
    tasks (*tasks)(const job *j);
} pass;

/* The passes over an image, and their tasks: tiles of columns, or slots of rows. */
typedef struct REAL_NAME(pass_set) {
    /* How columns write rows that begin at `values`. is_straight: their tiles must not turn. */
    intermediate_view (*intermediate)(const fast_plan *plan, scalar *values, size_t pitch,
                                      int is_straight, int is_inverse);
    void (*columns)(const job *j, size_t tile);
    void (*rows)(const job *j, size_t slot);
    void (*rows_inverse)(const job *j, size_t slot);
    void (*columns_inverse)(const job *j, size_t tile);
    void (*filter)(const job *j, size_t slot); /* rows there and back */
    tasks (*tiles)(const job *j);
    tasks (*slots)(const job *j);
} pass_set;

/* Of sides that are powers of two (powers.c), and of lines of any length (across.c). */
extern const pass_set REAL_NAME(passes_of_powers), REAL_NAME(passes_across);
#define passes_of_powers REAL_NAME(passes_of_powers)
#define passes_across REAL_NAME(passes_across)

static inline scalar *scratch_of_thread(const job *j) {
    return (scalar *)(j->scratch + j->member * j->plan->thread_scratch);
}

/* What values that are loaded are multiplied by. */
static inline scalar load_scale(const job *j) {
    return j->measure->scaling.load;
}

static inline scalar scale_of_rows(const job *j) {
    return untangled_scale((scalar)j->measure->scaling.forward);
}

static inline scalar scale_of_columns_inverse(const job *j) {
    return (scalar)j->measure->scaling.inverse;
}

static inline void scale_all(scalar *values, size_t count, scalar scale) {
    for (size_t i = 0; i < count; i++) {
        values[i] *= scale;
    }
}

/* How far ahead columns prefetch rows of such a pitch. Rows a power of two apart share few sets of
 * the caches, so a row that is prefetched too early is evicted before it is used. Rows that are
 * PITCH_OF_FEW_SETS bytes apart or more have so few sets that they are not prefetched in turn; from
 * LONG_PITCH on the distance depends on the CPU (docs/log/2026-11.md). */
enum { LONG_PITCH = 1 << 16, PITCH_OF_FEW_SETS = 1 << 15, ROWS_AHEAD = 2 };

static inline pair_rows rows_at(const fast_plan *plan, scalar *values, size_t pitch) {
    size_t bytes = pitch * sizeof(scalar);
    return (pair_rows){
        .values = values,
        .pitch = pitch,
        .ahead = bytes >= LONG_PITCH ? plan->tuning.rows_ahead_of_long : ROWS_AHEAD,
        .in_turn = bytes >= PITCH_OF_FEW_SETS ? 0 : pitch,
    };
}

/* The same rows from another column on. */
static inline pair_rows rows_from(pair_rows rows, size_t column) {
    rows.values += column;
    return rows;
}

static inline pair_rows image_rows(const job *j, const void *image, size_t column) {
    return rows_at(j->plan, (scalar *)image + j->first + column, j->plan->problem.image_pitch);
}

static inline pair_rows tile_of_intermediate(const job *j, size_t column) {
    return rows_at(j->plan, j->intermediate.values + column, j->intermediate.pitch);
}

/* The sum of all pixels. */
static inline uint64_t sum_of_all(const job *j) {
    uint64_t sum = 0;
    for (size_t n = 0; n < j->plan->problem.width; n++) {
        sum += j->sums[n];
    }
    return sum;
}

/* Makes row 0 of the columns' spectra anew, of the columns' sums. Row 0 has no turn. */
static inline void restore_row_0(const job *j) {
    size_t width = j->plan->problem.width;
    uint64_t mean = rounded_mean(sum_of_all(j), width);
    for (size_t n = 0; n < width; n++) {
        j->intermediate.values[n] = sum_off_mean(j->sums[n], mean);
    }
}

static inline pixel_tile tile_of_pixels(const job *j, const void *image, size_t column,
                                        size_t width) {
    const problem *p = &j->plan->problem;
    return (pixel_tile){(void *)image,  p->pixel,  j->first + column,
                        p->image_pitch, p->height, width};
}

/* ---- slot 0: rows 0 and H/2 of the spectrum, at l and mirror(l) ---------------------------------
 * The folded row's DFT lies as real parts and, parts_apart() behind them, imaginary parts.
 */

/* Stores rows 0 and H/2 of the spectrum at l and mirror(l), out of slot 0's DFT. */
static inline void part_folded_value(const job *j, const scalar *re, size_t l, scalar scale) {
    size_t W = j->plan->problem.width, m = mirror(l, W);
    const scalar *im = re + parts_apart(W);
    put_folded_rows(j->spectrum, l, cpx_of(re[l], im[l]), cpx_of(re[m], im[m]), scale);
}

static inline void join_folded_value(const job *j, scalar *re, size_t l) {
    size_t W = j->plan->problem.width, both[2] = {l, mirror(l, W)};
    scalar *im = re + parts_apart(W);
    for (int i = 0; i < 2; i++) {
        cpx value = get_folded_rows(j->spectrum, both[i]);
        re[both[i]] = value.re;
        im[both[i]] = value.im;
    }
}

/* Filters rows 0 and H/2 at l and mirror(l), out of the folded row and back into it. */
static inline void filter_folded(const job *j, scalar *re, scalar *im, size_t l, scalar scale) {
    size_t H = j->plan->problem.height, m = mirror(l, j->plan->problem.width);
    int is_real = l == m;
    cpx row_0, row_middle;
    part_folded_rows(cpx_of(re[l], im[l]), cpx_of(re[m], im[m]), scale, &row_0, &row_middle);
    if (l == 0 && has_integer_pixels(&j->plan->problem)) {
        row_0.re = dc_of(sum_of_all(j), j->measure->scaling.forward);
    }
    if (is_real) {
        row_0.im = row_middle.im = 0;
    }
    row_0 = multiplied(row_0, j->transfer, 0, l);
    row_middle = H % 2 == 0 ? multiplied(row_middle, j->transfer, H / 2, l) : cpx_of(0, 0);
    if (is_real) {
        row_0.im = row_middle.im = 0;
    }
    cpx mirrored, z = join_folded_rows(row_0, row_middle, H, &mirrored);
    re[m] = mirrored.re;
    im[m] = mirrored.im;
    re[l] = z.re;
    im[l] = z.im;
}

#endif
