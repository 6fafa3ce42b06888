/* SPDX-License-Identifier: MIT
 * The column pass: tiles of complex columns, transformed; what comes out is tangled still, row k of
 * mid the values Z[k] of all complex columns. The row pass takes them apart.
 */
#ifndef WEFT_CUDA_COLS_CUH
#define WEFT_CUDA_COLS_CUH

#include "means.cuh"
#include "pixel_tiles.cuh"
#include "residence.cuh"
#include "tiles.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Of images of reals, mid_view, or of whole pixels, pixel_view. */
template <class Image> struct cols_job {
    Image image;
    mid_view mid;
    const cpx *twiddles; /* of a column, in the direction of the kernel */
    divider tile_count;  /* in one image: W/2 / tile width */
    unsigned all_tiles;  /* in all images */
    real scale;          /* of the inverse */
    int stays_in_cache;  /* all that is read and written: there is room for it */
};

template <unsigned H, int CUT> struct cols_shape {
    typedef line_of<H, CUT, 0, 0> forward;
    typedef line_of<H, CUT, 0, 1> inverse;
    static constexpr unsigned threads = forward::columns / forward::lines * forward::threads;
    static constexpr unsigned size = exchange_of<forward>::size > exchange_of<inverse>::size
                                         ? exchange_of<forward>::size
                                         : exchange_of<inverse>::size;
    static constexpr size_t shared_bytes = size * sizeof(cpx);
    static constexpr unsigned resident = resident_blocks(forward::values, threads, shared_bytes);
};

/* Tiles of `from` to tiles of `to`, from tile `first` on; before() and after() see the values in
 * registers, and which thread of the line it is, or whether it has the first value. Whole pixels
 * are not copied ahead: they have to become reals first. */
template <class Line, class Image, class From, class To, class Before, class After>
__device__ __forceinline__ void transform_tiles(const cols_job<Image> &j, const From &from,
                                                const To &to, cpx *shared, unsigned first,
                                                unsigned end, Before before, After after) {
    constexpr unsigned groups = Line::columns / Line::lines;
    constexpr bool runs_ahead = Line::is_late && !From::has_means;
    unsigned within = threadIdx.x % groups * Line::lines;
    unsigned t = number_in_line<Line>(threadIdx.x / groups);
    size_t in = input_base<Line>(t) * from.pitch + 2 * within;
    size_t out = output_base<Line>(t) * to.pitch + 2 * within;
    exchange_of<Line> exchange = {shared + within};
    /* Lines of the cache that several tiles read must wait there for all of them. */
    bool stays_in_cache = j.stays_in_cache || Line::columns * sizeof(cpx) < 64;
    next_tile<Line> ahead = {exchange, t, stays_in_cache};
    auto place = [&](unsigned tile) { return tile_place<Line>(from, j.tile_count, tile) + in; };
    cpx x[Line::values];
    load_tile<Line>(x, from, place(first), stays_in_cache);
    for (unsigned tile = first, next;; tile = next) {
        next = Line::stays ? tile + gridDim.x / Line::parts : end;
        bool comes = Line::stays && next < end, is_copied = false;
        if constexpr (runs_ahead) {
            is_copied = comes && ahead.can_come_from(from);
        }
        if constexpr (!Line::is_late) {
            sync_before_task<Line>(tile == first);
        }
        before(x, t);
        line_dft<Line>(x, t, exchange, twiddles_of<Line>(j.twiddles, t), [&]() {
            if constexpr (Line::is_late) {
                if (comes) {
                    __syncthreads(); /* the last stage has read its values */
                }
                if constexpr (runs_ahead) {
                    if (is_copied) {
                        ahead.copy(from, place(next));
                    }
                }
            }
        });
        after(x, t == 0);
        store_tile<Line>(to, tile_place<Line>(to, j.tile_count, tile) + out, x);
        if (!comes) {
            break;
        }
        if constexpr (runs_ahead) {
            if (is_copied) {
                ahead.take(x);
                continue;
            }
        }
        load_tile<Line>(x, from, place(next), stays_in_cache);
    }
}

/* The tiles from `first` to before `end` that are the block's. */
template <unsigned H, int CUT, class Image>
__device__ __forceinline__ void forward_tiles(const cols_job<Image> &j, cpx *shared, unsigned first,
                                              unsigned end) {
    typedef cols_shape<H, CUT> shape;
    typedef typename shape::forward line;
    if constexpr (Image::has_means) {
        column_sums<line> all = {(unsigned *)(shared + shape::size)};
        unsigned sums[column_sums<line>::each];
        transform_tiles<line>(
            j, j.image, j.mid, shared, first, end,
            [&](cpx *x, unsigned t) { take_means_of_columns<line>(x, t, sums, all); },
            [&](cpx *x, bool is_first) { put_sums_of_columns<line>(x, is_first, sums, all); });
    } else {
        transform_tiles<line>(
            j, j.image, j.mid, shared, first, end, [](cpx *, unsigned) {}, [](cpx *, bool) {});
    }
}

template <unsigned H, int CUT, class Image>
__device__ __forceinline__ void inverse_tiles(const cols_job<Image> &j, cpx *shared, unsigned first,
                                              unsigned end) {
    typedef typename cols_shape<H, CUT>::inverse line;
    transform_tiles<line>(
        j, j.mid, j.image, shared, first, end, [](cpx *x, unsigned) { swap_all<line>(x); },
        [&](cpx *x, bool) {
            WEFT_UNROLL
            for (unsigned v = 0; v < line::values; v++) {
                x[v] = cpx_scale(cpx_swap(x[v]), j.scale);
            }
        });
}

/* Of a block, with all that any of its kernels wants. */
template <unsigned H, int CUT, class Image> constexpr size_t cols_shared_bytes() {
    typedef cols_shape<H, CUT> cols;
    return cols::shared_bytes + (Image::has_means ? column_sums<typename cols::forward>::bytes : 0);
}

/* in      image[H][W] (forward), mid (inverse)
 * out     mid (forward), image[H][W], times scale (inverse)
 * grid    a block a tile, or a cluster; or, where blocks stay, as many as are resident, each takes
 *         tile after tile; H/points threads for the complex columns that a thread has, neighbouring
 *         threads in neighbouring columns
 * shared  H complex values a column and the padding, no bank conflicts; of whole pixels, forward,
 *         the sums of each warp's columns
 * DRAM    reads and writes the image once
 * sync    2 (stages - 1) - 1 of the block a tile, one from tile to tile, one more of a cluster, and
 *         one for the means of whole pixels; no value is written before all of the tile are read
 */
template <unsigned H, int CUT, class Image>
__global__ void __launch_bounds__(cols_shape<H, CUT>::threads, cols_shape<H, CUT>::resident)
    cols_forward(cols_job<Image> j) {
    WEFT_SHARED(cpx, shared);
    let_next_start(); /* the rows may take their places */
    forward_tiles<H, CUT>(j, shared, blockIdx.x / cols_shape<H, CUT>::forward::parts, j.all_tiles);
}

template <unsigned H, int CUT, class Image>
__global__ void __launch_bounds__(cols_shape<H, CUT>::threads, cols_shape<H, CUT>::resident)
    cols_inverse(cols_job<Image> j) {
    WEFT_SHARED(cpx, shared);
    wait_for_previous(); /* mid is complete */
    inverse_tiles<H, CUT>(j, shared, blockIdx.x / cols_shape<H, CUT>::inverse::parts, j.all_tiles);
}

template <unsigned H, int CUT, class Image>
inline launch_shape cols_launch_shape(unsigned all_tiles, unsigned processors) {
    typedef cols_shape<H, CUT> cols;
    launch_shape shape = {};
    shape.blocks =
        workers(all_tiles, cols::forward::stays, cols::resident, processors, cols::forward::parts) *
        cols::forward::parts;
    shape.threads = cols::threads;
    shape.cluster = cols::forward::parts;
    shape.shared_bytes = cols_shared_bytes<H, CUT, Image>();
    return shape;
}

} // namespace

#endif
