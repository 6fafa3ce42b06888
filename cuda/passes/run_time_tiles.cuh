/* SPDX-License-Identifier: MIT
 * What passes of lines of any length share: where a block's lines have their values between stages,
 * and complex columns of the intermediate, which lies there in any width: W reals a row, rounded up
 * to an even number.
 */
#ifndef WEFT_CUDA_PASSES_RUN_TIME_TILES_CUH
#define WEFT_CUDA_PASSES_RUN_TIME_TILES_CUH

#include "layout.h"
#include "line/run_time.cuh"
#include "passes/intermediate.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Threads of a block at most: with registers for a butterfly of 16 values and their twiddles. */
enum { RUN_TIME_THREADS = WEFT_REAL_BITS == 32 ? 512 : 256 };

/* The exact sum of the pixels of a column. */
typedef unsigned long long column_sum;

/* Between stages the values of a block's lines lie in shared memory; those of lines that are too
 * long for it, in global memory, which each block has a part of. */
struct run_time_memory {
    unsigned of_line, of_block; /* values and gaps */
    cpx *global;                /* NULL: shared */
    unsigned roots;             /* where in shared memory those of large primes are to lie */
};

/* The variants of a pass's kernel. Images go from global memory to the
 * first stage and from the last one to global memory, and in between their values lie in shared
 * memory:
 *   DIRECT    lists
 *   FEW       the same, with more registers, for as many blocks as the GPU holds with these
 *   CONSTANT  lines that the compiler knows, convolutions among them
 * All else is put into places before the first stage, and taken from there after the last one:
 *   STAGED    in shared memory
 *   GLOBAL    in global memory */
enum run_time_variant {
    DIRECT_VALUES,
    FEW_VALUES,
    CONSTANT_VALUES,
    STAGED_VALUES,
    GLOBAL_VALUES,
    RUN_TIME_VARIANTS
};

static WEFT_CONSTANT bool is_direct(int variant) {
    return variant < STAGED_VALUES;
}

/* How many of the largest blocks a multiprocessor holds; with one, a thread has twice as many
 * registers, and can have twiddles in them at a barrier. The largest block of a convolution may be
 * as large as two: where there are few, it has all of the registers. */
template <class Code> static WEFT_CONSTANT bool takes_two_blocks() {
    return !Code::loads_early && (Code::engines & CONVOLUTIONS) != 0;
}

template <class Code> static WEFT_CONSTANT int most_threads() {
    return takes_two_blocks<Code>() ? 2 * RUN_TIME_THREADS : RUN_TIME_THREADS;
}

template <class Code> static WEFT_CONSTANT int resident_blocks() {
    return Code::loads_early || takes_two_blocks<Code>() ? 1 : 2;
}

/* Of all but CONSTANT. */
template <int VARIANT>
using code_of =
    run_time_code<is_direct(VARIANT) ? MIXED | LARGE_PRIMES : ALL_ENGINES, VARIANT == FEW_VALUES>;

template <int VARIANT>
__device__ __forceinline__ cpx *values_of_block(const run_time_memory &m, cpx *shared) {
    return VARIANT == GLOBAL_VALUES ? m.global + (size_t)blockIdx.x * m.of_block : shared;
}

/* What lies behind the values in shared memory. */
template <int VARIANT>
__device__ __forceinline__ column_sum *sums_of_block(const run_time_memory &m, cpx *shared) {
    return (column_sum *)(shared + (VARIANT == GLOBAL_VALUES ? 0 : m.of_block));
}

template <int VARIANT>
__device__ __forceinline__ line_workers workers_of_columns(const run_time_memory &m, cpx *shared,
                                                           unsigned columns) {
    return {values_of_block<VARIANT>(m, shared) + threadIdx.x % columns, columns,
            threadIdx.x / columns, blockDim.x / columns, shared + m.roots};
}

/* What follows reads what the kernel before has written. The next one may start then, but not
 * sooner: blocks that wait would take places of those that work. Whatever a block computes of its
 * parameters alone, it computes before: while it waits there is time for it. */
__device__ __forceinline__ void wait_and_let_next_start() {
    wait_for_previous();
    let_next_start();
}

/* Calls use(view) once, with an is_paired that the compiler knows. */
template <int IS_PAIRED> struct view_of_pairing : real_view {
    static constexpr bool is_paired = IS_PAIRED;
};

template <class Use>
__device__ __forceinline__ void with_constant_pairing(const real_view &view, Use use) {
    if (view.is_paired) {
        use(view_of_pairing<true>{view});
    } else {
        use(view_of_pairing<false>{view});
    }
}

/* Columns `column` and `column` + 1 of row k of an image's intermediate. */
template <class View>
__device__ __forceinline__ cpx load_columns_of(const View &m, size_t image, size_t k,
                                               unsigned column) {
    const scalar *from = m.values + image * m.stride + k * m.pitch + column;
    return m.is_paired ? load_pair(from) : cpx_of(from[0], from[1]);
}

__device__ __forceinline__ void store_columns_of(const real_view &m, size_t image, size_t k,
                                                 unsigned column, bool is_there, cpx z) {
    scalar *to = m.values + image * m.stride + k * m.pitch + column;
    if (is_there && m.is_paired) {
        store_pair(to, z);
    } else if (is_there) {
        to[0] = z.re;
        to[1] = z.im;
    }
}

} // namespace

#endif
