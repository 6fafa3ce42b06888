/* SPDX-License-Identifier: MIT
 * The twiddles of a line as a thread gets them: out of the plan's table, each time, when they are
 * wanted or a barrier earlier; or kept in registers by a thread that does the same work on line
 * after line.
 */
#ifndef WEFT_CUDA_LINE_TWIDDLES_CUH
#define WEFT_CUDA_LINE_TWIDDLES_CUH

#include "line.cuh"
#include "vectors.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Each kind has of_pair(), of butterflies b and b + 1: w[k] and w[radix + k]; of_one(), of the
 * thread's butterfly number i of the stage, which is b: w[k]; ask(), for those of a stage that is
 * soon to come; and read(), for what is kept. w[0] is 1 and not to be used. */
template <class Line> struct table_twiddles {
    const cpx *table;
    __device__ __forceinline__ void read(unsigned) const {}
    template <int STAGE> __device__ __forceinline__ void ask(unsigned) const {}
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

/* All twiddles of thread t in a stage, one butterfly's after the other's, w[0] with them. */
template <int STAGE, class Line, class All>
__device__ __forceinline__ void read_twiddles(cpx *w, const All &all, unsigned t) {
    typedef stage_of<Line, STAGE> here;
    unsigned b = butterfly_base<Line, STAGE>(t);
    if constexpr (here::is_paired) {
        all.template of_pair<STAGE>(w, b);
    } else {
        WEFT_UNROLL
        for (unsigned i = 0; i < here::each; i++) {
            all.template of_one<STAGE>(w + i * here::radix, i,
                                       b + i * butterfly_step<Line, STAGE>());
        }
    }
}

template <unsigned RADIX> __device__ __forceinline__ void copy_twiddles(cpx *to, const cpx *from) {
    WEFT_UNROLL
    for (unsigned k = 1; k < RADIX; k++) {
        to[k] = from[k];
    }
}

/* One stage's of `all`, read when they are asked for, while the thread waits for its values. */
template <class Line, class All> struct asked_twiddles {
    All all;
    cpx asked[Line::points];
    static_assert(Line::parts == 1, "butterflies of the block");
    __device__ __forceinline__ void read(unsigned) const {}
    template <int STAGE> __device__ __forceinline__ void ask(unsigned t) {
        if constexpr (!stage_of<Line, STAGE>::is_last || Line::goes_on) {
            read_twiddles<STAGE, Line>(asked, all, t);
        }
    }
    template <int STAGE> __device__ __forceinline__ void of_pair(cpx *w, unsigned) const {
        constexpr unsigned radix = stage_of<Line, STAGE>::radix;
        copy_twiddles<radix>(w, asked);
        copy_twiddles<radix>(w + radix, asked + radix);
    }
    template <int STAGE>
    __device__ __forceinline__ void of_one(cpx *w, unsigned i, unsigned) const {
        constexpr unsigned radix = stage_of<Line, STAGE>::radix;
        copy_twiddles<radix>(w, asked + i * radix);
    }
};

/* The first stages', which are most of all, kept; the others out of the table. */
template <class Line> struct held_twiddles {
    table_twiddles<Line> all;
    cpx held[Line::held_stages][Line::points];
    __device__ __forceinline__ void read(unsigned t) {
        hold<0>(t);
    }
    template <int STAGE> __device__ __forceinline__ void ask(unsigned) const {}
    template <int STAGE> __device__ __forceinline__ void of_pair(cpx *w, unsigned b) const {
        constexpr unsigned radix = stage_of<Line, STAGE>::radix;
        if constexpr (STAGE < Line::held_stages) {
            copy_twiddles<radix>(w, held[STAGE]);
            copy_twiddles<radix>(w + radix, held[STAGE] + radix);
        } else {
            all.template of_pair<STAGE>(w, b);
        }
    }
    template <int STAGE>
    __device__ __forceinline__ void of_one(cpx *w, unsigned i, unsigned b) const {
        constexpr unsigned radix = stage_of<Line, STAGE>::radix;
        if constexpr (STAGE < Line::held_stages) {
            copy_twiddles<radix>(w, held[STAGE] + i * radix);
        } else {
            all.template of_one<STAGE>(w, i, b);
        }
    }

  private:
    template <int STAGE> __device__ __forceinline__ void hold(unsigned t) {
        if constexpr (STAGE < Line::held_stages) {
            read_twiddles<STAGE, Line>(held[STAGE], all, t);
            hold<STAGE + 1>(t);
        }
    }
};

/* `all`, or those of it that are asked for. */
template <class Line, class All> __device__ __forceinline__ auto asked_or_not(const All &all) {
    if constexpr (Line::asks) {
        return asked_twiddles<Line, All>{all, {}};
    } else {
        return all;
    }
}

/* The kind that the table of tuning affords, before what it keeps is read. */
template <class Line> __device__ __forceinline__ auto unread_twiddles_of(const cpx *table) {
    if constexpr (!Line::asks && Line::held_stages > 0) {
        return held_twiddles<Line>{{table}, {}};
    } else {
        return asked_or_not<Line>(table_twiddles<Line>{table});
    }
}

template <class Line> __device__ __forceinline__ auto twiddles_of(const cpx *table, unsigned t) {
    auto twiddles = unread_twiddles_of<Line>(table);
    twiddles.read(t);
    return twiddles;
}

} // namespace

#endif
