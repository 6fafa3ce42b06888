/* SPDX-License-Identifier: MIT
 * The trick, and the only place that knows it: how two real rows become one complex row and come
 * apart again (tangle, untangle), how the self-paired columns 0 and W/2 share one complex column
 * (fold, unfold), and where X[k][l] lies in each layout of weft.h. Every executor on CPU and GPU
 * calls these functions. H rows, W columns; k row frequency, l column frequency, n column.
 */
#ifndef WEFT_LAYOUT_H
#define WEFT_LAYOUT_H

#include "arith/real.h"
#include "weft.h"

/* The index of the conjugate partner: (n - i) % n. */
static WEFT_HD size_t mirror(size_t i, size_t n) {
    return i == 0 ? 0 : n - i;
}

/* ---- two real signals in one complex one ----------------------------------------------------- */

/* Both 2 F and 2 G of two real signals f, g out of Z = DFT(f + i g): z = Z[n], mirrored =
 * Z[mirror(n)]. The factor 1/2 is exact wherever it is applied; it is left to the last store, see
 * untangled_scale. */
static WEFT_HD void untangle(cpx z, cpx mirrored, cpx *f, cpx *g) {
    *f = cpx_of(z.re + mirrored.re, z.im - mirrored.im);
    *g = cpx_of(z.im + mirrored.im, mirrored.re - z.re);
}

/* What a column of untangled rows is multiplied by when it is stored, for the norm's factor
 * `scale`. */
static WEFT_HD real untangled_scale(real scale) {
    return (real)0.5 * scale;
}

/* The way back: Z[n] = F + i G, and Z[mirror(n)] = conj F + i conj G. */
static WEFT_HD cpx tangle(cpx f, cpx g) {
    return cpx_of(f.re - g.im, f.im + g.re);
}

static WEFT_HD cpx tangle_mirrored(cpx f, cpx g) {
    return cpx_of(f.re + g.im, g.re - f.im);
}

/* ---- rows: half spectra with columns 0 and W/2 folded into slot 0 ---------------------------- */

/* Complex columns that are left to transform: slot 0 and one for each pair (n, W - n). */
static WEFT_HD size_t folded_columns(size_t width) {
    return (width + 1) / 2;
}

/* Slot 0 of a row: its values in columns 0 and W/2 are real, so one complex number holds both. An
 * odd W has no column W/2; the number's imaginary part is then 0. */
static WEFT_HD cpx fold(cpx column_0, cpx column_middle) {
    return cpx_of(column_0.re, column_middle.re);
}

/* Row spectrum at column n, for all 0 <= n < W, out of the row's folded half spectrum's slot
 * folded_slot(n): the slot itself, or its conjugate, or half of slot 0. */
static WEFT_HD size_t folded_slot(size_t n, size_t width) {
    return n < width - n ? n : (n == width - n ? 0 : width - n);
}

static WEFT_HD cpx unfold(cpx slot, size_t n, size_t width) {
    if (n == 0) {
        return cpx_of(slot.re, 0);
    }
    if (n == width - n) {
        return cpx_of(slot.im, 0);
    }
    return n < width - n ? slot : cpx_conj(slot);
}

/* ---- where X[k][l] lies ---------------------------------------------------------------------- */

/* One spectrum in memory. `values` are reals; pitch counts reals (PACKED) or complex numbers
 * (HALF). */
typedef struct REAL_NAME(spectrum_view) {
    real *values;
    size_t height, width, pitch;
    int half; /* 1: WEFT_HALF, 0: WEFT_PACKED */
} spectrum_view;

/* The PACKED store of a column pair: on a GPU, where the spectrum is written once and last, it
 * should leave the cache before what is still to be read. A hint, whoever else stores a pair. */
static WEFT_HD void store_real(real *to, real value) {
#if defined(__CUDA_ARCH__)
    __stcs(to, value);
#else
    *to = value;
#endif
}

static WEFT_HD cpx load_pair(const real *values) {
#if defined(__CUDA_ARCH__)
    return *(const cpx *)values;
#else
    return cpx_of(values[0], values[1]);
#endif
}

static WEFT_HD void store_pair(real *values, cpx value) {
#if defined(__CUDA_ARCH__)
    *(cpx *)values = value;
#else
    values[0] = value.re;
    values[1] = value.im;
#endif
}

/* Where in its row a column that is not its own mirror keeps its values, 0 < l < W - l: in HALF the
 * imaginary part follows the real one. */
static WEFT_HD size_t real_place(spectrum_view s, size_t l) {
    return s.half ? 2 * l : l;
}

static WEFT_HD size_t imaginary_place(spectrum_view s, size_t l) {
    return s.half ? 2 * l + 1 : s.width - l;
}

/* From a row to the next, in reals. */
static WEFT_HD size_t row_reals(spectrum_view s) {
    return s.half ? 2 * s.pitch : s.pitch;
}

/* Stores a value whose parts belong at `re` and `im`. */
static WEFT_HD void put_parts(spectrum_view s, real *re, real *im, cpx value) {
    if (s.half) {
        store_pair(re, value);
    } else {
        store_real(re, value.re);
        store_real(im, value.im);
    }
}

/* X[k][l] of such a column; any k. */
static WEFT_HD void put_paired(spectrum_view s, size_t k, size_t l, cpx value) {
    real *row = s.values + k * row_reals(s);
    put_parts(s, row + real_place(s, l), row + imaginary_place(s, l), value);
}

static WEFT_HD cpx get_paired(spectrum_view s, size_t k, size_t l) {
    const real *row = s.values + k * row_reals(s);
    return s.half ? load_pair(row + real_place(s, l))
                  : cpx_of(row[real_place(s, l)], row[imaginary_place(s, l)]);
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

/* X[k][l] of a self-paired column, k <= mirror(k). HALF can hold what no real image has; only the
 * Hermitian part is taken, else it would leak into the other column of the fold. */
static WEFT_HD cpx get_self_paired(spectrum_view s, size_t k, size_t l) {
    size_t partner = mirror(k, s.height);
    if (s.half) {
        cpx value = load_pair(s.values + 2 * (k * s.pitch + l)), unused;
        untangle(value, load_pair(s.values + 2 * (partner * s.pitch + l)), &value, &unused);
        return cpx_scale(value, untangled_scale(1));
    }
    return cpx_of(s.values[k * s.pitch + l], k == partner ? 0 : s.values[partner * s.pitch + l]);
}

/* The folded column, transformed, at k and mirror(k): apart into both self-paired columns and
 * stored, times scale. For k <= mirror(k). */
static WEFT_HD void put_folded(spectrum_view s, size_t k, cpx z, cpx mirrored, real scale) {
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

#endif
