/* SPDX-License-Identifier: MIT
 * Makes a run_time_line when a plan is made: its engine, its stages, and its tables, which lie in
 * one block of the device's memory.
 */
#ifndef WEFT_CUDA_LINE_RUN_TIME_TABLES_CUH
#define WEFT_CUDA_LINE_RUN_TIME_TABLES_CUH

#include "arith/chirp.h"
#include "line/run_time.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* The tables of a line while they are on the host, and how much of them is used. */
struct line_tables {
    cpx *numbers;     /* for the device: roots, twiddles, the chirp and its spectrum */
    unsigned *blocks; /* for the device too: the order */
    cpx *natural;     /* a list's roots and twiddles, as twiddle_fill() lays them out */
    size_t used;
    void *angles; /* which the tables of an axis share, see twiddle_fill() */
};

/* The block that sub-line q of a stage there has is blocks[q]: output k of block b becomes block r
 * b + k, and that of sub-line q sub-line q + k sub_lines. */
inline void blocks_of_stage(const factor_list *factors, int s, unsigned *blocks) {
    unsigned sub_lines = 1;
    blocks[0] = 0;
    for (int i = 0; i < s; i++) {
        unsigned radix = (unsigned)factors->radix[i];
        for (unsigned k = radix; k-- > 0;) { /* those that are read are overwritten last */
            for (unsigned q = 0; q < sub_lines; q++) {
                blocks[q + k * sub_lines] = blocks[q] * radix + k;
            }
        }
        sub_lines *= radix;
    }
}

/* Adds a stage's twiddles so that threads load two at a time, see tables.cuh; those of sub-line q
 * come where blocks[q] says, or, if that is NULL, in natural order. */
inline const cpx *add_twiddles(line_tables *tables, const factor_list *factors, int s,
                               unsigned sub_lines, const unsigned *blocks) {
    unsigned each = (unsigned)stage_twiddles((size_t)factors->radix[s]);
    const cpx *from = tables->natural + twiddles_before(factors, s);
    cpx *to = tables->numbers + tables->used;
    for (unsigned q = 0; q < sub_lines; q++) {
        unsigned place = blocks != NULL ? blocks[q] : q;
        for (unsigned k = 0; k < each; k++) {
            to[(k / 2 * sub_lines + place) * 2 + k % 2] = from[q * each + k];
        }
    }
    tables->used += sub_lines * each;
    return to;
}

/* How many roots a stage has in its table: none, unless its radix is a large prime. */
inline size_t roots_of_stage(int radix) {
    return radix > LARGEST_RADIX ? (size_t)(radix / 2) * large_prime_roots((unsigned)radix) : 0;
}

/* Adds them. */
inline void add_roots(line_tables *tables, const factor_list *factors, int s) {
    const unsigned r = (unsigned)factors->radix[s], outputs = large_prime_roots(r);
    const size_t count = roots_of_stage(factors->radix[s]);
    const cpx *from = tables->natural + twiddles_before(factors, s) - stage_roots(r);
    cpx *to = tables->numbers + tables->used;
    for (unsigned i = 0; i < count; i++) {
        to[i] = from[(i / outputs + 1) * (i % outputs) % r];
    }
    tables->used += count;
}

/* Adds those of stages `first` to before `end` of a list, one after the other, which the line then
 * has: a convolution has none. */
inline const cpx *add_all_roots(run_time_line *line, const factor_list *factors, int first, int end,
                                line_tables *tables) {
    const size_t before = tables->used;
    for (int s = first; s < end; s++) {
        add_roots(tables, factors, s);
    }
    line->roots = tables->numbers + before;
    line->root_count = (unsigned)(tables->used - before);
    return line->roots;
}

/* Adds the stages of a list, there or back, to a line whose gaps are known. Afterwards
 * tables->blocks is the order of blocks in which it ends there, which is that in which the same
 * list in reverse begins back; in a convolution that order does not matter. */
inline void add_stages(run_time_line *line, const factor_list *factors, int is_back,
                       line_tables *tables) {
    unsigned sub_lines = 1;
    twiddle_fill(factors, tables->angles, tables->natural);
    const cpx *roots = add_all_roots(line, factors, 0, factors->count, tables);
    for (int s = 0; s < factors->count; s++) {
        unsigned radix = (unsigned)factors->radix[s];
        if (s == 0 && line->count > 0) { /* the first stage back is one with the last one there */
            sub_lines *= radix;
            continue;
        }
        run_time_stage *stage = &line->stages[line->count++];
        int is_last = s + 1 == factors->count;
        bool turns_back = is_last && !is_back && line->chirp != NULL;
        bool is_ordered = is_back ? s == 0 : is_last && !turns_back;
        if (!is_back) {
            blocks_of_stage(factors, s, tables->blocks);
        }
        *(stage_numbers *)stage = numbers_of_stage(*line, *factors, s, is_back, turns_back);
        stage->roots = roots_of_stage(factors->radix[s]) > 0 ? roots : NULL;
        roots += roots_of_stage(factors->radix[s]);
        stage->order = is_ordered && (is_back || s > 0) ? tables->blocks : NULL;
        stage->twiddles = s == 0 ? NULL
                                 : add_twiddles(tables, factors, s, sub_lines,
                                                is_back || is_ordered ? NULL : tables->blocks);
        sub_lines *= radix;
    }
}

/* The last stage there of a line whose values end in its places. */
inline void end_in_places(run_time_line *line) {
    const run_time_stage *last = &line->stages[line->count > 0 ? line->count - 1 : 0];
    line->order = line->count > 1 ? last->order : NULL;
    line->last_butterflies = divider_of(line->count > 1 ? last->butterflies : 1);
}

/* `scratch` is that of chirp_fill(). */
inline void add_convolution(run_time_line *line, line_tables *tables, void *scratch) {
    factor_list there, back;
    factor_line(line->positions, CONVOLVED, 0, &there);
    factor_line(line->positions, CONVOLVED, 1, &back);
    cpx *chirp = tables->numbers, *spectrum = chirp + line->length;
    spectrum += line->length % 2; /* they are loaded two at a time */
    tables->used = (size_t)(spectrum + line->positions - chirp);
    line->chirp = chirp;
    line->chirp_spectrum = spectrum;
    add_stages(line, &there, 0, tables);
    const unsigned butterflies = line->stages[line->count - 1].butterflies;
    add_stages(line, &back, 1, tables);
    line->last_butterflies = divider_of(1);
    cpx *natural = tables->natural;
    chirp_fill(line->length, chirp, natural, scratch);
    for (unsigned f = 0; f < line->positions; f++) {
        unsigned k = f / butterflies, block = tables->blocks[f % butterflies];
        spectrum[(k / 2 * butterflies + block) * 2 + k % 2] = natural[f];
    }
}

/* How a line is entered: in natural order, or where the transform in the other direction has ended
 * in its places. */
enum line_entry { FROM_NATURAL, FROM_PLACES };

inline void move_pointer(const void *pointer, const void *from, void *to, void *moved) {
    const char *there =
        pointer == NULL ? NULL : (char *)to + ((const char *)pointer - (const char *)from);
    memcpy(moved, &there, sizeof there);
}

/* The tables of a line are no longer where they were made, but where kernels have them. */
inline void move_tables(run_time_line *line, const void *host, void *block) {
    move_pointer(line->chirp, host, block, &line->chirp);
    move_pointer(line->chirp_spectrum, host, block, &line->chirp_spectrum);
    move_pointer(line->order, host, block, &line->order);
    move_pointer(line->roots, host, block, &line->roots);
    for (unsigned s = 0; s < line->count; s++) {
        move_pointer(line->stages[s].roots, host, block, &line->stages[s].roots);
        move_pointer(line->stages[s].twiddles, host, block, &line->stages[s].twiddles);
        move_pointer(line->stages[s].order, host, block, &line->stages[s].order);
    }
}

/* The places of a line with such gaps. */
inline unsigned places_of(const run_time_line &line) {
    return padded(line, line.positions);
}

/* How large the tables of a line are. */
struct table_size {
    size_t positions;
    size_t numbers; /* at most: twiddles twice the positions, there and back; the roots of a list */

    /* Of the order there are four in 16 bytes, to which all is aligned. */
    size_t bytes() const {
        return numbers * sizeof(cpx) + (positions + 3) / 4 * 16;
    }
};

inline table_size size_of_tables(size_t length, int axis, int is_inverse) {
    factor_list factors;
    int has_list = factor_line(length, axis, is_inverse, &factors);
    table_size size = {has_list ? length : convolution_length(length), 0};
    size.numbers = 4 * size.positions;
    for (int s = 0; has_list && s < factors.count; s++) {
        size.numbers += roots_of_stage(factors.radix[s]);
    }
    return size;
}

/* *angles is new memory in which all tables of an axis' lines find the angles that they share. */
inline weft_status allocate_angles(size_t length, int axis, void **angles) {
    const size_t bytes = twiddle_scratch(size_of_tables(length, axis, 0).positions);
    TRY(host_memory_holds(bytes));
    *angles = calloc(1, bytes);
    return *angles != NULL ? WEFT_OK
                           : weft_fail(WEFT_NO_MEMORY, "no memory for a table of %zu bytes", bytes);
}

/* Fills in *line and its tables in `block`, as much of the device's memory as they take. */
inline weft_status make_run_time_line(int device, size_t length, int axis, int is_inverse,
                                      line_entry entry, void *angles, run_time_line *line,
                                      void *block) {
    factor_list factors;
    int has_list = factor_line(length, axis, is_inverse, &factors);
    const table_size size = size_of_tables(length, axis, is_inverse);
    const size_t positions = size.positions, bytes = size.bytes();
    const size_t on_host = bytes + 2 * positions * sizeof(cpx);
    const size_t all = on_host + (has_list ? 0 : chirp_scratch(length));
    TRY(host_memory_holds(all));
    char *host = (char *)calloc(1, all);
    if (host == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a table of %zu bytes", all);
    }
    memset(line, 0, sizeof *line);
    line->length = (unsigned)length;
    line->positions = (unsigned)positions;
    line_tables tables = {(cpx *)host, (unsigned *)(host + size.numbers * sizeof(cpx)),
                          (cpx *)(host + bytes), 0, angles};
    if (!has_list) {
        factor_line(positions, CONVOLVED, 0, &factors);
    }
    const bool is_back = has_list && entry == FROM_PLACES;
    const int ends[2] = {factors.radix[0],
                         factors.radix[factors.count > 0 ? factors.count - 1 : 0]};
    if (factors.count > 1) {
        set_gaps(line, has_list ? axis : AXIS_ROW, ends[is_back], ends[!is_back]);
    } else {
        set_gaps(line, AXIS_COLUMN, 1, 1);
    }
    if (is_back) {
        factor_list reversed;
        factor_line(length, axis, !is_inverse, &reversed);
        blocks_of_stage(&reversed, reversed.count > 0 ? reversed.count - 1 : 0, tables.blocks);
        add_stages(line, &factors, 1, &tables);
        line->last_butterflies = divider_of(1);
    } else if (has_list) {
        add_stages(line, &factors, 0, &tables);
        end_in_places(line);
    } else {
        add_convolution(line, &tables, host + on_host);
    }
    for (unsigned b = 0; has_list && factors.count > 1 && b < positions / (unsigned)ends[!is_back];
         b++) {
        tables.blocks[b] = padded(*line, tables.blocks[b] * (unsigned)ends[!is_back]);
    }
    move_tables(line, host, block);
    weft_status status = device_memory.copy_in(device, block, host, bytes);
    free(host);
    return status;
}

} // namespace

#endif
