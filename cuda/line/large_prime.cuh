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
template <int KIND, class Source>
__device__ __forceinline__ void pair_values(const line_numbers &numbers,
                                            const run_time_stage &stage,
                                            const line_workers &workers, const Source &source) {
    const unsigned r = (unsigned)stage.radix, step = stage.step * workers.apart;
    for (unsigned i = workers.t; i < stage.butterflies * (r / 2); i += workers.threads) {
        unsigned j = i / stage.butterflies + 1, b = i % stage.butterflies;
        cpx *places = places_of_butterfly(numbers, stage, workers, b);
        cpx left, right;
        if (KIND == FIRST) {
            source.each(b, stage.butterflies, [&](auto at) {
                left = at(j, ANYWHERE, places + j * step);
                right = at(r - j, ANYWHERE, places + (r - j) * step);
                if (j == 1) {
                    *places = at(0, ANYWHERE, places);
                }
            });
        } else {
            unsigned turned = sub_line_of(stage, b);
            left = cpx_mul(places[j * step],
                           load_twiddle(stage.twiddles, stage.sub_lines, turned, j - 1));
            right = cpx_mul(places[(r - j) * step],
                            load_twiddle(stage.twiddles, stage.sub_lines, turned, r - j - 1));
        }
        odd_pair pair = odd_pair_of(left, right);
        places[j * step] = pair.sum;
        places[(r - j) * step] = pair.difference;
    }
}

/* Outputs k to k + COUNT - 1 of a butterfly whose values are paired, and their mirrors, each in the
 * order of operations of dft_large_odd(); output 0 is the same with roots of 1. They are computed
 * together, so that they share the loads of values. Roots in shared memory are one for each power:
 * all products of j and k would take longer to bring there than they save. */
template <unsigned COUNT, class Code>
__device__ __forceinline__ void large_odd_outputs_of(odd_pair *outputs, const cpx *places,
                                                     unsigned step, unsigned r, const cpx *roots,
                                                     unsigned k) {
    const cpx *root = roots + k, *sum = places, *difference = places + r * step;
    unsigned turned[COUNT]; /* j (k + i) modulo r */
    cpx even[COUNT], odd[COUNT];
    WEFT_UNROLL
    for (unsigned i = 0; i < COUNT; i++) {
        turned[i] = k + i;
        even[i] = places[0];
        odd[i] = cpx_of(0, 0);
    }
#pragma unroll Code::keeps_roots ? 4 : 2
    for (unsigned j = 1; j <= r / 2; j++) {
        cpx turn[COUNT];
        if constexpr (Code::keeps_roots) {
            WEFT_UNROLL
            for (unsigned i = 0; i < COUNT; i++) {
                turn[i] = roots[turned[i]];
                turned[i] += k + i;
                turned[i] -= turned[i] < r ? 0 : r;
            }
        } else if constexpr (COUNT == 1) {
            turn[0] = load_constant(root);
        } else {
            WEFT_UNROLL
            for (unsigned i = 0; i < COUNT; i += 2) {
                load_two_constant(root + i, &turn[i], &turn[i + 1]);
            }
        }
        root += large_prime_roots(r);
        sum += step;
        difference -= step;
        WEFT_UNROLL
        for (unsigned i = 0; i < COUNT; i++) {
            add_odd_pair(turn[i].re, turn[i].im, *sum, *difference, &even[i], &odd[i]);
        }
    }
    WEFT_UNROLL
    for (unsigned i = 0; i < COUNT; i++) {
        join_odd(even[i], odd[i], &outputs[i].sum, &outputs[i].difference);
    }
    if (k == 0) {
        outputs[0].sum = even[0];
    }
}

/* sync: two, three but in a first stage, and two more for each further group of butterflies. */
template <int KIND, class Code, class Source, class Sink>
__device__ __forceinline__ void
run_large_prime(const run_time_line &line, const line_numbers &numbers, const run_time_stage &stage,
                const line_workers &workers, const Source &source, const Sink &sink) {
    const unsigned r = (unsigned)stage.radix;
    const unsigned together = Code::spreads_outputs ? line.outputs : (unsigned)LARGE_PRIME_OUTPUTS;
    const cpx *roots = Code::keeps_roots ? workers.roots + stage.single_roots : stage.roots;
    const unsigned groups = large_prime_groups(r, together);
    const unsigned step = stage.step * workers.apart, group = workers.threads / groups;
    if (KIND != FIRST) {
        __syncthreads(); /* the stage before has written */
    }
    pair_values<KIND>(numbers, stage, workers, source);
    for (unsigned first = 0; first < stage.butterflies; first += group) {
        unsigned count = stage.butterflies - first < group ? stage.butterflies - first : group;
        unsigned b = first + workers.t % count, k = workers.t / count * together;
        const bool is_there = workers.t < count * groups;
        odd_pair outputs[LARGE_PRIME_OUTPUTS];
        cpx *places = workers.values;
        __syncthreads(); /* all are paired */
        if (is_there) {
            places = places_of_butterfly(numbers, stage, workers, b);
            if (Code::spreads_outputs && together == 1) {
                large_odd_outputs_of<1, Code>(outputs, places, step, r, roots, k);
            } else if (Code::spreads_outputs && together == 2) {
                large_odd_outputs_of<2, Code>(outputs, places, step, r, roots, k);
            } else {
                large_odd_outputs_of<LARGE_PRIME_OUTPUTS, Code>(outputs, places, step, r, roots, k);
            }
        }
        __syncthreads(); /* all of the group are read */
        if (!is_there) {
            continue;
        }
        auto put_all = [&](auto put) {
            WEFT_UNROLL
            for (unsigned i = 0; i < LARGE_PRIME_OUTPUTS; i++) {
                if (i < together && k + i <= r / 2) {
                    put(k + i, ANYWHERE, outputs[i].sum, places + (k + i) * step);
                }
                if (i < together && k + i > 0 && k + i <= r / 2) {
                    put(r - k - i, ANYWHERE, outputs[i].difference, places + (r - k - i) * step);
                }
            }
        };
        if (stage.ends) {
            sink.each(b, stage.butterflies, put_all);
        } else {
            to_places().each(b, stage.butterflies, put_all);
        }
    }
}

} // namespace

#endif
