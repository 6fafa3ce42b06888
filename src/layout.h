/* SPDX-License-Identifier: MIT
 * The only place that knows how real images become complex lines: tangle and untangle put two real
 * lines into one complex line and take them apart again; fold and unfold let the two real lines of
 * a half spectrum, 0 and the middle one, share one complex line; and the rest says where X[k][l]
 * lies in each layout of weft.h. Every executor on CPU and GPU calls these functions: the tuned
 * ones transform columns first, the report and DirectX programs rows first. H rows, W columns; k
 * row frequency, l column frequency.
 */
#ifndef WEFT_LAYOUT_H
#define WEFT_LAYOUT_H

#include "arith/numbers.h"
#include "weft.h"

/* The index of the conjugate partner: (n - i) % n. */
static WEFT_HD size_t mirror(size_t i, size_t n) {
    return i == 0 ? 0 : n - i;
}

/* ---- two real signals in one complex one ----------------------------------------------------- */

/* 2 F[n] and 2 G[n] of two real signals f and g, out of Z = DFT(f + i g): z is Z[n], mirrored is
 * Z[mirror(n)]. The factor 1/2 is exact wherever it is applied, so it is left to the last store,
 * see untangled_scale(). */
static WEFT_HD void untangle(cpx z, cpx mirrored, cpx *f, cpx *g) {
    *f = cpx_of(z.re + mirrored.re, z.im - mirrored.im);
    *g = cpx_of(z.im + mirrored.im, mirrored.re - z.re);
}

/* What untangled values are multiplied by when they are stored: the norm's factor `scale` and the
 * 1/2 that untangle() leaves out. */
static WEFT_HD vector untangled_scale(vector scale) {
    return vector_of(0.5) * scale;
}

/* The way back: Z[n] = F + i G, and Z[mirror(n)] = conj F + i conj G. */
static WEFT_HD cpx tangle(cpx f, cpx g) {
    return cpx_of(f.re - g.im, f.im + g.re);
}

static WEFT_HD cpx tangle_mirrored(cpx f, cpx g) {
    return cpx_of(f.re + g.im, g.re - f.im);
}

/* ---- half spectra, with the two real values folded into slot 0 ------------------------------- */

/* How many complex lines of `count` remain to be transformed: slot 0 and one for each pair (n,
 * count - n). */
static WEFT_HD size_t folded_lines(size_t count) {
    return (count + 1) / 2;
}

/* Slot 0 of a real signal's spectrum: its values at 0 and at the middle are real, so one complex
 * number holds both. An odd count has no middle; the number's imaginary part is then 0. */
static WEFT_HD cpx fold(cpx value_0, cpx value_middle) {
    return cpx_of(value_0.re, value_middle.re);
}

/* The slot that holds the spectrum at n, 0 <= n < count. unfold() takes the value out of that slot:
 * the slot itself, its conjugate, or one part of slot 0. */
static WEFT_HD size_t folded_slot(size_t n, size_t count) {
    return n < count - n ? n : (n == count - n ? 0 : count - n);
}

static WEFT_HD cpx unfold(cpx slot, size_t n, size_t count) {
    if (n == 0) {
        return cpx_of(slot.re, vector_of(0));
    }
    if (n == count - n) {
        return cpx_of(slot.im, vector_of(0));
    }
    return n < count - n ? slot : cpx_conj(slot);
}

/* ---- where X[k][l] lies ---------------------------------------------------------------------- */

/* One spectrum in memory. `values` are reals; pitch counts reals (PACKED) or complex numbers
 * (HALF). */
typedef struct REAL_NAME(spectrum_view) {
    scalar *values;
    size_t height, width, pitch;
    int half; /* 1: WEFT_HALF, 0: WEFT_PACKED */
} spectrum_view;

/* Where in its row column l keeps its real and its imaginary part, for 0 < l < W - l: columns that
 * are not their own mirror. */
static WEFT_HD size_t real_place(spectrum_view s, size_t l) {
    return s.half ? 2 * l : l;
}

static WEFT_HD size_t imaginary_place(spectrum_view s, size_t l) {
    return s.half ? 2 * l + 1 : s.width - l;
}

/* The distance from a row to the next, in reals. */
static WEFT_HD size_t row_reals(spectrum_view s) {
    return s.half ? 2 * s.pitch : s.pitch;
}

/* The reals of a row. */
static WEFT_HD size_t reals_of_row(spectrum_view s) {
    return s.half ? 2 * (s.width / 2 + 1) : s.width;
}

/* ---- values in memory, one by one, for executors without vectors ----------------------------- */

#if !defined(WEFT_LANES)

/* Stores one part of a PACKED value. On a GPU it is a streaming store: the spectrum is written once
 * and last, so it should leave the cache before data that is still to be read. */
static WEFT_HD void store_real(scalar *to, scalar value) {
#if defined(__CUDA_ARCH__)
    __stcs(to, value);
#else
    *to = value;
#endif
}

static WEFT_HD cpx load_pair(const scalar *values) {
#if defined(__CUDA_ARCH__)
    return *(const cpx *)values;
#else
    return cpx_of(values[0], values[1]);
#endif
}

static WEFT_HD void store_pair(scalar *values, cpx value) {
#if defined(__CUDA_ARCH__)
    *(cpx *)values = value;
#else
    values[0] = value.re;
    values[1] = value.im;
#endif
}

/* Stores a value whose parts belong at `re` and `im`. */
static WEFT_HD void put_parts(spectrum_view s, scalar *re, scalar *im, cpx value) {
    if (s.half) {
        store_pair(re, value);
    } else {
        store_real(re, value.re);
        store_real(im, value.im);
    }
}

static WEFT_HD cpx get_parts(spectrum_view s, const scalar *re, const scalar *im) {
    return s.half ? load_pair(re) : cpx_of(*re, *im);
}

/* X[k][l] of a column that is not its own mirror, 0 < l < W - l; any k. */
static WEFT_HD void put_paired(spectrum_view s, size_t k, size_t l, cpx value) {
    scalar *row = s.values + k * row_reals(s);
    put_parts(s, row + real_place(s, l), row + imaginary_place(s, l), value);
}

static WEFT_HD cpx get_paired(spectrum_view s, size_t k, size_t l) {
    const scalar *row = s.values + k * row_reals(s);
    return get_parts(s, row + real_place(s, l), row + imaginary_place(s, l));
}

/* X[k][l] and X[k'][l] = conj X[k][l] of a self-paired column, l = 0 or W/2; k <= k' = mirror(k).
 */
static WEFT_HD void put_self_paired(spectrum_view s, size_t k, size_t l, cpx value) {
    size_t partner = mirror(k, s.height);
    if (k == partner) {
        value.im = 0;
    }
    if (s.half) {
        store_pair(s.values + 2 * (k * s.pitch + l), value);
        if (k != partner) {
            store_pair(s.values + 2 * (partner * s.pitch + l), cpx_conj(value));
        }
    } else {
        s.values[k * s.pitch + l] = value.re;
        if (k != partner) {
            s.values[partner * s.pitch + l] = value.im;
        }
    }
}

/* What X[k][l] counts for in a self-paired column of a HALF spectrum, out of it and X[k'][l]. Such
 * a spectrum can hold values that no real image has: only their Hermitian part is taken, since the
 * rest would leak into the other folded column. */
static WEFT_HD cpx hermitian_part(cpx value, cpx partner) {
    cpx unused;
    untangle(value, partner, &value, &unused);
    return cpx_scale(value, untangled_scale(1));
}

/* X[k][l] of a self-paired column, k <= mirror(k). */
static WEFT_HD cpx get_self_paired(spectrum_view s, size_t k, size_t l) {
    size_t partner = mirror(k, s.height);
    if (s.half) {
        return hermitian_part(load_pair(s.values + 2 * (k * s.pitch + l)),
                              load_pair(s.values + 2 * (partner * s.pitch + l)));
    }
    return cpx_of(s.values[k * s.pitch + l], k == partner ? 0 : s.values[partner * s.pitch + l]);
}

/* Takes the transformed folded column, given at k and mirror(k), apart into both self-paired
 * columns and stores them, times scale; for k <= mirror(k). */
static WEFT_HD void put_folded(spectrum_view s, size_t k, cpx z, cpx mirrored, scalar scale) {
    cpx column_0, column_middle;
    scale = untangled_scale(scale);
    untangle(z, mirrored, &column_0, &column_middle);
    put_self_paired(s, k, 0, cpx_scale(column_0, scale));
    if (s.width % 2 == 0) {
        put_self_paired(s, k, s.width / 2, cpx_scale(column_middle, scale));
    }
}

/* The folded column's spectrum at any k, out of both self-paired columns. */
static WEFT_HD cpx get_folded(spectrum_view s, size_t k) {
    size_t partner = mirror(k, s.height), low = k < partner ? k : partner;
    cpx column_0 = get_self_paired(s, low, 0);
    cpx column_middle = s.width % 2 == 0 ? get_self_paired(s, low, s.width / 2) : cpx_of(0, 0);
    return k == low ? tangle(column_0, column_middle) : tangle_mirrored(column_0, column_middle);
}

/* X[k][l] for any k < H, l < W. */
static WEFT_HD cpx get_any(spectrum_view s, size_t k, size_t l) {
    size_t partner = mirror(k, s.height), column = mirror(l, s.width);
    if (l == column) {
        return k <= partner ? get_self_paired(s, k, l) : cpx_conj(get_self_paired(s, partner, l));
    }
    return l < column ? get_paired(s, k, l) : cpx_conj(get_paired(s, partner, column));
}

/* ---- whole rows: the rows k and H - k that one complex row decides --------------------------- */

/* X[k][l] for 0 < k < H - k and any l; X[H - k][W - l] follows from it. */
static WEFT_HD void put_row(spectrum_view s, size_t k, size_t l, cpx value) {
    size_t column = mirror(l, s.width);
    if (l == column) {
        put_self_paired(s, k, l, value);
    } else if (l < column) {
        put_paired(s, k, l, value);
    } else {
        put_paired(s, s.height - k, column, cpx_conj(value));
    }
}

/* One value of a row that is its own mirror, 0 or H/2. */
static WEFT_HD void put_self_paired_row(spectrum_view s, size_t k, size_t l, cpx value) {
    if (l == mirror(l, s.width)) {
        put_self_paired(s, k, l, value);
    } else {
        put_paired(s, k, l, value);
    }
}

/* Takes the transformed folded row, given at l and mirror(l), apart into rows 0 and H/2, times
 * scale. */
static WEFT_HD void part_folded_rows(cpx z, cpx mirrored, scalar scale, cpx *row_0,
                                     cpx *row_middle) {
    scale = untangled_scale(scale);
    untangle(z, mirrored, row_0, row_middle);
    *row_0 = cpx_scale(*row_0, scale);
    *row_middle = cpx_scale(*row_middle, scale);
}

/* The same, stored; for l <= mirror(l). */
static WEFT_HD void put_folded_rows(spectrum_view s, size_t l, cpx z, cpx mirrored, scalar scale) {
    cpx row_0, row_middle;
    part_folded_rows(z, mirrored, scale, &row_0, &row_middle);
    put_self_paired_row(s, 0, l, row_0);
    if (s.height % 2 == 0) {
        put_self_paired_row(s, s.height / 2, l, row_middle);
    }
}

/* X[k][l] of a row that is its own mirror, at any l. What is loaded depends on no branch, so that a
 * GPU's loads of many values wait together. */
static WEFT_HD cpx get_self_paired_row(spectrum_view s, size_t k, size_t l) {
    const size_t mirrored = mirror(l, s.width), low = l < mirrored ? l : mirrored;
    const scalar *row = s.values + k * row_reals(s);
    const int is_own = l == mirrored; /* a self-paired column: X[k][l] is real */
    const int takes_part = is_own && s.half;
    const scalar re = row[real_place(s, low)];
    const scalar im = row[is_own && !s.half ? low : imaginary_place(s, low)];
    const cpx part = hermitian_part(cpx_of(re, im), cpx_of(re, im));
    const scalar turned = l > mirrored ? -im : im;
    return cpx_of(takes_part ? part.re : re, takes_part ? part.im : is_own ? 0 : turned);
}

/* The folded row's spectrum at any l, out of rows 0 and H/2. */
static WEFT_HD cpx get_folded_rows(spectrum_view s, size_t l) {
    const int has_middle = s.height % 2 == 0;
    const cpx row_0 = get_self_paired_row(s, 0, l);
    const cpx row_middle = get_self_paired_row(s, has_middle ? s.height / 2 : 0, l);
    return tangle(row_0, has_middle ? row_middle : cpx_of(0, 0));
}

/* The same at l and, into *mirrored, at mirror(l), out of the bins at l themselves. An odd height's
 * row_middle is a 0 without a mirror image: conjugated it would make 0 of -0. */
static WEFT_HD cpx join_folded_rows(cpx row_0, cpx row_middle, size_t height, cpx *mirrored) {
    *mirrored = tangle(cpx_conj(row_0), height % 2 == 0 ? cpx_conj(row_middle) : row_middle);
    return tangle(row_0, row_middle);
}

#endif

#endif
