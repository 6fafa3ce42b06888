/* SPDX-License-Identifier: MIT
 * Tiles of complex columns, between registers and memory: columns 2j and 2j + 1 of an image are one
 * complex column, as they lie side by side. What a thread has of a tile lies at `first`, counted in
 * elements, and at constant offsets in rows from there.
 */
#ifndef WEFT_CUDA_TILES_CUH
#define WEFT_CUDA_TILES_CUH

#include "divider.cuh"
#include "line_dft.cuh"
#include "mid.cuh"

namespace {

/* Where a tile begins: of a view, mid_view or pixel_view, in elements. */
template <class Line, class View>
__device__ __forceinline__ size_t tile_place(const View &view, divider tile_count, unsigned tile) {
    return quotient(tile, tile_count) * view.stride +
           2 * Line::columns * (size_t)remainder_of(tile, tile_count);
}

/* ---- reals ------------------------------------------------------------------------------------
 */

/* How wide a piece of a row is loaded and stored: one real, a complex column, or 16 bytes. */
enum piece { ONE_REAL, ONE_COLUMN, WIDE };

template <class Line, int PIECE, bool STAYS>
__device__ __forceinline__ void load_columns(cpx *x, const real *from, size_t pitch) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        const real *place = from + input_offset<Line>(v) * pitch;
        if (PIECE == WIDE && Line::lines == 2) {
            read_two<STAYS>((const cpx *)place, &x[v], &x[Line::points + v]);
        } else {
            WEFT_UNROLL
            for (unsigned l = 0; l < Line::lines; l++) {
                x[l * Line::points + v] = load_reals<PIECE != ONE_REAL>(place + 2 * l);
            }
        }
    }
}

template <class Line, int PIECE>
__device__ __forceinline__ void store_columns(real *to, size_t pitch, const cpx *x) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        real *place = to + output_offset<Line>(v) * pitch;
        if (PIECE == WIDE && Line::lines == 2) {
            write_two((cpx *)place, x[v], x[Line::points + v]);
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
__device__ __forceinline__ void load_tile(cpx *x, const mid_view &m, size_t first,
                                          bool stays_in_cache) {
    const real *from = m.values + first;
    if (m.is_wide && stays_in_cache) {
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
__device__ __forceinline__ void store_tile(const mid_view &m, size_t first, const cpx *x) {
    real *to = m.values + first;
    if (m.is_wide) {
        store_columns<Line, WIDE>(to, m.pitch, x);
    } else if (m.is_paired) {
        store_columns<Line, ONE_COLUMN>(to, m.pitch, x);
    } else {
        store_columns<Line, ONE_REAL>(to, m.pitch, x);
    }
}

/* What the thread will begin its next tile with, on its way from memory into the exchange, where it
 * keeps the outputs of its first butterflies later: its own places in both. */
template <class Line> struct next_tile {
    static constexpr unsigned bytes = Line::lines * sizeof(cpx) < 16 ? sizeof(cpx) : 16;
    exchange_of<Line> exchange;
    unsigned t;
    bool stays_in_cache;
    __device__ __forceinline__ bool can_come_from(const mid_view &m) const {
        return bytes == 2 * sizeof(real) ? m.is_paired : m.is_wide;
    }
    __device__ __forceinline__ void copy(const mid_view &m, size_t first) const {
        static_assert(Line::parts == 1, "what a part begins with is all over");
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            cpx *to = exchange.at(input_base<Line>(t), input_offset<Line>(v));
            WEFT_UNROLL
            for (unsigned l = 0; l < Line::lines; l += bytes / sizeof(cpx)) {
                copy_ahead<bytes>(to + l,
                                  m.values + first + input_offset<Line>(v) * m.pitch + 2 * l,
                                  stays_in_cache);
            }
        }
    }
    __device__ __forceinline__ void take(cpx *x) const {
        wait_for_copies();
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            exchange.get(input_base<Line>(t), input_offset<Line>(v), x + v);
        }
    }
};

} // namespace

#endif
