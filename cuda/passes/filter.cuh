/* SPDX-License-Identifier: MIT
 * The middle of a fused filter: a slot of the intermediate is transformed along its rows,
 * multiplied by the transfer and transformed back, without leaving the multiprocessor. The inverse
 * begins with the radix with which the forward transform ends, so that each thread goes on with
 * what it has.
 */
#ifndef WEFT_CUDA_PASSES_FILTER_CUH
#define WEFT_CUDA_PASSES_FILTER_CUH

#include "multiply.h"
#include "passes/rows.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct filter_job {
    rows_job rows; /* its spectrum has no values: there is none in memory */
    transfer_view transfer;
    const cpx *inverse_twiddles;
};

/* Whether the thread's value v is X[k][l] of a slot, l <= W/2; else it is the mirror image of
 * X[H - k][W - l]. */
template <class Line> __device__ __forceinline__ bool is_direct(unsigned v, unsigned t) {
    constexpr unsigned radix = Line::last_radix;
    return v % radix < radix / 2 || (v == radix / 2 && t == 0);
}

/* Loads the gains of all that a thread has of slot k, 0 < k, before any of them is used. */
template <class Line>
__device__ __forceinline__ void load_gains(scalar *gains, const transfer_view &transfer, unsigned k,
                                           unsigned t) {
    constexpr unsigned W = Line::whole;
    const scalar *upper = transfer.gain + (size_t)k * (W / 2 + 1) + output_base<Line>(t);
    const scalar *lower =
        transfer.gain + (transfer.spectrum.height - k) * (W / 2 + 1) + W - output_base<Line>(t);
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned l = output_offset<Line>(v);
        gains[v] = *(is_direct<Line>(v, t) ? upper + l : lower - l);
    }
}

/* Loads the same values of a transfer that is a spectrum, in either layout. */
template <class Line, int IS_HALF>
__device__ __forceinline__ void load_factors(cpx *factors, spectrum_view s, unsigned k,
                                             unsigned t) {
    constexpr unsigned W = Line::whole;
    s.half = IS_HALF;
    s.width = W;
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned l = output_base<Line>(t) + output_offset<Line>(v);
        if (v % (Line::last_radix / 2) == 0 && v < Line::last_radix && t == 0) {
            factors[v] = get_self_paired(s, k, l);
        } else if (is_direct<Line>(v, t)) {
            factors[v] = get_paired(s, k, l);
        } else {
            factors[v] = get_paired(s, s.height - k, W - l);
        }
    }
}

/* Multiplies X[k][l] and its mirror image, 0 < k, by the scale, as the spectrum would hold them,
 * and by the transfer's values there. */
template <class Line>
__device__ __forceinline__ void filter_slot(cpx *x, unsigned t, const filter_job &j, unsigned k) {
    if (j.transfer.gain != NULL) {
        scalar gains[Line::points];
        load_gains<Line>(gains, j.transfer, k, t);
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            x[v] = cpx_scale(cpx_scale(x[v], j.rows.scale), gains[v]);
        }
        return;
    }
    cpx factors[Line::points];
    if (j.transfer.spectrum.half) {
        load_factors<Line, 1>(factors, j.transfer.spectrum, k, t);
    } else {
        load_factors<Line, 0>(factors, j.transfer.spectrum, k, t);
    }
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        cpx value = cpx_scale(x[v], j.rows.scale);
        x[v] = is_direct<Line>(v, t) ? cpx_mul(value, factors[v])
                                     : cpx_conj(cpx_mul(cpx_conj(value), factors[v]));
    }
}

/* Does the same to rows 0 and H/2, out of slot 0 in natural order and back into it. */
template <class Line>
__device__ __forceinline__ void filter_both_rows(cpx *x, unsigned t, const filter_job &j,
                                                 const transfer_view &transfer, cpx *values,
                                                 const scalar *dc) {
    constexpr unsigned W = Line::whole;
    size_t middle = transfer.spectrum.height / 2;
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned l = output_base<Line>(t) + output_offset<Line>(v);
        unsigned low = is_direct<Line>(v, t) ? l : W - l;
        cpx row_0, row_middle;
        bool is_real = low == 0 || low == W / 2;
        part_folded_rows(*in_order<Line>(values, low),
                         *in_order<Line>(values, low == 0 ? 0 : W - low), j.rows.scale, &row_0,
                         &row_middle);
        if (low == 0 && j.rows.has_means) {
            row_0 = cpx_of(*dc, 0);
        }
        row_0 = multiplied(is_real ? cpx_of(row_0.re, 0) : row_0, transfer, 0, low);
        row_middle =
            multiplied(is_real ? cpx_of(row_middle.re, 0) : row_middle, transfer, middle, low);
        if (is_real) {
            row_0.im = row_middle.im = 0;
        }
        x[v] = is_direct<Line>(v, t) ? tangle(row_0, row_middle)
                                     : tangle(cpx_conj(row_0), cpx_conj(row_middle));
    }
}

/* Every thread of the block, or of the cluster, must call it; those of slot 0 filter. */
template <class Line>
__device__ __forceinline__ void filter_slot_0(cpx *x, unsigned t, const filter_job &j,
                                              exchange_of<Line> exchange, cpx *values,
                                              bool is_slot_0, const scalar *dc) {
    transfer_view transfer = j.transfer;
    transfer.spectrum.width = Line::whole;
    share_line(values, x, t, exchange);
    if (is_slot_0 && transfer.gain != NULL) {
        filter_both_rows<Line>(x, t, j, transfer, values, dc);
    } else if (is_slot_0) {
        transfer.gain = NULL; /* so that the compiler knows it in the loop */
        filter_both_rows<Line>(x, t, j, transfer, values, dc);
    }
}

/* By one thread: asks L2 for row k of a transfer. */
__device__ __forceinline__ void prefetch_transfer(const transfer_view &transfer, size_t k) {
    size_t gains = transfer.spectrum.width / 2 + 1;
    if (transfer.gain != NULL) {
        prefetch_row_to_cache(transfer.gain + k * gains, gains * sizeof(scalar), true);
    } else {
        prefetch_spectrum_row(transfer.spectrum, k, true);
    }
}

/* Asks L2 for what the slots from `first` on are going to be multiplied by; only slots of the first
 * image do, and all others find it there. */
template <class Line>
__device__ __forceinline__ void prefetch_slots(const filter_job &j, unsigned first) {
    if (number_in_line<Line>(threadIdx.x % Line::threads) == 0) {
        for (unsigned l = 0; l < Line::lines; l++) {
            row_place place(j.rows, first + threadIdx.x / Line::threads * Line::lines + l);
            if (place.is_valid && place.image == 0) {
                size_t height = j.transfer.spectrum.height, k = place.slot;
                prefetch_transfer(j.transfer, k);
                prefetch_transfer(j.transfer, k == 0 ? height / 2 : height - k);
            }
        }
    }
}

/* in/out  the intermediate: the tangled spectra of columns
 * grid, shared as rows_kernel
 * DRAM    reads the intermediate and the transfer once, writes the intermediate once
 * sync    4 (stages - 1) - 1, and the rest as rows_kernel */
template <unsigned W, class Cut>
__global__ void __launch_bounds__(rows_shape<W, Cut>::threads, rows_shape<W, Cut>::resident)
    rows_filter(filter_job j) {
    typedef rows_shape<W, Cut> shape;
    typedef typename shape::forward forward;
    typedef typename shape::inverse inverse;
    WEFT_SHARED(cpx, shared);
    prefetch_slots<forward>(
        j, turned_slot<shape>(j.rows, first_slot_of_block<W, Cut>(), j.rows.all_slots));
    let_next_start();    /* the columns may take their places */
    wait_for_previous(); /* the intermediate is complete */
    auto transform = [&](cpx *x, unsigned t, unsigned own, unsigned slot) {
        bool block_folds = folds(j.rows, slot, shape::lines);
        exchange_of<forward> there = {shared + own * shape::size};
        exchange_of<inverse> back = {shared + own * shape::size};
        scalar *dc = shape::dcs(shared) + own;
        untangle_slots<forward>(x, t, j.rows, slot + own, there, block_folds, dc);
        line_dft<forward>(x, t, there, table_twiddles<forward>{j.rows.twiddles}, []() {});
        WEFT_UNROLL
        for (unsigned l = 0; l < forward::lines; l++) {
            row_place place(j.rows, slot + own + l);
            cpx *y = x + l * forward::points;
            if (block_folds) {
                filter_slot_0<forward>(y, t, j, there, there.values + l * shape::size,
                                       place.is_valid && place.slot == 0, dc + l);
            }
            if (place.is_valid && place.slot > 0) {
                filter_slot<forward>(y, t, j, place.slot);
            }
        }
        swap_all<forward>(x);
        back.sync_parts(); /* the values of the exchange before have all been read */
        line_dft<inverse>(x, t, back, table_twiddles<inverse>{j.inverse_twiddles}, []() {});
        swap_all<inverse>(x);
        store_slots<shape, inverse>(x, t, j.rows, slot + own, shared, own);
    };
    each_of_slots<shape, forward>(from_intermediate<forward>{j.rows}, shared,
                                  first_slot_of_block<W, Cut>(), j.rows.all_slots, transform);
}

} // namespace

#endif
