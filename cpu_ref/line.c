/* SPDX-License-Identifier: MIT
 * One line on the CPU: Stockham stages that leave the output in natural order, decimated in time.
 * Before a stage of radix r the values form P = (product of the radices before) sub-lines of r m
 * values, a[q][i]; a butterfly (q, j) takes a[q][j + k m], turned by its twiddles, and gives
 * a'[q + P k][j].
 */
#include "line.h"

#include <stdlib.h>
#include <string.h>

#include "arith/butterfly.h"
#include "arith/chirp.h"
#include "arith/twiddle.h"
#include "memory_space.h"

/* A butterfly with the twiddles w, or NULL where all are 1. */
static void butterfly_of_stage(cpx *x, size_t radix, const cpx *w, const cpx *roots) {
    if (radix > LARGEST_RADIX) {
        for (size_t k = 1; w != NULL && k < radix; k++) {
            x[k] = cpx_mul(x[k], w[k - 1]);
        }
        dft_large_odd(x, (int)radix, roots);
    } else if (w != NULL) {
        butterfly_turned(x, w, (int)radix);
    } else {
        butterfly(x, (int)radix);
    }
}

/* twiddles: as twiddle.h has them, behind the stage's roots. */
static void stage(const cpx *from, cpx *to, size_t length, size_t m, size_t radix,
                  const cpx *twiddles) {
    const cpx *roots = twiddles - stage_roots(radix);
    const int is_first = m * radix == length;
    size_t butterflies = length / radix, b = 0;
    for (size_t q = 0; q < butterflies / m; q++) {
        for (size_t j = 0; j < m; j++, b++) {
            cpx x[LARGEST_ODD_RADIX];
            for (size_t k = 0; k < radix; k++) {
                x[k] = from[q * m * radix + j + k * m];
            }
            const cpx *w = is_first ? NULL : twiddles + q * stage_twiddles(radix);
            butterfly_of_stage(x, radix, w, roots);
            for (size_t k = 0; k < radix; k++) {
                to[b + k * butterflies] = x[k];
            }
        }
    }
}

static void all_stages(const line *l, int is_inverse, cpx *x, cpx *scratch) {
    cpx *from = x, *to = scratch;
    const factor_list *factors = &l->factors[is_inverse];
    size_t m = l->length;
    for (int s = 0; s < factors->count; s++) {
        size_t radix = (size_t)factors->radix[s];
        m /= radix;
        stage(from, to, l->length, m, radix, l->twiddles[is_inverse] + twiddles_before(factors, s));
        cpx *swap = from;
        from = to;
        to = swap;
    }
    if (from != x) {
        memcpy(x, from, l->length * sizeof *x);
    }
}

static void swap_all(cpx *x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        x[i] = cpx_swap(x[i]);
    }
}

/* See arith/chirp.h. */
static void bluestein(const line *l, cpx *x, cpx *scratch) {
    size_t padded = l->convolution->length;
    cpx *y = scratch, *deeper = scratch + padded;
    for (size_t n = 0; n < l->length; n++) {
        y[n] = cpx_mul(x[n], l->chirp[n]);
    }
    memset(y + l->length, 0, (padded - l->length) * sizeof *y);
    all_stages(l->convolution, 0, y, deeper);
    for (size_t k = 0; k < padded; k++) {
        y[k] = cpx_swap(cpx_mul(y[k], l->chirp_spectrum[k]));
    }
    all_stages(l->convolution, 1, y, deeper);
    for (size_t k = 0; k < l->length; k++) {
        x[k] = cpx_mul(cpx_swap(y[k]), l->chirp[k]);
    }
}

static void transform(const line *l, int is_inverse, cpx *x, cpx *scratch) {
    if (l->convolution != NULL) {
        bluestein(l, x, scratch);
    } else {
        all_stages(l, is_inverse, x, scratch);
    }
}

void line_forward(const line *l, cpx *x, cpx *scratch) {
    transform(l, 0, x, scratch);
}

void line_inverse(const line *l, cpx *x, cpx *scratch) {
    swap_all(x, l->length);
    transform(l, 1, x, scratch);
    swap_all(x, l->length);
}

size_t line_scratch(const line *l) {
    return l->convolution != NULL ? 2 * l->convolution->length : l->length;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

static weft_status no_memory(size_t values) {
    char text[BYTES_TEXT_SIZE];
    return weft_fail(WEFT_NO_MEMORY, "no memory for %s of tables",
                     bytes_text(values * sizeof(cpx), text));
}

static size_t stage_values(const line *l, int is_inverse) {
    return twiddles_before(&l->factors[is_inverse], l->factors[is_inverse].count);
}

static weft_status prepare_stages(line *l) {
    for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
        size_t count = stage_values(l, is_inverse);
        l->twiddles[is_inverse] = malloc((count ? count : 1) * sizeof *l->twiddles[0]);
        if (l->twiddles[is_inverse] == NULL) {
            return no_memory(count);
        }
    }
    for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
        twiddle_fill(&l->factors[is_inverse], NULL, l->twiddles[is_inverse]);
    }
    return WEFT_OK;
}

static weft_status prepare_bluestein(line *l) {
    size_t padded = convolution_length(l->length);
    void *scratch = malloc(chirp_scratch(l->length));
    l->chirp = malloc(l->length * sizeof *l->chirp);
    l->chirp_spectrum = malloc(padded * sizeof *l->chirp_spectrum);
    weft_status status = scratch == NULL || l->chirp == NULL || l->chirp_spectrum == NULL
                             ? no_memory(2 * padded)
                             : line_create(&l->convolution, padded, CONVOLVED);
    if (status == WEFT_OK) {
        chirp_fill(l->length, l->chirp, l->chirp_spectrum, scratch);
    }
    free(scratch);
    return status;
}

weft_status line_create(line **made, size_t length, int axis) {
    weft_status status;
    line *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return no_memory(1);
    }
    l->length = length;
    factor_line(length, axis, 1, &l->factors[1]);
    status =
        factor_line(length, axis, 0, &l->factors[0]) ? prepare_stages(l) : prepare_bluestein(l);
    if (status != WEFT_OK) {
        line_destroy(l);
        return status;
    }
    *made = l;
    return WEFT_OK;
}

void line_destroy(line *l) {
    if (l != NULL) {
        line_destroy(l->convolution);
        free(l->chirp_spectrum);
        free(l->chirp);
        free(l->twiddles[1]);
        free(l->twiddles[0]);
        free(l);
    }
}

/* ---- what a problem's lines take ---------------------------------------------------------------
 */

/* Bytes of a line's tables, and of what is needed while they are made. */
static size_t line_bytes(size_t length, int axis) {
    factor_list factors;
    if (factor_line(length, axis, 0, &factors)) {
        return 2 * twiddles_before(&factors, factors.count) * sizeof(cpx);
    }
    size_t padded = convolution_length(length);
    return line_bytes(padded, CONVOLVED) + (length + padded) * sizeof(cpx) + chirp_scratch(length);
}

weft_status lines_fit(const problem *p) {
    return host_memory_holds(line_bytes(p->width, AXIS_ROW) + line_bytes(p->height, AXIS_COLUMN));
}
