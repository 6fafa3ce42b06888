/* SPDX-License-Identifier: MIT
 * Transforms a line of any length, whose stages work in place, in memory that the line's threads
 * share. Its values come from a source and go to a sink, which are the pass's. The arithmetic and
 * the order of its operations are those of cpu_ref/line.c, and so are the bits.
 */
#ifndef WEFT_CUDA_LINE_RUN_TIME_CUH
#define WEFT_CUDA_LINE_RUN_TIME_CUH

#include "arith/butterfly.h"
#include "line/large_prime.cuh"
#include "line/run_time_line.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

static WEFT_CONSTANT bool is_power_of_two(int radix) {
    return (radix & (radix - 1)) == 0;
}

/* Whether lines of such a code may be convolutions, which begin and end with powers of two; and
 * whether this one is. What the compiler can rule out is not even compiled. */
template <int RADIX, class Code> WEFT_CONSTANT bool may_be_convolved() {
    return is_power_of_two(RADIX) && (Code::engines & CONVOLUTIONS) != 0;
}

template <class Code> __device__ __forceinline__ bool is_convolved(const run_time_line &line) {
    return Code::engines == CONVOLUTIONS || line.chirp != NULL;
}

/* k, if the line has value k of a convolution's butterfly b, else 0: what is loaded whether it is
 * wanted or not depends on no branch, and all loads wait together. The line always has value 0,
 * because the first radix is 4 or more and a convolution is less than four times as long as its
 * line; it has no value of the second half, because a convolution is twice as long at least. */
__device__ __forceinline__ unsigned value_of_line(const run_time_line &line, unsigned b, unsigned k,
                                                  unsigned apart) {
    return b + k * apart < line.length ? k : 0;
}

/* Loads a convolution's values and multiplies them by the chirp; zeros follow. */
template <int RADIX, class At>
__device__ __forceinline__ void load_convolved(cpx *x, const run_time_line &line, unsigned b,
                                               unsigned apart, const cpx *places, unsigned step,
                                               At at) {
    cpx chirp[RADIX];
    WEFT_UNROLL
    for (unsigned k = 0; k < RADIX / 2; k++) {
        unsigned i = value_of_line(line, b, k, apart);
        x[k] = at(i, ANYWHERE, places + i * step);
        chirp[k] = load_constant(line.chirp + b + i * apart);
    }
    WEFT_UNROLL
    for (unsigned k = 0; k < RADIX; k++) {
        bool is_there = k < RADIX / 2 && b + k * apart < line.length;
        x[k] = is_there ? cpx_mul(x[k], chirp[k]) : cpx_of(0, 0);
    }
}

/* Puts the values that a convolution's line has, multiplied by the chirp. */
template <int RADIX, class Put>
__device__ __forceinline__ void put_convolved(const cpx *x, const run_time_line &line, unsigned b,
                                              unsigned apart, cpx *places, unsigned step, Put put) {
    cpx chirp[RADIX];
    WEFT_UNROLL
    for (unsigned k = 0; k < RADIX / 2; k++) {
        chirp[k] = load_constant(line.chirp + b + value_of_line(line, b, k, apart) * apart);
    }
    WEFT_UNROLL
    for (unsigned k = 0; k < RADIX / 2; k++) {
        if (b + k * apart < line.length) {
            put(k, ANYWHERE, cpx_mul(cpx_swap(x[k]), chirp[k]), places + k * step);
        }
    }
}

/* Loads a first stage's values. */
template <int RADIX, class Code, class Source>
__device__ __forceinline__ void load_first(cpx *x, const run_time_line &line, unsigned b,
                                           unsigned apart, const cpx *places, unsigned step,
                                           const Source &source) {
    source.each(b, apart, [&](auto at) {
        if constexpr (may_be_convolved<RADIX, Code>()) {
            if (is_convolved<Code>(line)) {
                load_convolved<RADIX>(x, line, b, apart, places, step, at);
                return;
            }
        }
        WEFT_UNROLL
        for (unsigned k = 0; k < RADIX; k++) {
            x[k] = at(k, part_of(k, RADIX), places + k * step);
        }
    });
}

/* Gives a last stage's values to the sink. */
template <int RADIX, class Code, class Sink>
__device__ __forceinline__ void store_last(const cpx *x, const run_time_line &line, unsigned b,
                                           unsigned apart, cpx *places, unsigned step,
                                           const Sink &sink) {
    sink.each(b, apart, [&](auto put) {
        if constexpr (may_be_convolved<RADIX, Code>()) {
            if (is_convolved<Code>(line)) {
                put_convolved<RADIX>(x, line, b, apart, places, step, put);
                return;
            }
        }
        WEFT_UNROLL
        for (unsigned k = 0; k < RADIX; k++) {
            put(k, part_of(k, RADIX), x[k], places + k * step);
        }
    });
}

/* Whether such a stage may be one that gives its values to the sink. Values that stay in their
 * places need no code of their own for that. */
template <int KIND, class Code, class Sink> WEFT_CONSTANT bool may_end() {
    return (KIND == TURNED || Code::ends_first) &&
           !(Sink::is_places && Code::engines < CONVOLUTIONS);
}

/* A thread's butterflies of one stage. Value k of butterfly b has in natural order, before the
 * first stage there and after the last one, the index b + k butterflies. sync: one, but not in a
 * first stage. */
template <int RADIX, int KIND, class Code, class Source, class Sink>
__device__ __forceinline__ void run_stage(const run_time_line &line, const line_numbers &numbers,
                                          const run_time_stage &stage, const line_workers &workers,
                                          const Source &source, const Sink &sink) {
    constexpr unsigned twiddles = (unsigned)stage_twiddles(RADIX);
    /* How many are loaded before the barrier: of large radices not all have registers there. */
    constexpr unsigned soon = !Code::loads_early ? 0 : twiddles < 12 ? twiddles : 8;
    const unsigned step = stage.step * workers.apart;
    bool waits = !is_first(KIND);
    if (waits && !Code::loads_early) {
        __syncthreads(); /* the stage before has written */
        waits = false;
    }
    for (unsigned b = workers.t;; b += workers.threads) {
        const bool is_there = b < stage.butterflies;
        if (!is_there && !waits) {
            return;
        }
        unsigned turned = 0;
        cpx x[LARGEST_RADIX], w[LARGEST_RADIX], *places = workers.values;
        if (is_there) {
            turned = sub_line_of(stage, b);
            places = places_of_butterfly(numbers, stage, workers, b);
            if (KIND != FIRST) {
                load_twiddles(w, 0, soon, stage.twiddles, stage.sub_lines, turned);
            }
        }
        if (waits) {
            __syncthreads(); /* the stage before has written */
            waits = false;
        }
        if (!is_there) {
            return;
        }
        if constexpr (is_first(KIND)) {
            load_first<RADIX, Code>(x, line, b, stage.butterflies, places, step, source);
        } else {
            WEFT_UNROLL
            for (unsigned k = 0; k < RADIX; k++) {
                x[k] = places[k * step];
            }
        }
        if constexpr (KIND == FIRST) {
            butterfly(x, CONSTANT_INT(RADIX));
        } else {
            load_twiddles(w, soon, twiddles, stage.twiddles, stage.sub_lines, turned);
            butterfly_turned(x, w, CONSTANT_INT(RADIX));
        }
        if constexpr (KIND == THERE_AND_BACK) {
            load_twiddles(w, 0, RADIX, line.chirp_spectrum, stage.butterflies, b);
            WEFT_UNROLL
            for (unsigned k = 0; k < RADIX; k++) {
                x[k] = cpx_swap(cpx_mul(x[k], w[k]));
            }
            butterfly(x, CONSTANT_INT(RADIX));
        }
        if constexpr (may_end<KIND, Code, Sink>()) {
            if (stage.ends) {
                store_last<RADIX, Code>(x, line, b, stage.butterflies, places, step, sink);
                continue;
            }
        }
        WEFT_UNROLL
        for (unsigned k = 0; k < RADIX; k++) {
            places[k * step] = x[k];
        }
    }
}

/* The radix becomes a constant, but for large primes. A kernel has no code for radices that its
 * engines do without; convolutions turn back with powers of two. */
template <int KIND, class Code, class Source, class Sink>
__device__ __forceinline__ void
run_any_stage(const run_time_line &line, const line_numbers &numbers, const run_time_stage &stage,
              const line_workers &workers, const Source &source, const Sink &sink) {
    switch (stage.radix) {
#define CASE(r)                                                                                    \
    case r:                                                                                        \
        if constexpr (is_power_of_two(r) ||                                                        \
                      (KIND != THERE_AND_BACK && (Code::engines & MIXED) != 0)) {                  \
            run_stage<r, KIND, Code>(line, numbers, stage, workers, source, sink);                 \
        }                                                                                          \
        break
        CASE(2);
        CASE(3);
        CASE(4);
        CASE(5);
        CASE(6);
        CASE(7);
        CASE(8);
        CASE(9);
        CASE(10);
        CASE(11);
        CASE(12);
        CASE(13);
        CASE(15);
        CASE(16);
#undef CASE
    default:
        if constexpr ((KIND == FIRST || KIND == TURNED) && (Code::engines & LARGE_PRIMES) != 0) {
            run_large_prime<KIND, Code>(line, numbers, stage, workers, source, sink);
        }
    }
}

/* The DFT of a line known at run time. */
template <class Code, class Source, class Sink>
__device__ __forceinline__ void run_stages(const run_time_line &line, const line_workers &workers,
                                           const Source &source, const Sink &sink) {
    if (line.count > 0) {
        run_any_stage<FIRST, Code>(line, line, line.stages[0], workers, source, sink);
    } else if (workers.t == 0) {
        source.each(0, 1, [&](auto at) { *workers.values = at(0, ANYWHERE, workers.values); });
    }
    for (unsigned s = 1; s < line.count; s++) {
        const run_time_stage &stage = line.stages[s];
        if constexpr ((Code::engines & CONVOLUTIONS) != 0) {
            if (stage.turns_back) {
                run_any_stage<THERE_AND_BACK, Code>(line, line, stage, workers, source, sink);
                continue;
            }
        }
        run_any_stage<TURNED, Code>(line, line, stage, workers, source, sink);
    }
    /* There was no last stage: the one butterfly was that of thread 0. Large primes have ended. */
    if (line.count <= 1 && line.stages[0].radix <= LARGEST_RADIX && workers.t == 0) {
        sink.each(0, 1, [&](auto put) {
            for (unsigned k = 0; k < line.length; k++) {
                cpx *place = workers.at(padded(line, k));
                put(k, ANYWHERE, *place, place);
            }
        });
    }
}

/* Stage S of a line that the compiler knows; of `line` only the length and the tables are used, and
 * how a large prime's outputs are shared. */
template <class Code, int S, class Source, class Sink>
__device__ __forceinline__ void run_constant_stage(const run_time_line &line,
                                                   const line_workers &workers,
                                                   const Source &source, const Sink &sink) {
    constexpr line_numbers numbers = Code::numbers;
    constexpr stage_numbers known = Code::stage(S);
    const run_time_stage stage = {known, line.stages[S].twiddles, line.stages[S].roots,
                                  Code::is_ordered(S) ? line.stages[S].order : NULL};
    if constexpr (known.radix > LARGEST_RADIX) {
        run_large_prime<Code::kind(S), Code>(line, numbers, stage, workers, source, sink);
    } else {
        run_stage<known.radix, Code::kind(S), Code>(line, numbers, stage, workers, source, sink);
    }
}

/* The DFT of such a line from stage S on. What its last stage alone has code for takes the compiler
 * less time. */
template <class Code, int S, class Source, class Sink>
__device__ __forceinline__ void run_constant_stages(const run_time_line &line,
                                                    const line_workers &workers,
                                                    const Source &source, const Sink &sink) {
    if constexpr (S + 1 < Code::count) {
        run_constant_stage<Code, S>(line, workers, source, to_places());
        run_constant_stages<Code, S + 1>(line, workers, source, sink);
    } else {
        run_constant_stage<Code, S>(line, workers, source, sink);
    }
}

/* Puts the roots of large primes where workers have them, if the code wants them there; by all
 * threads of a block, which have a barrier before they use them. A kernel does so before it waits
 * for the one before, since nobody writes them. */
template <class Code>
__device__ __forceinline__ void keep_roots(const run_time_line &line, cpx *roots) {
    if constexpr (Code::keeps_roots) {
        for (unsigned i = 2 * threadIdx.x; i < line.root_count; i += 2 * blockDim.x) {
            load_two_constant(line.roots + i, &roots[i], &roots[i + 1]);
        }
    }
}

/* Every thread of the block must call it, all for lines of one kind; sync: one less than stages. */
template <class Code, class Source, class Sink>
__device__ __forceinline__ void run_line(const run_time_line &line, const line_workers &workers,
                                         const Source &source, const Sink &sink) {
    if constexpr (Code::count == 0) {
        run_stages<Code>(line, workers, source, sink);
    } else {
        run_constant_stages<Code, 0>(line, workers, source, sink);
    }
}

/* What a pass does with all values of a line by itself, in loops: so many in one go that their
 * loads wait concurrently. */
enum { IN_FLIGHT = 8 };

/* Puts value i of the line, load(i), into its place. */
template <class Load>
__device__ __forceinline__ void fill_places(const run_time_line &line, const line_workers &workers,
                                            Load load) {
    for (unsigned first = workers.t; first < line.length; first += IN_FLIGHT * workers.threads) {
        cpx values[IN_FLIGHT];
        WEFT_UNROLL
        for (unsigned v = 0; v < IN_FLIGHT; v++) {
            unsigned i = first + v * workers.threads;
            values[v] =
                load(i < line.length ? i : first); /* without a branch: they wait together */
        }
        WEFT_UNROLL
        for (unsigned v = 0; v < IN_FLIGHT; v++) {
            unsigned i = first + v * workers.threads;
            if (i < line.length) {
                *workers.at(padded(line, i)) = values[v];
            }
        }
    }
}

/* After a barrier: take(k, place) gets the place of value k of the DFT. */
template <class Take>
__device__ __forceinline__ void take_values(const run_time_line &line, const line_workers &workers,
                                            Take take) {
#pragma unroll 4
    for (unsigned k = workers.t; k < line.length; k += workers.threads) {
        take(k, workers.at(place_of(line, k)));
    }
}

} // namespace

#endif
