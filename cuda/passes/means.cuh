/* SPDX-License-Identifier: MIT
 * The exact means of U8 and U16 images, see means.h. Every column loses its mean while it is in
 * registers, and leaves its sum in row 0 of the intermediate in place of Z[0]; that row loses its
 * own mean when it is loaded. In a split transform each class leaves its sum in its value 0.
 */
#ifndef WEFT_CUDA_PASSES_MEANS_CUH
#define WEFT_CUDA_PASSES_MEANS_CUH

#include "line/power.cuh"
#include "means.h"
#include "pixels.h"

namespace {

/* A sum, at most 16384 times 65535, in the place of a real. */
__device__ __forceinline__ scalar real_of_sum(unsigned sum) {
    return real_of_bits(sum);
}

__device__ __forceinline__ unsigned sum_of_real(scalar value) {
    return (unsigned)bits_of_real(value);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The sums of the real columns of a tile, for each class: what each warp found, of each block that
 * shares the tile. Thread t of a line has only values of class t modulo the number of classes. */
template <class Line> struct column_sums {
    static constexpr unsigned groups = Line::columns / Line::lines; /* threads side by side */
    static constexpr unsigned warps = groups * Line::threads / 32;
    static constexpr unsigned each = 2 * Line::lines; /* real columns of a thread */
    static constexpr unsigned all_warps = warps * Line::parts;
    /* How many different sums the threads of a block have, and those of a warp. */
    static constexpr unsigned kinds = groups * Line::classes;
    static constexpr unsigned kinds_of_warp = kinds < 32 ? kinds : 32;
    static constexpr unsigned warps_of_kinds = kinds / kinds_of_warp;
    static constexpr bool is_shared = all_warps > 1 || Line::classes > 1;
    static constexpr unsigned bytes =
        is_shared ? all_warps * kinds_of_warp * each * sizeof(unsigned) : 0;
    static_assert(groups * Line::threads % 32 == 0 && groups <= 32, "whole warps add up");
    static_assert(Line::threads % Line::classes == 0 && kinds % kinds_of_warp == 0,
                  "a thread has values of one class");
    static_assert(Line::classes == 1 || Line::parts == 1, "classes of whole columns");
    unsigned *sums;
    __device__ __forceinline__ unsigned *of_warp(unsigned warp, unsigned kind) const {
        return sums + (warp * kinds_of_warp + kind % kinds_of_warp) * each;
    }
    /* The sum of the thread's real column i in a class, after a barrier. */
    __device__ __forceinline__ unsigned of_class(unsigned number, unsigned i) const {
        unsigned kind = number * groups + threadIdx.x % groups, sum = 0;
        for (unsigned warp = kind / kinds_of_warp; warp < all_warps; warp += warps_of_kinds) {
            sum += of_warp(warp, kind)[i];
        }
        return sum;
    }
};

/* Adds up the sums of all threads of the same columns and class. Every thread of the block, or of
 * the cluster, must call it. */
template <class Line>
__device__ __forceinline__ void add_up_columns(unsigned *sums, unsigned t,
                                               column_sums<Line> shared) {
    typedef column_sums<Line> all;
    unsigned part = part_of<Line>(t);
    WEFT_UNROLL
    for (unsigned i = 0; i < all::each; i++) {
        WEFT_UNROLL
        for (unsigned distance = 16; distance >= all::kinds_of_warp; distance /= 2) {
            sums[i] += __shfl_xor_sync(~0u, sums[i], (int)distance);
        }
    }
    if constexpr (all::is_shared) {
        if (threadIdx.x % 32 < all::kinds_of_warp) {
            WEFT_UNROLL
            for (unsigned rank = 0; rank < Line::parts; rank++) {
                unsigned *to =
                    shared.of_warp(part * all::warps + threadIdx.x / 32, threadIdx.x % 32);
                WEFT_UNROLL
                for (unsigned i = 0; i < all::each; i++) {
                    (Line::parts > 1 ? of_block(to, rank) : to)[i] = sums[i];
                }
            }
        }
        if constexpr (Line::parts > 1) {
            WEFT_CLUSTER_SYNC();
        } else {
            __syncthreads();
        }
        WEFT_UNROLL
        for (unsigned i = 0; i < all::each; i++) {
            sums[i] = shared.of_class(t % Line::classes, i);
        }
    }
}

/* Takes the means out of pixels with ONES added, as load_tile() loads them; `sums` gets the sums of
 * the thread's real columns in its class. */
template <class Line>
__device__ __forceinline__ void take_means_of_columns(cpx *x, unsigned t, unsigned *sums,
                                                      column_sums<Line> shared) {
    constexpr unsigned count = Line::whole / Line::classes;
    WEFT_UNROLL
    for (unsigned l = 0; l < Line::lines; l++) {
        sums[2 * l] = sums[2 * l + 1] = 0;
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            sums[2 * l] += off_ones(x[l * Line::points + v].re);
            sums[2 * l + 1] += off_ones(x[l * Line::points + v].im);
        }
    }
    add_up_columns<Line>(sums, t, shared);
    WEFT_UNROLL
    for (unsigned l = 0; l < Line::lines; l++) {
        cpx mean = cpx_of(on_ones((unsigned)rounded_mean(sums[2 * l], count)),
                          on_ones((unsigned)rounded_mean(sums[2 * l + 1], count)));
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            x[l * Line::points + v] = cpx_sub(x[l * Line::points + v], mean);
        }
    }
}

/* The sums of the two real columns of a complex one. */
struct both_sums {
    unsigned left, right;
};

/* z[c], value 0 of class c of a complex column, is the sum of that class; it becomes what the last
 * stage is to get. Returns the sums of all R classes. */
template <unsigned R> __device__ __forceinline__ both_sums take_mean_of_classes(cpx *z) {
    both_sums all = {0, 0};
    WEFT_UNROLL
    for (unsigned c = 0; c < R; c++) {
        all.left += sum_of_real(z[c].re);
        all.right += sum_of_real(z[c].im);
    }
    uint64_t left = rounded_mean(all.left, R), right = rounded_mean(all.right, R);
    WEFT_UNROLL
    for (unsigned c = 0; c < R; c++) {
        z[c] = cpx_of(sum_off_mean(sum_of_real(z[c].re), left),
                      sum_off_mean(sum_of_real(z[c].im), right));
    }
    return all;
}

/* Makes again, of the sums, what the last stage made of value 0 of each class, which the first
 * thread has; and puts the sum of each column in the place of Z[0]. */
template <class Line>
__device__ __forceinline__ void put_sums_of_columns(cpx *x, bool is_first, const unsigned *sums,
                                                    column_sums<Line> shared) {
    WEFT_UNROLL
    for (unsigned l = 0; l < Line::lines; l++) {
        cpx *z = x + l * Line::points;
        if constexpr (Line::classes > 1) {
            if (is_first) {
                WEFT_UNROLL
                for (unsigned c = 0; c < Line::classes; c++) {
                    z[c] = cpx_of(real_of_sum(shared.of_class(c, 2 * l)),
                                  real_of_sum(shared.of_class(c, 2 * l + 1)));
                }
                both_sums all = take_mean_of_classes<Line::classes>(z);
                butterfly(z, CONSTANT_INT((int)Line::classes));
                z[0] = cpx_of(real_of_sum(all.left), real_of_sum(all.right));
            }
        } else {
            cpx both = cpx_of(real_of_sum(sums[2 * l]), real_of_sum(sums[2 * l + 1]));
            z[0] = is_first ? both : z[0];
        }
    }
}

/* ---- row 0 ----------------------------------------------------------------------------------- */

/* Calls visit() for the reals of row 0, those of the upper row that load_rows() loaded for slot 0.
 */
template <class Line, class Visit>
__device__ __forceinline__ void each_of_row_0(cpx *x, Visit visit) {
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? Line::first_radix : Line::points); v++) {
        visit(x[v].re);
        if (Line::has_pairs) {
            visit(x[v].im);
        }
    }
}

/* Subtracts their mean from the sums of columns; returns the sum of all. Every thread of the line
 * must call it, and, where a line's barrier is the block's, those of slots that have no row 0 too:
 * is_row_0 says which have. sync: log2 threads + 2 */
template <class Line>
__device__ __forceinline__ unsigned long long
take_mean_of_row_0(cpx *x, unsigned t, exchange_of<Line> exchange, cpx *values, bool is_row_0) {
    unsigned long long *of_threads = (unsigned long long *)values, sum = 0;
    unsigned own = in_part<Line>(t);
    if (is_row_0) {
        each_of_row_0<Line>(x, [&](scalar &value) { sum += sum_of_real(value); });
    }
    of_threads[own] = sum;
    for (unsigned half = Line::threads / 2; half > 0; half /= 2) {
        exchange.sync();
        if (own < half) {
            of_threads[own] += of_threads[own + half];
        }
    }
    exchange.sync_parts();
    sum = 0;
    for (unsigned part = 0; part < Line::parts; part++) {
        sum += *(Line::parts > 1 ? of_block(of_threads, part) : of_threads);
    }
    exchange.sync_parts(); /* all have read it: what follows may write there */
    if (is_row_0) {
        uint64_t mean = rounded_mean(sum, Line::whole);
        each_of_row_0<Line>(x,
                            [&](scalar &value) { value = sum_off_mean(sum_of_real(value), mean); });
    }
    return sum;
}

} // namespace

#endif
