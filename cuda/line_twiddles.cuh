/* SPDX-License-Identifier: MIT
 * The twiddles of a line as a thread gets them: out of the plan's table, each time; or kept in
 * registers by a thread that does the same work on line after line.
 */
#ifndef WEFT_CUDA_LINE_TWIDDLES_CUH
#define WEFT_CUDA_LINE_TWIDDLES_CUH

#include "line.cuh"
#include "vectors.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Both kinds have of_pair(), of butterflies b and b + 1: w[k] and w[radix + k]; and of_one(), of
 * the thread's butterfly number i of the stage, which is b: w[k]. w[0] is 1 and not to be used. */
template <class Line> struct table_twiddles {
    const cpx *table;
    template <int STAGE> __device__ __forceinline__ void of_pair(cpx *w, unsigned b) const {
        typedef stage_of<Line, STAGE> here;
        WEFT_UNROLL
        for (unsigned k = 1; k < here::radix; k++) {
            load_two_constant(table + here::twiddles + twiddle_index(here::m, b, k), &w[k],
                              &w[here::radix + k]);
        }
    }
    template <int STAGE>
    __device__ __forceinline__ void of_one(cpx *w, unsigned, unsigned b) const {
        typedef stage_of<Line, STAGE> here;
        const cpx *own = table + here::twiddles + 2 * (b % here::m);
        WEFT_UNROLL
        for (unsigned k = 0; k < here::radix; k += 2) {
            load_two_constant(own + k * here::m, &w[k], &w[k + 1]);
        }
    }
};

/* The first stages', which are most of all, kept; the others out of the table. */
template <class Line> struct held_twiddles {
    table_twiddles<Line> all;
    cpx held[Line::held_stages][Line::points];
    __device__ __forceinline__ held_twiddles(const cpx *table, unsigned t) : all{table} {
        hold<0>(t);
    }
    template <int STAGE> __device__ __forceinline__ void of_pair(cpx *w, unsigned b) const {
        constexpr unsigned radix = stage_of<Line, STAGE>::radix;
        if constexpr (STAGE < Line::held_stages) {
            copy<radix>(w, held[STAGE]);
            copy<radix>(w + radix, held[STAGE] + radix);
        } else {
            all.template of_pair<STAGE>(w, b);
        }
    }
    template <int STAGE>
    __device__ __forceinline__ void of_one(cpx *w, unsigned i, unsigned b) const {
        constexpr unsigned radix = stage_of<Line, STAGE>::radix;
        if constexpr (STAGE < Line::held_stages) {
            copy<radix>(w, held[STAGE] + i * radix);
        } else {
            all.template of_one<STAGE>(w, i, b);
        }
    }

  private:
    template <unsigned RADIX>
    static __device__ __forceinline__ void copy(cpx *to, const cpx *from) {
        WEFT_UNROLL
        for (unsigned k = 1; k < RADIX; k++) {
            to[k] = from[k];
        }
    }
    template <int STAGE> __device__ __forceinline__ void hold(unsigned t) {
        if constexpr (STAGE < Line::held_stages) {
            typedef stage_of<Line, STAGE> here;
            unsigned b = butterfly_base<Line, STAGE>(t);
            if constexpr (here::is_paired) {
                all.template of_pair<STAGE>(held[STAGE], b);
            } else {
                WEFT_UNROLL
                for (unsigned i = 0; i < here::each; i++) {
                    all.template of_one<STAGE>(held[STAGE] + i * here::radix, i,
                                               b + i * butterfly_step<Line, STAGE>());
                }
            }
            hold<STAGE + 1>(t);
        }
    }
};

/* The kind that the table of tuning affords. */
template <class Line> __device__ __forceinline__ auto twiddles_of(const cpx *table, unsigned t) {
    if constexpr (Line::held_stages > 0) {
        return held_twiddles<Line>(table, t);
    } else {
        return table_twiddles<Line>{table};
    }
}

} // namespace

#endif
