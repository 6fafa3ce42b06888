/* SPDX-License-Identifier: MIT
 * Columns in two passes, each a half of their stages: see line/half_lines.cuh. A column in one pass
 * fills a block's memory; halves of it are short, so that there are many small blocks, each with
 * wide pieces of rows. Of reals, either way.
 */
#ifndef WEFT_CUDA_PASSES_COLUMN_HALVES_CUH
#define WEFT_CUDA_PASSES_COLUMN_HALVES_CUH

#include "line/half_lines.cuh"
#include "passes/run_time_tiles.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Rows of images: value k of line l of a column is in row l * line + k * apart. */
struct half_rows {
    real_view view;
    unsigned line, apart;
};

struct column_half_job {
    half_rows from, to;
    run_time_line line;
    unsigned lines_log2; /* of a block */
    divider pairs;       /* complex columns of an image */
    divider lines;       /* of a complex column */
    unsigned all;        /* lines of all columns of all images */
    unsigned width;      /* of the image, in reals */
    int is_inverse;
    scalar scale; /* of the inverse */
};

/* A thread's line. One past the last one reads what that one does, and stores nothing. */
struct half_place {
    size_t image;
    unsigned line, column; /* column: the first of its two real ones */
    bool is_there, has_right;
    __device__ __forceinline__ half_place(const column_half_job &j, unsigned index) {
        is_there = index < j.all;
        index = is_there ? index : j.all - 1;
        unsigned row = quotient(index, j.pairs);
        column = 2 * (index - row * j.pairs.divisor);
        image = quotient(row, j.lines);
        line = (unsigned)(row - image * j.lines.divisor);
        has_right = column + 1 < j.width;
    }
};

/* Where its values lie; an inverse transform is a forward one of swapped values. What lies between
 * the halves has rows that are aligned to pairs; of the image and the intermediate they may not be.
 */
template <bool IS_PAIRED> struct half_values {
    scalar *values;
    unsigned apart; /* in reals; of an image's pairs there are fewer than 2^32 */
    bool is_there, has_right, swaps;
    scalar scale;
    __device__ __forceinline__ half_values(const half_rows &rows, const half_place &place,
                                           bool is_swapped, scalar by) {
        const real_view &v = rows.view;
        values = v.values + place.image * v.stride + (size_t)(place.line * rows.line) * v.pitch +
                 place.column;
        apart = rows.apart * (unsigned)v.pitch;
        is_there = place.is_there;
        has_right = place.has_right;
        swaps = is_swapped;
        scale = by;
    }
};

template <bool IS_PAIRED> struct half_source : half_values<IS_PAIRED> {
    using half_values<IS_PAIRED>::half_values;
    template <class Use>
    __device__ __forceinline__ void each(unsigned first, unsigned distance, Use use) const {
        const scalar *from = this->values + (size_t)first * this->apart;
        const unsigned step = distance * this->apart;
        const bool turns = this->swaps, is_whole = this->has_right;
        use([=](unsigned k, line_part, const cpx *) {
            const scalar *at = from + (size_t)k * step;
            cpx z = IS_PAIRED ? load_pair(at) : cpx_of(at[0], is_whole ? at[1] : 0);
            return turns ? cpx_swap(z) : z;
        });
    }
};

template <bool IS_PAIRED> struct half_sink : half_values<IS_PAIRED> {
    static constexpr bool is_places = false;
    using half_values<IS_PAIRED>::half_values;
    template <class Use>
    __device__ __forceinline__ void each(unsigned first, unsigned distance, Use use) const {
        scalar *to = this->values + (size_t)first * this->apart;
        const unsigned step = distance * this->apart;
        const bool turns = this->swaps, is_whole = this->has_right;
        const scalar by = this->scale;
        if (!this->is_there) {
            return;
        }
        use([=](unsigned k, line_part, cpx z, const cpx *) {
            scalar *at = to + (size_t)k * step;
            z = turns ? cpx_scale(cpx_swap(z), by) : z;
            if (IS_PAIRED) {
                store_pair(at, z);
            } else {
                at[0] = z.re;
                if (is_whole) {
                    at[1] = z.im;
                }
            }
        });
    }
};

/* in, out image[H][W] of reals and memory of the same shape; or that and the intermediate, the
 *         tangled spectra of columns. The inverse goes the other way, times scale.
 * grid    a block has 2^lines_log2 lines of neighbouring columns, and of neighbouring rows where a
 *         row ends
 * shared  their values; in few blocks roots of large primes
 * DRAM    reads the one once, writes the other once
 * sync    one less than stages, more with large primes */
template <int HALF, bool IS_PAIRED, class Code>
__global__ void __launch_bounds__(RUN_TIME_THREADS, resident_blocks<Code>())
    run_column_half(const __grid_constant__ column_half_job j) {
    WEFT_SHARED(cpx, shared);
    const unsigned lines = 1u << j.lines_log2, line = threadIdx.x & (lines - 1);
    cpx *const roots = shared + (j.line.length << j.lines_log2);
    const line_workers workers = {shared + line, lines, threadIdx.x >> j.lines_log2,
                                  blockDim.x >> j.lines_log2, roots};
    const half_place place(j, (blockIdx.x << j.lines_log2) + line);
    keep_roots<Code>(j.line, roots);
    wait_for_previous();
    let_next_start(); /* not before: blocks that wait would take places of those that work */
    constexpr bool is_first_half = HALF == FIRST_OF_LINE;
    const half_source<IS_PAIRED || !is_first_half> source(j.from, place,
                                                          is_first_half && j.is_inverse, 1);
    const half_sink<IS_PAIRED || is_first_half> sink(j.to, place, !is_first_half && j.is_inverse,
                                                     j.scale);
    run_half_line<HALF, Code>(j.line, place.line, workers, source, sink);
}

typedef void column_half_kernel(column_half_job);

} // namespace

#endif
