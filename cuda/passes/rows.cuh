/* SPDX-License-Identifier: MIT
 * The row pass: transforms the complex rows that slots make into rows k and H - k of the spectrum,
 * in either layout; and the inverse.
 */
#ifndef WEFT_CUDA_PASSES_ROWS_CUH
#define WEFT_CUDA_PASSES_ROWS_CUH

#include "passes/slot_turns.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Where the two parts of X[k][l] lie in a row, for the l that is `offset` further than a base, or,
 * of the mirror image, for W - l. Offsets are constants, so that an address is one of four and a
 * constant. */
template <int IS_HALF> struct row_parts {
    scalar *re, *im;
    int step; /* of re; im goes the other way in PACKED */
    __device__ __forceinline__ scalar *real_part(unsigned offset) const {
        return re + step * (int)offset;
    }
    __device__ __forceinline__ scalar *imaginary_part(unsigned offset) const {
        return im + (IS_HALF ? step : -step) * (int)offset;
    }
};

template <int IS_HALF>
__device__ __forceinline__ row_parts<IS_HALF> direct_parts(spectrum_view s, scalar *row,
                                                           unsigned base) {
    return {row + real_place(s, base), row + imaginary_place(s, base), IS_HALF ? 2 : 1};
}

template <int IS_HALF>
__device__ __forceinline__ row_parts<IS_HALF> mirrored_parts(spectrum_view s, scalar *row,
                                                             unsigned base) {
    return {row + real_place(s, s.width - base), row + imaginary_place(s, s.width - base),
            IS_HALF ? -2 : -1};
}

/* Stores what thread t holds of rows k and H - k, 0 < k, to global or to shared memory. The
 * compiler knows in which half of a row a value lies; the layout is a constant. */
template <class Line, int IS_HALF, int IS_SHARED>
__device__ __forceinline__ void put_rows(spectrum_view s, unsigned k, const cpx *x, unsigned t,
                                         scalar scale) {
    constexpr unsigned radix = Line::last_radix;
    s.half = IS_HALF;
    s.width = Line::whole;
    unsigned base = output_base<Line>(t);
    row_parts<IS_HALF> upper = direct_parts<IS_HALF>(s, s.values + k * row_reals(s), base);
    row_parts<IS_HALF> lower =
        mirrored_parts<IS_HALF>(s, s.values + (s.height - k) * row_reals(s), base);
    auto put = [&](scalar *re, scalar *im, cpx value) {
        if (IS_SHARED && !IS_HALF) {
            *re = value.re;
            *im = value.im;
        } else {
            put_parts(s, re, im, value);
        }
    };
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned l = output_offset<Line>(v);
        cpx value = cpx_scale(x[v], scale);
        if ((v == 0 || v == radix / 2) && t == 0) { /* columns 0 and W/2 */
            put_self_paired(s, k, l, value);
        } else if (v % radix < radix / 2) {
            put(upper.real_part(l), upper.imaginary_part(l), value);
        } else {
            put(lower.real_part(l), lower.imaginary_part(l), cpx_conj(value));
        }
    }
}

/* Value l of a line in natural order. Of a line in parts each block has as many values. */
template <class Line> __device__ __forceinline__ cpx *in_order(cpx *values, unsigned l) {
    return Line::parts == 1 ? values + l : of_block(values, l / Line::length) + l % Line::length;
}

/* Puts a transformed line into shared memory in natural order, so that a thread finds mirror
 * images. Every thread of the block, or of the cluster, must call it. */
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

/* Stores rows 0 and H/2, out of slot 0 in natural order, where l and W - l are not the same. */
template <class Line, int IS_HALF>
__device__ __forceinline__ void put_folded_pairs(spectrum_view s, cpx *values, unsigned t,
                                                 scalar scale) {
    constexpr unsigned W = Line::whole, step = Line::threads * Line::parts;
    s.half = IS_HALF;
    WEFT_UNROLL
    for (unsigned first = 0; first < W / 2; first += step) {
        unsigned l = first + t;
        cpx row_0, row_middle;
        if (first > 0 || t > 0) {
            part_folded_rows(*in_order<Line>(values, l), *in_order<Line>(values, W - l), scale,
                             &row_0, &row_middle);
            put_paired(s, 0, l, row_0);
            put_paired(s, s.height / 2, l, row_middle);
        }
    }
}

/* Stores rows 0 and H/2, out of slot 0. Every thread of the block, or of the cluster, must call it;
 * those of slot 0 write. */
template <class Line>
__device__ __forceinline__ void put_both_rows(spectrum_view s, const cpx *x, unsigned t,
                                              const rows_job &j, exchange_of<Line> exchange,
                                              cpx *values, bool is_slot_0, const scalar *dc) {
    constexpr unsigned W = Line::whole;
    share_line(values, x, t, exchange);
    if (is_slot_0) {
        s.width = W;
        if (s.half) {
            put_folded_pairs<Line, 1>(s, values, t, j.scale);
        } else {
            put_folded_pairs<Line, 0>(s, values, t, j.scale);
        }
        if (t == 0) {
            for (unsigned l = 0; l <= W / 2; l += W / 2) {
                cpx value = *in_order<Line>(values, l);
                put_folded_rows(s, l, value, value, j.scale);
            }
            if (j.has_means) {
                put_self_paired(s, 0, 0, cpx_of(*dc, 0));
            }
        }
    }
    if constexpr (Line::parts > 1) {
        exchange.sync_parts(); /* no block leaves while another reads its values */
    }
}

/* The two rows of slot k of a spectrum in memory. */
struct slot_rows {
    scalar *upper, *lower;
    unsigned count; /* of reals in each */
    __device__ __forceinline__ slot_rows(spectrum_view s, unsigned k) {
        upper = s.values + k * row_reals(s);
        lower = s.values + (k == 0 ? s.height / 2 : s.height - k) * row_reals(s);
        count = (unsigned)s.width + (s.half ? 2 : 0);
    }
};

/* By one thread: asks L2 for row k of a spectrum; all kernels find it there, whichever wrote it. */
__device__ __forceinline__ void prefetch_spectrum_row(const spectrum_view &s, size_t k,
                                                      bool is_cached) {
    prefetch_row_to_cache(s.values + k * row_reals(s),
                          (s.width + (s.half ? 2 : 0)) * sizeof(scalar), is_cached);
}

/* Buffers as a spectrum of three rows, of which the slot is slot 1; or, of slot 0, of two rows. */
template <class Buffers>
__device__ __forceinline__ spectrum_view view_of_buffers(Buffers buffers, spectrum_view s,
                                                         slot_rows rows, bool is_slot_0) {
    scalar *upper = buffers.place(rows.upper, 0), *lower = buffers.place(rows.lower, 1);
    s.pitch = (size_t)(lower - upper) / (s.half ? 2 : 1);
    s.values = is_slot_0 ? upper : upper - row_reals(s);
    s.height = is_slot_0 ? 2 : 3;
    return s;
}

template <class Line, int IS_SHARED>
__device__ __forceinline__ void put_slot(spectrum_view s, unsigned k, const cpx *x, unsigned t,
                                         scalar scale) {
    if (s.half) {
        put_rows<Line, 1, IS_SHARED>(s, k, x, t, scale);
    } else {
        put_rows<Line, 0, IS_SHARED>(s, k, x, t, scale);
    }
}

/* Stores a thread's values, transformed, into the rows of its slots from `index` on, which are the
 * lines from `own` on of its block: directly, or by way of buffers. */
template <class Shape>
__device__ __forceinline__ void put_slots(const cpx *x, unsigned t, const rows_job &j,
                                          unsigned index, cpx *shared, unsigned own,
                                          bool block_folds) {
    typedef typename Shape::forward line;
    constexpr bool by_bulk = Shape::is_bulk && HAS_BULK;
    exchange_of<line> exchange = {shared + own * Shape::size};
    WEFT_UNROLL
    for (unsigned l = 0; l < line::lines; l++) {
        row_place place(j, index + l);
        spectrum_view spectrum = place.spectrum(j, line::whole);
        const cpx *y = x + l * line::points;
        if (block_folds) {
            put_both_rows<line>(spectrum, y, t, j, exchange, exchange.values + l * Shape::size,
                                place.is_valid && place.slot == 0, Shape::dcs(shared) + own + l);
        }
        if (by_bulk && l == 0) {
            exchange.sync(); /* the last stage has read its values */
        }
        if (place.is_valid && place.slot > 0) {
            if constexpr (by_bulk) {
                put_slot<line, 1>(view_of_buffers(Shape::output_buffers(shared, own + l), spectrum,
                                                  slot_rows(spectrum, place.slot), false),
                                  1, y, t, j.scale);
            } else {
                put_slot<line, 0>(spectrum, place.slot, y, t, j.scale);
            }
        }
    }
    if constexpr (by_bulk) {
        send_buffers<line>(t, exchange, [&](unsigned l) {
            row_place place(j, index + l);
            if (place.is_valid && place.slot > 0) {
                slot_rows rows(place.spectrum(j, line::whole), place.slot);
                Shape::output_buffers(shared, own + l)
                    .send(rows.upper, rows.lower, rows.count, j.is_cached);
            }
        });
    }
}

/* The twiddles of the block's threads. */
template <class Line> __device__ __forceinline__ auto row_twiddles_of(const rows_job &j) {
    return twiddles_of<Line>(j.twiddles, number_in_line<Line>(threadIdx.x % Line::threads));
}

/* Makes the spectrum's rows of those slots from `first` to before `end` that are the block's. */
template <unsigned W, class Cut, class Twiddles>
__device__ __forceinline__ void forward_slots(const rows_job &j, Twiddles &&twiddles, cpx *shared,
                                              unsigned first, unsigned end) {
    typedef rows_shape<W, Cut> shape;
    typedef typename shape::forward line;
    auto transform = [&](cpx *x, unsigned t, unsigned own, unsigned slot) {
        bool block_folds = folds(j, slot, shape::lines);
        exchange_of<line> exchange = {shared + own * shape::size};
        untangle_slots<line>(x, t, j, slot + own, exchange, block_folds, shape::dcs(shared) + own);
        line_dft<line>(x, t, exchange, twiddles, []() {});
        put_slots<shape>(x, t, j, slot + own, shared, own, block_folds);
    };
    each_of_slots<shape, line>(from_intermediate<line>{j}, shared, first, end, transform);
}

/* ---- inverse --------------------------------------------------------------------------------- */

/* Calls visit(v, re, im) with the places of the two parts of X[k][l], 0 < k, for each l that thread
 * t begins with; or of X[H - k][W - l] where that is what the spectrum has. The compiler knows in
 * which half of a row a value lies. Columns 0 and W/2 of HALF are not visited so. */
template <class Line, int IS_HALF, class Visit>
__device__ __forceinline__ void each_of_rows(spectrum_view s, unsigned k, unsigned t, Visit visit) {
    constexpr unsigned radix = Line::first_radix;
    s.half = IS_HALF;
    s.width = Line::whole;
    unsigned base = input_base<Line>(t);
    scalar *row = s.values + k * row_reals(s), *other = s.values + (s.height - k) * row_reals(s);
    row_parts<IS_HALF> upper = direct_parts<IS_HALF>(s, row, base);
    row_parts<IS_HALF> lower = mirrored_parts<IS_HALF>(s, other, base);
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned l = input_offset<Line>(v);
        if (!IS_HALF && (v == 0 || v == radix / 2) && t == 0) {
            visit(v, row + l, other + l);
        } else if (v % radix < radix / 2) {
            visit(v, upper.real_part(l), upper.imaginary_part(l));
        } else {
            visit(v, lower.real_part(l), lower.imaginary_part(l));
        }
    }
}

template <class Line, int IS_HALF>
__device__ __forceinline__ void get_rows(cpx *x, spectrum_view s, unsigned k, unsigned t) {
    constexpr unsigned radix = Line::first_radix;
    s.half = IS_HALF;
    s.width = Line::whole;
    each_of_rows<Line, IS_HALF>(s, k, t, [&](unsigned v, const scalar *re, const scalar *im) {
        if (IS_HALF && (v == 0 || v == radix / 2) && t == 0) { /* columns 0 and W/2 */
            x[v] = get_self_paired(s, k, input_offset<Line>(v));
        } else {
            x[v] = get_parts(s, re, im);
        }
    });
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        bool is_direct = v % radix < radix / 2 || (v == radix / 2 && t == 0);
        x[v] = cpx_swap(is_direct ? x[v] : cpx_conj(x[v]));
    }
}

/* What slot 0 begins with: rows 0 and H/2, folded. */
template <class Line, int IS_HALF>
__device__ __forceinline__ void get_both_rows(cpx *x, spectrum_view s, unsigned t) {
    constexpr unsigned W = Line::whole, radix = Line::first_radix;
    s.half = IS_HALF;
    s.width = W;
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned l = input_base<Line>(t) + input_offset<Line>(v);
        bool is_low = v % radix < radix / 2;
        if ((v == 0 || v == radix / 2) && t == 0) { /* columns 0 and W/2 */
            x[v] = get_folded_rows(s, l);
        } else {
            cpx row_0 = get_paired(s, 0, is_low ? l : W - l);
            cpx row_middle = get_paired(s, s.height / 2, is_low ? l : W - l);
            x[v] =
                is_low ? tangle(row_0, row_middle) : tangle(cpx_conj(row_0), cpx_conj(row_middle));
        }
        x[v] = cpx_swap(x[v]);
    }
}

/* What the thread begins with, of the spectrum's rows of the slots from `index` on: load() gets it
 * from global memory; or fetch() sends for a slot's rows, and take() gets it from their buffers. */
template <class Line> struct from_spectrum {
    const rows_job &j;
    __device__ __forceinline__ void load(cpx *x, unsigned t, unsigned index) const {
        WEFT_UNROLL
        for (unsigned l = 0; l < Line::lines; l++) {
            row_place place(j, index + l);
            spectrum_view spectrum = place.spectrum(j, Line::whole);
            if (place.is_valid) {
                load_slot(x + l * Line::points, t, spectrum, place.slot, place.slot == 0);
            } else {
                clear<Line>(x + l * Line::points);
            }
        }
    }
    /* By one thread. */
    template <class Buffers>
    __device__ __forceinline__ void fetch(Buffers buffers, mbarrier *b, unsigned index) const {
        row_place place(j, index);
        if (place.is_valid) {
            slot_rows rows(place.spectrum(j, Line::whole), place.slot);
            buffers.fetch(rows.upper, rows.lower, rows.count, b, j.is_cached);
        } else {
            mbarrier_expect(b, 0);
        }
    }
    template <class Buffers>
    __device__ __forceinline__ void take(cpx *x, Buffers buffers, unsigned t,
                                         unsigned index) const {
        row_place place(j, index);
        spectrum_view spectrum = place.spectrum(j, Line::whole);
        if (place.is_valid) {
            slot_rows rows(spectrum, place.slot);
            load_slot(x, t, view_of_buffers(buffers, spectrum, rows, place.slot == 0), 1,
                      place.slot == 0);
        } else {
            clear<Line>(x);
        }
    }

  private:
    /* Rows in buffers and rows in global memory are loaded by two instances: the compiler must know
     * which memory it is. */
    static __device__ __forceinline__ void load_slot(cpx *x, unsigned t, spectrum_view spectrum,
                                                     unsigned k, bool is_slot_0) {
        if (spectrum.half) {
            load_slot_of<1>(x, t, spectrum, k, is_slot_0);
        } else {
            load_slot_of<0>(x, t, spectrum, k, is_slot_0);
        }
    }
    template <int IS_HALF>
    static __device__ __forceinline__ void load_slot_of(cpx *x, unsigned t, spectrum_view spectrum,
                                                        unsigned k, bool is_slot_0) {
        if (is_slot_0) {
            get_both_rows<Line, IS_HALF>(x, spectrum, t);
        } else {
            get_rows<Line, IS_HALF>(x, spectrum, k, t);
        }
    }
};

/* Makes the intermediate's rows of those slots from `first` to before `end` that are the block's.
 */
template <unsigned W, class Cut, class Twiddles>
__device__ __forceinline__ void inverse_slots(const rows_job &j, Twiddles &&twiddles, cpx *shared,
                                              unsigned first, unsigned end) {
    typedef rows_shape<W, Cut> shape;
    typedef typename shape::inverse line;
    auto transform = [&](cpx *x, unsigned t, unsigned own, unsigned slot) {
        exchange_of<line> exchange = {shared + own * shape::size};
        prefetch_first<line>(twiddles, t);
        line_dft<line>(x, t, exchange, twiddles, []() {});
        swap_all<line>(x);
        store_slots<shape, line>(x, t, j, slot + own, shared, own);
    };
    each_of_slots<shape, line>(from_spectrum<line>{j}, shared, first, end, transform);
}

/* ---- both ways ------------------------------------------------------------------------------- */

template <unsigned W, class Cut, bool IS_INVERSE, class Twiddles>
__device__ __forceinline__ void slots_of_block(const rows_job &j, Twiddles &&twiddles, cpx *shared,
                                               unsigned first, unsigned end) {
    if constexpr (IS_INVERSE) {
        inverse_slots<W, Cut>(j, twiddles, shared, first, end);
    } else {
        forward_slots<W, Cut>(j, twiddles, shared, first, end);
    }
}

/* in      the intermediate: the tangled spectra of columns
 * out     spectrum in either layout, times scale; may be the memory of the intermediate. The
 *         inverse goes the other way, without scale
 * grid    `lines` slots a block, W/points threads for the slots that a thread has; a cluster where
 *         its blocks share them; in bulk as many blocks as are resident, each of which takes turn
 *         after turn
 * shared  W complex values a slot, the padding and a real, no bank conflicts; in bulk buffers for
 *         two rows more and an mbarrier
 * DRAM    reads the input once, writes the output once
 * sync    2 (stages - 1) - 1, and, forward, for each slot of a thread where the block has a slot 0
 *         two, with means log2 threads + 2 more; in bulk three a turn and the mbarrier; of the warp
 *         where a slot is the work of one, else of the block; no value is written before all of the
 *         slot are read */
template <unsigned W, class Cut, bool IS_INVERSE>
__global__ void __launch_bounds__(rows_shape<W, Cut>::threads, rows_shape<W, Cut>::resident)
    rows_kernel(rows_job j) {
    WEFT_SHARED(cpx, shared);
    let_next_start(); /* what comes next may take its place */
    auto twiddles = row_twiddles_of<line_of<W, Cut, 1, IS_INVERSE>>(j);
    wait_for_previous(); /* the input is complete */
    slots_of_block<W, Cut, IS_INVERSE>(j, twiddles, shared, first_slot_of_block<W, Cut>(),
                                       j.all_slots);
}

template <unsigned W, class Cut> constexpr launch_shape rows_block() {
    typedef rows_shape<W, Cut> rows;
    return block_shape(rows::threads, rows::shared_bytes, rows::resident, rows::parts,
                       rows::forward::is_persistent);
}

} // namespace

#endif
