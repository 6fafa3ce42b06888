/* SPDX-License-Identifier: MIT
 * A caller's memory as it is checked before anything is written: by plan.c for every execution, by
 * convert.c for every conversion.
 */
#ifndef WEFT_RANGE_H
#define WEFT_RANGE_H

#include "status.h"

typedef struct range {
    const char *what; /* in error texts */
    const void *memory;
    size_t bytes, alignment;
} range;

/* WEFT_OK, or WEFT_BAD_ARGUMENT where it is NULL or not aligned. */
weft_status range_check(range r);

/* WEFT_OK, or WEFT_BAD_ARGUMENT where the two share a byte. */
weft_status range_check_apart(range a, range b);

#endif
