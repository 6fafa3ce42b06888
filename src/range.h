/* SPDX-License-Identifier: MIT
 * A caller's memory as it is checked before anything is written: by plan.c for every execution, by
 * convert.c for every conversion.
 */
#ifndef WEFT_RANGE_H
#define WEFT_RANGE_H

#include <stdint.h>

#include "status.h"

typedef struct range {
    const char *what; /* in error texts */
    const void *memory;
    size_t bytes, alignment;
} range;

static inline weft_status check_aligned(range r) {
    if (r.memory == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL", r.what);
    }
    if ((uintptr_t)r.memory % r.alignment != 0) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s %p: must be aligned to %zu bytes", r.what, r.memory,
                         r.alignment);
    }
    return WEFT_OK;
}

static inline weft_status check_apart(range a, range b) {
    uintptr_t a_first = (uintptr_t)a.memory, b_first = (uintptr_t)b.memory;
    if (a_first < b_first + b.bytes && b_first < a_first + a.bytes) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s and %s overlap: %zu bytes at %p, %zu bytes at %p",
                         a.what, b.what, a.bytes, a.memory, b.bytes, b.memory);
    }
    return WEFT_OK;
}

#endif
