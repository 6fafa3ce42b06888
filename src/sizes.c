/* SPDX-License-Identifier: MIT
 * Checked size arithmetic, see sizes.h.
 */
#include "sizes.h"

static int add_product(size_t *sum, size_t a, size_t b) {
    size_t product;
    return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum) &&
           *sum <= MAX_ELEMENTS;
}

int span_elements(size_t batch, size_t stride, size_t rows, size_t pitch, size_t columns,
                  size_t *span) {
    *span = 0;
    return add_product(span, batch - 1, stride) && add_product(span, rows - 1, pitch) &&
           add_product(span, columns, 1);
}
