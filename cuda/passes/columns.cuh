/* SPDX-License-Identifier: MIT
 * The column pass: tiles of complex columns, transformed; what comes out is tangled still, row k of
 * mid the values Z[k] of all complex columns. The row pass takes them apart.
 */
#ifndef WEFT_CUDA_PASSES_COLUMNS_CUH
#define WEFT_CUDA_PASSES_COLUMNS_CUH

#include "base/residence.cuh"
#include "passes/means.cuh"
#include "passes/pixel_tiles.cuh"
#include "passes/tiles.cuh"
#include "passes/tma_tiles.cuh"

#include <type_traits>

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Of images of reals, mid_view, or of whole pixels, pixel_view. */
template <class Image> struct cols_job {
    Image image;
    mid_view mid;
    const cpx *twiddles; /* of a column, in the direction of the kernel */
    divider tile_count;  /* in one image: W/2 / tile width */
    unsigned all_tiles;  /* in all images */
    unsigned at_once;    /* tiles that are at work when all blocks have a place */
    scalar scale;        /* of the inverse */
    int stays_in_cache;  /* all that is read and written: there is room for it */
    int asks_early;      /* L2 for the image, while the kernel before it still runs */
};

/* Of a kernel whose tiles can come in boxes; for others the map would only be a parameter that
 * each block waits for, which costs a microsecond. */
template <class Image> struct boxed_job : cols_job<Image> {
    int has_boxes;
    box_map boxes; /* of what the kernel reads */
};

template <unsigned H, int CUT> struct cols_shape {
    typedef line_of<H, CUT, 0, 0> forward;
    typedef line_of<H, CUT, 0, 1> inverse;
    static constexpr unsigned threads = forward::columns / forward::lines * forward::threads;
    static constexpr unsigned size_of_exchange =
        (unsigned)larger(exchange_of<forward>::size, exchange_of<inverse>::size);
    /* What lies behind the exchange begins at 128 bytes. */
    static constexpr unsigned aligned = 128 / sizeof(cpx);
    static constexpr unsigned size = (size_of_exchange + aligned - 1) / aligned * aligned;
    static constexpr size_t shared_bytes = size * sizeof(cpx);
    static constexpr unsigned resident = resident_blocks(forward::values, threads, shared_bytes);
    /* As many boxes of a tile are early as there is room for. */
    static constexpr size_t room = SHARED_BYTES / resident - SHARED_BYTES_OF_SYSTEM;
    static constexpr size_t box = (size_t)forward::columns * forward::threads * sizeof(cpx);
    static constexpr unsigned early_boxes() {
        constexpr size_t gates = 2 * sizeof(gate);
        size_t fit = room > shared_bytes + gates ? (room - shared_bytes - gates) / box : 0;
        size_t most = MOST_EARLY;
        most = forward::points < most ? forward::points : most;
        return forward::is_late && CUT != COOPERATIVE ? (unsigned)(fit < most ? fit : most) : 0;
    }
    static constexpr unsigned early = early_boxes();
    static constexpr size_t bytes_of_boxes = forward::is_late ? early * box + 2 * sizeof(gate) : 0;
    static constexpr box_shape boxes = {forward::is_late ? 2 * forward::columns : 0,
                                        forward::threads};
};

/* Tiles of `from` to tiles of `to`, from tile `first` on; result_stays: in the cache; before() and
 * after() see the values in registers, and which thread of the line it is, or whether it has the
 * first value. Whole pixels do not come in boxes: they have to become reals first. */
template <class Line, class Shape, class Job, class From, class To, class Before, class After>
__device__ __forceinline__ void transform_tiles(const Job &j, const From &from, const To &to,
                                                cpx *shared, unsigned first, unsigned end,
                                                bool result_stays, Before before, After after) {
    constexpr unsigned groups = Line::columns / Line::lines;
    constexpr bool may_have_boxes = HAS_BULK && Line::is_late && !From::has_means;
    unsigned within = threadIdx.x % groups * Line::lines;
    unsigned t = number_in_line<Line>(threadIdx.x / groups);
    size_t in = input_base<Line>(t) * from.pitch + 2 * within;
    size_t out = output_base<Line>(t) * to.pitch + 2 * within;
    exchange_of<Line> exchange = {shared + within};
    /* Lines of the cache that several tiles read must wait there for all of them. */
    bool stays_in_cache = j.stays_in_cache || Line::columns * sizeof(cpx) < 64;
    auto place = [&](unsigned tile) { return tile_place<Line>(from, j.tile_count, tile) + in; };
    auto twiddles = twiddles_of<Line>(j.twiddles, t);
    cpx x[Line::values];
    auto load = [&](unsigned tile) {
        load_tile<Line>(x, from, place(tile), stays_in_cache);
        ask_for_first<Line>(twiddles, t);
        if constexpr (!Line::stays && Line::parts == 1 && !From::has_means) {
            if (tile + j.at_once < end) { /* that of the block that takes this one's place */
                ask_for_tile<Line>(from, place(tile + j.at_once), within);
            }
        }
    };
    auto transform = [&](unsigned tile, auto done) {
        before(x, t);
        line_dft<Line>(x, t, exchange, twiddles, done);
        after(x, t == 0);
        store_tile<Line>(to, tile_place<Line>(to, j.tile_count, tile) + out, x, result_stays);
    };
    if constexpr (may_have_boxes) {
        if (j.has_boxes) {
            tile_boxes<Line, Shape::early> boxes = {&j.boxes, j.tile_count, shared,
                                                    shared + Shape::size, stays_in_cache};
            boxes.begin();
            boxes.template fetch<true>(first);
            boxes.template fetch<false>(first);
            for (unsigned tile = first, next, turn = 0; tile < end; tile = next, turn = 1 - turn) {
                ask_for_first<Line>(twiddles, t);
                boxes.take(x, t, within, turn);
                next = tile + gridDim.x;
                __syncthreads(); /* all have taken theirs */
                if (next < end) {
                    boxes.template fetch<true>(next);
                }
                transform(tile, [&]() {
                    if (next < end) {
                        let_copies_see_shared();
                        __syncthreads(); /* the last stage has read its values */
                        boxes.template fetch<false>(next);
                    }
                });
            }
            boxes.end();
            return;
        }
    }
    for (unsigned tile = first, next;; tile = next) {
        next = Line::stays ? tile + gridDim.x / Line::parts : end;
        load(tile);
        sync_before_task<Line>(tile == first);
        transform(tile, []() {});
        if (!Line::stays || next >= end) {
            break;
        }
    }
}

/* The tiles from `first` to before `end` that are the block's. */
template <unsigned H, int CUT, class Image, class Job>
__device__ __forceinline__ void forward_tiles(const Job &j, cpx *shared, unsigned first,
                                              unsigned end) {
    typedef cols_shape<H, CUT> shape;
    typedef typename shape::forward line;
    if constexpr (Image::has_means) {
        column_sums<line> all = {(unsigned *)(shared + shape::size)};
        unsigned sums[column_sums<line>::each];
        transform_tiles<line, shape>(
            j, j.image, j.mid, shared, first, end, true,
            [&](cpx *x, unsigned t) { take_means_of_columns<line>(x, t, sums, all); },
            [&](cpx *x, bool is_first) { put_sums_of_columns<line>(x, is_first, sums, all); });
    } else {
        transform_tiles<line, shape>(
            j, j.image, j.mid, shared, first, end, true, [](cpx *, unsigned) {},
            [](cpx *, bool) {});
    }
}

template <unsigned H, int CUT, class Image, class Job>
__device__ __forceinline__ void inverse_tiles(const Job &j, cpx *shared, unsigned first,
                                              unsigned end) {
    typedef cols_shape<H, CUT> shape;
    typedef typename shape::inverse line;
    transform_tiles<line, shape>(
        j, j.mid, j.image, shared, first, end, j.stays_in_cache,
        [](cpx *x, unsigned) { swap_all<line>(x); },
        [&](cpx *x, bool) {
            WEFT_UNROLL
            for (unsigned v = 0; v < line::values; v++) {
                x[v] = cpx_scale(cpx_swap(x[v]), j.scale);
            }
        });
}

/* Of a block, with all that any of its kernels wants; without boxes. */
template <unsigned H, int CUT, class Image> constexpr size_t cols_shared_bytes() {
    typedef cols_shape<H, CUT> cols;
    return cols::shared_bytes + (Image::has_means ? column_sums<typename cols::forward>::bytes : 0);
}

template <unsigned H, int CUT, class Image>
using job_of_cols =
    std::conditional_t<cols_shape<H, CUT>::forward::is_late, boxed_job<Image>, cols_job<Image>>;

/* in      image[H][W] (forward), mid (inverse)
 * out     mid (forward), image[H][W], times scale (inverse)
 * grid    a block a tile, or a cluster; or, where blocks stay, as many as are resident, each takes
 *         tile after tile; H/points threads for the complex columns that a thread has, neighbouring
 *         threads in neighbouring columns
 * shared  H complex values a column and the padding, no bank conflicts; with boxes, room for the
 *         early ones and two gates; of whole pixels, forward, the sums of each warp's columns
 * DRAM    reads and writes the image once
 * sync    2 (stages - 1) - 1 of the block a tile, one from tile to tile, with boxes one more and
 *         two gates, one more of a cluster, and one for the means of whole pixels; no value is
 *         written before all of the tile are read
 */
template <unsigned H, int CUT, class Image>
__global__ void __launch_bounds__(cols_shape<H, CUT>::threads, cols_shape<H, CUT>::resident)
    cols_forward(const __grid_constant__ job_of_cols<H, CUT, Image> j) {
    WEFT_SHARED(cpx, shared);
    let_next_start();    /* the rows may take their places */
    wait_for_previous(); /* the image is complete */
    forward_tiles<H, CUT, Image>(j, shared, blockIdx.x / cols_shape<H, CUT>::forward::parts,
                                 j.all_tiles);
}

template <unsigned H, int CUT, class Image>
__global__ void __launch_bounds__(cols_shape<H, CUT>::threads, cols_shape<H, CUT>::resident)
    cols_inverse(const __grid_constant__ job_of_cols<H, CUT, Image> j) {
    WEFT_SHARED(cpx, shared);
    let_next_start();    /* what comes next may take its place */
    wait_for_previous(); /* mid is complete */
    inverse_tiles<H, CUT, Image>(j, shared, blockIdx.x / cols_shape<H, CUT>::inverse::parts,
                                 j.all_tiles);
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
