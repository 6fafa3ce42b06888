/* SPDX-License-Identifier: MIT
 * What a Line is: a compile-time list of radices, and which of several threads works on which of
 * its values, stage by stage. It knows no image and no memory; power.cuh transforms it.
 */
#ifndef WEFT_CUDA_LINE_LINE_CUH
#define WEFT_CUDA_LINE_LINE_CUH

#include "arith/factors.h"
#include "arith/twiddle.h"
#include "base/kernel.cuh"
#include "line/cut.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

constexpr factor_list list_of(size_t n, int axis, int is_inverse) {
    factor_list list = {};
    factor_line(n, axis, is_inverse, &list);
    return list;
}

/* How many stages, `most` at most, a thread has registers for the twiddles of, beside its values.
 * Of the 65536 registers of a multiprocessor, `rest` must be left for everything else of a thread.
 */
constexpr int held_stages_of(int most, unsigned values, unsigned points, unsigned rest,
                             unsigned resident) {
    for (; most > 0; most--) {
        if ((values + (unsigned)most * points) * 2 * WEFT_REAL_BITS / 32 + rest <=
            65536 / resident) {
            return most;
        }
    }
    return 0;
}

/* A Line: N values in one direction, a row or a column. A thread works on the same butterflies of
 * `lines` lines, so that it loads a twiddle once for all: x[l * points + v] is its value v of line
 * l. The columns of a tile lie side by side in shared memory, those of a thread next to one
 * another; rows lie one after the other.
 *
 * A Line may be too long for a block: then the `parts` blocks of a cluster share it. The first
 * stage cuts a line into as many sub-lines as its radix, which depend no more on one another; each
 * block gets some of them, its part, and continues alone. A part ends with the values whose index
 * modulo the first radix is one of its sub-lines. It begins with the same values for the last
 * radix, so that a transform can continue where its inverse ended. A thread's number t counts
 * through the parts: the threads of the first part come first. */
template <unsigned N, class Cut, int IS_ROW, int IS_INVERSE> struct line_of {
    static constexpr factor_list factors = list_of(N, IS_ROW ? AXIS_ROW : AXIS_COLUMN, IS_INVERSE);
    static constexpr cols_cut cols = Cut::cols(N);
    static constexpr rows_cut rows = Cut::rows(N);
    static constexpr int last_stage = factors.count - 1;
    static constexpr unsigned parts = IS_ROW ? rows.parts : cols.parts;
    static constexpr unsigned classes =
        IS_ROW ? 1 : classes_of_column(N);                   /* each of which loses its mean */
    static constexpr unsigned whole = N, length = N / parts; /* length: of the part */
    static constexpr unsigned first_radix = (unsigned)factors.radix[0];
    static constexpr unsigned last_radix = (unsigned)factors.radix[last_stage];
    static constexpr unsigned columns = IS_ROW ? 1 : cols.tile;
    static constexpr unsigned points = IS_ROW ? rows.points : cols.points;
    static constexpr unsigned lines = IS_ROW ? rows.each : cols.each;
    static constexpr unsigned values = lines * points;
    static constexpr unsigned threads = length / points;
    static constexpr bool is_row = IS_ROW;
    static constexpr bool is_persistent = IS_ROW ? rows.is_persistent : cols.is_persistent;
    static constexpr bool uses_tma = !IS_ROW && cols.uses_tma;
    static constexpr bool is_bulk = IS_ROW && rows.is_bulk;
    static constexpr int first_turned = 1; /* the first stage that has twiddles */
    /* The barrier of a row is its warp's, that of its own threads (is_alone), or the block's. */
    static constexpr bool is_in_warp = IS_ROW && threads <= 32;
    static constexpr bool is_alone = IS_ROW && rows.is_alone;
    /* The stage of a row in which a thread's two butterflies, if it has two, are neighbours, so
     * that it holds pairs of neighbouring values of the row: the first stage forward, the last one
     * of the inverse. */
    static constexpr int paired_stage = IS_INVERSE ? last_stage : 0;
    static constexpr bool has_pairs =
        IS_ROW && points == 2 * (IS_INVERSE ? last_radix : first_radix);
    /* Double precision has no registers for what is prefetched. */
    static constexpr bool prefetches_twiddles =
        WEFT_REAL_BITS == 32 && (IS_ROW ? rows.prefetches_twiddles : cols.prefetches_twiddles);
    /* The twiddles of as many stages as there are registers for. */
    static constexpr unsigned unheld = IS_ROW ? rows.unheld[IS_INVERSE] : 0;
    static constexpr int held_stages = !prefetches_twiddles && unheld > 0
                                           ? held_stages_of(last_stage, values, points, unheld,
                                                            rows.resident)
                                           : 0;
    static_assert(parts <= 8, "clusters of any GPU");
    static_assert(!has_pairs || parts == 1 || (first_radix >= 2 * parts && last_radix >= 2 * parts),
                  "neighbours are in one part");
};

/* One stage of a Line: its radix, the butterflies of each thread, and m, the distance between a
 * butterfly's inputs. Butterfly b = q m + j is number j of sub-line q; see cpu_ref/line.c for the
 * same stage in a plain loop. */
template <class Line, int STAGE> struct stage_of {
    static constexpr unsigned radix = (unsigned)Line::factors.radix[STAGE];
    static constexpr unsigned each = Line::points / radix;
    static constexpr unsigned m = stage_of<Line, STAGE - 1>::m / radix;
    static constexpr unsigned sub_lines = Line::whole / (radix * m); /* in all parts */
    static constexpr unsigned twiddles = (unsigned)twiddles_before(&Line::factors, STAGE);
    static constexpr bool is_turned = STAGE >= Line::first_turned;
    static constexpr bool is_last = STAGE == Line::last_stage;
    static constexpr bool is_paired = Line::has_pairs && STAGE == Line::paired_stage;
    static_assert(Line::points % radix == 0, "a thread does whole butterflies");
};

template <class Line> struct stage_of<Line, -1> { static constexpr unsigned m = Line::whole; };

template <class Line> __device__ __forceinline__ unsigned part_of(unsigned t) {
    return Line::parts == 1 ? 0 : t / Line::threads;
}

template <class Line> __device__ __forceinline__ unsigned in_part(unsigned t) {
    return Line::parts == 1 ? t : t % Line::threads;
}

/* The number t, in the line, of thread `index` of those of its block that work on the line. */
template <class Line> __device__ __forceinline__ unsigned number_in_line(unsigned index) {
    return Line::parts == 1 ? index : rank_in_cluster() * Line::threads + index;
}

/* A barrier before the exchange gets values: after it, those of the task before, if any, have been
 * read, and the blocks that share the line have begun. */
template <class Line> __device__ __forceinline__ void sync_before_task(bool is_first) {
    if constexpr (Line::parts > 1) {
        WEFT_CLUSTER_SYNC();
    } else if (Line::is_persistent && !is_first) {
        __syncthreads();
    }
}

/* The thread's butterfly number i, among those of its part, is butterfly_base plus i times
 * butterfly_step. */
template <class Line, int STAGE> __device__ __forceinline__ unsigned butterfly_base(unsigned t) {
    return stage_of<Line, STAGE>::is_paired ? 2 * in_part<Line>(t) : in_part<Line>(t);
}

template <class Line, int STAGE> constexpr __device__ __forceinline__ unsigned butterfly_step() {
    return stage_of<Line, STAGE>::is_paired ? 1 : Line::threads;
}

/* The index in the line of the thread's value v, before the first stage and after the last, is the
 * sum of one number of the thread and a constant. in_line() is the index in the line of value
 * `index` of a part, when the other end of the transform has this radix. */
template <class Line, unsigned RADIX>
__device__ __forceinline__ unsigned in_line(unsigned index, unsigned part) {
    constexpr unsigned own = RADIX / Line::parts;
    static_assert(RADIX % Line::parts == 0, "a part has whole sub-lines");
    return Line::parts == 1 ? index : index / own * RADIX + part * own + index % own;
}

/* The sub-line of butterfly b of the thread's part. */
template <class Line, int STAGE>
__device__ __forceinline__ unsigned sub_line_of(unsigned b, unsigned t) {
    return in_line<Line, Line::first_radix>(b / stage_of<Line, STAGE>::m, part_of<Line>(t));
}

template <class Line> __device__ __forceinline__ unsigned input_base(unsigned t) {
    return in_line<Line, Line::last_radix>(butterfly_base<Line, 0>(t), part_of<Line>(t));
}

template <class Line> constexpr __device__ __forceinline__ unsigned input_offset(unsigned v) {
    return v % Line::first_radix * stage_of<Line, 0>::m +
           v / Line::first_radix * (butterfly_step<Line, 0>() * Line::parts);
}

template <class Line> __device__ __forceinline__ unsigned output_base(unsigned t) {
    return in_line<Line, Line::first_radix>(butterfly_base<Line, Line::last_stage>(t),
                                            part_of<Line>(t));
}

template <class Line> constexpr __device__ __forceinline__ unsigned output_offset(unsigned v) {
    return v % Line::last_radix * (Line::whole / Line::last_radix) +
           v / Line::last_radix * (butterfly_step<Line, Line::last_stage>() * Line::parts);
}

} // namespace

#endif
