/* SPDX-License-Identifier: MIT
 * What a caller's memory must be: there, aligned, and apart from other memory.
 */
#include "range.h"

#include <stdint.h>

weft_status range_check(range r) {
    if (r.memory == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL", r.what);
    }
    if ((uintptr_t)r.memory % r.alignment != 0) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s %p: must be aligned to %zu bytes", r.what, r.memory,
                         r.alignment);
    }
    return WEFT_OK;
}

weft_status range_check_apart(range a, range b) {
    uintptr_t a_first = (uintptr_t)a.memory, b_first = (uintptr_t)b.memory;
    if (a_first < b_first + b.bytes && b_first < a_first + a.bytes) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s and %s overlap: %zu bytes at %p, %zu bytes at %p",
                         a.what, b.what, a.bytes, a.memory, b.bytes, b.memory);
    }
    return WEFT_OK;
}
