/* SPDX-License-Identifier: MIT
 * The row pass: takes the tangled columns of two rows of mid apart, as it loads them, and
 * transforms the complex row that they make: slot k gives the rows k and H - k of the spectrum,
 * slot 0 rows 0 and H/2. And its inverse.
 */
#ifndef WEFT_CUDA_ROWS_CUH
#define WEFT_CUDA_ROWS_CUH

#include "divider.cuh"
#include "layout.h"
#include "line.cuh"
#include "means.cuh"
#include "mid.cuh"
#include "residence.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct rows_job {
    spectrum_view spectrum; /* of the first image; written by the forward, read by the inverse */
    size_t spectrum_reals;  /* from image to image */
    mid_view mid;
    const cpx *twiddles; /* of a row, in the direction of the kernel */
    divider slots;       /* in one image: H/2 */
    unsigned all_slots;  /* in all images */
    real scale;
    int has_means; /* row 0 of mid holds the sums of the image's columns, see means.cuh */
    double dc_scale;
};

template <unsigned W, int CUT> struct rows_shape {
    typedef line_of<W, CUT, 1, 0> forward;
    typedef line_of<W, CUT, 1, 1> inverse;
    static constexpr unsigned parts = forward::parts;
    static constexpr unsigned lines = tuning_of(W).rows[CUT].lines;
    static constexpr unsigned threads = lines / forward::lines * forward::threads;
    static constexpr unsigned size = exchange_of<forward>::size > exchange_of<inverse>::size
                                         ? exchange_of<forward>::size
                                         : exchange_of<inverse>::size;
    /* Behind the exchanges each line may keep its X[0][0]. */
    static constexpr size_t shared_bytes = lines * size * sizeof(cpx) + lines * sizeof(real);
    static constexpr unsigned resident =
        blocks_of(tuning_of(W).rows[CUT].resident, threads, shared_bytes);
    static __device__ __forceinline__ real *dcs(cpx *shared) {
        return (real *)(shared + lines * size);
    }
};

/* A slot: where its rows lie. Threads of slots past the last one take part in everything but loads
 * and stores. */
struct row_place {
    unsigned slot;
    size_t image;
    bool is_valid;
    __device__ __forceinline__ row_place(const rows_job &j, unsigned index) {
        is_valid = index < j.all_slots;
        image = quotient(index, j.slots);
        slot = remainder_of(index, j.slots);
    }
    __device__ __forceinline__ spectrum_view spectrum(const rows_job &j, unsigned width) const {
        spectrum_view s = j.spectrum;
        s.values += image * j.spectrum_reals;
        s.width = width;
        return s;
    }
    /* Row k of mid, and row H - k; of slot 0 rows 0 and H/2. */
    __device__ __forceinline__ real *upper_row(const rows_job &j) const {
        return j.mid.values + image * j.mid.stride + slot * j.mid.pitch;
    }
    __device__ __forceinline__ real *lower_row(const rows_job &j) const {
        return upper_row(j) +
               (slot == 0 ? j.slots.divisor : 2 * (j.slots.divisor - slot)) * j.mid.pitch;
    }
};

template <class Line> __device__ __forceinline__ void clear(cpx *x) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        x[v] = cpx_of(0, 0);
    }
}

/* ---- columns apart, and together again --------------------------------------------------------
 * A complex column's values Z[k] and Z[H - k] are two neighbouring reals of each row. A thread has
 * either both of the pair, or one, and its neighbour the other. */

/* What a thread begins with, as it lies in the two rows: of pairs x[v] and x[radix + v] are upper
 * and lower, otherwise x[v] is one real of each. */
template <class Line, int IS_PAIRED>
__device__ __forceinline__ void load_rows(cpx *x, const real *upper, const real *lower) {
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? Line::first_radix : Line::points); v++) {
        unsigned n = input_offset<Line>(v);
        if constexpr (Line::has_pairs) {
            x[v] = load_reals<IS_PAIRED>(upper + n);
            x[Line::first_radix + v] = load_reals<IS_PAIRED>(lower + n);
        } else {
            x[v] = cpx_of(upper[n], lower[n]);
        }
    }
}

/* Slot 0 has rows 0 and H/2, each its own mirror image, folded. The factor 2 is left to the last
 * store, as in untangle(). */
template <class Line> __device__ __forceinline__ void untangle_slot_0(cpx *x) {
    constexpr unsigned radix = Line::first_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? radix : Line::points); v++) {
        if constexpr (Line::has_pairs) {
            cpx row_0 = x[v], row_middle = x[radix + v];
            x[v] = cpx_of(row_0.re + row_0.re, row_middle.re + row_middle.re);
            x[radix + v] = cpx_of(row_0.im + row_0.im, row_middle.im + row_middle.im);
        } else {
            x[v] = cpx_add(x[v], x[v]);
        }
    }
}

/* Without pairs every thread of the warp must call it. */
template <class Line> __device__ __forceinline__ void untangle_slot(cpx *x, unsigned t) {
    constexpr unsigned radix = Line::first_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? radix : Line::points); v++) {
        if constexpr (Line::has_pairs) {
            untangle(x[v], x[radix + v], &x[v], &x[radix + v]);
        } else {
            real difference = __shfl_xor_sync(~0u, x[v].re - x[v].im, 1);
            x[v] = cpx_of(x[v].re + x[v].im, t % 2 == 0 ? difference : -difference);
        }
    }
}

/* The way back; adding 0 makes of -0 what tangle() makes of it. */
template <class Line> __device__ __forceinline__ void tangle_slot_0(cpx *x, unsigned t) {
    constexpr unsigned radix = Line::last_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? radix : Line::points); v++) {
        if constexpr (Line::has_pairs) {
            cpx left = x[v], right = x[radix + v];
            x[v] = cpx_of(left.re, 0 + right.re);
            x[radix + v] = cpx_of(left.im, 0 + right.im);
        } else {
            x[v] = t % 2 == 0 ? x[v] : cpx_of(0 + x[v].re, 0 + x[v].im);
        }
    }
}

template <class Line> __device__ __forceinline__ void tangle_slot(cpx *x, unsigned t) {
    constexpr unsigned radix = Line::last_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? radix : Line::points); v++) {
        if constexpr (Line::has_pairs) {
            cpx left = x[v], right = x[radix + v];
            x[v] = tangle(left, right);
            x[radix + v] = tangle_mirrored(left, right);
        } else {
            real other = __shfl_xor_sync(~0u, x[v].im, 1);
            x[v] = t % 2 == 0 ? cpx_of(x[v].re - other, x[v].re + other)
                              : cpx_of(other + x[v].re, x[v].re - other);
        }
    }
}

/* slot(x) for all slots but 0, slot_0(x) for that. Where threads of a warp work on different slots,
 * all of them go through slot(). */
template <class Line, class Slot0, class Slot>
__device__ __forceinline__ void either(cpx *x, bool is_slot_0, Slot0 slot_0, Slot slot) {
    if constexpr (Line::has_pairs || Line::threads >= 32) {
        if (is_slot_0) {
            slot_0(x);
        } else {
            slot(x);
        }
    } else {
        cpx y[Line::points];
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            y[v] = x[v];
        }
        slot(x);
        slot_0(y);
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            x[v] = is_slot_0 ? y[v] : x[v];
        }
    }
}

template <class Line>
__device__ __forceinline__ void untangle_rows(cpx *x, unsigned t, bool is_slot_0) {
    either<Line>(
        x, is_slot_0, [](cpx *y) { untangle_slot_0<Line>(y); },
        [&](cpx *y) { untangle_slot<Line>(y, t); });
}

template <class Line>
__device__ __forceinline__ void tangle_rows(cpx *x, unsigned t, bool is_slot_0) {
    either<Line>(
        x, is_slot_0, [&](cpx *y) { tangle_slot_0<Line>(y, t); },
        [&](cpx *y) { tangle_slot<Line>(y, t); });
}

template <class Line, int IS_PAIRED>
__device__ __forceinline__ void store_rows(real *upper, real *lower, const cpx *x) {
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? Line::last_radix : Line::points); v++) {
        unsigned n = output_offset<Line>(v);
        if constexpr (Line::has_pairs) {
            cpx below = x[Line::last_radix + v];
            store_reals<IS_PAIRED>(upper + n, x[v].re, x[v].im);
            store_reals<IS_PAIRED>(lower + n, below.re, below.im);
        } else {
            upper[n] = x[v].re;
            lower[n] = x[v].im;
        }
    }
}

/* ---- slots of mid, from and to memory ---------------------------------------------------------
 */

/* Row 0 of an image with means loses its own; thread 0 of the slot keeps X[0][0] in dc. Every
 * thread of the block must call it. */
template <class Line>
__device__ __forceinline__ void take_mean_of_slot_0(cpx *x, unsigned t, const rows_job &j,
                                                    exchange_of<Line> exchange, cpx *values,
                                                    bool is_slot_0, real *dc) {
    unsigned long long sum = take_mean_of_row_0<Line>(x, t, exchange, values, is_slot_0);
    if (is_slot_0 && t == 0) {
        *dc = dc_of(sum, j.dc_scale);
    }
}

/* The thread's lines, untangled: the slots from `index` on. */
template <class Line>
__device__ __forceinline__ void load_slots(cpx *x, unsigned t, const rows_job &j, unsigned index,
                                           exchange_of<Line> exchange, bool block_folds, real *dc) {
    unsigned in = input_base<Line>(t);
    WEFT_UNROLL
    for (unsigned l = 0; l < Line::lines; l++) {
        row_place place(j, index + l);
        cpx *y = x + l * Line::points;
        if (!place.is_valid) {
            clear<Line>(y);
        } else if (j.mid.is_paired) {
            load_rows<Line, 1>(y, place.upper_row(j) + in, place.lower_row(j) + in);
        } else {
            load_rows<Line, 0>(y, place.upper_row(j) + in, place.lower_row(j) + in);
        }
    }
    if (j.has_means && block_folds) {
        WEFT_UNROLL
        for (unsigned l = 0; l < Line::lines; l++) {
            row_place place(j, index + l);
            take_mean_of_slot_0<Line>(x + l * Line::points, t, j, exchange,
                                      exchange.values + l * exchange_of<Line>::size,
                                      place.is_valid && place.slot == 0, dc + l);
        }
    }
    WEFT_UNROLL
    for (unsigned l = 0; l < Line::lines; l++) {
        untangle_rows<Line>(x + l * Line::points, t, row_place(j, index + l).slot == 0);
    }
}

/* And back. */
template <class Line>
__device__ __forceinline__ void store_slots(cpx *x, unsigned t, const rows_job &j, unsigned index) {
    unsigned out = output_base<Line>(t);
    WEFT_UNROLL
    for (unsigned l = 0; l < Line::lines; l++) {
        row_place place(j, index + l);
        cpx *y = x + l * Line::points;
        tangle_rows<Line>(y, t, place.slot == 0);
        if (place.is_valid) {
            if (j.mid.is_paired) {
                store_rows<Line, 1>(place.upper_row(j) + out, place.lower_row(j) + out, y);
            } else {
                store_rows<Line, 0>(place.upper_row(j) + out, place.lower_row(j) + out, y);
            }
        }
    }
}

/* Whether some of the block's slots is a slot 0. */
__device__ __forceinline__ bool folds(const rows_job &j, unsigned first, unsigned lines) {
    unsigned first_slot = remainder_of(first, j.slots);
    return first_slot == 0 || first_slot + lines > j.slots.divisor;
}

/* ---- forward ----------------------------------------------------------------------------------
 */

/* Where the two parts of X[k][l] lie in a row, for the l that is `offset` further from a base, or,
 * for the mirror image, W - l. Constant offsets, so that an address is one of four and a constant.
 */
template <int IS_HALF> struct row_parts {
    real *re, *im;
    int step; /* of re; im goes the other way in PACKED */
    __device__ __forceinline__ real *real_part(unsigned offset) const {
        return re + step * (int)offset;
    }
    __device__ __forceinline__ real *imaginary_part(unsigned offset) const {
        return im + (IS_HALF ? step : -step) * (int)offset;
    }
};

template <int IS_HALF>
__device__ __forceinline__ row_parts<IS_HALF> direct_parts(spectrum_view s, real *row,
                                                           unsigned base) {
    return {row + real_place(s, base), row + imaginary_place(s, base), IS_HALF ? 2 : 1};
}

template <int IS_HALF>
__device__ __forceinline__ row_parts<IS_HALF> mirrored_parts(spectrum_view s, real *row,
                                                             unsigned base) {
    return {row + real_place(s, s.width - base), row + imaginary_place(s, s.width - base),
            IS_HALF ? -2 : -1};
}

/* The rows k and H - k, 0 < k, of what thread t holds. In which half of a row a value lies, the
 * compiler knows; the layout is a constant. */
template <class Line, int IS_HALF>
__device__ __forceinline__ void put_rows(spectrum_view s, unsigned k, const cpx *x, unsigned t,
                                         real scale) {
    constexpr unsigned radix = Line::last_radix;
    s.half = IS_HALF;
    s.width = Line::whole;
    unsigned base = output_base<Line>(t);
    row_parts<IS_HALF> upper = direct_parts<IS_HALF>(s, s.values + k * row_reals(s), base);
    row_parts<IS_HALF> lower =
        mirrored_parts<IS_HALF>(s, s.values + (s.height - k) * row_reals(s), base);
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned l = output_offset<Line>(v);
        cpx value = cpx_scale(x[v], scale);
        if ((v == 0 || v == radix / 2) && t == 0) { /* columns 0 and W/2 */
            put_self_paired(s, k, l, value);
        } else if (v % radix < radix / 2) {
            put_parts(s, upper.real_part(l), upper.imaginary_part(l), value);
        } else {
            put_parts(s, lower.real_part(l), lower.imaginary_part(l), cpx_conj(value));
        }
    }
}

/* Value l of a line in natural order: of one in parts each block has as many. */
template <class Line> __device__ __forceinline__ cpx *in_order(cpx *values, unsigned l) {
    return Line::parts == 1 ? values + l : of_block(values, l / Line::length) + l % Line::length;
}

/* A transformed line in shared memory, in natural order, where mirror images meet. Every thread of
 * the block, or of the cluster, must call it. */
template <class Line>
__device__ __forceinline__ void share_line(cpx *values, const cpx *x, unsigned t,
                                           exchange_of<Line> exchange) {
    exchange.sync_parts(); /* the last stage has read its values */
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        *in_order<Line>(values, output_base<Line>(t) + output_offset<Line>(v)) = x[v];
    }
    exchange.sync_parts();
}

/* Rows 0 and H/2, out of slot 0. Every thread of the block, or of the cluster, must call it; those
 * of slot 0 write. */
template <class Line>
__device__ __forceinline__ void put_both_rows(spectrum_view s, const cpx *x, unsigned t,
                                              const rows_job &j, exchange_of<Line> exchange,
                                              cpx *values, bool is_slot_0, const real *dc) {
    constexpr unsigned W = Line::whole;
    share_line(values, x, t, exchange);
    if (is_slot_0) {
        for (unsigned l = t; l <= W / 2; l += Line::threads * Line::parts) {
            put_folded_rows(s, l, *in_order<Line>(values, l),
                            *in_order<Line>(values, l == 0 ? 0 : W - l), j.scale);
        }
        if (j.has_means && t == 0) {
            put_self_paired(s, 0, 0, cpx_of(*dc, 0));
        }
    }
    if constexpr (Line::parts > 1) {
        exchange.sync_parts(); /* no block leaves while another reads its values */
    }
}

/* The block's slots, or the cluster's, from `first` on. */
template <unsigned W, int CUT>
__device__ __forceinline__ void forward_slots(const rows_job &j, cpx *shared, unsigned first) {
    typedef rows_shape<W, CUT> shape;
    typedef typename shape::forward line;
    unsigned t = number_in_line<line>(threadIdx.x % line::threads);
    unsigned own = threadIdx.x / line::threads * line::lines;
    bool block_folds = folds(j, first, shape::lines);
    exchange_of<line> exchange = {shared + own * shape::size};
    real *dc = shape::dcs(shared) + own;
    cpx x[line::values];
    load_slots<line>(x, t, j, first + own, exchange, block_folds, dc);
    all_parts_are_there<line>();
    line_dft<line>(x, t, exchange, j.twiddles, []() {});
    WEFT_UNROLL
    for (unsigned l = 0; l < line::lines; l++) {
        row_place place(j, first + own + l);
        spectrum_view spectrum = place.spectrum(j, W);
        const cpx *y = x + l * line::points;
        if (block_folds) {
            put_both_rows<line>(spectrum, y, t, j, exchange, exchange.values + l * shape::size,
                                place.is_valid && place.slot == 0, dc + l);
        }
        if (place.is_valid && place.slot > 0) {
            if (spectrum.half) {
                put_rows<line, 1>(spectrum, place.slot, y, t, j.scale);
            } else {
                put_rows<line, 0>(spectrum, place.slot, y, t, j.scale);
            }
        }
    }
}

template <unsigned W, int CUT> __device__ __forceinline__ unsigned first_slot_of_block() {
    return blockIdx.x / rows_shape<W, CUT>::parts * rows_shape<W, CUT>::lines;
}

/* in      mid: the tangled spectra of columns
 * out     spectrum in either layout, times scale; may be the memory of mid
 * grid    `lines` slots a block, W/points threads for the slots that a thread has; a cluster where
 *         its blocks share them
 * shared  W complex values a slot, the padding and a real, no bank conflicts
 * DRAM    reads mid once, writes the spectrum once
 * sync    2 (stages - 1) - 1, and for each slot of a thread where the block has a slot 0 two, with
 *         means log2 threads + 2 more; of the warp where a slot is the work of one, else of the
 *         block; no value is written before all of the slot are read */
template <unsigned W, int CUT>
__global__ void __launch_bounds__(rows_shape<W, CUT>::threads, rows_shape<W, CUT>::resident)
    rows_forward(rows_job j) {
    WEFT_SHARED(cpx, shared);
    wait_for_previous(); /* mid is complete */
    forward_slots<W, CUT>(j, shared, first_slot_of_block<W, CUT>());
}

/* ---- inverse ----------------------------------------------------------------------------------
 */

/* X[k][l] for the l that thread t begins with, 0 < k, swapped for the inverse: of the second half
 * of the columns it is in row H - k. In which half a value lies, the compiler knows. */
template <class Line, int IS_HALF>
__device__ __forceinline__ void get_rows(cpx *x, spectrum_view s, unsigned k, unsigned t) {
    constexpr unsigned radix = Line::first_radix;
    s.half = IS_HALF;
    s.width = Line::whole;
    unsigned base = input_base<Line>(t);
    row_parts<IS_HALF> upper = direct_parts<IS_HALF>(s, s.values + k * row_reals(s), base);
    row_parts<IS_HALF> lower =
        mirrored_parts<IS_HALF>(s, s.values + (s.height - k) * row_reals(s), base);
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned l = input_offset<Line>(v);
        if ((v == 0 || v == radix / 2) && t == 0) { /* columns 0 and W/2 */
            x[v] = get_self_paired(s, k, l);
        } else if (v % radix < radix / 2) {
            x[v] = get_parts(s, upper.real_part(l), upper.imaginary_part(l));
        } else {
            x[v] = cpx_conj(get_parts(s, lower.real_part(l), lower.imaginary_part(l)));
        }
        x[v] = cpx_swap(x[v]);
    }
}

template <class Line>
__device__ __forceinline__ void get_both_rows(cpx *x, spectrum_view s, unsigned t) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        x[v] = cpx_swap(get_folded_rows(s, input_base<Line>(t) + input_offset<Line>(v)));
    }
}

/* The block's slots, or the cluster's, from `first` on. */
template <unsigned W, int CUT>
__device__ __forceinline__ void inverse_slots(const rows_job &j, cpx *shared, unsigned first) {
    typedef rows_shape<W, CUT> shape;
    typedef typename shape::inverse line;
    unsigned t = number_in_line<line>(threadIdx.x % line::threads);
    unsigned own = threadIdx.x / line::threads * line::lines;
    exchange_of<line> exchange = {shared + own * shape::size};
    cpx x[line::values];
    WEFT_UNROLL
    for (unsigned l = 0; l < line::lines; l++) {
        row_place place(j, first + own + l);
        spectrum_view spectrum = place.spectrum(j, W);
        cpx *y = x + l * line::points;
        if (!place.is_valid) {
            clear<line>(y);
        } else if (place.slot == 0) {
            get_both_rows<line>(y, spectrum, t);
        } else if (spectrum.half) {
            get_rows<line, 1>(y, spectrum, place.slot, t);
        } else {
            get_rows<line, 0>(y, spectrum, place.slot, t);
        }
    }
    all_parts_are_there<line>();
    line_dft<line>(x, t, exchange, j.twiddles, []() {});
    swap_all<line>(x);
    store_slots<line>(x, t, j, first + own);
}

/* in      spectrum in either layout
 * out     mid: the tangled spectra of columns; may be the memory of the spectrum
 * grid, shared, sync as rows_forward, without the two
 * DRAM    reads the spectrum once, writes mid once */
template <unsigned W, int CUT>
__global__ void __launch_bounds__(rows_shape<W, CUT>::threads, rows_shape<W, CUT>::resident)
    rows_inverse(rows_job j) {
    WEFT_SHARED(cpx, shared);
    let_next_start(); /* the columns may take their places */
    inverse_slots<W, CUT>(j, shared, first_slot_of_block<W, CUT>());
}

template <unsigned W, int CUT> inline launch_shape rows_launch_shape(unsigned all_slots) {
    typedef rows_shape<W, CUT> rows;
    launch_shape shape = {};
    shape.blocks = (all_slots + rows::lines - 1) / rows::lines * rows::parts;
    shape.threads = rows::threads;
    shape.cluster = rows::parts;
    shape.shared_bytes = rows::shared_bytes;
    return shape;
}

} // namespace

#endif
