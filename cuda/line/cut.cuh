/* SPDX-License-Identifier: MIT
 * What a line has to know of the pass that transforms it: how many values a thread has, how many
 * lines a block, and how its blocks live. A Cut is a type with two functions of a length, cols()
 * and rows(). This file has those that are as the table says; a pass that needs something else has
 * a Cut of its own, which changes one of these.
 */
#ifndef WEFT_CUDA_LINE_CUT_CUH
#define WEFT_CUDA_LINE_CUT_CUH

#include <type_traits>

#include "tuning.cuh"

namespace {

struct cols_cut {
    unsigned points, tile, each, parts; /* as of cols_tuning */
    bool is_persistent;                 /* a block takes tile after tile */
    bool uses_tma;                      /* tiles come in TMA tiles where they can */
    bool buffers_tma;                   /* some of these have buffers of their own */
    bool prefetches_twiddles;           /* a barrier before they are wanted, see twiddles.cuh */
};

struct rows_cut {
    unsigned points, lines, each, resident, parts; /* as of rows_tuning */
    bool is_persistent;                            /* a block takes slots after slots */
    bool is_bulk;                                  /* rows come and go in bulk */
    bool is_alone; /* the threads of a row have a barrier of their own: others do other rows */
    bool prefetches_twiddles;
    /* A thread that does several rows may hold twiddles in registers: all but so many, forward and
     * inverse. 0: it holds none. */
    unsigned unheld[2];
};

/* ---- of two cuts that are alike, one ---------------------------------------------------------
 * Many lines and few are cut alike at half of the lengths; what has one type is compiled once. Each
 * member has a name here, so that one that is added has to be compared, too.
 */

constexpr bool are_alike(const cols_cut &a, const cols_cut &b) {
    const auto &[points, tile, each, parts, is_persistent, uses_tma, buffers_tma, prefetches] = a;
    return points == b.points && tile == b.tile && each == b.each && parts == b.parts &&
           is_persistent == b.is_persistent && uses_tma == b.uses_tma &&
           buffers_tma == b.buffers_tma && prefetches == b.prefetches_twiddles;
}

constexpr bool are_alike(const rows_cut &a, const rows_cut &b) {
    const auto &[points, lines, each, resident, parts, is_persistent, is_bulk, is_alone, prefetches,
                 unheld] = a;
    return points == b.points && lines == b.lines && each == b.each && resident == b.resident &&
           parts == b.parts && is_persistent == b.is_persistent && is_bulk == b.is_bulk &&
           is_alone == b.is_alone && prefetches == b.prefetches_twiddles &&
           unheld[0] == b.unheld[0] && unheld[1] == b.unheld[1];
}

/* Cut, or First, if that cuts columns or rows of N values alike. */
template <unsigned N, class Cut, class First>
using cols_cut_of = std::conditional_t<are_alike(Cut::cols(N), First::cols(N)), First, Cut>;
template <unsigned N, class Cut, class First>
using rows_cut_of = std::conditional_t<are_alike(Cut::rows(N), First::rows(N)), First, Cut>;

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Rows are loaded by their threads. */
template <int TUNING> struct table_cut {
    static constexpr cols_cut cols(unsigned length) {
        cols_tuning t = tuning_of(length).cols[TUNING];
        cols_cut cut = {};
        cut.points = t.points;
        cut.tile = t.tile;
        cut.each = t.each;
        cut.parts = t.parts;
        cut.is_persistent = t.blocks == PERSISTENT;
        cut.uses_tma = cut.buffers_tma = cut.is_persistent;
        /* Then a multiprocessor has few threads, and shared memory has left little of L1. */
        cut.prefetches_twiddles = cut.is_persistent;
        return cut;
    }
    static constexpr rows_cut rows(unsigned length) {
        rows_tuning t = tuning_of(length).rows[TUNING];
        rows_cut cut = {};
        cut.points = t.points;
        cut.lines = t.lines;
        cut.each = t.each;
        cut.resident = t.resident;
        cut.parts = t.parts;
        return cut;
    }
};

/* Rows come and go in bulk, in this direction, where the table says so. Inverse rows cannot hold
 * their twiddles, and prefetch them. */
template <int TUNING, int IS_INVERSE> struct bulk_cut : table_cut<TUNING> {
    static constexpr rows_cut rows(unsigned length) {
        rows_tuning t = tuning_of(length).rows[TUNING];
        rows_cut cut = table_cut<TUNING>::rows(length);
        unsigned resident = IS_INVERSE ? t.bulk_inverse : t.bulk_forward;
        if (resident > 0) {
            cut.resident = resident;
            cut.is_persistent = cut.is_bulk = true;
            cut.prefetches_twiddles = IS_INVERSE;
            cut.unheld[0] = 32;
            cut.unheld[1] = 48;
        }
        return cut;
    }
};

/* A row by itself: no other one in its threads, and no other block with a part of it. */
template <int TUNING> struct one_row_cut : table_cut<TUNING> {
    static constexpr rows_cut rows(unsigned length) {
        rows_cut cut = table_cut<TUNING>::rows(length);
        cut.lines = cut.each = cut.parts = 1;
        return cut;
    }
};

/* The threads of a block are workers, each of which does one row after another. */
template <unsigned RESIDENT, unsigned UNHELD_FORWARD, unsigned UNHELD_INVERSE>
struct worker_cut : one_row_cut<MANY_LINES> {
    static constexpr rows_cut rows(unsigned length) {
        rows_cut cut = one_row_cut<MANY_LINES>::rows(length);
        cut.resident = RESIDENT;
        cut.is_alone = true;
        cut.unheld[0] = UNHELD_FORWARD;
        cut.unheld[1] = UNHELD_INVERSE;
        return cut;
    }
};

} // namespace

#endif
