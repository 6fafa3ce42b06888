/* SPDX-License-Identifier: MIT
 * Transforms a line by several threads, each of which has `points` of its values in registers: the
 * stages of src/arith, with exchanges through shared memory between them.
 */
#ifndef WEFT_CUDA_LINE_POWER_CUH
#define WEFT_CUDA_LINE_POWER_CUH

#include "arith/butterfly.h"
#include "line/line.cuh"
#include "line/pairs.cuh"
#include "line/twiddles.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Where the values of a line lie between stages: Line::columns lines side by side, and padding
 * after as many values as lie between the threads of the last stage, which reads at that distance;
 * so neighbouring threads find their values in different banks. Offsets are constants whose bits do
 * not overlap those of base where it matters, so that a padded address is base plus a constant. */
template <class Line> struct exchange_of {
    cpx *values;
    static constexpr unsigned period =
        Line::last_radix * (stage_of<Line, Line::last_stage>::is_paired ? 2 : 1);
    static constexpr unsigned padding = Line::is_row ? 16 / sizeof(cpx) : 1;
    static constexpr unsigned size =
        (Line::length + Line::length / period * padding) * Line::columns;
    static constexpr unsigned from_line_to_line = Line::is_row ? size : 1;
    static constexpr bool has_neighbours = !Line::is_row && Line::lines == 2;

    static constexpr __device__ __forceinline__ unsigned padded(unsigned i) {
        return (i + i / period * padding) * Line::columns;
    }
    __device__ __forceinline__ cpx *at(unsigned base, unsigned offset) const {
        return values + padded(base) + padded(offset);
    }
    /* put() and get() move one value of each of the thread's lines: x[0], x[points], ... */
    __device__ __forceinline__ void put(unsigned base, unsigned offset, const cpx *x) const {
        if constexpr (has_neighbours) {
            store_two(at(base, offset), x[0], x[Line::points]);
        } else {
            WEFT_UNROLL
            for (unsigned l = 0; l < Line::lines; l++) {
                at(base, offset)[l * from_line_to_line] = x[l * Line::points];
            }
        }
    }
    __device__ __forceinline__ void get(unsigned base, unsigned offset, cpx *x) const {
        if constexpr (has_neighbours) {
            load_two(at(base, offset), &x[0], &x[Line::points]);
        } else {
            WEFT_UNROLL
            for (unsigned l = 0; l < Line::lines; l++) {
                x[l * Line::points] = at(base, offset)[l * from_line_to_line];
            }
        }
    }
    /* The exchange of another block of the cluster. */
    __device__ __forceinline__ exchange_of of_part(unsigned part) const {
        return {of_block(values, part)};
    }
    __device__ __forceinline__ void sync() const {
        if (Line::is_in_warp) {
            __syncwarp();
        } else if (Line::is_alone) {
            named_barrier_sync(1 + threadIdx.x / Line::threads, Line::threads);
        } else {
            __syncthreads();
        }
    }
    /* A barrier of all the blocks that share the line. */
    __device__ __forceinline__ void sync_parts() const {
        if constexpr (Line::parts > 1) {
            WEFT_CLUSTER_SYNC();
        } else {
            sync();
        }
    }
};

/* Where a stage's outputs go: output k of butterfly b is value b + k N / radix of the line. The
 * first stage of a line in parts sends each sub-line to the block that has it. */
template <class Line, int STAGE> struct outputs_of {
    static constexpr bool is_shared = Line::parts > 1 && STAGE == 0;
    static constexpr unsigned parts = is_shared ? Line::parts : 1;
    static constexpr unsigned own = stage_of<Line, STAGE>::radix / parts;
    static constexpr unsigned step = Line::length / own;
    static_assert(own == 1 || step % exchange_of<Line>::period == 0 || !is_shared,
                  "padding adds up");
    exchange_of<Line> exchange;
    static __device__ __forceinline__ unsigned first_butterfly(unsigned t) {
        return is_shared ? input_base<Line>(t) : butterfly_base<Line, STAGE>(t);
    }
    __device__ __forceinline__ exchange_of<Line> of(unsigned k) const {
        if constexpr (is_shared) {
            return exchange.of_part(k / own);
        } else {
            return exchange;
        }
    }
    static constexpr __device__ __forceinline__ unsigned offset(unsigned k) {
        return k % own * step;
    }
};

/* Does a stage's butterflies, in registers. */
template <class Line, int STAGE, class Twiddles>
__device__ __forceinline__ void compute_stage(cpx *x, unsigned t, const Twiddles &twiddles) {
    typedef stage_of<Line, STAGE> here;
    constexpr int radix = (int)here::radix;
    WEFT_UNROLL
    for (unsigned i = 0; i < here::each; i++) {
        cpx w[radix], *own = x + i * here::radix;
        unsigned b = butterfly_base<Line, STAGE>(t) + i * butterfly_step<Line, STAGE>();
        WEFT_UNROLL
        for (int step = 0; step < (here::is_turned ? turned_steps(radix) : 1); step++) {
            if constexpr (here::is_turned) {
                twiddles.template of<STAGE>(w, (unsigned)twiddles_of_steps(radix, step),
                                            (unsigned)twiddles_of_steps(radix, step + 1), i,
                                            sub_line_of<Line, STAGE>(b, t));
            }
            WEFT_UNROLL
            for (unsigned l = 0; l < Line::lines; l++) {
                if constexpr (here::is_turned) {
                    turned_step(own + l * Line::points, w, CONSTANT_INT(radix), step);
                } else {
                    butterfly(own + l * Line::points, CONSTANT_INT(radix));
                }
            }
        }
    }
}

/* Writes a stage's outputs; neighbouring threads write neighbouring values. */
template <class Line, int STAGE>
__device__ __forceinline__ void write_stage(const cpx *x, unsigned t, exchange_of<Line> exchange) {
    typedef stage_of<Line, STAGE> here;
    typedef outputs_of<Line, STAGE> outputs;
    constexpr unsigned radix = here::radix;
    outputs to = {exchange};
    unsigned b = outputs::first_butterfly(t);
    if constexpr (here::is_paired) {
        WEFT_UNROLL
        for (unsigned l = 0; l < Line::lines; l++) {
            const cpx *y = x + l * Line::points;
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                store_two(to.of(k).at(b, outputs::offset(k)) +
                              l * exchange_of<Line>::from_line_to_line,
                          y[k], y[radix + k]);
            }
        }
    } else {
        WEFT_UNROLL
        for (unsigned i = 0; i < here::each; i++) {
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                to.of(k).put(b + i * (Line::threads * outputs::parts), outputs::offset(k),
                             x + i * radix + k);
            }
        }
    }
}

/* Reads a stage's inputs, sub-line by sub-line. */
template <class Line, int STAGE>
__device__ __forceinline__ void read_stage(cpx *x, unsigned t, exchange_of<Line> exchange) {
    typedef stage_of<Line, STAGE> here;
    constexpr unsigned radix = here::radix, m = here::m;
    WEFT_UNROLL
    for (unsigned i = 0; i < here::each; i++) {
        unsigned b = butterfly_base<Line, STAGE>(t) + i * butterfly_step<Line, STAGE>();
        unsigned first = b / m * (m * radix) + b % m;
        if constexpr (m == 1 && Line::is_row) {
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k += 2) {
                WEFT_UNROLL
                for (unsigned l = 0; l < Line::lines; l++) {
                    cpx *y = x + l * Line::points + i * radix + k;
                    load_two(exchange.at(first, k) + l * exchange_of<Line>::from_line_to_line,
                             &y[0], &y[1]);
                }
            }
        } else {
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                exchange.get(first, k * m, x + i * radix + k);
            }
        }
    }
}

template <class Line, int STAGE, class Twiddles, class Done>
__device__ __forceinline__ void stages_from(cpx *x, unsigned t, exchange_of<Line> exchange,
                                            Twiddles &twiddles, Done done) {
    if constexpr (stage_of<Line, STAGE>::is_last) {
        done();
        compute_stage<Line, STAGE>(x, t, twiddles);
    } else {
        if (STAGE > 0) {
            exchange.sync(); /* the values of the exchange before have all been read */
        }
        compute_stage<Line, STAGE>(x, t, twiddles);
        write_stage<Line, STAGE>(x, t, exchange);
        if constexpr (STAGE + 1 > Line::first_turned) {
            twiddles.template prefetch<STAGE + 1>(t);
        }
        if (STAGE > 0) {
            exchange.sync();
        } else {
            exchange.sync_parts();
        }
        read_stage<Line, STAGE + 1>(x, t, exchange);
        stages_from<Line, STAGE + 1>(x, t, exchange, twiddles, done);
    }
}

/* The DFT of a line: x[v] of a thread is value input_base + input_offset(v) before, and value
 * output_base + output_offset(v) after. Every thread of the block must call it, or of the cluster
 * that shares the line, all of whose blocks must have begun. done() is called when the exchange has
 * been read for the last time. The first twiddles must have been prefetched. sync: 2 (stages - 1)
 * - 1, the first one of the cluster if it shares the line. */
template <class Line, class Twiddles, class Done>
__device__ __forceinline__ void line_dft(cpx *x, unsigned t, exchange_of<Line> exchange,
                                         Twiddles &&twiddles, Done done) {
    stages_from<Line, 0>(x, t, exchange, twiddles, done);
}

/* An inverse transform begins and ends with this, see cpx_swap(). */
template <class Line> __device__ __forceinline__ void swap_all(cpx *x) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::values; v++) {
        x[v] = cpx_swap(x[v]);
    }
}

} // namespace

#endif
