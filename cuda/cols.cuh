/* SPDX-License-Identifier: MIT
 * The column pass: tiles of complex columns, transformed. Columns 2j and 2j + 1 of an image are one
 * complex column, as they lie side by side; what comes out is tangled still, row k of mid the
 * values Z[k] of all complex columns. The row pass takes them apart.
 */
#ifndef WEFT_CUDA_COLS_CUH
#define WEFT_CUDA_COLS_CUH

#include "divider.cuh"
#include "line.cuh"
#include "mid.cuh"
#include "residence.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct cols_job {
    mid_view image, mid;
    const cpx *twiddles; /* of a column, in the direction of the kernel */
    divider tile_count;  /* in one image: W/2 / tile width */
    unsigned all_tiles;  /* in all images */
    real scale;          /* of the inverse */
};

template <unsigned H, int IS_LITTLE> struct cols_shape {
    typedef line_of<H, IS_LITTLE, 0, 0> forward;
    typedef line_of<H, IS_LITTLE, 0, 1> inverse;
    static constexpr unsigned threads = forward::columns / forward::lines * forward::threads;
    static constexpr unsigned exchanged = exchange_of<forward>::size > exchange_of<inverse>::size
                                              ? exchange_of<forward>::size
                                              : exchange_of<inverse>::size;
    static constexpr unsigned resident =
        resident_blocks(forward::values, threads, exchanged * sizeof(cpx));
};

/* One tile: where in a view it begins. */
template <class Line>
__device__ __forceinline__ real *tile_in(mid_view m, divider tile_count, unsigned tile) {
    return m.values + quotient(tile, tile_count) * m.stride +
           2 * Line::columns * (size_t)remainder_of(tile, tile_count);
}

/* How wide a piece of a row is loaded and stored: one real, a complex column, or 16 bytes. */
enum piece { ONE_REAL, ONE_COLUMN, WIDE };

inline __device__ piece piece_of(mid_view m) {
    return m.is_wide ? WIDE : m.is_paired ? ONE_COLUMN : ONE_REAL;
}

template <class Line, int PIECE>
__device__ __forceinline__ void load_columns(cpx *x, const real *from, size_t pitch) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        const real *place = from + input_offset<Line>(v) * pitch;
        if (PIECE == WIDE && Line::lines == 2) {
            load_two((const cpx *)place, &x[v], &x[Line::points + v]);
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

/* What the thread will begin its next tile with, on its way from there into the exchange, where it
 * keeps the outputs of its first butterflies later: these places are its own. */
template <class Line>
__device__ __forceinline__ void copy_columns_ahead(exchange_of<Line> exchange, unsigned t,
                                                   const real *from, size_t pitch) {
    constexpr unsigned at_once = 16 / sizeof(cpx);
    static_assert(Line::lines % at_once == 0, "a thread copies 16 bytes of a row at a time");
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        WEFT_UNROLL
        for (unsigned l = 0; l < Line::lines; l += at_once) {
            copy_ahead(exchange.at(input_base<Line>(t), input_offset<Line>(v)) + l,
                       from + input_offset<Line>(v) * pitch + 2 * l);
        }
    }
}

/* Tiles of `from` to tiles of `to`; before() and after() see the values in registers. A block that
 * runs ahead copies its next tile into the exchange while the tile before is in its last stage. */
template <class Line, class Before, class After>
__device__ __forceinline__ void transform_tiles(const cols_job &j, mid_view from, mid_view to,
                                                cpx *shared, Before before, After after) {
    constexpr unsigned groups = Line::columns / Line::lines;
    constexpr bool runs_ahead = Line::cols.runs_ahead;
    unsigned within = threadIdx.x % groups * Line::lines, t = threadIdx.x / groups;
    size_t in = input_base<Line>(t) * from.pitch + 2 * within;
    size_t out = output_base<Line>(t) * to.pitch + 2 * within;
    exchange_of<Line> exchange = {shared + within};
    bool is_here = false;
    unsigned tile = blockIdx.x, next;
    do {
        const real *source = tile_in<Line>(from, j.tile_count, tile) + in;
        real *target = tile_in<Line>(to, j.tile_count, tile) + out;
        cpx x[Line::values];
        if (is_here) {
            wait_for_copies();
            WEFT_UNROLL
            for (unsigned v = 0; v < Line::points; v++) {
                exchange.get(input_base<Line>(t), input_offset<Line>(v), x + v);
            }
        } else if (piece_of(from) == WIDE) {
            load_columns<Line, WIDE>(x, source, from.pitch);
        } else if (piece_of(from) == ONE_COLUMN) {
            load_columns<Line, ONE_COLUMN>(x, source, from.pitch);
        } else {
            load_columns<Line, ONE_REAL>(x, source, from.pitch);
        }
        before(x);
        next = runs_ahead ? tile + gridDim.x : j.all_tiles;
        is_here = runs_ahead && from.is_wide && next < j.all_tiles;
        line_dft<Line>(x, t, exchange, j.twiddles, [&]() {
            if constexpr (runs_ahead) {
                if (next < j.all_tiles) {
                    __syncthreads(); /* the last stage has read its values */
                }
                if (is_here) {
                    copy_columns_ahead<Line>(
                        exchange, t, tile_in<Line>(from, j.tile_count, next) + in, from.pitch);
                }
            }
        });
        after(x);
        if (piece_of(to) == WIDE) {
            store_columns<Line, WIDE>(target, to.pitch, x);
        } else if (piece_of(to) == ONE_COLUMN) {
            store_columns<Line, ONE_COLUMN>(target, to.pitch, x);
        } else {
            store_columns<Line, ONE_REAL>(target, to.pitch, x);
        }
        tile = next;
    } while (tile < j.all_tiles);
}

/* in      image[H][W] (forward), mid (inverse)
 * out     mid (forward), image[H][W], times scale (inverse)
 * grid    a block a tile; or, where blocks run ahead, as many as are resident, each takes tile
 * after tile; H/points threads for the complex columns that a thread has, neighbouring threads in
 *         neighbouring columns
 * shared  H complex values a column and the padding, no bank conflicts
 * DRAM    reads and writes the image once
 * sync    2 (stages - 1) - 1 of the block a tile, and one from tile to tile; no value is written
 *         before all of the tile are read */
template <unsigned H, int IS_LITTLE>
__global__ void __launch_bounds__(cols_shape<H, IS_LITTLE>::threads,
                                  cols_shape<H, IS_LITTLE>::resident) cols_forward(cols_job j) {
    WEFT_SHARED(cpx, shared);
    let_next_start(); /* the rows may take their places */
    transform_tiles<typename cols_shape<H, IS_LITTLE>::forward>(
        j, j.image, j.mid, shared, [](cpx *) {}, [](cpx *) {});
}

template <unsigned H, int IS_LITTLE>
__global__ void __launch_bounds__(cols_shape<H, IS_LITTLE>::threads,
                                  cols_shape<H, IS_LITTLE>::resident) cols_inverse(cols_job j) {
    typedef typename cols_shape<H, IS_LITTLE>::inverse line;
    WEFT_SHARED(cpx, shared);
    wait_for_previous(); /* mid is complete */
    transform_tiles<line>(
        j, j.mid, j.image, shared, [](cpx *x) { swap_all<line>(x); },
        [&](cpx *x) {
            WEFT_UNROLL
            for (unsigned v = 0; v < line::values; v++) {
                x[v] = cpx_scale(cpx_swap(x[v]), j.scale);
            }
        });
}

template <unsigned H, int IS_LITTLE>
inline launch_shape cols_launch_shape(unsigned all_tiles, unsigned processors) {
    launch_shape shape = {};
    unsigned most = tuning_of(H).cols[IS_LITTLE].runs_ahead
                        ? cols_shape<H, IS_LITTLE>::resident * processors
                        : all_tiles;
    shape.blocks = all_tiles < most ? all_tiles : most;
    shape.threads = cols_shape<H, IS_LITTLE>::threads;
    shape.shared_bytes = cols_shape<H, IS_LITTLE>::exchanged * sizeof(cpx);
    return shape;
}

} // namespace

#endif
