/* SPDX-License-Identifier: MIT
 * The intermediate between columns and rows: the spectra of all columns, packed along the columns
 * into H rows of W reals. Slot k, 0 < k < H/2, has its real parts in row k and its imaginary parts
 * in row H - k; slot 0 is the folded one, rows 0 and H/2. These are the rows that the spectrum's
 * rows k and H - k become, and a tile of columns is read and written by one block: so the
 * intermediate lies in the result's own memory, and a transform may run in place.
 */
#ifndef WEFT_CUDA_MID_CUH
#define WEFT_CUDA_MID_CUH

#include "vectors.cuh"

namespace {

/* The intermediate of a batch. Rows are whole pairs apart where they can be: then two neighbouring
 * reals are one load. */
struct mid_view {
    real *values;
    size_t pitch, stride; /* in reals, from row to row and from image to image */
    int is_paired;        /* every even place of every row is aligned to two reals */
};

/* The row of slot k's imaginary parts. */
template <unsigned H> __device__ __forceinline__ unsigned imaginary_row(unsigned k) {
    return k == 0 ? H / 2 : H - k;
}

inline mid_view mid_of(const void *memory, size_t pitch, size_t stride) {
    mid_view m;
    m.values = (real *)memory;
    m.pitch = pitch;
    m.stride = stride;
    m.is_paired = (size_t)memory % (2 * sizeof(real)) == 0 && pitch % 2 == 0 && stride % 2 == 0;
    return m;
}

} // namespace

#endif
