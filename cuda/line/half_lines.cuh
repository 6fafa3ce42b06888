/* SPDX-License-Identifier: MIT
 * The two halves of a line whose length n = P m has a list: the stages whose radices multiply to P,
 * and the others. The first half is m lines of P values, value i + k m of the line being value k of
 * line i. Value q of all of these are line q of the second half, which has twiddles of its own; its
 * value f is value q + P f of the line. So the operations are those of the whole line, in the same
 * order, and the bits do not depend on where a line is halved.
 */
#ifndef WEFT_CUDA_LINE_HALF_LINES_CUH
#define WEFT_CUDA_LINE_HALF_LINES_CUH

#include "line/run_time_tables.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

enum line_half { FIRST_OF_LINE, SECOND_OF_LINE };

/* Halves have few stages, one at least. */
template <bool ARE_FEW> struct half_code : run_time_code<MIXED | LARGE_PRIMES, ARE_FEW> {
    static constexpr bool ends_first = true;
};

/* No line of these has gaps: between its values lie those of many others. */
static WEFT_CONSTANT line_numbers numbers_of_half(unsigned length) {
    line_numbers line = {};
    line.length = line.positions = length;
    set_gaps(&line, AXIS_COLUMN, 1, 1);
    return line;
}

/* A half of the radices R and S, or, if S is 1, of R alone, that the compiler knows. */
template <int R, int S> struct constant_half : half_code<true> {
    static constexpr int count = S > 1 ? 2 : 1;
    static constexpr factor_list factors = {count, {R, S}};
    static constexpr line_numbers numbers = numbers_of_half(R * S);
    static WEFT_CONSTANT stage_numbers stage(int s) {
        return numbers_of_stage(numbers, factors, s, 0, false);
    }
};

/* ---- in a kernel --------------------------------------------------------------------------------
 */

/* A stage of line q of a half, which has so many sub-lines of its own before it. */
template <int HALF>
__device__ __forceinline__ run_time_stage stage_of_half(const run_time_stage &stage, unsigned q,
                                                        unsigned sub_lines) {
    run_time_stage own = stage;
    if (HALF == SECOND_OF_LINE) {
        own.twiddles += 2 * q * sub_lines;
    }
    return own;
}

/* Large primes have no first stage with twiddles: their values are put into their places before. */
template <int HALF, class Code, class Source, class Sink>
__device__ __forceinline__ void run_half_stages(const run_time_line &line, unsigned q,
                                                const line_workers &workers, const Source &source,
                                                const Sink &sink) {
    unsigned sub_lines = 1, first = 1;
    if (HALF == FIRST_OF_LINE) {
        run_any_stage<FIRST, Code>(line, line, line.stages[0], workers, source, sink);
    } else if (line.stages[0].radix <= LARGEST_RADIX) {
        run_any_stage<FIRST_TURNED, Code>(line, line, stage_of_half<HALF>(line.stages[0], q, 1),
                                          workers, source, sink);
    } else {
        first = 0;
        fill_places(line, workers, [&](unsigned i) {
            cpx z;
            source.each(i, 0, [&](auto at) { z = at(0, ANYWHERE, NULL); });
            return z;
        });
    }
    for (unsigned s = 0; s < line.count; s++) {
        if (s >= first) {
            run_any_stage<TURNED, Code>(line, line,
                                        stage_of_half<HALF>(line.stages[s], q, sub_lines), workers,
                                        source, sink);
        }
        sub_lines *= (unsigned)line.stages[s].radix;
    }
}

/* The same from stage S on of a half that the compiler knows, which has no order of its own. */
template <int HALF, class Code, int S, class Source, class Sink>
__device__ __forceinline__ void run_constant_half(const run_time_line &line, unsigned q,
                                                  const line_workers &workers, const Source &source,
                                                  const Sink &sink) {
    if constexpr (S < Code::count) {
        constexpr line_numbers numbers = Code::numbers;
        constexpr stage_numbers known = Code::stage(S);
        constexpr stage_kind kind = S > 0 ? TURNED : HALF == FIRST_OF_LINE ? FIRST : FIRST_TURNED;
        const run_time_stage of_line = stage_of_half<HALF>(line.stages[S], q, known.sub_lines);
        run_time_stage stage = {known, of_line.twiddles, NULL, NULL};
        stage.sub_lines = of_line.sub_lines;
        run_stage<known.radix, kind, Code>(line, numbers, stage, workers, source, sink);
        run_constant_half<HALF, Code, S + 1>(line, q, workers, source, sink);
    }
}

/* Line q of a half; every thread of the block must call it. */
template <int HALF, class Code, class Source, class Sink>
__device__ __forceinline__ void run_half_line(const run_time_line &line, unsigned q,
                                              const line_workers &workers, const Source &source,
                                              const Sink &sink) {
    if constexpr (Code::count == 0) {
        run_half_stages<HALF, Code>(line, q, workers, source, sink);
    } else {
        run_constant_half<HALF, Code, 0>(line, q, workers, source, sink);
    }
}

/* ---- tables -------------------------------------------------------------------------------------
 */

/* Stages `first` to before `end` of a list. */
inline factor_list part_of_list(const factor_list &factors, int first, int end) {
    factor_list part = {};
    for (int s = first; s < end; s++) {
        part.radix[part.count++] = factors.radix[s];
    }
    return part;
}

inline unsigned product_of_list(const factor_list &factors) {
    unsigned product = 1;
    for (int s = 0; s < factors.count; s++) {
        product *= (unsigned)factors.radix[s];
    }
    return product;
}

/* Where on the host the halves' tables are made, and where the next order comes. */
struct half_tables {
    line_tables of_line;
    unsigned *orders;
    unsigned *places; /* of the sub-lines of a stage among its twiddles */
};

/* Adds the stages of the half that begins with stage `first` of the line. Twiddles of a line of the
 * second half are side by side. */
inline void add_half(run_time_line *line, const factor_list &factors, int first, int end,
                     half_tables *tables) {
    const factor_list half = part_of_list(factors, first, end);
    const unsigned lines = product_of_list(part_of_list(factors, 0, first));
    unsigned *blocks = tables->of_line.blocks;
    memset(line, 0, sizeof *line);
    *(line_numbers *)line = numbers_of_half(product_of_list(half));
    const cpx *roots = add_all_roots(line, &factors, first, end, &tables->of_line);
    for (int s = 0; s < half.count; s++) {
        run_time_stage *stage = &line->stages[line->count++];
        *(stage_numbers *)stage = numbers_of_stage(*line, half, s, 0, false);
        const unsigned sub_lines = stage->sub_lines;
        blocks_of_stage(&half, s, blocks);
        if (stage->ends && s > 0) {
            for (unsigned b = 0; b < sub_lines; b++) {
                tables->orders[b] = padded(*line, blocks[b] * (unsigned)stage->radix);
                blocks[b] = b; /* its twiddles are in natural order */
            }
            stage->order = s > 1 ? tables->orders : NULL; /* two digits of which one is left */
            tables->orders += sub_lines;
        }
        for (unsigned q = 0; q < lines * sub_lines; q++) {
            tables->places[q] = q % lines * sub_lines + blocks[q / lines];
        }
        stage->sub_lines = lines * sub_lines;
        stage->roots = roots_of_stage(half.radix[s]) > 0 ? roots : NULL;
        roots += roots_of_stage(half.radix[s]);
        stage->twiddles = first + s == 0 ? NULL
                                         : add_twiddles(&tables->of_line, &factors, first + s,
                                                        stage->sub_lines, tables->places);
    }
}

/* Fills in the halves of a line whose first one has `first_stages` stages, and their tables in
 * `block`, which has the size of the line's own tables. */
inline weft_status make_half_lines(int device, const factor_list &factors, int first_stages,
                                   const table_size &size, void *angles, run_time_line (&halves)[2],
                                   void *block) {
    const size_t positions = size.positions, bytes = size.bytes();
    const size_t numbers = size.numbers * sizeof(cpx);
    const size_t all = bytes + numbers + 2 * positions * sizeof(unsigned);
    TRY(host_memory_holds(all));
    char *host = (char *)calloc(1, all);
    if (host == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a table of %zu bytes", all);
    }
    unsigned *blocks = (unsigned *)(host + bytes + numbers);
    half_tables tables = {{(cpx *)host, blocks, (cpx *)(host + bytes), 0, angles},
                          (unsigned *)(host + numbers),
                          blocks + positions};
    twiddle_fill(&factors, angles, tables.of_line.natural);
    add_half(&halves[FIRST_OF_LINE], factors, 0, first_stages, &tables);
    add_half(&halves[SECOND_OF_LINE], factors, first_stages, factors.count, &tables);
    for (run_time_line &line : halves) {
        move_tables(&line, host, block);
    }
    weft_status status = device_memory.copy_in(device, block, host, bytes);
    free(host);
    return status;
}

} // namespace

#endif
