/* SPDX-License-Identifier: MIT
 * Products of sizes that cannot wrap. All size arithmetic on a caller's numbers goes through here.
 */
#ifndef WEFT_SIZES_H
#define WEFT_SIZES_H

#include <stddef.h>

/* The most elements an image or spectrum batch may span, gaps included: far beyond any memory, and
 * small enough that no strategy's workspace arithmetic can overflow. */
#define MAX_ELEMENTS ((size_t)1 << 54)

/* *span = (batch - 1) stride + (rows - 1) pitch + columns: elements from the first to past the
 * last. Returns 0 if that is more than MAX_ELEMENTS. */
int span_elements(size_t batch, size_t stride, size_t rows, size_t pitch, size_t columns,
                  size_t *span);

enum { CACHE_LINE = 64 }; /* bytes */

/* Rounds bytes up to whole cache lines, so that parts of a workspace can follow one another. */
static inline size_t whole_lines(size_t bytes) {
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

#endif
