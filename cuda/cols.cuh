/* SPDX-License-Identifier: MIT
 * The column pass of cuda.twopass: cols of one tile of folded columns per block, and its inverse.
 */
#ifndef WEFT_CUDA_COLS_CUH
#define WEFT_CUDA_COLS_CUH

#include "line.cuh"
#include "tiles.cuh"
#include "tuning.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct cols_job {
    spectrum_view
        spectrum; /* of the first image; written by the forward, read by the inverse transform */
    size_t spectrum_reals; /* from image to image */
    tiles mid;
    const cpx *twiddles; /* of a column */
    unsigned tile_count; /* in one image: W/2 / tile width */
    real scale;
};

/* Value i of each column of the tile side by side; a row of padding after eight, so that the last
 * stage, which reads every eighth row, finds neighbouring threads in different banks. */
template <int LOG2H> struct col_exchange {
    cpx *column;
    static __device__ __forceinline__ unsigned padded(unsigned i) {
        return (i + i / 8) << tuning_of(LOG2H).log2_tile;
    }
    __device__ __forceinline__ cpx *at(unsigned base, unsigned offset) const {
        return column + padded(base) + padded(offset);
    }
};

template <int LOG2H> struct cols_shape {
    static constexpr unsigned columns = 1u << tuning_of(LOG2H).log2_tile;
    static constexpr unsigned threads = columns * line_of<LOG2H>::threads;
    static constexpr unsigned padded = line_of<LOG2H>::length + line_of<LOG2H>::length / 8;
};

/* From row 0 of the tile to row `row` of the same column. */
template <int LOG2H> __device__ __forceinline__ unsigned mid_row(unsigned row) {
    return tile_row(tuning_of(LOG2H).log2_tile, row);
}

/* Where a thread works: column `slot` of image `image`, thread t of the column's. */
template <int LOG2H> struct col_place {
    unsigned t, within, slot;
    size_t image;
    __device__ __forceinline__ col_place(const cols_job &j) {
        within = threadIdx.x % cols_shape<LOG2H>::columns;
        t = threadIdx.x / cols_shape<LOG2H>::columns;
        image = blockIdx.x / j.tile_count;
        slot = blockIdx.x % j.tile_count * cols_shape<LOG2H>::columns + within;
    }
    __device__ __forceinline__ cpx *mid(const cols_job &j) const {
        return tile_pair(j.mid, image, 0, slot);
    }
    __device__ __forceinline__ spectrum_view spectrum(const cols_job &j) const {
        spectrum_view s = j.spectrum;
        s.values += image * j.spectrum_reals;
        return s;
    }
};

/* The thread's part of a column and its partner: addresses are four plus multiples of one step, and
 * the layout is a constant, so that nothing is asked per value. */
template <int LOG2H, int IS_HALF>
__device__ __forceinline__ void put_column(spectrum_view s, const cpx *x, unsigned t, unsigned slot,
                                           real scale) {
    s.half = IS_HALF;
    size_t row = row_reals(s), step = line_of<LOG2H>::length / 8 * row;
    real *first_re = s.values + t * row + real_place(s, slot);
    real *first_im = s.values + t * row + imaginary_place(s, slot);
    ptrdiff_t opposite_rows = ((ptrdiff_t)opposite<LOG2H>(t) - (ptrdiff_t)t) * (ptrdiff_t)row;
    real *second_re = first_re + opposite_rows, *second_im = first_im + opposite_rows;
    WEFT_UNROLL
    for (unsigned k = 0; k < 8; k++) {
        put_parts(s, first_re + k * step, first_im + k * step, cpx_scale(x[k], scale));
        put_parts(s, second_re + k * step, second_im + k * step, cpx_scale(x[8 + k], scale));
    }
}

/* PACKED: the imaginary parts of a tile's first column lie in a sector that two tiles write parts
 * of, and a part of a sector that is not in L2 has to wait for the rest of it from DRAM. Ask for
 * them before. */
template <int LOG2H>
__device__ __forceinline__ void prefetch_shared_sectors(spectrum_view s, unsigned first_slot) {
    if (s.half || first_slot == 0) {
        return;
    }
    for (unsigned k = threadIdx.x; k < line_of<LOG2H>::length; k += cols_shape<LOG2H>::threads) {
        prefetch_to_l2(s.values + k * row_reals(s) + imaginary_place(s, first_slot));
    }
}

/* Both self-paired columns, which share slot 0: its spectrum goes through shared memory, so that
 * the whole block takes part in untangling it. Every thread of the block must call it. sync: 2 of
 * the block. */
template <int LOG2H>
__device__ __forceinline__ void put_folded_column(spectrum_view s, cpx *shared, const cpx *x,
                                                  const col_place<LOG2H> &place, real scale) {
    constexpr unsigned H = line_of<LOG2H>::length;
    __syncthreads(); /* the values of the last exchange have all been read */
    if (place.slot == 0) {
        WEFT_UNROLL
        for (unsigned v = 0; v < LINE_POINTS; v++) {
            shared[output_index<LOG2H>(place.t, v)] = x[v];
        }
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k <= H / 2; k += cols_shape<LOG2H>::threads) {
        put_folded(s, k, shared[k], shared[mirror(k, H)], scale);
    }
}

/* in      mid: tiles of folded half spectra
 * out     spectrum in either layout, times scale
 * grid    one tile a block, H/16 threads a column, neighbouring threads in neighbouring columns
 * shared  9/8 H complex values a column, no bank conflicts
 * DRAM    reads mid once, writes the spectrum once; PACKED: the mirrored half is off by one value
 *         from whole sectors, and H sectors a tile are read first unless they are in L2
 * sync    2 (stages - 1) - 1 of the block, and 2 more in an image's first tile */
template <int LOG2H>
__global__ void __launch_bounds__(cols_shape<LOG2H>::threads) cols_forward(cols_job j) {
    WEFT_SHARED(cpx, shared);
    col_place<LOG2H> place(j);
    col_exchange<LOG2H> exchange = {shared + place.within};
    cpx x[LINE_POINTS];
    const cpx *column = place.mid(j);
    spectrum_view spectrum = place.spectrum(j);
    prefetch_shared_sectors<LOG2H>(spectrum, place.slot - place.within);
    wait_for_previous(); /* mid is complete */
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        x[v] = column[mid_row<LOG2H>(input_base<LOG2H>(place.t, v)) +
                      mid_row<LOG2H>(input_offset<LOG2H>(v))];
    }
    line_dft<LOG2H>(x, place.t, exchange, j.twiddles);
    if (blockIdx.x % j.tile_count == 0) {
        put_folded_column<LOG2H>(spectrum, shared, x, place, j.scale);
    }
    if (place.slot > 0) {
        if (spectrum.half) {
            put_column<LOG2H, 1>(spectrum, x, place.t, place.slot, j.scale);
        } else {
            put_column<LOG2H, 0>(spectrum, x, place.t, place.slot, j.scale);
        }
    }
}

/* in      spectrum in either layout
 * out     mid: tiles of the folded half spectra of rows
 * grid, shared, sync as cols_forward
 * DRAM    reads the spectrum once, writes mid once */
template <int LOG2H>
__global__ void __launch_bounds__(cols_shape<LOG2H>::threads) cols_inverse(cols_job j) {
    WEFT_SHARED(cpx, shared);
    col_place<LOG2H> place(j);
    col_exchange<LOG2H> exchange = {shared + place.within};
    spectrum_view spectrum = place.spectrum(j);
    cpx x[LINE_POINTS];
    let_next_start(); /* the rows may take their places */
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        unsigned k = input_index<LOG2H>(place.t, v);
        x[v] = cpx_swap(place.slot > 0 ? get_paired(spectrum, k, place.slot)
                                       : get_folded(spectrum, k));
    }
    line_dft<LOG2H>(x, place.t, exchange, j.twiddles);
    cpx *column = place.mid(j);
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        column[mid_row<LOG2H>(output_base<LOG2H>(place.t, v)) +
               mid_row<LOG2H>(output_offset<LOG2H>(v))] = cpx_swap(x[v]);
    }
}

template <int LOG2H> inline launch_shape cols_launch_shape(unsigned all_tiles) {
    typedef cols_shape<LOG2H> cols;
    launch_shape shape;
    shape.blocks = all_tiles;
    shape.threads = cols::threads;
    shape.shared_bytes = (size_t)cols::columns * cols::padded * sizeof(cpx);
    shape.cooperative = 0;
    shape.may_start_early = 0;
    return shape;
}

} // namespace

#endif
