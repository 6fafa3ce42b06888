/* SPDX-License-Identifier: MIT
 * Tables of kernels, a row for each length or size of image that kernels.def has: how a row is
 * found, and how it keeps the kernels of images of reals beside those of integer pixels.
 */
#ifndef WEFT_CUDA_KERNEL_TABLE_CUH
#define WEFT_CUDA_KERNEL_TABLE_CUH

#include <stdio.h>

#include "passes/intermediate.cuh"
#include "passes/pixel_tiles.cuh"
#include "problem.h"

namespace {

/* The row for a length, or for a size; NULL if the table has none. */
template <class Row, size_t COUNT> const Row *of_length(const Row (&table)[COUNT], size_t length) {
    for (const Row &row : table) {
        if (row.length == length) {
            return &row;
        }
    }
    return NULL;
}

template <class Row, size_t COUNT>
const Row *of_size(const Row (&table)[COUNT], size_t height, size_t width) {
    for (const Row &row : table) {
        if (row.height == height && row.width == width) {
            return &row;
        }
    }
    return NULL;
}

/* WEFT_UNSUPPORTED, and which sizes the table has. */
template <class Row, size_t COUNT>
weft_status has_no_kernels(const char *name, const problem &p, const Row (&table)[COUNT]) {
    char list[128] = "";
    for (size_t i = 0, used = 0; i < COUNT && used < sizeof list; i++) {
        const char *before = i == 0 ? "" : i + 1 < COUNT ? ", " : " or ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%zux%zu", before,
                                 table[i].height, table[i].width);
    }
    return weft_fail(WEFT_UNSUPPORTED, "%s: %zux%zu: must be %s", name, p.height, p.width, list);
}

/* Kernels of one pass, for images of reals, and for U8 and U16. */
template <template <class> class Kernels> struct by_pixel {
    Kernels<real_view> reals;
    Kernels<pixel_view> pixels;
    const Kernels<real_view> &of(const real_view &) const {
        return reals;
    }
    const Kernels<pixel_view> &of(const pixel_view &) const {
        return pixels;
    }
};

} // namespace

#endif
