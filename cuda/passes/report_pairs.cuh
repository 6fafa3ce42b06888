/* SPDX-License-Identifier: MIT
 * The report's GPU program: one thread runs the whole line of a pair, the blocks of a grid cover
 * the image, and grid.sync() stands between the phases of one cooperative launch. See
 * src/report_program.h for what a thread does.
 */
#ifndef WEFT_CUDA_PASSES_REPORT_PAIRS_CUH
#define WEFT_CUDA_PASSES_REPORT_PAIRS_CUH

#include <cooperative_groups.h>

#include "base/kernel.cuh"
#include "report_program.h"

enum { REPORT_BLOCK_THREADS = 64 };

/* in      image[H][W]
 * out     spectrum in either layout
 * grid    any number of resident blocks; threads without a pair idle, pairs without a thread wait
 * shared  none
 * DRAM    reads the image 2 (log2 H + log2 W) + 4 times and writes it log2 H + log2 W + 4 times,
 *         uncoalesced: a thread walks its own line
 * sync    1 of the grid */
static __global__ void report_forward(report_job j) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (size_t m = grid.thread_rank(); m < report_row_pairs(j.spectrum.height); m += grid.size()) {
        report_rows(j, m);
    }
    grid.sync();
    for (size_t n = grid.thread_rank(); n < folded_lines(j.spectrum.width); n += grid.size()) {
        report_columns(j, n);
    }
}

/* in      spectrum in either layout
 * out     image[H][W]
 * grid, shared, sync as report_forward
 * DRAM    as report_forward, and each line once more, to swap its parts */
static __global__ void report_inverse(report_job j) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (size_t n = grid.thread_rank(); n < folded_lines(j.spectrum.width); n += grid.size()) {
        report_columns_inverse(j, n);
    }
    grid.sync();
    for (size_t m = grid.thread_rank(); m < report_row_pairs(j.spectrum.height); m += grid.size()) {
        report_rows_inverse(j, m);
    }
}

/* One thread per pair, but no more blocks than can be resident concurrently. */
static inline launch_shape report_shape(size_t height, size_t width, unsigned resident_blocks) {
    size_t pairs = report_row_pairs(height), columns = folded_lines(width);
    size_t threads = pairs > columns ? pairs : columns;
    size_t blocks = (threads + REPORT_BLOCK_THREADS - 1) / REPORT_BLOCK_THREADS;
    launch_shape shape = {};
    shape.blocks = blocks < resident_blocks ? (unsigned)blocks : resident_blocks;
    shape.threads = REPORT_BLOCK_THREADS;
    shape.syncs_grid = 1;
    return shape;
}

#endif
