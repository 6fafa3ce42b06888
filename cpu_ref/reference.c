/* SPDX-License-Identifier: MIT
 * cpu.reference: the five words as five calls, one after another over whole arrays, for any size.
 * Read this first. image[H][W] -tangle-> pairs[ceil(W/2)][H] -cols-> -untangle-> half[H/2 + 1][W]
 * -fold-> slots[ceil(H/2)][W] -rows-> spectrum; the inverse is the same words backwards. The
 * arithmetic is that of every tuned strategy: their results are compared with these, bit for bit.
 * Unlike in the report, columns come first, so that the last pass writes whole rows.
 */
#include <stdint.h>
#include <stdlib.h>

#include "arith/butterfly.h"
#include "convolutions.h"
#include "describe.h"
#include "layout.h"
#include "line.h"
#include "means.h"
#include "multiply.h"
#include "pixels.h"
#include "scaling.h"
#include "sizes.h"
#include "strategy.h"

typedef struct state {
    problem problem;
    line *row, *column;
} state;

/* One image at work. The arrays lie in the caller's workspace; pairs and slots share theirs, since
 * one is finished when the other begins. */
typedef struct job {
    const problem *p;
    scaling scaling;
    const line *row, *column;
    size_t H, W, column_pairs, row_slots;
    cpx *pairs; /* [column_pairs][H]: columns 2j and 2j + 1 as one complex column, its spectrum */
    cpx *half;  /* [H/2 + 1][W]: the spectrum of each column */
    cpx *slots; /* [row_slots][W]: row k as slot k, rows 0 and H/2 both in slot 0 */
    cpx *scratch;
    size_t classes; /* of a column */
    uint64_t *sums; /* [classes][W]: of U8 or U16 pixels, the sum of each class of each column */
} job;

/* U8 and U16 pixels lose their means before the transform, see means.h. */
static int has_means(const job *j) {
    return has_integer_pixels(j->p);
}

/* ---- forward --------------------------------------------------------------------------------- */

/* The sum of the class of row m in column n. */
static uint64_t *class_sum(const job *j, size_t m, size_t n) {
    return &j->sums[m % j->classes * j->W + n];
}

/* The exact sum of the pixels of each class; real pixels need none. */
static void sum_columns(const job *j, const void *image, size_t first) {
    for (size_t m = 0; m < j->H && has_means(j); m++) {
        for (size_t n = 0; n < j->W; n++) {
            uint64_t before = m < j->classes ? 0 : *class_sum(j, m, n);
            size_t index = first + m * j->p->image_pitch + n;
            *class_sum(j, m, n) = before + (uint64_t)load_pixel(image, j->p->pixel, index, 0);
        }
    }
}

static uint64_t column_sum(const job *j, size_t n) {
    uint64_t sum = 0;
    for (size_t c = 0; c < j->classes; c++) {
        sum += *class_sum(j, c, n);
    }
    return sum;
}

static scalar pixel_off_mean(const job *j, const void *image, size_t first, size_t m, size_t n) {
    scalar mean = has_means(j) ? (scalar)rounded_mean(*class_sum(j, m, n), j->H / j->classes) : 0;
    return load_pixel(image, j->p->pixel, first + m * j->p->image_pitch + n, mean);
}

/* Column 2j + i column 2j + 1; an odd W pairs its last column with zeros. */
static void tangle_columns(const job *j, const void *image, size_t first) {
    for (size_t m = 0; m < j->H; m++) {
        for (size_t n = 0; n < j->W; n += 2) {
            cpx *z = &j->pairs[n / 2 * j->H + m];
            z->re = pixel_off_mean(j, image, first, m, n);
            z->im = n + 1 < j->W ? pixel_off_mean(j, image, first, m, n + 1) : 0;
            *z = cpx_scale(*z, j->scaling.load);
        }
    }
}

static void cols(const job *j) {
    for (size_t pair = 0; pair < j->column_pairs; pair++) {
        line_forward(j->column, &j->pairs[pair * j->H], j->scratch);
    }
}

/* What the last stage gets in place of value 0 of class c. */
static scalar class_off_mean(const job *j, size_t c, size_t n) {
    return n < j->W ? sum_off_mean(*class_sum(j, c, n), rounded_mean(column_sum(j, n), j->classes))
                    : 0;
}

/* Makes the rows of the columns' spectra anew that the last stage makes of value 0 of each class.
 */
static void restore_rows_of_classes(const job *j) {
    for (size_t n = 0; n < j->W && j->classes > 1; n += 2) {
        cpx z[LARGEST_RADIX];
        for (size_t c = 0; c < j->classes; c++) {
            z[c] = cpx_of(class_off_mean(j, c, n), class_off_mean(j, c, n + 1));
        }
        butterfly(z, (int)j->classes);
        for (size_t v = 0; v < j->classes; v++) {
            j->pairs[n / 2 * j->H + v * (j->H / j->classes)] = z[v];
        }
    }
}

/* Makes row 0 of the columns' spectra anew, of the columns' sums; returns the sum of all pixels. */
static uint64_t restore_row_0(const job *j) {
    uint64_t sum = 0;
    for (size_t n = 0; n < j->W; n++) {
        sum += column_sum(j, n);
    }
    uint64_t mean = rounded_mean(sum, j->W);
    for (size_t n = 0; n < j->W; n += 2) {
        cpx *z = &j->pairs[n / 2 * j->H];
        z->re = sum_off_mean(column_sum(j, n), mean);
        z->im = n + 1 < j->W ? sum_off_mean(column_sum(j, n + 1), mean) : 0;
    }
    return sum;
}

static void untangle_columns(const job *j) {
    for (size_t n = 0; n < j->W; n += 2) {
        const cpx *z = &j->pairs[n / 2 * j->H];
        for (size_t k = 0; k <= j->H / 2; k++) {
            cpx left, right;
            untangle(z[k], z[mirror(k, j->H)], &left, &right);
            j->half[k * j->W + n] = left;
            if (n + 1 < j->W) {
                j->half[k * j->W + n + 1] = right;
            }
        }
    }
}

static void fold_rows(const job *j) {
    for (size_t n = 0; n < j->W; n++) {
        cpx middle = j->H % 2 == 0 ? j->half[j->H / 2 * j->W + n] : cpx_of(0, 0);
        j->slots[n] = fold(j->half[n], middle);
        for (size_t k = 1; k < j->row_slots; k++) {
            j->slots[k * j->W + n] = j->half[k * j->W + n];
        }
    }
}

static void rows(const job *j, spectrum_view spectrum) {
    const scalar scale = untangled_scale((scalar)j->scaling.forward);
    for (size_t k = 0; k < j->row_slots; k++) {
        cpx *row = &j->slots[k * j->W];
        line_forward(j->row, row, j->scratch);
        for (size_t l = 0; l < j->W; l++) {
            if (k > 0) {
                put_row(spectrum, k, l, cpx_scale(row[l], scale));
            } else if (l <= mirror(l, j->W)) {
                put_folded_rows(spectrum, l, row[l], row[mirror(l, j->W)], scale);
            }
        }
    }
}

static void forward_image(const job *j, const void *image, size_t first, spectrum_view spectrum) {
    uint64_t sum = 0;
    sum_columns(j, image, first);
    tangle_columns(j, image, first);
    cols(j);
    if (has_means(j)) {
        restore_rows_of_classes(j);
        sum = restore_row_0(j);
    }
    untangle_columns(j);
    fold_rows(j);
    rows(j, spectrum);
    if (has_means(j)) {
        put_self_paired(spectrum, 0, 0, cpx_of(dc_of(sum, j->scaling.forward), 0));
    }
}

/* ---- inverse --------------------------------------------------------------------------------- */

static void rows_inverse(const job *j, spectrum_view spectrum) {
    for (size_t k = 0; k < j->row_slots; k++) {
        cpx *row = &j->slots[k * j->W];
        for (size_t l = 0; l < j->W; l++) {
            cpx value = k > 0 ? get_any(spectrum, k, l) : get_folded_rows(spectrum, l);
            row[l] = cpx_scale(value, j->scaling.load);
        }
        line_inverse(j->row, row, j->scratch);
    }
}

static void unfold_rows(const job *j) {
    for (size_t k = 0; k <= j->H / 2; k++) {
        for (size_t n = 0; n < j->W; n++) {
            cpx slot = j->slots[folded_slot(k, j->H) * j->W + n];
            j->half[k * j->W + n] = unfold(slot, k, j->H);
        }
    }
}

static void tangle_spectra(const job *j) {
    for (size_t n = 0; n < j->W; n += 2) {
        cpx *z = &j->pairs[n / 2 * j->H];
        for (size_t k = 0; k <= j->H / 2; k++) {
            cpx left = j->half[k * j->W + n];
            cpx right = n + 1 < j->W ? j->half[k * j->W + n + 1] : cpx_of(0, 0);
            z[mirror(k, j->H)] = tangle_mirrored(left, right);
            z[k] = tangle(left, right);
        }
    }
}

static void cols_inverse(const job *j) {
    for (size_t pair = 0; pair < j->column_pairs; pair++) {
        line_inverse(j->column, &j->pairs[pair * j->H], j->scratch);
    }
}

static void untangle_image(const job *j, void *image, size_t first) {
    const scalar scale = (scalar)j->scaling.inverse;
    for (size_t m = 0; m < j->H; m++) {
        size_t row = first + m * j->p->image_pitch;
        for (size_t n = 0; n < j->W; n += 2) {
            cpx z = cpx_scale(j->pairs[n / 2 * j->H + m], scale);
            store_pixel(image, j->p->pixel, row + n, z.re);
            if (n + 1 < j->W) {
                store_pixel(image, j->p->pixel, row + n + 1, z.im);
            }
        }
    }
}

static void inverse_image(const job *j, spectrum_view spectrum, void *image, size_t first) {
    rows_inverse(j, spectrum);
    unfold_rows(j);
    tangle_spectra(j);
    cols_inverse(j);
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
    j->column_pairs = (j->W + 1) / 2;
    j->row_slots = folded_lines(j->H);
    j->classes = classes_of_column(j->H);
    size_t first = whole_lines(sizeof(cpx) * larger(j->column_pairs * j->H, j->row_slots * j->W));
    size_t second = whole_lines(sizeof(cpx) * (j->H / 2 + 1) * j->W);
    size_t third = whole_lines(sizeof(cpx) * larger(line_scratch(s->row), line_scratch(s->column)));
    if (work != NULL) {
        j->pairs = j->slots = (cpx *)work;
        j->half = (cpx *)(work + first);
        j->scratch = (cpx *)(work + first + second);
        j->sums = (uint64_t *)(work + first + second + third);
    }
    return first + second + third + sizeof(uint64_t) * j->classes * j->W;
}

static weft_status forward(const void *any_state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream) {
    const problem *p = &((const state *)any_state)->problem;
    job j;
    (void)stream;
    lay_out(&j, any_state, work);
    for (size_t i = 0; i < p->batch; i++) {
        int is_measured = image == spectrum;
        do {
            j.scaling =
                is_measured ? scaling_of_forward(p, sum_of_image(p, image, i)) : unscaled(p);
            forward_image(&j, image, i * p->image_stride, view_of(p, spectrum, i));
        } while (must_repeat(&is_measured));
    }
    return WEFT_OK;
}

static weft_status inverse(const void *any_state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream) {
    const problem *p = &((const state *)any_state)->problem;
    job j;
    (void)stream;
    lay_out(&j, any_state, work);
    for (size_t i = 0; i < p->batch; i++) {
        int is_measured = image == spectrum;
        do {
            j.scaling =
                is_measured ? scaling_of_inverse(p, sum_of_spectrum(p, spectrum, i)) : unscaled(p);
            inverse_image(&j, view_of(p, (void *)spectrum, i), image, i * p->image_stride);
        } while (must_repeat(&is_measured));
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
    return short_convolutions_only("cpu.reference", p);
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
    if ((status = lines_fit(p)) != WEFT_OK ||
        (status = line_create(&s->row, p->width, AXIS_ROW)) != WEFT_OK ||
        (status = line_create(&s->column, p->height, AXIS_COLUMN)) != WEFT_OK) {
        destroy(s);
        return status;
    }
    *workspace = lay_out(&j, s, NULL);
    *made = s;
    return WEFT_OK;
}

static void describe(const void *any_state, text *to) {
    const problem *p = &((const state *)any_state)->problem;
    size_t pairs = p->batch * ((p->width + 1) / 2) * p->height * sizeof(cpx);
    size_t half = p->batch * (p->height / 2 + 1) * p->width * sizeof(cpx);
    size_t slots = p->batch * folded_lines(p->height) * p->width * sizeof(cpx);
    text_add(to, "  tangle    two columns are one complex column");
    describe_bytes(to, pixels_moved(p), pairs);
    describe_line(to, "cols", p->height, AXIS_COLUMN, "mixed");
    text_add(to, "one column after another");
    describe_bytes(to, pairs, pairs);
    text_add(to, "  untangle  spectra of columns, rows 0 to H/2");
    describe_bytes(to, pairs, half);
    text_add(to, "  fold      rows 0 and H/2 are one complex row");
    describe_bytes(to, half, slots);
    describe_line(to, "rows", p->width, AXIS_ROW, "mixed");
    text_add(to, "one row after another");
    describe_bytes(to, slots, spectra_moved(p));
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
    .describe = describe,
    .flags = EQUAL_BITS,
};
