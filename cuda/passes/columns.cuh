/* SPDX-License-Identifier: MIT
 * The column pass: transforms tiles of complex columns. What comes out is tangled still: row k of
 * the intermediate has the values Z[k] of all complex columns. The row pass untangles them.
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

/* Image is a real_view of images of reals, or a pixel_view of integer pixels. */
template <class Image> struct cols_job {
    Image image;
    real_view intermediate;
    const cpx *twiddles;     /* of a column, in the direction of the kernel */
    divider tile_count;      /* in one image: W/2 / tile width */
    unsigned all_tiles;      /* in all images */
    unsigned resident_tiles; /* tiles of all the blocks that the GPU holds concurrently */
    scalar scale;            /* of the inverse */
    int is_cached;           /* L2 has space for all that is read and written, and is to keep it */
    int prefetches;          /* asks L2 for the image while the kernel before it still runs */
};

/* Of a kernel whose tiles can come in TMA tiles. For others the map would only be a parameter that
 * each block waits for. */
template <class Image> struct tma_job : cols_job<Image> {
    int has_tensor_map;
    tensor_map map; /* of what the kernel reads */
};

template <unsigned H, class Cut> struct cols_shape {
    typedef line_of<H, Cut, 0, 0> forward;
    typedef line_of<H, Cut, 0, 1> inverse;
    static constexpr unsigned threads = forward::columns / forward::lines * forward::threads;
    static constexpr unsigned size_of_exchange =
        (unsigned)larger(exchange_of<forward>::size, exchange_of<inverse>::size);
    /* What lies behind the exchange begins at 128 bytes. */
    static constexpr unsigned aligned = 128 / sizeof(cpx);
    static constexpr unsigned size = (size_of_exchange + aligned - 1) / aligned * aligned;
    static constexpr size_t shared_bytes = size * sizeof(cpx);
    static constexpr unsigned resident =
        resident_blocks(forward::values * (2 * WEFT_REAL_BITS / 32), threads, shared_bytes);
    /* As many TMA tiles have buffers as there is shared memory for when `resident` blocks share it.
     */
    static constexpr size_t most_bytes = SHARED_BYTES / resident - SHARED_BYTES_OF_SYSTEM;
    static constexpr size_t bytes_of_tile =
        (size_t)forward::columns * forward::threads * sizeof(cpx);
    static constexpr unsigned buffered_tiles() {
        constexpr size_t mbarriers = 2 * sizeof(mbarrier);
        size_t used = shared_bytes + mbarriers;
        size_t fit = most_bytes > used ? (most_bytes - used) / bytes_of_tile : 0;
        size_t most = MOST_BUFFERED;
        most = forward::points < most ? forward::points : most;
        return forward::uses_tma && forward::cols.buffers_tma ? (unsigned)(fit < most ? fit : most)
                                                              : 0;
    }
    static constexpr unsigned buffered = buffered_tiles();
    static constexpr size_t bytes_of_buffers =
        forward::uses_tma ? buffered * bytes_of_tile + 2 * sizeof(mbarrier) : 0;
    static constexpr tma_tile_shape tma_tile = {forward::uses_tma ? 2 * forward::columns : 0,
                                                forward::threads};
};

/* The TMA tiles of a block's columns, or none, where there is no code for them. */
template <class Line, class Shape, bool MAY_USE_TMA, class Job>
__device__ __forceinline__ auto tma_tiles_of(const Job &j, cpx *shared, bool is_cached) {
    if constexpr (MAY_USE_TMA) {
        return tma_tiles<Line, Shape::buffered>{
            j.has_tensor_map != 0, &j.map, j.tile_count, shared, shared + Shape::size, is_cached};
    } else {
        return no_tma_tiles();
    }
}

/* Transforms tiles of `from` into tiles of `to`, from tile `first` on. L2 keeps the result if
 * result_is_cached. before(x, t) sees the values in registers and which thread of the line has
 * them, after(x, is_first) also whether it has the first value. Integer pixels do not come in TMA
 * tiles: they have to become reals first. */
template <class Line, class Shape, class Job, class From, class To, class Before, class After>
__device__ __forceinline__ void transform_tiles(const Job &j, const From &from, const To &to,
                                                cpx *shared, unsigned first, unsigned end,
                                                bool result_is_cached, Before before, After after) {
    constexpr unsigned groups = Line::columns / Line::lines;
    constexpr bool may_use_tma = HAS_BULK && Line::uses_tma && !From::has_means;
    unsigned within = threadIdx.x % groups * Line::lines;
    unsigned t = number_in_line<Line>(threadIdx.x / groups);
    size_t in = input_base<Line>(t) * from.pitch + 2 * within;
    size_t out = output_base<Line>(t) * to.pitch + 2 * within;
    exchange_of<Line> exchange = {shared + within};
    /* L2 must keep a cache line that several tiles read until all of them have read it. */
    bool is_cached = j.is_cached || Line::columns * sizeof(cpx) < 64;
    auto place = [&](unsigned tile) { return tile_place<Line>(from, j.tile_count, tile) + in; };
    auto twiddles = twiddles_of<Line>(j.twiddles, t);
    cpx x[Line::values];
    auto load = [&](unsigned tile) {
        load_tile<Line>(x, from, place(tile), is_cached);
        prefetch_first<Line>(twiddles, t);
        if constexpr (!Line::is_persistent && Line::parts == 1 && !From::has_means) {
            if (tile + j.resident_tiles < end) { /* the tile of the block that follows this one */
                prefetch_tile<Line>(from, place(tile + j.resident_tiles), within);
            }
        }
    };
    auto transform = [&](unsigned tile, auto done) {
        before(x, t);
        line_dft<Line>(x, t, exchange, twiddles, done);
        after(x, t == 0);
        store_tile<Line>(to, tile_place<Line>(to, j.tile_count, tile) + out, x, result_is_cached);
    };
    const auto tiles = tma_tiles_of<Line, Shape, may_use_tma>(j, shared, is_cached);
    if (tiles.are_used()) {
        tiles.begin();
        tiles.template fetch<true>(first);
        tiles.template fetch<false>(first);
    }
    for (unsigned tile = first, parity = 0;; parity = 1 - parity) {
        const unsigned next = Line::is_persistent ? tile + gridDim.x / Line::parts : end;
        const bool comes = Line::is_persistent && next < end;
        if (tiles.are_used()) {
            prefetch_first<Line>(twiddles, t);
            tiles.take(x, t, within, parity);
            __syncthreads(); /* all have taken their values */
            if (comes) {
                tiles.template fetch<true>(next);
            }
        } else {
            load(tile);
            sync_before_task<Line>(tile == first);
        }
        transform(tile, [&]() {
            if (tiles.are_used() && comes) {
                let_copies_see_shared();
                __syncthreads(); /* the last stage has read its values */
                tiles.template fetch<false>(next);
            }
        });
        if (!comes) {
            break;
        }
        tile = next;
    }
    if (tiles.are_used()) {
        tiles.end();
    }
}

/* Transforms those tiles from `first` to before `end` that are the block's. */
template <unsigned H, class Cut, class Image, bool IS_INVERSE, class Job>
__device__ __forceinline__ void tiles_of_block(const Job &j, cpx *shared, unsigned first,
                                               unsigned end) {
    typedef cols_shape<H, Cut> shape;
    typedef line_of<H, Cut, 0, IS_INVERSE> line;
    if constexpr (IS_INVERSE) {
        transform_tiles<line, shape>(
            j, j.intermediate, j.image, shared, first, end, j.is_cached,
            [](cpx *x, unsigned) { swap_all<line>(x); },
            [&](cpx *x, bool) {
                WEFT_UNROLL
                for (unsigned v = 0; v < line::values; v++) {
                    x[v] = cpx_scale(cpx_swap(x[v]), j.scale);
                }
            });
    } else if constexpr (Image::has_means) {
        column_sums<line> all = {(unsigned *)(shared + shape::size)};
        unsigned sums[column_sums<line>::each];
        transform_tiles<line, shape>(
            j, j.image, j.intermediate, shared, first, end, true,
            [&](cpx *x, unsigned t) { take_means_of_columns<line>(x, t, sums, all); },
            [&](cpx *x, bool is_first) { put_sums_of_columns<line>(x, is_first, sums, all); });
    } else {
        transform_tiles<line, shape>(
            j, j.image, j.intermediate, shared, first, end, true, [](cpx *, unsigned) {},
            [](cpx *, bool) {});
    }
}

/* What a block of any of the kernels wants, but for buffers of TMA tiles. */
template <unsigned H, class Cut, class Image> constexpr size_t cols_shared_bytes() {
    typedef cols_shape<H, Cut> cols;
    return cols::shared_bytes + (Image::has_means ? column_sums<typename cols::forward>::bytes : 0);
}

template <unsigned H, class Cut, class Image>
using job_of_cols =
    std::conditional_t<cols_shape<H, Cut>::forward::uses_tma, tma_job<Image>, cols_job<Image>>;

/* in      image[H][W], of reals or integer pixels
 * out     the intermediate: the tangled spectra of columns. The inverse goes the other way, and
 *         multiplies the image by scale
 * grid    a block a tile, or a cluster; or as many persistent blocks as are resident, each of which
 *         takes tile after tile; H/points threads for the complex columns that a thread has,
 *         neighbouring threads in neighbouring columns
 * shared  H complex values a column and the padding, no bank conflicts; with TMA tiles, their
 *         buffers and two mbarriers; of integer pixels the sums of each warp's columns
 * DRAM    reads the input once, writes the output once
 * sync    2 (stages - 1) - 1 of the block a tile, one from tile to tile, with TMA tiles one more
 *         and two mbarriers, one more of a cluster, and, forward, one for the means of integer
 *         pixels; no value is written before all of the tile are read */
template <unsigned H, class Cut, class Image, bool IS_INVERSE>
__global__ void __launch_bounds__(cols_shape<H, Cut>::threads, cols_shape<H, Cut>::resident)
    cols_kernel(const __grid_constant__ job_of_cols<H, Cut, Image> j) {
    WEFT_SHARED(cpx, shared);
    let_next_start();    /* what comes next may take its place */
    wait_for_previous(); /* the input is complete */
    tiles_of_block<H, Cut, Image, IS_INVERSE>(
        j, shared, blockIdx.x / cols_shape<H, Cut>::forward::parts, j.all_tiles);
}

template <unsigned H, class Cut, class Image> constexpr launch_shape cols_block() {
    typedef cols_shape<H, Cut> cols;
    return block_shape(cols::threads, cols_shared_bytes<H, Cut, Image>(), cols::resident,
                       cols::forward::parts, cols::forward::is_persistent);
}

} // namespace

#endif
