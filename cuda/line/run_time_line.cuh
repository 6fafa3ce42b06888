/* SPDX-License-Identifier: MIT
 * What a line of any length consists of: its stages, where its values lie between them, and what of
 * it the compiler of a kernel knows. Lines whose primes are at most 127 are lists of stages (the
 * engine `mixed`); all others are convolutions (`bluestein`).
 */
#ifndef WEFT_CUDA_LINE_RUN_TIME_LINE_CUH
#define WEFT_CUDA_LINE_RUN_TIME_LINE_CUH

#include "base/divider.cuh"
#include "line/line.cuh"
#include "line/tables.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Those of a convolution of 2^29 values, there and back; the longest list, 5^12, has fewer. */
enum { MOST_RUN_TIME_STAGES = 15 };

/* Stages in place: a butterfly writes its outputs where its inputs were. In a transform there the
 * values begin in natural order, and the first radix cuts them into blocks, which the next one cuts
 * further; m is how far a butterfly's inputs lie apart. At the end frequency q + k n/r lies in
 * place order[q] + k, in a block of the last stage, whose radix is r. In a transform back the
 * values begin like that, and m grows; at the end they lie in natural order. The twiddles of a
 * butterfly are there those of its block, back those of its place in the block. */
struct stage_numbers {
    int radix, is_back;
    int ends;       /* what it makes is complete */
    int turns_back; /* the last stage there of a convolution and the first one back */
    unsigned butterflies, sub_lines;
    divider m;
    unsigned step; /* from place to place of a butterfly: m and the gaps between */
};

struct run_time_stage : stage_numbers {
    const cpx *twiddles; /* as tables.cuh has them, in the order of blocks; NULL: all are 1 */
    const cpx *roots;    /* of a large prime: exp(-2 pi i j k / radix), those of outputs k together
                            for each j from 1 to radix/2; else NULL */
    const unsigned *order; /* of the last stage there and the first one back, else NULL */
};

struct line_numbers {
    unsigned length, positions; /* positions: of the memory; more than the length for bluestein */
    unsigned count;
    unsigned outputs;        /* of a large prime that a thread computes together: 1, 2 or most */
    unsigned gap_shift, gap; /* see padded() */
    divider outermost;
};

/* A line in one direction, as a kernel gets it. */
struct run_time_line : line_numbers {
    const cpx *chirp,
        *chirp_spectrum;      /* of bluestein, else NULL; the spectrum's values two by
                                 two, as twiddles, in the order of the last stage's blocks */
    divider last_butterflies; /* of the last stage, where it ends there */
    const unsigned *order;    /* of that; NULL: the line ends in natural order */
    const cpx *roots;         /* of all stages, one after the other */
    unsigned root_count;      /* even */
    run_time_stage stages[MOST_RUN_TIME_STAGES];
};

/* How many outputs of a large prime, and their mirrors, a thread computes together at most, and how
 * many threads the r/2 + 1 outputs of the prime r take. */
enum { LARGE_PRIME_OUTPUTS = 4 };

static WEFT_CONSTANT unsigned large_prime_groups(unsigned r, unsigned together) {
    return (r / 2 + together) / together;
}

/* The roots of these outputs that are side by side in a table. */
static WEFT_CONSTANT unsigned large_prime_roots(unsigned r) {
    return large_prime_groups(r, LARGE_PRIME_OUTPUTS) * LARGE_PRIME_OUTPUTS;
}

/* The threads that share a line, and its memory: columns of a tile lie side by side, `apart` of
 * them. */
struct line_workers {
    cpx *values;
    unsigned apart, t, threads;
    const cpx *roots; /* of the line's large primes, where the code keeps them in shared memory */
    __device__ __forceinline__ cpx *at(unsigned place) const {
        return values + place * apart;
    }
};

/* Where in its memory a line has a position. Rows whose last radix is a power of two have a gap
 * after each 2^gap_shift values, as many as that radix, and all lines one of `gap` values after
 * each of the first stage's blocks there, which have `outermost` positions: so butterflies of the
 * last stage lie in different banks, neighbours in places and those that make neighbouring
 * frequencies. Inputs of all other stages are whole blocks apart, so that places are as far apart
 * for all of a butterfly. Convolutions lie as rows do, since most have a block for themselves. */
constexpr __host__ __device__ __forceinline__ unsigned padded(const line_numbers &line,
                                                              unsigned position) {
    return position + (position >> line.gap_shift) + quotient(position, line.outermost) * line.gap;
}

/* The gaps of a line that ends there with the radix `last` and began with `first`. Of columns, a
 * tile's lines lie between the values, so that they need gaps between blocks only. */
static WEFT_CONSTANT void set_gaps(line_numbers *line, int axis, int first, int last) {
    unsigned shift = 0, outermost = line->positions / (unsigned)first;
    while (1 << shift < last) {
        shift++;
    }
    line->gap_shift = axis == AXIS_ROW && 1 << shift == last ? shift : 31;
    line->outermost = divider_of(outermost);
    line->gap = (outermost + (outermost >> line->gap_shift)) % 2 == 0;
}

/* A line of one list that ends with the radix `last`. */
static WEFT_CONSTANT line_numbers numbers_of_line(unsigned positions, int axis, int first,
                                                  int last) {
    line_numbers line = {};
    line.length = line.positions = positions;
    set_gaps(&line, axis, first, last);
    return line;
}

/* Stage s of a list, there or back, of a line with these gaps. */
static WEFT_CONSTANT stage_numbers numbers_of_stage(const line_numbers &line,
                                                    const factor_list &factors, int s, int is_back,
                                                    bool turns_back) {
    stage_numbers n = {};
    n.sub_lines = 1;
    for (int i = 0; i < s; i++) {
        n.sub_lines *= (unsigned)factors.radix[i];
    }
    n.radix = factors.radix[s];
    n.is_back = is_back;
    n.turns_back = turns_back;
    n.ends = s + 1 == factors.count && !turns_back;
    n.butterflies = line.positions / (unsigned)n.radix;
    n.m = divider_of(is_back ? n.sub_lines : n.butterflies / n.sub_lines);
    n.step = padded(line, n.m.divisor);
    return n;
}

/* Where the transform there leaves the value of a frequency. */
__device__ __forceinline__ unsigned place_of(const run_time_line &line, unsigned frequency) {
    if (line.order == NULL) {
        return padded(line, frequency);
    }
    unsigned k = quotient(frequency, line.last_butterflies);
    return line.order[frequency - k * line.last_butterflies.divisor] + k;
}

/* What a kernel's code is for: less of it arrives sooner. */
enum line_engines { MIXED = 1, LARGE_PRIMES = 2, CONVOLUTIONS = 4, ALL_ENGINES = 7 };

/* Which way a kernel's lines go. */
enum line_direction { FORWARD_ONLY, INVERSE_ONLY, EITHER_WAY };

/* Lines of any count of stages, known at run time. Where few warps are there to hide what others
 * wait for, and registers suffice, twiddles are loaded before the barrier that a stage begins with,
 * a large prime's outputs can be spread over more threads, and its roots lie in shared memory. */
template <int ENGINES, bool ARE_FEW> struct run_time_code {
    static constexpr int engines = ENGINES;
    static constexpr bool loads_early = ARE_FEW;
    static constexpr bool spreads_outputs = ARE_FEW;
    static constexpr bool keeps_roots = ARE_FEW;
    static constexpr bool ends_first = false; /* its first stage may be its last one */
    static constexpr line_direction direction = EITHER_WAY;
    static constexpr int count = 0;
};

/* A first stage gets its values from the caller, and has no twiddles but in a second half of a
 * line. Of a convolution the last stage there and the first one back, which has the same radix and
 * the same places, are one. */
enum stage_kind { FIRST, FIRST_TURNED, TURNED, THERE_AND_BACK };

static WEFT_CONSTANT bool is_first(int kind) {
    return kind == FIRST || kind == FIRST_TURNED;
}

/* Lines of LENGTH values, whose list and all that follows from it the compiler knows. Images with
 * lines as short as these have few warps. */
template <unsigned LENGTH, int AXIS, int IS_INVERSE> struct constant_code {
    static constexpr int engines = MIXED;
    static constexpr bool ends_first = false;
    static constexpr bool loads_early = LENGTH <= EARLY_VALUES;
    static constexpr line_direction direction = IS_INVERSE ? INVERSE_ONLY : FORWARD_ONLY;
    static constexpr factor_list factors = list_of(LENGTH, AXIS, IS_INVERSE);
    static constexpr int count = factors.count;
    static_assert(count >= 2, "a length that is compiled in has two radices or more");
    static constexpr bool spreads_outputs = true;
    static constexpr bool keeps_roots =
        factors.radix[0] > LARGEST_RADIX || factors.radix[count - 1] > LARGEST_RADIX;
    static constexpr line_numbers numbers =
        numbers_of_line(LENGTH, AXIS, factors.radix[0], factors.radix[count - 1]);
    static WEFT_CONSTANT stage_kind kind(int s) {
        return s == 0 ? FIRST : TURNED;
    }
    static WEFT_CONSTANT bool is_ordered(int s) {
        return s > 0 && s + 1 == count;
    }
    static WEFT_CONSTANT stage_numbers stage(int s) {
        return numbers_of_stage(numbers, factors, s, 0, false);
    }
};

/* The same of a line that begins in the places where that one has ended, and goes back. */
template <unsigned LENGTH, int AXIS, int IS_INVERSE>
struct returning_code : constant_code<LENGTH, AXIS, IS_INVERSE> {
    using there = constant_code<LENGTH, AXIS, IS_INVERSE>;
    static constexpr line_numbers numbers = numbers_of_line(
        LENGTH, AXIS, there::factors.radix[there::count - 1], there::factors.radix[0]);
    static WEFT_CONSTANT bool is_ordered(int s) {
        return s == 0;
    }
    static WEFT_CONSTANT stage_numbers stage(int s) {
        return numbers_of_stage(numbers, there::factors, s, 1, false);
    }
};

/* The code of the way back of a line's code; the same, where that knows no list. */
template <class Code> struct way_back { using code = Code; };
template <unsigned LENGTH, int AXIS> struct way_back<constant_code<LENGTH, AXIS, 0>> {
    using code = returning_code<LENGTH, AXIS, 1>;
};

static WEFT_CONSTANT bool convolution_loads_early(unsigned positions) {
    return positions <= EARLY_VALUES;
}

/* The same of convolutions with so many positions, for lines of any length that these serve. */
template <unsigned POSITIONS> struct convolution_code {
    static constexpr int engines = CONVOLUTIONS;
    static constexpr bool ends_first = false;
    static constexpr bool loads_early = convolution_loads_early(POSITIONS);
    static constexpr bool keeps_roots = false;
    static constexpr line_direction direction = EITHER_WAY;
    static constexpr factor_list there = list_of(POSITIONS, CONVOLVED, 0),
                                 back = list_of(POSITIONS, CONVOLVED, 1);
    static constexpr int count = there.count + back.count - 1;
    static constexpr line_numbers numbers =
        numbers_of_line(POSITIONS, AXIS_ROW, there.radix[0], there.radix[there.count - 1]);
    static WEFT_CONSTANT stage_kind kind(int s) {
        return s == 0 ? FIRST : s + 1 == there.count ? THERE_AND_BACK : TURNED;
    }
    static WEFT_CONSTANT bool is_ordered(int) {
        return false;
    }
    static WEFT_CONSTANT stage_numbers stage(int s) {
        return s < there.count ? numbers_of_stage(numbers, there, s, 0, s + 1 == there.count)
                               : numbers_of_stage(numbers, back, s - there.count + 1, 1, false);
    }
};

/* Where value 0 of butterfly b of a stage lies. */
__device__ __forceinline__ cpx *places_of_butterfly(const line_numbers &numbers,
                                                    const run_time_stage &stage,
                                                    const line_workers &workers, unsigned b) {
    unsigned block = quotient(b, stage.m), within = b - block * stage.m.divisor;
    return workers.at(
        stage.order != NULL
            ? stage.order[b]
            : padded(numbers, block * stage.m.divisor * (unsigned)stage.radix + within));
}

/* Its sub-line, whose twiddles it has: in order m is 1, so that it is b. */
__device__ __forceinline__ unsigned sub_line_of(const run_time_stage &stage, unsigned b) {
    unsigned block = quotient(b, stage.m);
    return stage.is_back ? b - block * stage.m.divisor : block;
}

/* ---- where a line begins and ends ---------------------------------------------------------------
 */

/* In which part of a line value k of a butterfly is, where the compiler knows: values of the last
 * stage are a radix of equal parts of the line. The first value of a START may be that of the line,
 * the first one of a MIDDLE half a line farther. Convolutions are longer than their line. */
enum line_part { START, FIRST_HALF, MIDDLE, SECOND_HALF, ANYWHERE };

static WEFT_CONSTANT line_part part_of(unsigned k, unsigned radix) {
    return 2 * k + 2 <= radix ? (k == 0 ? START : FIRST_HALF)
           : 2 * k == radix   ? MIDDLE
           : 2 * k > radix    ? SECOND_HALF
                              : ANYWHERE;
}

/* Where values come from and where they go to. A source's each(first, apart, use) calls use(at)
 * once, where at(k, part, place) is value first + k apart of the line, and a sink's use(put), where
 * put(k, part, z, place) takes that value of the DFT; so what is the same for all values of a
 * butterfly is computed once, before the loop over them. place is memory of the line: before the
 * first stage nobody uses that of a value but the source, and after the last one the sink may write
 * z there, and finds it at place_of(line, its number). These two are for values that lie in their
 * places, and for those that are to stay there. */
struct from_places {
    template <class Use> __device__ __forceinline__ void each(unsigned, unsigned, Use use) const {
        use([](unsigned, line_part, const cpx *place) { return *place; });
    }
};

struct to_places {
    static constexpr bool is_places = true;
    template <class Use> __device__ __forceinline__ void each(unsigned, unsigned, Use use) const {
        use([](unsigned, line_part, cpx z, cpx *place) { *place = z; });
    }
};

} // namespace

#endif
