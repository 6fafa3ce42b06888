/* SPDX-License-Identifier: MIT
 * How a thread gets the twiddles of a line: out of the plan's table each time, when it wants them
 * or a barrier before; or held in registers, by a thread that does the same work on line after
 * line.
 */
#ifndef WEFT_CUDA_LINE_TWIDDLES_CUH
#define WEFT_CUDA_LINE_TWIDDLES_CUH

#include "line/line.cuh"
#include "line/tables.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Each kind has of(), which gives twiddles `first` to before `end` of the thread's butterfly number
 * i of the stage, in sub-line q; prefetch(), for those of the next stage; and read(), for those
 * that are held. A line's first stage has no twiddles. */
template <class Line> struct table_twiddles {
    const cpx *table;
    __device__ __forceinline__ void read(unsigned) const {}
    template <int STAGE> __device__ __forceinline__ void prefetch(unsigned) const {}
    template <int STAGE>
    __device__ __forceinline__ void of(cpx *w, unsigned first, unsigned end, unsigned,
                                       unsigned q) const {
        typedef stage_of<Line, STAGE> here;
        load_twiddles(w, first, end, table + here::twiddles, here::sub_lines, q);
    }
};

/* Reads all twiddles of thread t in a stage, one butterfly's after the other's. */
template <int STAGE, class Line, class All>
__device__ __forceinline__ void read_twiddles(cpx *w, const All &all, unsigned t) {
    typedef stage_of<Line, STAGE> here;
    WEFT_UNROLL
    for (unsigned i = 0; i < here::each; i++) {
        unsigned b = butterfly_base<Line, STAGE>(t) + i * butterfly_step<Line, STAGE>();
        all.template of<STAGE>(w + i * here::radix, 0, stage_twiddles(here::radix), i,
                               sub_line_of<Line, STAGE>(b, t));
    }
}

__device__ __forceinline__ void copy_twiddles(cpx *to, unsigned first, unsigned end,
                                              const cpx *from) {
    WEFT_UNROLL
    for (unsigned k = first; k < end; k++) {
        to[k] = from[k];
    }
}

/* The twiddles of one stage out of `all`, read while the thread waits for its values. */
template <class Line, class All> struct prefetched_twiddles {
    All all;
    cpx prefetched[Line::points];
    static_assert(Line::parts == 1, "butterflies of the block");
    __device__ __forceinline__ void read(unsigned) const {}
    template <int STAGE> __device__ __forceinline__ void prefetch(unsigned t) {
        read_twiddles<STAGE, Line>(prefetched, all, t);
    }
    template <int STAGE>
    __device__ __forceinline__ void of(cpx *w, unsigned first, unsigned end, unsigned i,
                                       unsigned) const {
        copy_twiddles(w, first, end, prefetched + i * stage_of<Line, STAGE>::radix);
    }
};

/* The twiddles of the last stages, which are most of all, are held; the others come out of the
 * table. */
template <class Line, class All> struct held_twiddles {
    static constexpr int first_held = Line::last_stage + 1 - Line::held_stages;
    All all;
    cpx held[Line::held_stages][Line::points];
    __device__ __forceinline__ void read(unsigned t) {
        hold<first_held>(t);
    }
    template <int STAGE> __device__ __forceinline__ void prefetch(unsigned) const {}
    template <int STAGE>
    __device__ __forceinline__ void of(cpx *w, unsigned first, unsigned end, unsigned i,
                                       unsigned q) const {
        if constexpr (STAGE >= first_held) {
            copy_twiddles(w, first, end,
                          held[STAGE - first_held] + i * stage_of<Line, STAGE>::radix);
        } else {
            all.template of<STAGE>(w, first, end, i, q);
        }
    }

  private:
    template <int STAGE> __device__ __forceinline__ void hold(unsigned t) {
        if constexpr (STAGE <= Line::last_stage) {
            read_twiddles<STAGE, Line>(held[STAGE - first_held], all, t);
            hold<STAGE + 1>(t);
        }
    }
};

/* Prefetches the twiddles that thread t wants first. */
template <class Line, class Twiddles>
__device__ __forceinline__ void prefetch_first(Twiddles &twiddles, unsigned t) {
    if constexpr (Line::first_turned <= Line::last_stage) {
        twiddles.template prefetch<Line::first_turned>(t);
    }
}

/* The twiddles of `all`, prefetched or held as the line has registers for it; what is held has not
 * been read yet. */
template <class Line, class All> __device__ __forceinline__ auto unread_twiddles(const All &all) {
    if constexpr (Line::prefetches_twiddles) {
        return prefetched_twiddles<Line, All>{all, {}};
    } else if constexpr (Line::held_stages > 0) {
        return held_twiddles<Line, All>{all, {}};
    } else {
        return all;
    }
}

template <class Line> __device__ __forceinline__ auto unread_twiddles_of(const cpx *table) {
    return unread_twiddles<Line>(table_twiddles<Line>{table});
}

template <class Line> __device__ __forceinline__ auto twiddles_of(const cpx *table, unsigned t) {
    auto twiddles = unread_twiddles_of<Line>(table);
    twiddles.read(t);
    return twiddles;
}

} // namespace

#endif
