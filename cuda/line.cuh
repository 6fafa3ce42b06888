/* SPDX-License-Identifier: MIT
 * A line of 2^LOG2N values transformed by N/16 threads, sixteen values in the registers of each:
 * the stages of src/arith with exchanges through shared memory between them. Knows no image and no
 * global memory but the twiddles. Rows and columns differ only in their Exchange: where value base
 * + offset of the line is kept. Bits of base and offset never overlap and offset is a constant, so
 * that a padded address is that of base plus a constant.
 */
#ifndef WEFT_CUDA_LINE_CUH
#define WEFT_CUDA_LINE_CUH

#include "arith/butterfly.h"
#include "arith/twiddle.h"
#include "kernel.cuh"
#include "vectors.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

enum { LINE_POINTS = 16 };

template <int LOG2N> struct line_of {
    static constexpr unsigned length = 1u << LOG2N;
    static constexpr unsigned threads = length / LINE_POINTS;
    static constexpr int stages = power_stages(LOG2N);
};

/* One stage of it: radix, the butterflies of each thread, and m, the distance between a butterfly's
 * inputs. Butterfly b = q m + j is number j of sub-line q; see cpu_ref/line.c for the same stage in
 * a plain loop. */
template <int LOG2N, int STAGE> struct stage_of {
    static constexpr unsigned radix = 1u << power_radix_log2(LOG2N, STAGE);
    static constexpr unsigned each = LINE_POINTS / radix;
    static constexpr unsigned m = stage_of<LOG2N, STAGE - 1>::m / radix;
    static constexpr unsigned twiddles = (unsigned)power_twiddles_before(LOG2N, STAGE);
    static constexpr bool is_last = STAGE == line_of<LOG2N>::stages - 1;
};

template <int LOG2N> struct stage_of<LOG2N, -1> { static constexpr unsigned m = 1u << LOG2N; };

/* The thread's butterfly number i in a stage. The last stage has two of radix 8, mirror images of
 * each other: t and N/8 - t; for t = 0 the two that are their own, 0 and N/16. */
template <int LOG2N, int STAGE>
__device__ __forceinline__ unsigned butterfly_of(unsigned t, unsigned i) {
    constexpr unsigned threads = line_of<LOG2N>::threads;
    if constexpr (stage_of<LOG2N, STAGE>::is_last) {
        return i == 0 ? t : (t == 0 ? threads : 2 * threads - t);
    }
    return t + i * threads;
}

/* Index in the line of a thread's value before the first stage, and after the last, in two parts
 * whose bits do not overlap: the butterfly, and an offset that is a constant for each value. */
template <int LOG2N> __device__ __forceinline__ unsigned input_base(unsigned t, unsigned value) {
    return butterfly_of<LOG2N, 0>(t, value / stage_of<LOG2N, 0>::radix);
}

template <int LOG2N> __device__ __forceinline__ unsigned input_offset(unsigned value) {
    return value % stage_of<LOG2N, 0>::radix * stage_of<LOG2N, 0>::m;
}

template <int LOG2N> __device__ __forceinline__ unsigned output_base(unsigned t, unsigned value) {
    return butterfly_of<LOG2N, line_of<LOG2N>::stages - 1>(t, value / 8);
}

template <int LOG2N> __device__ __forceinline__ unsigned output_offset(unsigned value) {
    return value % 8 * (line_of<LOG2N>::length / 8);
}

template <int LOG2N> __device__ __forceinline__ unsigned input_index(unsigned t, unsigned value) {
    return input_base<LOG2N>(t, value) + input_offset<LOG2N>(value);
}

template <int LOG2N> __device__ __forceinline__ unsigned output_index(unsigned t, unsigned value) {
    return output_base<LOG2N>(t, value) + output_offset<LOG2N>(value);
}

/* Butterflies in registers, then the twiddles of the next sub-lines. */
template <int LOG2N, int STAGE>
__device__ __forceinline__ void compute_stage(cpx *x, unsigned t, const cpx *twiddles) {
    typedef stage_of<LOG2N, STAGE> here;
    WEFT_UNROLL
    for (unsigned i = 0; i < here::each; i++) {
        unsigned j = butterfly_of<LOG2N, STAGE>(t, i) % here::m;
        butterfly(x + i * here::radix, (int)here::radix);
        if constexpr (!here::is_last) {
            const cpx *own = twiddles + here::twiddles;
            cpx w[LARGEST_RADIX];
            WEFT_UNROLL
            for (unsigned k = 0; k < here::radix; k += 2) {
                if (is_product(here::radix, k)) {
                    w[k] = cpx_mul(w[k / 4 * 4], w[2]);
                    w[k + 1] = cpx_mul(w[k / 4 * 4], w[3]);
                } else {
                    load_two_constant(own + twiddle_index(here::m, j, k), &w[k], &w[k + 1]);
                }
            }
            WEFT_UNROLL
            for (unsigned k = 1; k < here::radix; k++) {
                x[i * here::radix + k] = cpx_mul(x[i * here::radix + k], w[k]);
            }
        }
    }
}

/* Output k of butterfly b is value b + k N / radix of the line, wherever the Exchange keeps that: a
 * thread's neighbours write neighbouring values. The next stage reads sub-line by sub-line. */
template <int LOG2N, int STAGE, class Exchange>
__device__ __forceinline__ void exchange_stage(cpx *x, unsigned t, Exchange exchange) {
    typedef stage_of<LOG2N, STAGE> here;
    typedef stage_of<LOG2N, STAGE + 1> next;
    if (STAGE > 0) {
        __syncthreads(); /* the values of the exchange before have all been read */
    }
    WEFT_UNROLL
    for (unsigned i = 0; i < here::each; i++) {
        WEFT_UNROLL
        for (unsigned k = 0; k < here::radix; k++) {
            *exchange.at(butterfly_of<LOG2N, STAGE>(t, i),
                         k * (line_of<LOG2N>::length / here::radix)) = x[i * here::radix + k];
        }
    }
    __syncthreads();
    WEFT_UNROLL
    for (unsigned i = 0; i < next::each; i++) {
        unsigned b = butterfly_of<LOG2N, STAGE + 1>(t, i);
        unsigned first = b / next::m * (next::m * next::radix) + b % next::m;
        WEFT_UNROLL
        for (unsigned k = 0; k < next::radix; k++) {
            x[i * next::radix + k] = *exchange.at(first, k * next::m);
        }
    }
}

template <int LOG2N, int STAGE, class Exchange>
__device__ __forceinline__ void stages_from(cpx *x, unsigned t, Exchange exchange,
                                            const cpx *twiddles) {
    compute_stage<LOG2N, STAGE>(x, t, twiddles);
    if constexpr (!stage_of<LOG2N, STAGE>::is_last) {
        exchange_stage<LOG2N, STAGE>(x, t, exchange);
        stages_from<LOG2N, STAGE + 1>(x, t, exchange, twiddles);
    }
}

/* The DFT of a line: thread t of N/16 brings x[v] = value input_index(t, v) and gets value
 * output_index(t, v). Every thread of the block must call it. sync: 2 (stages - 1) - 1 of the
 * block. */
template <int LOG2N, class Exchange>
__device__ __forceinline__ void line_dft(cpx *x, unsigned t, Exchange exchange,
                                         const cpx *twiddles) {
    stages_from<LOG2N, 0>(x, t, exchange, twiddles);
}

/* After line_dft thread t holds N/8-spaced outputs of two butterflies: x[k] is value t + k N/8, and
 * x[8 + k] value opposite(t) + k N/8, mirror images of one another. */
template <int LOG2N> __device__ __forceinline__ unsigned opposite(unsigned t) {
    return butterfly_of<LOG2N, line_of<LOG2N>::stages - 1>(t, 1);
}

/* After line_dft: calls pair(k, is_second, Z[n], Z[N - n]) for each 0 < n < N/2 that thread t
 * holds, with n = (is_second ? opposite(t) : t) + k N/8, and ends(Z[0], Z[N/2]) in the one thread
 * that holds these two, its own mirror images. */
template <int LOG2N, class Pair, class Ends>
__device__ __forceinline__ void mirrored_pairs(const cpx *x, unsigned t, Pair pair, Ends ends) {
    if (t > 0) {
        WEFT_UNROLL
        for (unsigned k = 0; k < 4; k++) {
            pair(k, false, x[k], x[8 + 7 - k]);
            pair(k, true, x[8 + k], x[7 - k]);
        }
    } else {
        ends(x[0], x[4]);
        WEFT_UNROLL
        for (unsigned k = 1; k < 4; k++) {
            pair(k, false, x[k], x[8 - k]);
        }
        WEFT_UNROLL
        for (unsigned k = 0; k < 4; k++) {
            pair(k, true, x[8 + k], x[8 + 7 - k]);
        }
    }
}

} // namespace

#endif
