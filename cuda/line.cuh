/* SPDX-License-Identifier: MIT
 * A line transformed by several threads, each with `points` of its values in registers: the stages
 * of src/arith with exchanges through shared memory between them. Knows no image and no global
 * memory but the twiddles, and no length: a Line is a compile-time list of radices.
 */
#ifndef WEFT_CUDA_LINE_CUH
#define WEFT_CUDA_LINE_CUH

#include "arith/butterfly.h"
#include "arith/twiddle.h"
#include "kernel.cuh"
#include "tuning.cuh"
#include "vectors.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

constexpr factor_list list_of(size_t n, int is_inverse) {
    factor_list list = {};
    factor_length_for(n, is_inverse, &list);
    return list;
}

/* A Line: N values in one direction, a row or a column. A thread works on the same butterflies of
 * `lines` of them, so that a twiddle is loaded once for all: x[l * points + v] is its value v of
 * line l. A tile of columns lies side by side in shared memory, a thread's next to one another;
 * rows lie one after the other.
 *
 * A Line may be too long for a block: then the `parts` blocks of a cluster share it. The first
 * stage cuts a line into as many sub-lines as its radix, which have nothing to do with one another
 * any more; each block gets some of them, its part, and goes on alone. So does the last stage
 * backwards: what a part ends with are the values whose index modulo the first radix is one of its
 * sub-lines; it begins with such of the last radix, so that a transform can go on where its inverse
 * ended. A thread's number t counts through the parts: those of the first part come first. */
template <unsigned N, int CUT, int IS_ROW, int IS_INVERSE> struct line_of {
    static constexpr factor_list factors = list_of(N, IS_INVERSE);
    static constexpr cols_tuning cols = tuning_of(N).cols[CUT];
    static constexpr rows_tuning rows = tuning_of(N).rows[CUT];
    static constexpr int last_stage = factors.count - 1;
    static constexpr unsigned parts = IS_ROW ? rows.parts : cols.parts;
    static constexpr unsigned whole = N, length = N / parts; /* length: of the part */
    static constexpr unsigned first_radix = (unsigned)factors.radix[0];
    static constexpr unsigned last_radix = (unsigned)factors.radix[last_stage];
    static constexpr unsigned columns = IS_ROW ? 1 : cols.tile;
    static constexpr unsigned points = IS_ROW ? rows.points : cols.points;
    static constexpr unsigned lines = IS_ROW ? rows.each : cols.each;
    static constexpr unsigned values = lines * points;
    static constexpr unsigned threads = length / points;
    static constexpr bool is_row = IS_ROW;
    static constexpr enum stay stay = IS_ROW ? rows.stay : cols.stay;
    static constexpr bool stays = CUT == COOPERATIVE || stay != LEAVES;
    /* Rows of one warp need no barrier of the block. */
    static constexpr bool is_in_warp = IS_ROW && threads <= 32;
    /* The stage of a row in which a thread's two butterflies, if it has two, are neighbours, so
     * that it holds pairs of neighbouring values of the row: the first stage, of the inverse the
     * last.
     */
    static constexpr int paired_stage = IS_INVERSE ? last_stage : 0;
    static constexpr bool has_pairs =
        IS_ROW && points == 2 * (IS_INVERSE ? last_radix : first_radix);
    static_assert(parts <= 8, "clusters of any GPU");
    static_assert(!has_pairs || parts == 1 || (first_radix >= 2 * parts && last_radix >= 2 * parts),
                  "neighbours stay in one part");
};

/* One stage of it: radix, the butterflies of each thread, and m, the distance between a butterfly's
 * inputs. Butterfly b = q m + j is number j of sub-line q; see cpu_ref/line.c for the same stage in
 * a plain loop. */
template <class Line, int STAGE> struct stage_of {
    static constexpr unsigned radix = (unsigned)Line::factors.radix[STAGE];
    static constexpr unsigned each = Line::points / radix;
    static constexpr unsigned m = stage_of<Line, STAGE - 1>::m / radix;
    static constexpr unsigned twiddles =
        (unsigned)twiddles_before(Line::whole, &Line::factors, STAGE);
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

/* t of the thread `index` of its block that work on the line. */
template <class Line> __device__ __forceinline__ unsigned number_in_line(unsigned index) {
    return Line::parts == 1 ? index : rank_in_cluster() * Line::threads + index;
}

/* Before the exchange gets values: those of the task before have been read, if there was one, and
 * the blocks that share it have begun. */
template <class Line> __device__ __forceinline__ void sync_before_task(bool is_first) {
    if constexpr (Line::parts > 1) {
        WEFT_CLUSTER_SYNC();
    } else if (Line::stays && !is_first) {
        __syncthreads();
    }
}

/* The thread's butterfly number i of its part: butterfly_base plus i butterfly_steps. */
template <class Line, int STAGE> __device__ __forceinline__ unsigned butterfly_base(unsigned t) {
    return stage_of<Line, STAGE>::is_paired ? 2 * in_part<Line>(t) : in_part<Line>(t);
}

template <class Line, int STAGE> constexpr __device__ __forceinline__ unsigned butterfly_step() {
    return stage_of<Line, STAGE>::is_paired ? 1 : Line::threads;
}

/* Index in the line of the thread's value v, before the first stage and after the last, in two
 * parts: the thread's, and a constant. `index` of a part is in the line what in_line() says, when
 * the other end of the transform has this radix. */
template <class Line, unsigned RADIX>
__device__ __forceinline__ unsigned in_line(unsigned index, unsigned part) {
    constexpr unsigned own = RADIX / Line::parts;
    static_assert(RADIX % Line::parts == 0, "a part has whole sub-lines");
    return Line::parts == 1 ? index : index / own * RADIX + part * own + index % own;
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

/* Where the values of a line are kept between stages: Line::columns lines side by side, and padding
 * after as many values as lie between the threads of the last stage, which reads at that distance:
 * so neighbouring threads find them in different banks. Offsets are constants whose bits do not
 * overlap those of base where it matters, so that a padded address is base plus a constant. */
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
    /* One value of each of the thread's lines: x[0], x[points], ... */
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
    /* The same of another block of the cluster. */
    __device__ __forceinline__ exchange_of of_part(unsigned part) const {
        return {of_block(values, part)};
    }
    __device__ __forceinline__ void sync() const {
        if (Line::is_in_warp) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }
    /* The same for all the blocks that share the line. */
    __device__ __forceinline__ void sync_parts() const {
        if constexpr (Line::parts > 1) {
            WEFT_CLUSTER_SYNC();
        } else {
            sync();
        }
    }
};

/* The twiddles of butterfly number i, asked for before it is computed: they take a while. */
template <class Line, int STAGE>
__device__ __forceinline__ void load_twiddles(cpx *w, unsigned b, const cpx *twiddles) {
    typedef stage_of<Line, STAGE> here;
    const cpx *own = twiddles + here::twiddles + 2 * (b % here::m);
    WEFT_UNROLL
    for (unsigned k = 0; k < here::radix; k += 2) {
        load_two_constant(own + k * here::m, &w[k], &w[k + 1]);
    }
}

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

/* Butterflies in registers, the twiddles of the next sub-lines, and the values on their way; a
 * thread's neighbours write neighbouring values. */
template <class Line, int STAGE>
__device__ __forceinline__ void compute_stage(cpx *x, unsigned t, exchange_of<Line> exchange,
                                              const cpx *twiddles) {
    typedef stage_of<Line, STAGE> here;
    typedef outputs_of<Line, STAGE> outputs;
    constexpr unsigned radix = here::radix;
    outputs to = {exchange};
    unsigned b = outputs::first_butterfly(t);
    if constexpr (here::is_paired) {
        cpx w[radix], next_w[radix];
        WEFT_UNROLL
        for (unsigned k = 1; k < radix; k++) {
            load_two_constant(twiddles + here::twiddles + twiddle_index(here::m, b, k), &w[k],
                              &next_w[k]);
        }
        WEFT_UNROLL
        for (unsigned l = 0; l < Line::lines; l++) {
            cpx *y = x + l * Line::points, *z = y + radix;
            butterfly(y, (int)radix);
            butterfly(z, (int)radix);
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                store_two(
                    to.of(k).at(b, outputs::offset(k)) + l * exchange_of<Line>::from_line_to_line,
                    k > 0 ? cpx_mul(y[k], w[k]) : y[k], k > 0 ? cpx_mul(z[k], next_w[k]) : z[k]);
            }
        }
    } else {
        WEFT_UNROLL
        for (unsigned i = 0; i < here::each; i++) {
            unsigned own_b = b + i * (Line::threads * outputs::parts);
            cpx w[radix], *y = x + i * radix;
            load_twiddles<Line, STAGE>(w, own_b, twiddles);
            WEFT_UNROLL
            for (unsigned l = 0; l < Line::lines; l++) {
                butterfly(y + l * Line::points, (int)radix);
                WEFT_UNROLL
                for (unsigned k = 1; k < radix; k++) {
                    y[l * Line::points + k] = cpx_mul(y[l * Line::points + k], w[k]);
                }
            }
            WEFT_UNROLL
            for (unsigned k = 0; k < radix; k++) {
                to.of(k).put(own_b, outputs::offset(k), y + k);
            }
        }
    }
}

/* A stage reads sub-line by sub-line. */
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

template <class Line, int STAGE, class Done>
__device__ __forceinline__ void stages_from(cpx *x, unsigned t, exchange_of<Line> exchange,
                                            const cpx *twiddles, Done done) {
    if constexpr (stage_of<Line, STAGE>::is_last) {
        done();
        WEFT_UNROLL
        for (unsigned i = 0; i < Line::values / Line::last_radix; i++) {
            butterfly(x + i * Line::last_radix, (int)Line::last_radix);
        }
    } else {
        if (STAGE > 0) {
            exchange.sync(); /* the values of the exchange before have all been read */
        }
        compute_stage<Line, STAGE>(x, t, exchange, twiddles);
        if (STAGE > 0) {
            exchange.sync();
        } else {
            exchange.sync_parts();
        }
        read_stage<Line, STAGE + 1>(x, t, exchange);
        stages_from<Line, STAGE + 1>(x, t, exchange, twiddles, done);
    }
}

/* The DFT of a line: a thread brings x[v] = value input_base + input_offset(v) and gets value
 * output_base + output_offset(v). Every thread of the block must call it, and of a cluster that
 * shares the line; all its blocks must have begun. done() is called when it wants nothing more of
 * the exchange. sync: 2 (stages - 1) - 1, the first one of the cluster if it shares the line. */
template <class Line, class Done>
__device__ __forceinline__ void line_dft(cpx *x, unsigned t, exchange_of<Line> exchange,
                                         const cpx *twiddles, Done done) {
    stages_from<Line, 0>(x, t, exchange, twiddles, done);
}

/* What an inverse transform begins and ends with, see cpx_swap(). */
template <class Line> __device__ __forceinline__ void swap_all(cpx *x) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::values; v++) {
        x[v] = cpx_swap(x[v]);
    }
}

} // namespace

#endif
