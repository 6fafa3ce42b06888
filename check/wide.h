/* SPDX-License-Identifier: MIT
 * Arrays of the oracle's numbers: double where it judges f32 and the largest sizes, long double
 * where it judges f64. One type for both, so that the verification is written once.
 */
#ifndef WEFT_CHECK_WIDE_H
#define WEFT_CHECK_WIDE_H

#include <stddef.h>
#include <stdlib.h>

typedef struct wide {
    int is_long;
    void *data;
} wide;

static inline int wide_allocate(wide *a, int is_long, size_t count) {
    a->is_long = is_long;
    a->data = calloc(count, is_long ? sizeof(long double) : sizeof(double));
    return a->data != NULL ? 0 : -1;
}

static inline void wide_free(wide *a) {
    free(a->data);
    a->data = NULL;
}

static inline long double wide_at(const wide *a, size_t i) {
    return a->is_long ? ((const long double *)a->data)[i]
                      : (long double)((const double *)a->data)[i];
}

static inline void wide_set(wide *a, size_t i, long double value) {
    if (a->is_long) {
        ((long double *)a->data)[i] = value;
    } else {
        ((double *)a->data)[i] = (double)value;
    }
}

#endif
