/* SPDX-License-Identifier: MIT
 * A line of any length: what it consists of is known at run time. Its stages work in place, in
 * memory that the line's threads share: the engine `mixed`, for lengths whose primes are at most
 * 13, and `bluestein`, two such transforms of a power of two. The arithmetic and the order of its
 * operations are those of cpu_ref/line.c, and so are the bits.
 */
#ifndef WEFT_CUDA_LINE_RUN_TIME_CUH
#define WEFT_CUDA_LINE_RUN_TIME_CUH

#include "arith/butterfly.h"
#include "base/divider.cuh"
#include "line/tables.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* The lists of 3^12 and of 13^5, and twice that of 2^22. */
enum { MOST_RUN_TIME_STAGES = 14 };

/* Stages in place: a butterfly writes its outputs where its inputs were. In a transform there the
 * values begin in natural order, and the first radix cuts them into blocks, which the next one cuts
 * further; m is how far a butterfly's inputs lie apart. At the end frequency q + k n/r lies in
 * place k of block order[q] of the last stage, whose radix is r. In a transform back the values
 * begin like that, and m grows; at the end they lie in natural order. The twiddles of a butterfly
 * are there those of its block, back those of its place in the block. */
struct run_time_stage {
    int radix, is_back, ends; /* ends: what it makes is complete */
    unsigned butterflies, sub_lines;
    divider m;
    unsigned step;         /* from place to place of a butterfly: m and the gaps between */
    const cpx *twiddles;   /* as tables.cuh has them, in the order of blocks; NULL: all are 1 */
    const unsigned *order; /* of the last stage there and the first one back, else NULL */
};

/* A line in one direction, as a kernel gets it. */
struct run_time_line {
    unsigned length, positions; /* positions: of the memory; more than the length for bluestein */
    unsigned count, gap_shift;  /* gaps after 2^gap_shift values, 31: none */
    const cpx *chirp, *chirp_spectrum; /* of bluestein, else NULL */
    divider last_butterflies;          /* of the last stage, where it ends there */
    const unsigned *order;             /* of that; NULL: the line ends in natural order */
    run_time_stage stages[MOST_RUN_TIME_STAGES];
};

/* The threads that share a line, and its memory: columns of a tile lie side by side, `apart` of
 * them. */
struct line_workers {
    cpx *values;
    unsigned apart, t, threads;
    __device__ __forceinline__ cpx *at(unsigned place) const {
        return values + place * apart;
    }
};

/* Where in its memory a line has a position. Rows whose last radix is a power of two have a gap
 * after as many values, so that butterflies of the last stage, which are beside one another, lie in
 * different banks. All other stages have inputs a multiple of that radix apart, so that places are
 * as far apart for all of a butterfly. */
__device__ __forceinline__ unsigned padded(const run_time_line &line, unsigned position) {
    return position + (position >> line.gap_shift);
}

/* Where the transform there leaves the value of a frequency. */
__device__ __forceinline__ unsigned place_of(const run_time_line &line, unsigned frequency) {
    if (line.order == NULL) {
        return padded(line, frequency);
    }
    unsigned k = quotient(frequency, line.last_butterflies);
    unsigned q = frequency - k * line.last_butterflies.divisor;
    return padded(line, line.order[q] * (unsigned)line.stages[line.count - 1].radix) + k;
}

/* A first stage has no twiddles; the values that the last one makes go to the caller. */
enum stage_kind { FIRST, BETWEEN, LAST };

/* A thread's butterflies of one stage. Value k of butterfly b of the last stage has the index b + k
 * butterflies in natural order. */
template <int RADIX, int KIND, class Store>
__device__ __forceinline__ void run_stage(const run_time_line &line, const run_time_stage &stage,
                                          const line_workers &workers, Store store) {
    const unsigned m = stage.m.divisor, step = stage.step * workers.apart;
    const bool is_ordered = KIND != BETWEEN && stage.order != NULL; /* m is 1 */
    for (unsigned b = workers.t; b < stage.butterflies; b += workers.threads) {
        unsigned block = is_ordered ? stage.order[b] : quotient(b, stage.m);
        unsigned within = is_ordered ? 0 : b - block * m;
        unsigned turned = is_ordered ? b : stage.is_back ? within : block;
        cpx *places = workers.at(padded(line, block * m * RADIX + within));
        cpx x[LARGEST_RADIX];
        WEFT_UNROLL
        for (unsigned k = 0; k < RADIX; k++) {
            x[k] = places[k * step];
        }
        if (KIND == FIRST) {
            butterfly(x, RADIX);
        } else {
            cpx w[LARGEST_RADIX];
            load_twiddles(w, 0, (unsigned)stage_twiddles(RADIX), stage.twiddles, stage.sub_lines,
                          turned);
            butterfly_turned(x, w, RADIX);
        }
        WEFT_UNROLL
        for (unsigned k = 0; k < RADIX; k++) {
            if (KIND == LAST) {
                store(b + k * stage.butterflies, x[k], places + k * step);
            } else {
                places[k * step] = x[k];
            }
        }
    }
}

/* The radix becomes a constant. */
template <int KIND, class Store>
__device__ __forceinline__ void run_any_stage(const run_time_line &line,
                                              const run_time_stage &stage,
                                              const line_workers &workers, Store store) {
    switch (stage.radix) {
    case 2:
        return run_stage<2, KIND>(line, stage, workers, store);
    case 3:
        return run_stage<3, KIND>(line, stage, workers, store);
    case 4:
        return run_stage<4, KIND>(line, stage, workers, store);
    case 5:
        return run_stage<5, KIND>(line, stage, workers, store);
    case 6:
        return run_stage<6, KIND>(line, stage, workers, store);
    case 7:
        return run_stage<7, KIND>(line, stage, workers, store);
    case 8:
        return run_stage<8, KIND>(line, stage, workers, store);
    case 9:
        return run_stage<9, KIND>(line, stage, workers, store);
    case 10:
        return run_stage<10, KIND>(line, stage, workers, store);
    case 11:
        return run_stage<11, KIND>(line, stage, workers, store);
    case 12:
        return run_stage<12, KIND>(line, stage, workers, store);
    case 13:
        return run_stage<13, KIND>(line, stage, workers, store);
    case 15:
        return run_stage<15, KIND>(line, stage, workers, store);
    default:
        return run_stage<16, KIND>(line, stage, workers, store);
    }
}

/* Puts value i of a line into its memory. */
__device__ __forceinline__ void put_value(const run_time_line &line, const line_workers &workers,
                                          unsigned i, cpx value) {
    *workers.at(padded(line, i)) =
        line.chirp != NULL ? cpx_mul(value, load_constant(line.chirp + i)) : value;
}

/* After all values, before a barrier: of a convolved line zeros follow. */
__device__ __forceinline__ void put_zeros(const run_time_line &line, const line_workers &workers) {
    for (unsigned i = line.length + workers.t; i < line.positions; i += workers.threads) {
        *workers.at(padded(line, i)) = cpx_of(0, 0);
    }
}

/* The DFT of a line, whose values have been put into its memory; store(k, z, place) takes value k
 * of the DFT. place is memory of the line that the caller may write z to, and finds at
 * place_of(line, k). Every thread of the block must call it, all for lines of one kind; sync: one
 * less than stages. */
template <class Store>
__device__ __forceinline__ void run_time_dft(const run_time_line &line, const line_workers &workers,
                                             Store store) {
    for (unsigned s = 0; s < line.count; s++) {
        const run_time_stage &stage = line.stages[s];
        auto stored = [&](unsigned k, cpx z, cpx *place) {
            if (line.chirp == NULL) {
                store(k, z, place);
            } else if (!stage.ends) {
                *place = cpx_swap(cpx_mul(z, load_constant(line.chirp_spectrum + k)));
            } else if (k < line.length) {
                store(k, cpx_mul(cpx_swap(z), load_constant(line.chirp + k)), place);
            }
        };
        if (s > 0) {
            __syncthreads(); /* the stage before has written */
        }
        if (stage.twiddles == NULL) {
            run_any_stage<FIRST>(line, stage, workers, stored);
        } else if (s + 1 == line.count || stage.order != NULL) {
            run_any_stage<LAST>(line, stage, workers, stored);
        } else {
            run_any_stage<BETWEEN>(line, stage, workers, stored);
        }
    }
    if (line.count <= 1) { /* there is no last stage; so short a line is one thread's */
        for (unsigned k = workers.t; k < line.length; k += workers.threads) {
            cpx *place = workers.at(padded(line, k));
            store(k, *place, place);
        }
    }
}

} // namespace

#endif
