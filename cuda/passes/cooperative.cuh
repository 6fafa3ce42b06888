/* SPDX-License-Identifier: MIT
 * A whole batch in one cooperative launch, group of images by group. A block that has done its
 * columns of one group arrives at the grid's barrier; before it waits there for the others, it does
 * its rows of the group before, whose intermediate is complete and still in L2.
 */
#ifndef WEFT_CUDA_PASSES_COOPERATIVE_CUH
#define WEFT_CUDA_PASSES_COOPERATIVE_CUH

#include <cooperative_groups.h>

#include "passes/columns.cuh"
#include "passes/rows.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Blocks take task after task, of columns and of rows, and leave no shared memory for buffers of
 * TMA tiles. */
struct cooperative_cut : table_cut<BOTH_AXES> {
    static constexpr cols_cut cols(unsigned length) {
        cols_cut cut = table_cut<BOTH_AXES>::cols(length);
        cut.is_persistent = true;
        cut.buffers_tma = false;
        return cut;
    }
    static constexpr rows_cut rows(unsigned length) {
        rows_cut cut = table_cut<BOTH_AXES>::rows(length);
        cut.is_persistent = true;
        return cut;
    }
};

template <class Image> struct cooperative_job {
    tma_job<Image> cols;
    rows_job rows;
    unsigned groups, tiles, slots; /* tiles and slots of a group */
};

template <unsigned H, unsigned W, class Image> struct cooperative_shape {
    typedef cols_shape<H, cooperative_cut> cols;
    typedef rows_shape<W, cooperative_cut> rows;
    static constexpr unsigned threads = cols::threads;
    static_assert(threads == rows::threads, "one block does both");
    static_assert(cols::forward::parts == 1 && rows::parts == 1, "a block has whole lines");
    static constexpr size_t of_cols =
        cols_shared_bytes<H, cooperative_cut, Image>() + cols::bytes_of_buffers;
    static constexpr size_t shared_bytes =
        of_cols > rows::shared_bytes ? of_cols : rows::shared_bytes;
    static constexpr unsigned resident =
        blocks_of(cooperative_cut::rows(W).resident, threads, shared_bytes);
};

__device__ __forceinline__ unsigned lesser(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Transforms the block's columns of group number `group`. */
template <unsigned H, class Image, bool IS_INVERSE>
__device__ __forceinline__ void cols_of_group(const cooperative_job<Image> &j, cpx *shared,
                                              unsigned group) {
    unsigned first = group * j.tiles + blockIdx.x;
    unsigned end = lesser((group + 1) * j.tiles, j.cols.all_tiles);
    if (first < end) {
        __syncthreads(); /* the task before has read its values */
        tiles_of_block<H, cooperative_cut, Image, IS_INVERSE>(j.cols, shared, first, end);
    }
}

template <unsigned W, class Image, bool IS_INVERSE>
__device__ __forceinline__ void rows_of_group(const cooperative_job<Image> &j, cpx *shared,
                                              unsigned group) {
    unsigned first = group * j.slots + first_slot_of_block<W, cooperative_cut>();
    unsigned end = lesser((group + 1) * j.slots, j.rows.all_slots);
    if (first < end) {
        __syncthreads(); /* the task before has read its values */
        slots_of_block<W, cooperative_cut, IS_INVERSE>(
            j.rows, row_twiddles_of<line_of<W, cooperative_cut, 1, IS_INVERSE>>(j.rows), shared,
            first, end);
    }
}

/* Calls begin(group) for all groups, and end(group) when all blocks have done begin(group). Each
 * is called in one place: it is much code. */
template <class Begin, class End>
__device__ __forceinline__ void for_groups(unsigned groups, Begin begin, End end) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (unsigned group = 0; group <= groups; group++) {
        cooperative_groups::grid_group::arrival_token arrived = {};
        if (group < groups) {
            begin(group);
            arrived = grid.barrier_arrive();
        }
        if (group > 0) {
            end(group - 1);
        }
        if (group < groups) {
            grid.barrier_wait(
                static_cast<cooperative_groups::grid_group::arrival_token &&>(arrived));
        }
    }
}

/* in      images[H][W], of reals or integer pixels
 * out     spectra in either layout, times scale; the intermediate lies in the result's memory where
 *         it can. The inverse goes the other way
 * grid    cooperative: as many blocks as are resident concurrently, or fewer; each takes tiles of
 *         columns, and slots of rows, in turn
 * shared  the larger of what columns and rows want
 * DRAM    reads the input once and writes the output once; the intermediate is in L2
 * sync    one of the grid a group, and those of columns and rows; one of the block before each task
 */
template <unsigned H, unsigned W, class Image, bool IS_INVERSE>
__global__ void __launch_bounds__(cooperative_shape<H, W, Image>::threads,
                                  cooperative_shape<H, W, Image>::resident)
    cooperative_kernel(const __grid_constant__ cooperative_job<Image> j) {
    WEFT_SHARED(cpx, shared);
    auto cols = [&](unsigned group) { cols_of_group<H, Image, IS_INVERSE>(j, shared, group); };
    auto rows = [&](unsigned group) { rows_of_group<W, Image, IS_INVERSE>(j, shared, group); };
    if constexpr (IS_INVERSE) {
        for_groups(j.groups, rows, cols);
    } else {
        for_groups(j.groups, cols, rows);
    }
}

} // namespace

#endif
