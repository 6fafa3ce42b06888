/* SPDX-License-Identifier: MIT
 * A line of any length: what it consists of is known at run time. Its stages work in place, in
 * memory that the line's threads share: the engine `mixed`, for lengths whose primes are at most
 * 127, and `bluestein`, two such transforms of a power of two. The arithmetic and the order of its
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
 * place order[q] + k, in a block of the last stage, whose radix is r. In a transform back the
 * values begin like that, and m grows; at the end they lie in natural order. The twiddles of a
 * butterfly are there those of its block, back those of its place in the block. */
struct run_time_stage {
    int radix, is_back;
    int ends;       /* what it makes is complete */
    int turns_back; /* the last stage there of a convolution and the first one back */
    unsigned butterflies, sub_lines;
    divider m;
    unsigned step;         /* from place to place of a butterfly: m and the gaps between */
    const cpx *twiddles;   /* as tables.cuh has them, in the order of blocks; NULL: all are 1 */
    const cpx *roots;      /* of a large prime: exp(-2 pi i j / radix), else NULL */
    const unsigned *order; /* of the last stage there and the first one back, else NULL */
};

/* A line in one direction, as a kernel gets it. */
struct run_time_line {
    unsigned length, positions; /* positions: of the memory; more than the length for bluestein */
    unsigned count;
    unsigned gap_shift, gap; /* see padded() */
    divider outermost;
    const cpx *chirp,
        *chirp_spectrum;      /* of bluestein, else NULL; the spectrum's values two by
                                 two, as twiddles, in the order of the last stage's blocks */
    divider last_butterflies; /* of the last stage, where it ends there */
    const unsigned *order;    /* of that; NULL: the line ends in natural order */
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
 * after each 2^gap_shift values, as many as that radix, and all lines one of `gap` values after
 * each of the first stage's blocks there, which have `outermost` positions: so butterflies of the
 * last stage lie in different banks, neighbours in places and those that make neighbouring
 * frequencies. Inputs of all other stages are whole blocks apart, so that places are as far apart
 * for all of a butterfly. */
__host__ __device__ __forceinline__ unsigned padded(const run_time_line &line, unsigned position) {
    return position + (position >> line.gap_shift) + quotient(position, line.outermost) * line.gap;
}

/* Where the transform there leaves the value of a frequency. */
__device__ __forceinline__ unsigned place_of(const run_time_line &line, unsigned frequency) {
    if (line.order == NULL) {
        return padded(line, frequency);
    }
    unsigned k = quotient(frequency, line.last_butterflies);
    return line.order[frequency - k * line.last_butterflies.divisor] + k;
}

/* A first stage has no twiddles and gets its values from the caller. Of a convolution the last
 * stage there and the first one back, which has the same radix and the same places, are one. */
enum stage_kind { FIRST, TURNED, THERE_AND_BACK };

/* Where values come from and where they go to. A source's each(use) calls use(at) once, where at(i,
 * place) is value i of the line, and a sink's use(put), where put(k, z, place) takes value k of the
 * DFT; so what is the same for all values of a butterfly is decided once, before the loop over
 * them. place is memory of the line: before the first stage nobody uses that of value i but the
 * source, and after the last one the sink may write z there, and finds it at place_of(line, k).
 * These two are for values that lie in their places, and for those that are to stay there. */
struct from_places {
    static constexpr bool takes_large_primes = true;
    template <class Use> __device__ __forceinline__ void each(Use use) const {
        use([](unsigned, const cpx *place) { return *place; });
    }
};

struct to_places {
    template <class Use> __device__ __forceinline__ void each(Use use) const {
        use([](unsigned, cpx z, cpx *place) { *place = z; });
    }
};

static WEFT_CONSTANT bool is_power_of_two(int radix) {
    return (radix & (radix - 1)) == 0;
}

/* Loads a first stage's values; a convolution, whose radices are powers of two, multiplies them by
 * the chirp, and zeros follow. */
template <int RADIX, class Source>
__device__ __forceinline__ void load_first(cpx *x, unsigned radix, const run_time_line &line,
                                           unsigned b, unsigned apart, const cpx *places,
                                           unsigned step, const Source &source) {
    source.each([&](auto at) {
        if (is_power_of_two(RADIX) && line.chirp != NULL) {
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                unsigned i = b + k * apart;
                x[k] = i < line.length
                           ? cpx_mul(at(i, places + k * step), load_constant(line.chirp + i))
                           : cpx_of(0, 0);
            }
        } else {
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                x[k] = at(b + k * apart, places + k * step);
            }
        }
    });
}

template <int RADIX, class Sink>
__device__ __forceinline__ void store_last(const cpx *x, unsigned radix, const run_time_line &line,
                                           unsigned b, unsigned apart, cpx *places, unsigned step,
                                           const Sink &sink) {
    sink.each([&](auto put) {
        if (is_power_of_two(RADIX) && line.chirp != NULL) {
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                unsigned i = b + k * apart;
                if (i < line.length) {
                    put(i, cpx_mul(cpx_swap(x[k]), load_constant(line.chirp + i)),
                        places + k * step);
                }
            }
        } else {
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                put(b + k * apart, x[k], places + k * step);
            }
        }
    });
}

/* For primes above LARGEST_RADIX the radix is a number at run time, and values lie in a thread's
 * local memory: nothing is compiled for each of them. A kernel that has this takes longer at all
 * lengths; so a source says whether it does (docs/log/2026-11.md, lines of any length). */
enum { LARGE = LARGEST_ODD_RADIX };

template <int RADIX>
__device__ __forceinline__ void run_butterfly(cpx *x, const run_time_stage &stage) {
    if constexpr (RADIX == LARGE) {
        dft_large_odd(x, stage.radix, stage.roots);
    } else {
        butterfly(x, RADIX);
    }
}

template <int RADIX>
__device__ __forceinline__ void run_butterfly_turned(cpx *x, const cpx *w,
                                                     const run_time_stage &stage) {
    if constexpr (RADIX == LARGE) {
        for (int v = 1; v < stage.radix; v++) {
            x[v] = cpx_mul(x[v], w[v - 1]);
        }
        dft_large_odd(x, stage.radix, stage.roots);
    } else {
        butterfly_turned(x, w, RADIX);
    }
}

/* A thread's butterflies of one stage. Value k of butterfly b has in natural order, before the
 * first stage there and after the last one, the index b + k butterflies. */
template <int RADIX, int KIND, class Source, class Sink>
__device__ __forceinline__ void run_stage(const run_time_line &line, const run_time_stage &stage,
                                          const line_workers &workers, const Source &source,
                                          const Sink &sink) {
    const unsigned m = stage.m.divisor, step = stage.step * workers.apart;
    const bool is_ordered = stage.order != NULL;
    const unsigned radix = RADIX == LARGE ? (unsigned)stage.radix : RADIX;
    enum { MOST_VALUES = RADIX == LARGE ? LARGEST_ODD_RADIX + 1 : LARGEST_RADIX };
    for (unsigned b = workers.t; b < stage.butterflies; b += workers.threads) {
        unsigned block = quotient(b, stage.m), within = b - block * m;
        unsigned turned = stage.is_back ? within : block; /* in order: m is 1, so that it is b */
        cpx *places =
            workers.at(is_ordered ? stage.order[b] : padded(line, block * m * radix + within));
        cpx x[MOST_VALUES];
        if constexpr (KIND == FIRST) {
            load_first<RADIX>(x, radix, line, b, stage.butterflies, places, step, source);
            run_butterfly<RADIX>(x, stage);
        } else {
            cpx w[MOST_VALUES];
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                x[k] = places[k * step];
            }
            load_twiddles(w, 0, (unsigned)stage_twiddles(radix), stage.twiddles, stage.sub_lines,
                          turned);
            run_butterfly_turned<RADIX>(x, w, stage);
        }
        if constexpr (KIND == THERE_AND_BACK) {
            cpx by[LARGEST_RADIX];
            load_twiddles(by, 0, RADIX, line.chirp_spectrum, stage.butterflies, b);
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                x[k] = cpx_swap(cpx_mul(x[k], by[k]));
            }
            butterfly(x, RADIX);
        }
        if (KIND == TURNED && stage.ends) {
            store_last<RADIX>(x, radix, line, b, stage.butterflies, places, step, sink);
        } else {
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                places[k * step] = x[k];
            }
        }
    }
}

/* The radix becomes a constant, but for large primes. */
template <int KIND, class Source, class Sink>
__device__ __forceinline__ void
run_any_stage(const run_time_line &line, const run_time_stage &stage, const line_workers &workers,
              const Source &source, const Sink &sink) {
    switch (stage.radix) {
    case 2:
        return run_stage<2, KIND>(line, stage, workers, source, sink);
    case 3:
        return run_stage<3, KIND>(line, stage, workers, source, sink);
    case 4:
        return run_stage<4, KIND>(line, stage, workers, source, sink);
    case 5:
        return run_stage<5, KIND>(line, stage, workers, source, sink);
    case 6:
        return run_stage<6, KIND>(line, stage, workers, source, sink);
    case 7:
        return run_stage<7, KIND>(line, stage, workers, source, sink);
    case 8:
        return run_stage<8, KIND>(line, stage, workers, source, sink);
    case 9:
        return run_stage<9, KIND>(line, stage, workers, source, sink);
    case 10:
        return run_stage<10, KIND>(line, stage, workers, source, sink);
    case 11:
        return run_stage<11, KIND>(line, stage, workers, source, sink);
    case 12:
        return run_stage<12, KIND>(line, stage, workers, source, sink);
    case 13:
        return run_stage<13, KIND>(line, stage, workers, source, sink);
    case 15:
        return run_stage<15, KIND>(line, stage, workers, source, sink);
    case 16:
        return run_stage<16, KIND>(line, stage, workers, source, sink);
    default:
        if constexpr (Source::takes_large_primes) {
            run_stage<LARGE, KIND>(line, stage, workers, source, sink);
        }
    }
}

/* Convolutions have powers of two only. */
__device__ __forceinline__ void there_and_back(const run_time_line &line,
                                               const run_time_stage &stage,
                                               const line_workers &workers) {
    switch (stage.radix) {
    case 2:
        return run_stage<2, THERE_AND_BACK>(line, stage, workers, from_places(), to_places());
    case 4:
        return run_stage<4, THERE_AND_BACK>(line, stage, workers, from_places(), to_places());
    case 8:
        return run_stage<8, THERE_AND_BACK>(line, stage, workers, from_places(), to_places());
    default:
        return run_stage<16, THERE_AND_BACK>(line, stage, workers, from_places(), to_places());
    }
}

/* The DFT of a line. Every thread of the block must call it, all for lines of one kind; sync: one
 * less than stages. */
template <class Source, class Sink>
__device__ __forceinline__ void run_time_dft(const run_time_line &line, const line_workers &workers,
                                             const Source &source, const Sink &sink) {
    if (line.count > 0) {
        run_any_stage<FIRST>(line, line.stages[0], workers, source, sink);
    } else if (workers.t == 0) {
        source.each([&](auto at) { *workers.values = at(0, workers.values); });
    }
    for (unsigned s = 1; s < line.count; s++) {
        const run_time_stage &stage = line.stages[s];
        __syncthreads(); /* the stage before has written */
        if (stage.turns_back) {
            there_and_back(line, stage, workers);
        } else {
            run_any_stage<TURNED>(line, stage, workers, source, sink);
        }
    }
    /* There was no last stage; the one butterfly was that of thread 0. */
    if (line.count <= 1 && workers.t == 0) {
        sink.each([&](auto put) {
            for (unsigned k = 0; k < line.length; k++) {
                cpx *place = workers.at(padded(line, k));
                put(k, *place, place);
            }
        });
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
            values[v] = i < line.length ? load(i) : cpx_of(0, 0);
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
