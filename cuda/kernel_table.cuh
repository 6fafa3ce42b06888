/* SPDX-License-Identifier: MIT
 * Tables of kernels, an entry for each length or size of image that kernels.def has: how an entry
 * is found, and how it keeps the kernels of images of reals beside those of integer pixels.
 */
#ifndef WEFT_CUDA_KERNEL_TABLE_CUH
#define WEFT_CUDA_KERNEL_TABLE_CUH

#include <stdio.h>

#include "passes/intermediate.cuh"
#include "passes/pixel_tiles.cuh"
#include "problem.h"

namespace {

/* The entry for a length, or for a size; NULL if the table has none. */
template <class Entry, size_t COUNT>
const Entry *of_length(const Entry (&table)[COUNT], size_t length) {
    for (const Entry &entry : table) {
        if (entry.length == length) {
            return &entry;
        }
    }
    return NULL;
}

template <class Entry, size_t COUNT>
const Entry *of_size(const Entry (&table)[COUNT], size_t height, size_t width) {
    for (const Entry &entry : table) {
        if (entry.height == height && entry.width == width) {
            return &entry;
        }
    }
    return NULL;
}

/* WEFT_UNSUPPORTED, and which sizes the table has. */
template <class Entry, size_t COUNT>
weft_status has_no_kernels(const char *name, const problem &p, const Entry (&table)[COUNT]) {
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
