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
    unsigned tiles;      /* in one image: W/2 / tile width */
    real scale;
};

/* Value i of each column of the tile side by side: consecutive threads touch consecutive words. */
template <int LOG2H> struct col_exchange {
    cpx *column;
    __device__ __forceinline__ cpx *at(unsigned i) const {
        return column + (i << tuning_of(LOG2H).log2_tile);
    }
};

template <int LOG2H> struct cols_shape {
    static constexpr unsigned columns = 1u << tuning_of(LOG2H).log2_tile;
    static constexpr unsigned threads = columns * line_of<LOG2H>::threads;
};

/* Where a thread works: column `slot` of image `image`, thread t of the column's. */
template <int LOG2H> struct col_place {
    unsigned t, within, slot;
    size_t image;
    __device__ __forceinline__ col_place(const cols_job &j) {
        within = threadIdx.x % cols_shape<LOG2H>::columns;
        t = threadIdx.x / cols_shape<LOG2H>::columns;
        image = blockIdx.x / j.tiles;
        slot = blockIdx.x % j.tiles * cols_shape<LOG2H>::columns + within;
    }
    __device__ __forceinline__ spectrum_view spectrum(const cols_job &j) const {
        spectrum_view s = j.spectrum;
        s.values += image * j.spectrum_reals;
        return s;
    }
};

/* in      mid: tiles of folded half spectra
 * out     spectrum in either layout, times scale
 * grid    one tile a block, H/16 threads a column, neighbouring threads in neighbouring columns
 * shared  H complex values a column, no bank conflicts
 * DRAM    reads mid once, writes the spectrum once (PACKED: the mirrored half is off by one value
 * from whole sectors) sync    2 (stages - 1) - 1 of the block */
template <int LOG2H>
__global__ void __launch_bounds__(cols_shape<LOG2H>::threads) cols_forward(cols_job j) {
    WEFT_SHARED(cpx, shared);
    col_place<LOG2H> place(j);
    col_exchange<LOG2H> exchange = {shared + place.within};
    cpx x[LINE_POINTS];
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        x[v] = *tile_value(j.mid, place.image, input_index<LOG2H>(place.t, v), place.slot);
    }
    line_dft<LOG2H>(x, place.t, exchange, j.twiddles);
    spectrum_view spectrum = place.spectrum(j);
    if (place.slot > 0) {
        WEFT_UNROLL
        for (unsigned v = 0; v < LINE_POINTS; v++) {
            put_paired(spectrum, output_index<LOG2H>(place.t, v), place.slot,
                       cpx_scale(x[v], j.scale));
        }
    } else {
        mirrored_pairs<LOG2H>(
            x, place.t,
            [&](unsigned k, cpx z, cpx mirrored) { put_folded(spectrum, k, z, mirrored, j.scale); },
            [&](cpx z_0, cpx z_middle) {
                put_folded(spectrum, 0, z_0, z_0, j.scale);
                put_folded(spectrum, line_of<LOG2H>::length / 2, z_middle, z_middle, j.scale);
            });
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
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        unsigned k = input_index<LOG2H>(place.t, v);
        x[v] = cpx_swap(place.slot > 0 ? get_paired(spectrum, k, place.slot)
                                       : get_folded(spectrum, k));
    }
    line_dft<LOG2H>(x, place.t, exchange, j.twiddles);
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        *tile_value(j.mid, place.image, output_index<LOG2H>(place.t, v), place.slot) =
            cpx_swap(x[v]);
    }
}

template <int LOG2H> inline launch_shape cols_launch_shape(size_t all_tiles) {
    typedef cols_shape<LOG2H> cols;
    launch_shape shape;
    shape.blocks = (unsigned)all_tiles;
    shape.threads = cols::threads;
    shape.shared_bytes = (size_t)cols::columns * line_of<LOG2H>::length * sizeof(cpx);
    shape.cooperative = 0;
    return shape;
}

} // namespace

#endif
