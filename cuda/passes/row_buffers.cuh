/* SPDX-License-Identifier: MIT
 * Buffers in shared memory for the two rows of a slot, which come or go in bulk. A row lies in its
 * buffer as far from 16 aligned bytes as in global memory, so that all of it but its ends is copied
 * in bulk, wherever it lies.
 */
#ifndef WEFT_CUDA_PASSES_ROW_BUFFERS_CUH
#define WEFT_CUDA_PASSES_ROW_BUFFERS_CUH

#include "arith/numbers.h"
#include "base/instructions.cuh"

namespace {

/* For rows of at most W + 2 reals: rows of a HALF spectrum have as many. */
template <unsigned W> struct row_buffers {
    scalar *values; /* aligned to 16 bytes */
    static constexpr unsigned aligned = BULK_ALIGNMENT / sizeof(scalar);
    static constexpr unsigned pitch = W + 2 * aligned;
    static constexpr unsigned size =
        2 * pitch * sizeof(scalar) / sizeof(cpx); /* in complex values */

    /* Where `row` of global memory lies here, as the slot's upper or lower row. */
    __device__ __forceinline__ scalar *place(const scalar *row, unsigned is_lower) const {
        return values + is_lower * pitch + (size_t)row % BULK_ALIGNMENT / sizeof(scalar);
    }
    static __device__ __forceinline__ unsigned head(const scalar *row) {
        return (aligned - (unsigned)((size_t)row % BULK_ALIGNMENT / sizeof(scalar))) % aligned;
    }
    static __device__ __forceinline__ unsigned body(const scalar *row, unsigned count) {
        return (count - head(row)) / aligned * aligned;
    }

    /* One thread sends for both rows, of `count` reals, which arrive at the mbarrier. */
    __device__ __forceinline__ void fetch(const scalar *upper, const scalar *lower, unsigned count,
                                          mbarrier *b, bool is_cached) const {
        copy_ends(place(upper, 0), upper, upper, count);
        copy_ends(place(lower, 1), lower, lower, count);
        mbarrier_expect(b, (body(upper, count) + body(lower, count)) * sizeof(scalar));
        fetch_body(upper, 0, count, b, is_cached);
        fetch_body(lower, 1, count, b, is_cached);
    }
    /* One thread sends both rows to global memory, after a barrier before which all threads have
     * called let_copies_see_shared(). */
    __device__ __forceinline__ void send(scalar *upper, scalar *lower, unsigned count,
                                         bool is_cached) const {
        send_body(upper, 0, count, is_cached);
        send_body(lower, 1, count, is_cached);
        copy_ends(upper, place(upper, 0), upper, count);
        copy_ends(lower, place(lower, 1), lower, count);
    }

  private:
    __device__ __forceinline__ void fetch_body(const scalar *row, unsigned is_lower, unsigned count,
                                               mbarrier *b, bool is_cached) const {
        copy_from_global(place(row, is_lower) + head(row), row + head(row),
                         body(row, count) * sizeof(scalar), b, is_cached);
    }
    __device__ __forceinline__ void send_body(scalar *row, unsigned is_lower, unsigned count,
                                              bool is_cached) const {
        copy_to_global(row + head(row), place(row, is_lower) + head(row),
                       body(row, count) * sizeof(scalar), is_cached);
    }
    /* What of `row` lies before and after its whole 16 bytes. */
    static __device__ __forceinline__ void copy_ends(scalar *to, const scalar *from,
                                                     const scalar *row, unsigned count) {
        for (unsigned i = 0; i < head(row); i++) {
            to[i] = from[i];
        }
        for (unsigned i = head(row) + body(row, count); i < count; i++) {
            to[i] = from[i];
        }
    }
};

} // namespace

#endif
