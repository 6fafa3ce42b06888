/* SPDX-License-Identifier: MIT
 * Rooms in shared memory for the two rows of a slot, which come or go in bulk. In its room a row
 * lies as far from 16 aligned bytes as in global memory, so that all but its ends is copied in
 * bulk, wherever it lies.
 */
#ifndef WEFT_CUDA_PASSES_ROW_BUFFERS_CUH
#define WEFT_CUDA_PASSES_ROW_BUFFERS_CUH

#include "arith/numbers.h"
#include "base/bulk.cuh"

namespace {

/* For rows of at most W + 2 reals: those of HALF. */
template <unsigned W> struct rows_room {
    scalar *values; /* aligned to 16 bytes */
    static constexpr unsigned aligned = BULK_ALIGNMENT / sizeof(scalar);
    static constexpr unsigned pitch = W + 2 * aligned;
    static constexpr unsigned size =
        2 * pitch * sizeof(scalar) / sizeof(cpx); /* in complex values */

    /* Where `row` of global memory lies, as the upper one of the slot or the lower one. */
    __device__ __forceinline__ scalar *place(const scalar *row, unsigned is_lower) const {
        return values + is_lower * pitch + (size_t)row % BULK_ALIGNMENT / sizeof(scalar);
    }
    static __device__ __forceinline__ unsigned head(const scalar *row) {
        return (aligned - (unsigned)((size_t)row % BULK_ALIGNMENT / sizeof(scalar))) % aligned;
    }
    static __device__ __forceinline__ unsigned body(const scalar *row, unsigned count) {
        return (count - head(row)) / aligned * aligned;
    }

    /* Both rows, of `count` reals, on their way here, through the gate. By one thread. */
    __device__ __forceinline__ void fetch(const scalar *upper, const scalar *lower, unsigned count,
                                          gate *g, bool stays_in_cache) const {
        copy_ends(place(upper, 0), upper, upper, count);
        copy_ends(place(lower, 1), lower, lower, count);
        gate_expect(g, (body(upper, count) + body(lower, count)) * sizeof(scalar));
        fetch_body(upper, 0, count, g, stays_in_cache);
        fetch_body(lower, 1, count, g, stays_in_cache);
    }
    /* And away. By one thread, after a barrier before which all have
     * let_copies_see_shared(). */
    __device__ __forceinline__ void send(scalar *upper, scalar *lower, unsigned count,
                                         bool stays_in_cache) const {
        send_body(upper, 0, count, stays_in_cache);
        send_body(lower, 1, count, stays_in_cache);
        copy_ends(upper, place(upper, 0), upper, count);
        copy_ends(lower, place(lower, 1), lower, count);
    }

  private:
    __device__ __forceinline__ void fetch_body(const scalar *row, unsigned is_lower, unsigned count,
                                               gate *g, bool stays_in_cache) const {
        copy_from_global(place(row, is_lower) + head(row), row + head(row),
                         body(row, count) * sizeof(scalar), g, stays_in_cache);
    }
    __device__ __forceinline__ void send_body(scalar *row, unsigned is_lower, unsigned count,
                                              bool stays_in_cache) const {
        copy_to_global(row + head(row), place(row, is_lower) + head(row),
                       body(row, count) * sizeof(scalar), stays_in_cache);
    }
    /* What lies in `row` before and after its whole 16 bytes. */
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
