/* SPDX-License-Identifier: MIT
 * A slot: the complex row that rows k and H - k of the columns' spectra are, apart into real and
 * imaginary parts. Neighbouring butterflies are in neighbouring lanes; in the last stages, whose
 * sub-lines are shorter than that, those of several sub-lines are. The first stage untangles as it
 * loads, the last one packs as it stores.
 */
#ifndef WEFT_CPU_FAST_ROWS_H
#define WEFT_CPU_FAST_ROWS_H

#include "fast_kernels.h"
#include "turned.h"

/* Real and imaginary parts of a row. */
typedef struct parts {
    lane *re, *im;
} parts;

/* ---- where the first stage loads and the last one stores ----------------------------------------
 */

enum end { PARTS, PAIRS, FOLDED_PAIRS, SPECTRUM };

/* What of it is used, its kind says, which functions take as a constant. */
typedef struct row_end {
    parts split;         /* PARTS */
    lane *upper, *lower; /* PAIRS: rows of mid, k and H - k; FOLDED_PAIRS: 0 and H/2. SPECTRUM */
    spectrum_view view;  /* SPECTRUM */
    lane scale;
} row_end;

/* Columns 2j and 2j + 1 of rows k and H - k, apart: as many columns as lanes. */
static WEFT_HD cpx load_untangled(const lane *upper, const lane *lower) {
    real z = load_lanes(upper), mirrored = load_lanes(lower);
    /* untangle() of every second column: f has even lanes, g odd ones. */
    cpx f, g;
    untangle(cpx_of(z, z), cpx_of(mirrored, mirrored), &f, &g);
    return cpx_of(in_turn(f.re, g.re), neighbours(in_turn(g.im, f.im)));
}

static WEFT_HD void store_tangled(lane *upper, lane *lower, cpx z) {
    /* tangle() of column 2j and its neighbour: what it makes a real part of has even lanes. */
    real other = neighbours(z.im);
    real sum = z.re + other, difference = z.re - other;
    store_lanes(upper, in_turn(difference, sum));
    store_lanes(lower, in_turn(sum, difference));
}

/* X[k][l] of the columns from l on, none its own mirror and all before the middle; and of the
 * mirror images of columns from l on behind it, X[H - k][W - l] = conj of these. */
static WEFT_HD void store_direct(spectrum_view s, lane *row, size_t l, cpx z) {
    if (s.half) {
        store_pairs(row + real_place(s, l), z);
    } else {
        store_lanes(row + real_place(s, l), z.re);
        store_lanes(row + imaginary_place(s, l + LANES - 1), backwards(z.im));
    }
}

static WEFT_HD void store_mirrored(spectrum_view s, lane *row, size_t l, cpx z) {
    size_t first = s.width - l - (LANES - 1);
    if (s.half) {
        store_pairs(row + real_place(s, first), cpx_conj(cpx_of(backwards(z.re), backwards(z.im))));
    } else {
        store_lanes(row + real_place(s, first), backwards(z.re));
        store_lanes(row + imaginary_place(s, first + LANES - 1), -z.im);
    }
}

static WEFT_HD cpx load_direct(spectrum_view s, const lane *row, size_t l) {
    if (s.half) {
        return load_pairs(row + real_place(s, l));
    }
    return cpx_of(load_lanes(row + real_place(s, l)),
                  backwards(load_lanes(row + imaginary_place(s, l + LANES - 1))));
}

static WEFT_HD cpx load_mirrored(spectrum_view s, const lane *row, size_t l) {
    size_t first = s.width - l - (LANES - 1);
    if (s.half) {
        cpx z = load_pairs(row + real_place(s, first));
        return cpx_conj(cpx_of(backwards(z.re), backwards(z.im)));
    }
    return cpx_of(backwards(load_lanes(row + real_place(s, first))),
                  -load_lanes(row + imaginary_place(s, first + LANES - 1)));
}

/* The columns from l on where lane 0 is its own mirror, column 0 or W/2: one by one. */
static void store_around_self_paired(const row_end *to, size_t l, const lane *re, const lane *im) {
    const spectrum_view *s = &to->view;
    if (s->half) {
        to->upper[2 * l] = to->lower[2 * l] = re[0];
        to->upper[2 * l + 1] = im[0];
        to->lower[2 * l + 1] = -im[0];
    } else {
        to->upper[l] = re[0];
        to->lower[l] = im[0];
    }
    for (size_t i = 1; i < LANES; i++) {
        size_t column = l == 0 ? i : l - i;
        lane *row = l == 0 ? to->upper : to->lower;
        row[real_place(*s, column)] = re[i];
        row[imaginary_place(*s, column)] = l == 0 ? im[i] : -im[i];
    }
}

static void load_around_self_paired(const row_end *from, size_t l, lane *re, lane *im) {
    const spectrum_view *s = &from->view;
    if (s->half) {
        /* The Hermitian part, as get_self_paired() of layout.h takes it. */
        re[0] = (lane)0.5 * (from->upper[2 * l] + from->lower[2 * l]);
        im[0] = (lane)0.5 * (from->upper[2 * l + 1] - from->lower[2 * l + 1]);
    } else {
        re[0] = from->upper[l];
        im[0] = from->lower[l];
    }
    for (size_t i = 1; i < LANES; i++) {
        size_t column = l == 0 ? i : l - i;
        const lane *row = l == 0 ? from->upper : from->lower;
        re[i] = row[real_place(*s, column)];
        im[i] = l == 0 ? row[imaginary_place(*s, column)] : -row[imaginary_place(*s, column)];
    }
}

static WEFT_HD cpx load_end(const row_end *from, enum end kind, size_t l) {
    if (kind == PAIRS) {
        return load_untangled(from->upper + l, from->lower + l);
    } else if (kind == FOLDED_PAIRS) {
        /* Rows 0 and H/2 are their own mirrors: twice their real parts. */
        real first = load_lanes(from->upper + l), middle = load_lanes(from->lower + l);
        return cpx_of(first + first, middle + middle);
    } else if (kind == SPECTRUM) {
        size_t middle = from->view.width / 2;
        if (l == 0 || l == middle) {
            lane re[LANES], im[LANES];
            load_around_self_paired(from, l, re, im);
            return cpx_of(load_lanes(re), load_lanes(im));
        }
        return l < middle ? load_direct(from->view, from->upper, l)
                          : load_mirrored(from->view, from->lower, l);
    }
    return cpx_of(load_lanes(from->split.re + l), load_lanes(from->split.im + l));
}

static WEFT_HD void store_end(const row_end *to, enum end kind, size_t l, cpx z) {
    if (kind == PAIRS) {
        store_tangled(to->upper + l, to->lower + l, z);
    } else if (kind == FOLDED_PAIRS) {
        /* tangle() of real values: z - 0 and 0 + z. */
        real zero = lanes_of(0);
        store_lanes(to->upper + l, in_turn(z.re, zero + z.re));
        store_lanes(to->lower + l, in_turn(z.im, zero + z.im));
    } else if (kind == SPECTRUM) {
        size_t middle = to->view.width / 2;
        z = cpx_scale(z, lanes_of(to->scale));
        if (l == 0 || l == middle) {
            lane re[LANES], im[LANES];
            store_lanes(re, z.re);
            store_lanes(im, z.im);
            store_around_self_paired(to, l, re, im);
        } else if (l < middle) {
            store_direct(to->view, to->upper, l, z);
        } else {
            store_mirrored(to->view, to->lower, l, z);
        }
    } else {
        store_lanes(to->split.re + l, z.re);
        store_lanes(to->split.im + l, z.im);
    }
}

/* ---- stages -------------------------------------------------------------------------------------
 */

/* m: values between a butterfly's inputs, as many as the lanes at least. swaps: the parts of what
 * is loaded or stored at an end. */
static WEFT_HD void long_stage(const row_end *from, enum end from_kind, const row_end *to,
                               enum end to_kind, int swaps, size_t length, size_t m, int radix,
                               const lane *twiddles) {
    size_t butterflies = length / (size_t)radix;
    for (size_t q = 0; q < butterflies / m; q++) {
        for (size_t j = 0; j < m; j += LANES) {
            cpx x[LARGEST_RADIX];
            WEFT_UNROLL
            for (int k = 0; k < radix; k++) {
                x[k] = load_end(from, from_kind, (q * (size_t)radix + (size_t)k) * m + j);
                x[k] = swaps && from_kind != PARTS ? cpx_swap(x[k]) : x[k];
            }
            if (twiddles == NULL) {
                butterfly(x, radix);
            } else {
                turned(x, radix, twiddles + 2 * q * stage_twiddles((size_t)radix), 0);
            }
            WEFT_UNROLL
            for (int k = 0; k < radix; k++) {
                x[k] = swaps && to_kind != PARTS ? cpx_swap(x[k]) : x[k];
                store_end(to, to_kind, q * m + j + (size_t)k * butterflies, x[k]);
            }
        }
    }
}

/* The same where m, then a power of two, is less: each vector has whole sub-lines' butterflies. */
static WEFT_HD void short_stage(parts from, const row_end *to, enum end to_kind, int swaps,
                                size_t length, int m, int radix, const lane *twiddles) {
    size_t butterflies = length / (size_t)radix;
    for (size_t b = 0; b < butterflies; b += LANES) {
        cpx x[LARGEST_RADIX];
        real re[LARGEST_RADIX], im[LARGEST_RADIX];
        WEFT_UNROLL
        for (int k = 0; k < radix; k++) {
            re[k] = load_lanes(from.re + b * (size_t)radix + (size_t)k * LANES);
            im[k] = load_lanes(from.im + b * (size_t)radix + (size_t)k * LANES);
        }
        every_count_th_unit(re, radix, m);
        every_count_th_unit(im, radix, m);
        WEFT_UNROLL
        for (int k = 0; k < radix; k++) {
            x[k] = cpx_of(re[k], im[k]);
        }
        turned(x, radix, twiddles + 2 * b * stage_twiddles((size_t)radix), 1);
        WEFT_UNROLL
        for (int k = 0; k < radix; k++) {
            x[k] = swaps && to_kind != PARTS ? cpx_swap(x[k]) : x[k];
            store_end(to, to_kind, b + (size_t)k * butterflies, x[k]);
        }
    }
}

#define FIRST_STAGE(name)                                                                          \
    static void name(const row_end *from, const row_end *to, size_t length, int radix) {           \
        ANY_RADIX(radix, name##_of)                                                                \
    }

#define untangled_of(r) long_stage(from, PAIRS, to, PARTS, 0, length, length / r, r, NULL)
#define folded_of(r) long_stage(from, FOLDED_PAIRS, to, PARTS, 0, length, length / r, r, NULL)
#define unpacked_of(r) long_stage(from, SPECTRUM, to, PARTS, 1, length, length / r, r, NULL)
#define split_of(r) long_stage(from, PARTS, to, PARTS, 0, length, length / r, r, NULL)
FIRST_STAGE(untangled)
FIRST_STAGE(folded)
FIRST_STAGE(unpacked)
FIRST_STAGE(split)

static void next_stage(const row_end *from, const row_end *to, size_t length, size_t m, int radix,
                       const lane *twiddles) {
#define LONG(r) long_stage(from, PARTS, to, PARTS, 0, length, m, r, twiddles)
#define SHORT_8(r) short_stage(from->split, to, PARTS, 0, length, 8, r, twiddles)
#define SHORT_4(r) short_stage(from->split, to, PARTS, 0, length, 4, r, twiddles)
    if (m >= LANES) {
        ANY_RADIX(radix, LONG)
    } else if (m == 8) {
        ANY_RADIX(radix, SHORT_8)
    } else {
        ANY_RADIX(radix, SHORT_4)
    }
}

#define LAST_STAGE(name)                                                                           \
    static void name(const row_end *from, const row_end *to, size_t length, int radix,             \
                     const lane *twiddles) {                                                       \
        ANY_RADIX(radix, name##_of)                                                                \
    }
#define packed_of(r) short_stage(from->split, to, SPECTRUM, 0, length, 1, r, twiddles)
#define left_of(r) short_stage(from->split, to, PARTS, 0, length, 1, r, twiddles)
#define tangled_of(r) short_stage(from->split, to, PAIRS, 1, length, 1, r, twiddles)
#define unfolded_of(r) short_stage(from->split, to, FOLDED_PAIRS, 1, length, 1, r, twiddles)
LAST_STAGE(packed)
LAST_STAGE(left)
LAST_STAGE(tangled)
LAST_STAGE(unfolded)

/* ---- rows ---------------------------------------------------------------------------------------
 */

typedef void first_stage(const row_end *, const row_end *, size_t, int);
typedef void last_stage(const row_end *, const row_end *, size_t, int, const lane *);

/* Buffer `number` of work, which has two. */
static row_end row_buffer(lane *work, size_t length, int number) {
    lane *first = work + (size_t)number * 2 * length;
    return (row_end){.split = {first, first + length}};
}

static void all_row_stages(const fast_line *row, first_stage *first, const row_end *from,
                           last_stage *last, const row_end *to, row_end buffer, row_end other) {
    const factor_list *factors = &row->factors;
    size_t m = row->length / (size_t)factors->radix[0];
    int end = factors->count - 1;
    first(from, &buffer, row->length, factors->radix[0]);
    for (int s = 1; s < end; s++) {
        row_end before = buffer;
        m /= (size_t)factors->radix[s];
        next_stage(&before, &other, row->length, m, factors->radix[s], row->twiddles[s]);
        buffer = other;
        other = before;
    }
    last(&buffer, to, row->length, factors->radix[end], row->twiddles[end]);
}

static row_end spectrum_rows(spectrum_view s, size_t k, lane scale) {
    return (row_end){.upper = s.values + k * row_reals(s),
                     .lower = s.values + (s.height - k) * row_reals(s),
                     .view = s,
                     .scale = scale};
}

static void rows(const fast_line *row, const lane *upper, const lane *lower, spectrum_view spectrum,
                 size_t k, lane scale, lane *work) {
    row_end from = {.upper = (lane *)upper, .lower = (lane *)lower};
    row_end to = spectrum_rows(spectrum, k, scale);
    all_row_stages(row, untangled, &from, packed, &to, row_buffer(work, row->length, 0),
                   row_buffer(work, row->length, 1));
}

static void rows_inverse(const fast_line *row, spectrum_view spectrum, size_t k, lane *upper,
                         lane *lower, lane *work) {
    row_end from = spectrum_rows(spectrum, k, 1);
    row_end to = {.upper = upper, .lower = lower};
    all_row_stages(row, unpacked, &from, tangled, &to, row_buffer(work, row->length, 0),
                   row_buffer(work, row->length, 1));
}

/* One row of it. */
static WEFT_HD void multiply_row(spectrum_view s, lane *row, spectrum_view transfer, const lane *by,
                                 const lane *gain) {
    for (size_t l = LANES; l < s.width / 2; l += LANES) {
        cpx z = load_direct(s, row, l);
        z = gain != NULL ? cpx_of(z.re * load_lanes(gain + l), z.im * load_lanes(gain + l))
                         : cpx_mul(z, load_direct(transfer, by, l));
        store_direct(s, row, l, z);
    }
}

static void multiply(spectrum_view spectrum, size_t k, spectrum_view transfer, size_t k_of_transfer,
                     const lane *gain) {
    row_end rows_of = spectrum_rows(spectrum, k, 1);
    row_end by = gain == NULL ? spectrum_rows(transfer, k_of_transfer, 1) : (row_end){0};
    size_t gains = transfer.width / 2 + 1, mirrored = transfer.height - k_of_transfer;
    multiply_row(spectrum, rows_of.upper, transfer, by.upper,
                 gain != NULL ? gain + k_of_transfer * gains : NULL);
    multiply_row(spectrum, rows_of.lower, transfer, by.lower,
                 gain != NULL ? gain + mirrored * gains : NULL);
}

static lane *folded_rows(const fast_line *row, const lane *upper, const lane *lower, lane *work) {
    row_end from = {.upper = (lane *)upper, .lower = (lane *)lower};
    int end = row->factors.count % 2; /* the buffer before the last stage is the other one */
    row_end to = row_buffer(work, row->length, 1 - end);
    all_row_stages(row, folded, &from, left, &to, row_buffer(work, row->length, 0),
                   row_buffer(work, row->length, 1));
    return to.split.re;
}

static void folded_rows_inverse(const fast_line *row, lane *upper, lane *lower, lane *work) {
    /* The parts that are there are swapped by their names. */
    row_end from = {.split = {work + row->length, work}};
    row_end to = {.upper = upper, .lower = lower};
    all_row_stages(row, split, &from, unfolded, &to, row_buffer(work, row->length, 1),
                   row_buffer(work, row->length, 0));
}

#endif
