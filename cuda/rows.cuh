/* SPDX-License-Identifier: MIT
 * The row pass of cuda.twopass: tangle, rows, untangle, fold in one kernel, and its inverse.
 */
#ifndef WEFT_CUDA_ROWS_CUH
#define WEFT_CUDA_ROWS_CUH

#include "line.cuh"
#include "tiles.cuh"
#include "tuning.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct rows_job {
    real *image; /* read by the forward, written by the inverse transform */
    size_t image_pitch, image_stride;
    tiles mid;
    const cpx *twiddles; /* of a row */
    unsigned pairs;      /* in one image: H/2 */
    unsigned all_pairs;  /* in all images */
    real scale;
};

/* Padded so that the strided reads of a stage fall into different banks. */
template <int LOG2W> struct row_exchange {
    cpx *line;
    static __device__ __forceinline__ unsigned padded(unsigned i) {
        return i + (i >> tuning_of(LOG2W).log2_pad);
    }
    __device__ __forceinline__ cpx *at(unsigned base, unsigned offset) const {
        return line + padded(base) + padded(offset);
    }
};

template <int LOG2W> struct rows_shape {
    static constexpr unsigned pairs = 1u << tuning_of(LOG2W).log2_pairs;
    static constexpr unsigned threads = pairs * line_of<LOG2W>::threads;
    static constexpr unsigned resident = ROWS_RESIDENT_THREADS / threads;
    static constexpr unsigned padded =
        line_of<LOG2W>::length + (line_of<LOG2W>::length >> tuning_of(LOG2W).log2_pad);
};

/* Where a thread works. Threads past the last pair take part in barriers but touch no memory. */
template <int LOG2W> struct row_place {
    unsigned t, line, pair;
    size_t image;
    bool is_valid;
    __device__ __forceinline__ row_place(const rows_job &j) {
        t = threadIdx.x % line_of<LOG2W>::threads;
        line = threadIdx.x / line_of<LOG2W>::threads;
        unsigned index = blockIdx.x * rows_shape<LOG2W>::pairs + line;
        is_valid = index < j.all_pairs;
        image = index / j.pairs;
        pair = index % j.pairs;
    }
};

/* The slots of a row, from slot `first` on. Steps of N/8 are whole tiles for all but the shortest
 * rows, and then an address is the first one plus a multiple. */
template <int LOG2W> struct tile_walk {
    static constexpr unsigned eighth = line_of<LOG2W>::length / 8;
    tiles mid;
    size_t image;
    unsigned pair, first;
    cpx *values;
    __device__ __forceinline__ tile_walk(tiles m, size_t i, unsigned p, unsigned slot)
        : mid(m), image(i), pair(p), first(slot), values(tile_pair(m, i, p, slot)) {}
    __device__ __forceinline__ cpx *at_eighth(unsigned k) const {
        return eighth >= WIDEST_TILE ? values + k * tile_step(mid, eighth)
                                     : tile_pair(mid, image, pair, first + k * eighth);
    }
};

template <int LOG2W>
__device__ __forceinline__ row_exchange<LOG2W> row_exchange_of(cpx *shared, unsigned line) {
    row_exchange<LOG2W> exchange;
    exchange.line = shared + line * rows_shape<LOG2W>::padded;
    return exchange;
}

/* in      image[H][W] of each image of the batch
 * out     mid: tiles of folded half spectra
 * grid    2^log2_pairs row pairs a block, W/16 threads a pair
 * shared  W complex values a pair and the padding, which keeps most accesses free of bank conflicts
 * DRAM    reads the image once, writes mid once
 * sync    2 (stages - 1) - 1 of the block */
template <int LOG2W>
__global__ void __launch_bounds__(rows_shape<LOG2W>::threads, rows_shape<LOG2W>::resident)
    rows_forward(rows_job j) {
    WEFT_SHARED(cpx, shared);
    row_place<LOG2W> place(j);
    cpx x[LINE_POINTS];
    let_next_start(); /* the columns may take their places */
    const real *image =
        j.image + place.image * j.image_stride + 2 * (size_t)place.pair * j.image_pitch;
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        unsigned n = input_index<LOG2W>(place.t, v);
        x[v] = place.is_valid ? cpx_of(__ldg(image + n), __ldg(image + j.image_pitch + n))
                              : cpx_of(0, 0);
    }
    line_dft<LOG2W>(x, place.t, row_exchange_of<LOG2W>(shared, place.line), j.twiddles);
    if (!place.is_valid) {
        return;
    }
    tile_walk<LOG2W> first(j.mid, place.image, place.pair, place.t);
    tile_walk<LOG2W> second(j.mid, place.image, place.pair, opposite<LOG2W>(place.t));
    mirrored_pairs<LOG2W>(
        x, place.t,
        [&](unsigned k, bool is_second, cpx z, cpx mirrored) {
            cpx upper, lower;
            untangle(z, mirrored, &upper, &lower);
            store_two(is_second ? second.at_eighth(k) : first.at_eighth(k), upper, lower);
        },
        [&](cpx z_0, cpx z_middle) {
            cpx upper_0, lower_0, upper_middle, lower_middle;
            untangle(z_0, z_0, &upper_0, &lower_0);
            untangle(z_middle, z_middle, &upper_middle, &lower_middle);
            store_two(first.at_eighth(0), fold(upper_0, upper_middle), fold(lower_0, lower_middle));
        });
}

/* in      mid: tiles of the folded half spectra of rows
 * out     image[H][W], times scale
 * grid, shared, sync as rows_forward
 * DRAM    reads mid once (each value twice, the second time from L1 or L2),
 *         writes the image once */
template <int LOG2W>
__global__ void __launch_bounds__(rows_shape<LOG2W>::threads, rows_shape<LOG2W>::resident)
    rows_inverse(rows_job j) {
    WEFT_SHARED(cpx, shared);
    constexpr unsigned W = line_of<LOG2W>::length;
    row_place<LOG2W> place(j);
    cpx x[LINE_POINTS];
    wait_for_previous(); /* mid is complete */
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        unsigned n = input_index<LOG2W>(place.t, v), slot = (unsigned)folded_slot(n, W);
        x[v] = cpx_of(0, 0);
        if (place.is_valid) {
            cpx upper, lower;
            load_two(tile_pair(j.mid, place.image, place.pair, slot), &upper, &lower);
            upper = unfold(upper, n, W);
            lower = unfold(lower, n, W);
            x[v] = cpx_swap(tangle(upper, lower));
        }
    }
    line_dft<LOG2W>(x, place.t, row_exchange_of<LOG2W>(shared, place.line), j.twiddles);
    if (!place.is_valid) {
        return;
    }
    real *upper = j.image + place.image * j.image_stride + 2 * (size_t)place.pair * j.image_pitch;
    real *lower = upper + j.image_pitch;
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        unsigned n = output_index<LOG2W>(place.t, v);
        cpx value = cpx_scale(cpx_swap(x[v]), j.scale);
        upper[n] = value.re;
        lower[n] = value.im;
    }
}

template <int LOG2W> inline launch_shape rows_launch_shape(unsigned all_pairs) {
    typedef rows_shape<LOG2W> rows;
    launch_shape shape;
    shape.blocks = (all_pairs + rows::pairs - 1) / rows::pairs;
    shape.threads = rows::threads;
    shape.shared_bytes = rows::pairs * rows::padded * sizeof(cpx);
    shape.cooperative = 0;
    shape.may_start_early = 0;
    return shape;
}

} // namespace

#endif
