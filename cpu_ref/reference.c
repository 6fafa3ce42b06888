/* SPDX-License-Identifier: MIT
 * cpu.reference: the five words as five calls, one after another over whole arrays, for any size.
 * Read this first. image[H][W] -tangle-> pairs[ceil(H/2)][W] -rows-> -untangle-> half[H][W/2 + 1]
 * -fold-> columns[ceil(W/2)][H] -cols-> spectrum; the inverse is the same words backwards. The
 * arithmetic is that of every tuned strategy, so this is what they are compared with, bit for bit.
 */
#include <stdint.h>
#include <stdlib.h>

#include "layout.h"
#include "line.h"
#include "multiply.h"
#include "pixels.h"
#include "sizes.h"
#include "strategy.h"

typedef struct state {
    problem problem;
    line *row, *column;
} state;

/* One image at work. The arrays lie in the caller's workspace; pairs and columns share theirs,
 * since one is finished when the other begins. */
typedef struct job {
    const problem *p;
    const line *row, *column;
    size_t H, W, row_pairs, slots;
    cpx *pairs;   /* [row_pairs][W]: rows 2m and 2m + 1 as one complex row, then its spectrum */
    cpx *half;    /* [H][W/2 + 1]: the spectrum of each row */
    cpx *columns; /* [slots][H]: column n as slot n, columns 0 and W/2 both in slot 0 */
    cpx *scratch;
} job;

/* ---- forward --------------------------------------------------------------------------------- */

/* x[2m] + i x[2m + 1]; an odd H pairs its last row with zeros. */
static void tangle_rows(const job *j, const void *image, size_t first, real offset) {
    for (size_t m = 0; m < j->row_pairs; m++) {
        size_t upper = first + 2 * m * j->p->image_pitch, lower = upper + j->p->image_pitch;
        for (size_t n = 0; n < j->W; n++) {
            cpx *z = &j->pairs[m * j->W + n];
            z->re = load_pixel(image, j->p->pixel, upper + n, offset);
            z->im = 2 * m + 1 < j->H ? load_pixel(image, j->p->pixel, lower + n, offset) : 0;
        }
    }
}

static void rows(const job *j) {
    for (size_t m = 0; m < j->row_pairs; m++) {
        line_forward(j->row, &j->pairs[m * j->W], j->scratch);
    }
}

static void untangle_rows(const job *j) {
    size_t bins = j->W / 2 + 1;
    for (size_t m = 0; m < j->row_pairs; m++) {
        const cpx *z = &j->pairs[m * j->W];
        for (size_t n = 0; n < bins; n++) {
            cpx upper, lower;
            untangle(z[n], z[mirror(n, j->W)], &upper, &lower);
            j->half[2 * m * bins + n] = upper;
            if (2 * m + 1 < j->H) {
                j->half[(2 * m + 1) * bins + n] = lower;
            }
        }
    }
}

static void fold_columns(const job *j) {
    size_t bins = j->W / 2 + 1;
    for (size_t m = 0; m < j->H; m++) {
        const cpx *row = &j->half[m * bins];
        j->columns[m] = fold(row[0], j->W % 2 == 0 ? row[j->W / 2] : cpx_of(0, 0));
        for (size_t n = 1; n < j->slots; n++) {
            j->columns[n * j->H + m] = row[n];
        }
    }
}

static void cols(const job *j, spectrum_view spectrum) {
    const real scale = untangled_scale((real)j->p->forward_scale);
    for (size_t n = 0; n < j->slots; n++) {
        cpx *column = &j->columns[n * j->H];
        line_forward(j->column, column, j->scratch);
        for (size_t k = 0; k < j->H; k++) {
            if (n > 0) {
                put_paired(spectrum, k, n, cpx_scale(column[k], scale));
            } else if (k <= mirror(k, j->H)) {
                put_folded(spectrum, k, column[k], column[mirror(k, j->H)], scale);
            }
        }
    }
}

/* The exact sum of the pixels of a U8 or U16 image. */
static uint64_t sum_pixels(const job *j, const void *image, size_t first) {
    uint64_t sum = 0;
    for (size_t m = 0; m < j->H; m++) {
        for (size_t n = 0; n < j->W; n++) {
            size_t index = first + m * j->p->image_pitch + n;
            sum += j->p->pixel == WEFT_PIXEL_U8 ? ((const unsigned char *)image)[index]
                                                : ((const unsigned short *)image)[index];
        }
    }
    return sum;
}

static void forward_image(const job *j, const void *image, size_t first, spectrum_view spectrum) {
    int whole = j->p->pixel != WEFT_PIXEL_REAL;
    uint64_t sum = whole ? sum_pixels(j, image, first) : 0, count = (uint64_t)j->H * j->W;
    tangle_rows(j, image, first, (real)((sum + count / 2) / count));
    rows(j);
    untangle_rows(j);
    fold_columns(j);
    cols(j, spectrum);
    if (whole) {
        real dc = (real)((double)sum * j->p->forward_scale);
        put_self_paired(spectrum, 0, 0, cpx_of(dc, 0));
    }
}

/* ---- inverse --------------------------------------------------------------------------------- */

static void cols_inverse(const job *j, spectrum_view spectrum) {
    for (size_t n = 0; n < j->slots; n++) {
        cpx *column = &j->columns[n * j->H];
        for (size_t k = 0; k < j->H; k++) {
            column[k] = n > 0 ? get_paired(spectrum, k, n) : get_folded(spectrum, k);
        }
        line_inverse(j->column, column, j->scratch);
    }
}

static void unfold_columns(const job *j) {
    size_t bins = j->W / 2 + 1;
    for (size_t m = 0; m < j->H; m++) {
        for (size_t n = 0; n < bins; n++) {
            cpx slot = j->columns[folded_slot(n, j->W) * j->H + m];
            j->half[m * bins + n] = unfold(slot, n, j->W);
        }
    }
}

static void tangle_spectra(const job *j) {
    size_t bins = j->W / 2 + 1;
    for (size_t m = 0; m < j->row_pairs; m++) {
        cpx *z = &j->pairs[m * j->W];
        for (size_t n = 0; n < bins; n++) {
            cpx upper = j->half[2 * m * bins + n];
            cpx lower = 2 * m + 1 < j->H ? j->half[(2 * m + 1) * bins + n] : cpx_of(0, 0);
            z[mirror(n, j->W)] = tangle_mirrored(upper, lower);
            z[n] = tangle(upper, lower);
        }
    }
}

static void rows_inverse(const job *j) {
    for (size_t m = 0; m < j->row_pairs; m++) {
        line_inverse(j->row, &j->pairs[m * j->W], j->scratch);
    }
}

static void untangle_image(const job *j, void *image, size_t first) {
    const real scale = (real)j->p->inverse_scale;
    for (size_t m = 0; m < j->row_pairs; m++) {
        size_t upper = first + 2 * m * j->p->image_pitch, lower = upper + j->p->image_pitch;
        for (size_t n = 0; n < j->W; n++) {
            cpx z = cpx_scale(j->pairs[m * j->W + n], scale);
            store_pixel(image, j->p->pixel, upper + n, z.re);
            if (2 * m + 1 < j->H) {
                store_pixel(image, j->p->pixel, lower + n, z.im);
            }
        }
    }
}

static void inverse_image(const job *j, spectrum_view spectrum, void *image, size_t first) {
    cols_inverse(j, spectrum);
    unfold_columns(j);
    tangle_spectra(j);
    rows_inverse(j);
    untangle_image(j, image, first);
}

/* ---- the strategy ---------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Sets up the arrays in `work` and returns the bytes they take. */
static size_t lay_out(job *j, const state *s, char *work) {
    j->p = &s->problem;
    j->row = s->row;
    j->column = s->column;
    j->H = s->problem.height;
    j->W = s->problem.width;
    j->row_pairs = (j->H + 1) / 2;
    j->slots = folded_columns(j->W);
    size_t first = whole_lines(sizeof(cpx) * larger(j->row_pairs * j->W, j->slots * j->H));
    size_t second = whole_lines(sizeof(cpx) * j->H * (j->W / 2 + 1));
    size_t third = sizeof(cpx) * larger(line_scratch(s->row), line_scratch(s->column));
    if (work != NULL) {
        j->pairs = j->columns = (cpx *)work;
        j->half = (cpx *)(work + first);
        j->scratch = (cpx *)(work + first + second);
    }
    return first + second + third;
}

static weft_status forward(const void *any_state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream) {
    const state *s = any_state;
    job j;
    (void)stream;
    lay_out(&j, s, work);
    for (size_t i = 0; i < s->problem.batch; i++) {
        forward_image(&j, image, i * s->problem.image_stride, view_of(&s->problem, spectrum, i));
    }
    return WEFT_OK;
}

static weft_status inverse(const void *any_state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream) {
    const state *s = any_state;
    job j;
    (void)stream;
    lay_out(&j, s, work);
    for (size_t i = 0; i < s->problem.batch; i++) {
        inverse_image(&j, view_of(&s->problem, (void *)spectrum, i), image,
                      i * s->problem.image_stride);
    }
    return WEFT_OK;
}

static weft_status multiply(const void *any_state, void *spectrum, const void *transfer,
                            weft_transfer kind, struct CUstream_st *stream) {
    (void)stream;
    multiply_on_host(&((const state *)any_state)->problem, spectrum, transfer, kind);
    return WEFT_OK;
}

static weft_status supports(const problem *p) {
    (void)p;
    return WEFT_OK;
}

static void destroy(void *any_state) {
    state *s = any_state;
    if (s != NULL) {
        line_destroy(s->column);
        line_destroy(s->row);
        free(s);
    }
}

static weft_status create(const problem *p, void **made, size_t *workspace) {
    state *s = calloc(1, sizeof *s);
    job j;
    weft_status status;
    if (s == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
    }
    s->problem = *p;
    if ((status = line_create(&s->row, p->width)) != WEFT_OK ||
        (status = line_create(&s->column, p->height)) != WEFT_OK) {
        destroy(s);
        return status;
    }
    *workspace = lay_out(&j, s, NULL);
    *made = s;
    return WEFT_OK;
}

const strategy REAL_NAME(cpu_reference) = {
    .name = "cpu.reference",
    .about = "the five words as five readable calls; any size; scalar, one thread",
    .space = &host_memory,
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .forward = forward,
    .inverse = inverse,
    .multiply = multiply,
};
