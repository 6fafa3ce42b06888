/* SPDX-License-Identifier: MIT
 * The column pass of cuda.twopass: tangle, cols, untangle, fold of one tile of columns per block,
 * and its inverse. Columns 2j and 2j + 1 are one complex column, as they lie side by side.
 */
#ifndef WEFT_CUDA_COLS_CUH
#define WEFT_CUDA_COLS_CUH

#include "layout.h"
#include "line.cuh"
#include "mid.cuh"
#include "tuning.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct cols_job {
    real *image; /* read by the forward, written by the inverse transform */
    size_t image_pitch, image_stride;
    int image_is_paired; /* as mid_view.is_paired */
    mid_view mid;
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

/* Where a thread works: complex column `pair` of image `image`, thread t of the column's. */
template <int LOG2H> struct col_place {
    unsigned t, within, pair;
    size_t image;
    __device__ __forceinline__ col_place(const cols_job &j) {
        within = threadIdx.x % cols_shape<LOG2H>::columns;
        t = threadIdx.x / cols_shape<LOG2H>::columns;
        image = blockIdx.x / j.tile_count;
        pair = blockIdx.x % j.tile_count * cols_shape<LOG2H>::columns + within;
    }
    /* Its first place in row 0. */
    __device__ __forceinline__ real *in_image(const cols_job &j) const {
        return j.image + image * j.image_stride + 2 * pair;
    }
    __device__ __forceinline__ real *in_mid(const cols_job &j) const {
        return j.mid.values + image * j.mid.stride + 2 * pair;
    }
};

template <int LOG2H, int IS_PAIRED>
__device__ __forceinline__ void load_columns(cpx *x, const real *image, size_t pitch, unsigned t) {
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        x[v] = load_reals<IS_PAIRED>(image + input_index<LOG2H>(t, v) * pitch);
    }
}

/* The spectra of both columns, apart and folded. */
template <int LOG2H, int IS_PAIRED>
__device__ __forceinline__ void store_slots(real *mid, size_t pitch, const cpx *x, unsigned t) {
    constexpr unsigned H = line_of<LOG2H>::length;
    unsigned o = opposite<LOG2H>(t);
    size_t step = H / 8 * pitch;
    real *first_re = mid + t * pitch, *first_im = mid + (H - t) * pitch;
    real *second_re = mid + o * pitch, *second_im = mid + (H - o) * pitch;
    mirrored_pairs<LOG2H>(
        x, t,
        [&](unsigned k, bool is_second, cpx z, cpx mirrored) {
            cpx left, right;
            untangle(z, mirrored, &left, &right);
            store_reals<IS_PAIRED>((is_second ? second_re : first_re) + k * step, left.re,
                                   right.re);
            store_reals<IS_PAIRED>((is_second ? second_im : first_im) - k * step, left.im,
                                   right.im);
        },
        [&](cpx z_0, cpx z_middle) {
            cpx left_0, right_0, left_middle, right_middle;
            untangle(z_0, z_0, &left_0, &right_0);
            untangle(z_middle, z_middle, &left_middle, &right_middle);
            cpx left = fold(left_0, left_middle), right = fold(right_0, right_middle);
            store_reals<IS_PAIRED>(mid, left.re, right.re);
            store_reals<IS_PAIRED>(mid + H / 2 * pitch, left.im, right.im);
        });
}

/* in      image[H][W]
 * out     mid: the packed spectra of columns
 * grid    one tile of columns a block, H/16 threads a complex column, neighbouring threads in
 *         neighbouring columns
 * shared  9/8 H complex values a column, no bank conflicts
 * DRAM    reads the image once, writes mid once
 * sync    2 (stages - 1) - 1 of the block; no value is written before all of the tile are read */
template <int LOG2H>
__global__ void __launch_bounds__(cols_shape<LOG2H>::threads) cols_forward(cols_job j) {
    WEFT_SHARED(cpx, shared);
    col_place<LOG2H> place(j);
    col_exchange<LOG2H> exchange = {shared + place.within};
    cpx x[LINE_POINTS];
    let_next_start(); /* the rows may take their places */
    if (j.image_is_paired) {
        load_columns<LOG2H, 1>(x, place.in_image(j), j.image_pitch, place.t);
    } else {
        load_columns<LOG2H, 0>(x, place.in_image(j), j.image_pitch, place.t);
    }
    line_dft<LOG2H>(x, place.t, exchange, j.twiddles);
    if (j.mid.is_paired) {
        store_slots<LOG2H, 1>(place.in_mid(j), j.mid.pitch, x, place.t);
    } else {
        store_slots<LOG2H, 0>(place.in_mid(j), j.mid.pitch, x, place.t);
    }
}

/* Z[k] of both columns out of slot k or H - k. */
template <int LOG2H, int IS_PAIRED>
__device__ __forceinline__ cpx load_tangled(const real *mid, size_t pitch, unsigned k) {
    constexpr unsigned H = line_of<LOG2H>::length;
    unsigned slot = (unsigned)folded_slot(k, H);
    cpx re = load_reals<IS_PAIRED>(mid + slot * pitch);
    cpx im = load_reals<IS_PAIRED>(mid + imaginary_row<H>(slot) * pitch);
    return tangle(unfold(cpx_of(re.re, im.re), k, H), unfold(cpx_of(re.im, im.im), k, H));
}

template <int LOG2H, int IS_PAIRED>
__device__ __forceinline__ void load_slots(cpx *x, const real *mid, size_t pitch, unsigned t) {
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        x[v] = cpx_swap(load_tangled<LOG2H, IS_PAIRED>(mid, pitch, input_index<LOG2H>(t, v)));
    }
}

template <int LOG2H, int IS_PAIRED>
__device__ __forceinline__ void store_columns(real *image, size_t pitch, const cpx *x, unsigned t,
                                              real scale) {
    WEFT_UNROLL
    for (unsigned v = 0; v < LINE_POINTS; v++) {
        cpx value = cpx_scale(cpx_swap(x[v]), scale);
        store_reals<IS_PAIRED>(image + output_index<LOG2H>(t, v) * pitch, value.re, value.im);
    }
}

/* in      mid: the packed spectra of columns
 * out     image[H][W], times scale
 * grid, shared, sync as cols_forward
 * DRAM    reads mid once (each value twice, the second time from L1 or L2), writes the image once
 */
template <int LOG2H>
__global__ void __launch_bounds__(cols_shape<LOG2H>::threads) cols_inverse(cols_job j) {
    WEFT_SHARED(cpx, shared);
    col_place<LOG2H> place(j);
    col_exchange<LOG2H> exchange = {shared + place.within};
    cpx x[LINE_POINTS];
    wait_for_previous(); /* mid is complete */
    if (j.mid.is_paired) {
        load_slots<LOG2H, 1>(x, place.in_mid(j), j.mid.pitch, place.t);
    } else {
        load_slots<LOG2H, 0>(x, place.in_mid(j), j.mid.pitch, place.t);
    }
    line_dft<LOG2H>(x, place.t, exchange, j.twiddles);
    if (j.image_is_paired) {
        store_columns<LOG2H, 1>(place.in_image(j), j.image_pitch, x, place.t, j.scale);
    } else {
        store_columns<LOG2H, 0>(place.in_image(j), j.image_pitch, x, place.t, j.scale);
    }
}

template <int LOG2H> inline launch_shape cols_launch_shape(unsigned all_tiles) {
    typedef cols_shape<LOG2H> cols;
    launch_shape shape = {};
    shape.blocks = all_tiles;
    shape.threads = cols::threads;
    shape.shared_bytes = (size_t)cols::columns * cols::padded * sizeof(cpx);
    return shape;
}

} // namespace

#endif
