/* SPDX-License-Identifier: MIT
 * Loads and stores tiles of complex columns: columns 2j and 2j + 1 of an image are one complex
 * column, as they lie side by side. What a thread has of a tile lies at `first`, counted in
 * elements, and at constant offsets in rows from there.
 */
#ifndef WEFT_CUDA_PASSES_TILES_CUH
#define WEFT_CUDA_PASSES_TILES_CUH

#include "base/divider.cuh"
#include "line/power.cuh"
#include "passes/intermediate.cuh"

namespace {

/* Where a tile begins in a real_view or a pixel_view, in elements. */
template <class Line, class View>
__device__ __forceinline__ size_t tile_place(const View &view, divider tile_count, unsigned tile) {
    return quotient(tile, tile_count) * view.stride +
           2 * Line::columns * (size_t)remainder_of(tile, tile_count);
}

/* ---- reals ----------------------------------------------------------------------------------- */

/* How wide a piece of a row is loaded and stored: one real, a complex column, or 16 bytes. */
enum piece { ONE_REAL, ONE_COLUMN, WIDE };

template <class Line, int PIECE, bool IS_CACHED>
__device__ __forceinline__ void load_columns(cpx *x, const scalar *from, size_t pitch) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        const scalar *place = from + input_offset<Line>(v) * pitch;
        if (PIECE == WIDE && Line::lines == 2) {
            read_two<IS_CACHED>((const cpx *)place, &x[v], &x[Line::points + v]);
        } else {
            WEFT_UNROLL
            for (unsigned l = 0; l < Line::lines; l++) {
                x[l * Line::points + v] = load_reals<PIECE != ONE_REAL>(place + 2 * l);
            }
        }
    }
}

template <class Line, int PIECE, bool IS_CACHED>
__device__ __forceinline__ void store_columns(scalar *to, size_t pitch, const cpx *x) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        scalar *place = to + output_offset<Line>(v) * pitch;
        if (PIECE == WIDE && Line::lines == 2) {
            write_two<IS_CACHED>((cpx *)place, x[v], x[Line::points + v]);
        } else {
            WEFT_UNROLL
            for (unsigned l = 0; l < Line::lines; l++) {
                cpx value = x[l * Line::points + v];
                store_reals<PIECE != ONE_REAL>(place + 2 * l, value.re, value.im);
            }
        }
    }
}

template <class Line>
__device__ __forceinline__ void load_tile(cpx *x, const real_view &m, size_t first,
                                          bool is_cached) {
    const scalar *from = m.values + first;
    if (m.is_wide && is_cached) {
        load_columns<Line, WIDE, true>(x, from, m.pitch);
    } else if (m.is_wide) {
        load_columns<Line, WIDE, false>(x, from, m.pitch);
    } else if (m.is_paired) {
        load_columns<Line, ONE_COLUMN, true>(x, from, m.pitch);
    } else {
        load_columns<Line, ONE_REAL, true>(x, from, m.pitch);
    }
}

template <class Line>
__device__ __forceinline__ void store_tile(const real_view &m, size_t first, const cpx *x,
                                           bool is_cached = true) {
    scalar *to = m.values + first;
    if (m.is_wide && is_cached) {
        store_columns<Line, WIDE, true>(to, m.pitch, x);
    } else if (m.is_wide) {
        store_columns<Line, WIDE, false>(to, m.pitch, x);
    } else if (m.is_paired) {
        store_columns<Line, ONE_COLUMN, true>(to, m.pitch, x);
    } else {
        store_columns<Line, ONE_REAL, true>(to, m.pitch, x);
    }
}

/* Asks L2 for what the thread would begin its tile at `first` with, where tiles are whole cache
 * lines: one thread asks for each line. */
template <class Line>
__device__ __forceinline__ void prefetch_tile(const real_view &m, size_t first, unsigned within) {
    constexpr unsigned reals = 128 / sizeof(scalar);
    if constexpr (2 * Line::columns % reals == 0) {
        if (2 * within % reals == 0) {
            WEFT_UNROLL
            for (unsigned v = 0; v < Line::points; v++) {
                prefetch_to_cache(m.values + first + input_offset<Line>(v) * m.pitch);
            }
        }
    }
}

} // namespace

#endif
