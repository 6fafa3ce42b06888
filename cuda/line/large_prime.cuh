/* SPDX-License-Identifier: MIT
 * A stage whose radix is a prime above 16: all threads of a line share its butterflies, whose
 * values no registers hold and whose sums would be much code, if each prime had its own.
 */
#ifndef WEFT_CUDA_LINE_LARGE_PRIME_CUH
#define WEFT_CUDA_LINE_LARGE_PRIME_CUH

#include "arith/butterfly.h"
#include "line/run_time_line.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* The first half of a stage whose radix r is a large prime: values j and r - j of a butterfly
 * become their sum and their difference, in their places. */
template <int KIND>
__device__ __forceinline__ void
pair_values(const line_numbers &numbers, const run_time_stage &stage, const line_workers &workers) {
    const unsigned r = (unsigned)stage.radix, step = stage.step * workers.apart;
    for (unsigned i = workers.t; i < stage.butterflies * (r / 2); i += workers.threads) {
        unsigned j = i / stage.butterflies + 1, b = i % stage.butterflies;
        cpx *places = places_of_butterfly(numbers, stage, workers, b);
        cpx left = places[j * step], right = places[(r - j) * step];
        if (KIND != FIRST) {
            unsigned turned = sub_line_of(stage, b);
            left = cpx_mul(left, load_twiddle(stage.twiddles, stage.sub_lines, turned, j - 1));
            right =
                cpx_mul(right, load_twiddle(stage.twiddles, stage.sub_lines, turned, r - j - 1));
        }
        odd_pair pair = odd_pair_of(left, right);
        places[j * step] = pair.sum;
        places[(r - j) * step] = pair.difference;
    }
}

/* Outputs k and r - k of a butterfly whose values are paired, in the order of operations of
 * dft_large_odd(); output 0 is the same with roots of 1. */
__device__ __forceinline__ odd_pair large_odd_output(const cpx *places, unsigned step, unsigned r,
                                                     const cpx *roots, unsigned k) {
    cpx even = places[0], odd = cpx_of(0, 0);
    unsigned turn = k;
#pragma unroll 4
    for (unsigned j = 1; j <= r / 2; j++) {
        cpx root = load_constant(roots + turn);
        even = cpx_fused(root.re, places[j * step], even);
        odd = cpx_fused_off(root.im, places[(r - j) * step], odd);
        turn += k;
        turn -= turn < r ? 0 : r;
    }
    return k == 0 ? odd_pair{even, even}
                  : odd_pair{cpx_of(even.re + odd.im, even.im - odd.re),
                             cpx_of(even.re - odd.im, even.im + odd.re)};
}

/* How many outputs, and as many of their mirrors, a thread keeps until others have read the values
 * whose places they go to. */
enum { KEPT_OUTPUTS = 4 };

/* Values are in their places before and after the stage. sync: two, three but in a first stage, and
 * two more for each further group of butterflies. */
template <int KIND>
__device__ __forceinline__ void run_large_prime(const line_numbers &numbers,
                                                const run_time_stage &stage,
                                                const line_workers &workers) {
    const unsigned r = (unsigned)stage.radix, outputs = r / 2 + 1;
    const unsigned step = stage.step * workers.apart;
    const unsigned group = workers.threads * KEPT_OUTPUTS / outputs;
    if (KIND != FIRST) {
        __syncthreads(); /* the stage before has written */
    }
    pair_values<KIND>(numbers, stage, workers);
    for (unsigned first = 0; first < stage.butterflies; first += group) {
        unsigned count = stage.butterflies - first < group ? stage.butterflies - first : group;
        odd_pair kept[KEPT_OUTPUTS];
        __syncthreads(); /* all are paired */
        WEFT_UNROLL
        for (unsigned i = 0; i < KEPT_OUTPUTS; i++) {
            unsigned task = workers.t + i * workers.threads;
            if (task < count * outputs) {
                kept[i] = large_odd_output(
                    places_of_butterfly(numbers, stage, workers, first + task % count), step, r,
                    stage.roots, task / count);
            }
        }
        __syncthreads(); /* all of the group are read */
        WEFT_UNROLL
        for (unsigned i = 0; i < KEPT_OUTPUTS; i++) {
            unsigned task = workers.t + i * workers.threads, k = task / count;
            if (task < count * outputs) {
                cpx *places = places_of_butterfly(numbers, stage, workers, first + task % count);
                places[k * step] = kept[i].sum;
                if (k > 0) {
                    places[(r - k) * step] = kept[i].difference;
                }
            }
        }
    }
}

} // namespace

#endif
