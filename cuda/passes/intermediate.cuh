/* SPDX-License-Identifier: MIT
 * The intermediate between columns and rows: the spectra Z of all complex columns, H rows of W/2
 * complex values, W reals. Rows k and H - k decide the rows k and H - k of the spectrum and nothing
 * else, and one line of the row pass reads and writes both: so the intermediate lies in the
 * result's own memory, and a transform may run in place.
 */
#ifndef WEFT_CUDA_PASSES_INTERMEDIATE_CUH
#define WEFT_CUDA_PASSES_INTERMEDIATE_CUH

#include "line/pairs.cuh"

namespace {

/* Images or intermediates of a batch, of reals. Where rows are a multiple of two reals apart, two
 * neighbouring reals are one load; where they are a multiple of 16 bytes apart, they can be copied
 * in bulk. */
struct real_view {
    static constexpr bool has_means = false;
    scalar *values;
    size_t pitch, stride; /* in reals, from row to row and from image to image */
    int is_paired;        /* every even place of every row is aligned to two reals */
    int is_wide;          /* every row is aligned to 16 bytes */
    __device__ __forceinline__ const void *at(size_t place) const {
        return values + place;
    }
    __device__ __forceinline__ size_t bytes(size_t count) const {
        return count * sizeof(scalar);
    }
};

inline int is_aligned(const void *memory, size_t pitch, size_t stride, size_t bytes) {
    return (size_t)memory % bytes == 0 && pitch * sizeof(scalar) % bytes == 0 &&
           stride * sizeof(scalar) % bytes == 0;
}

inline real_view real_view_of(const void *memory, size_t pitch, size_t stride) {
    real_view m;
    m.values = (scalar *)memory;
    m.pitch = pitch;
    m.stride = stride;
    m.is_paired = is_aligned(memory, pitch, stride, 2 * sizeof(scalar));
    m.is_wide = is_aligned(memory, pitch, stride, 16);
    return m;
}

} // namespace

#endif
