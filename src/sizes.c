/* SPDX-License-Identifier: MIT
 * Checked size arithmetic, and the sizes that transform fast.
 */
#include "sizes.h"

#include <stdint.h>

#include "weft.h"

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

/* Smallest product of powers of 2, 3, 5, 7 that is >= n: for every 3^a 5^b 7^c the power of two on
 * top. */
size_t weft_next_fast_size(size_t n) {
    size_t best = 0;
    for (size_t sevens = 1;; sevens *= 7) {
        for (size_t fives = sevens;; fives *= 5) {
            for (size_t threes = fives;; threes *= 3) {
                size_t twos = threes;
                while (twos < n && twos <= SIZE_MAX / 2) {
                    twos *= 2;
                }
                if (twos >= n && (best == 0 || twos < best)) {
                    best = twos;
                }
                if (threes >= n || threes > SIZE_MAX / 3) {
                    break;
                }
            }
            if (fives >= n || fives > SIZE_MAX / 5) {
                break;
            }
        }
        if (sevens >= n || sevens > SIZE_MAX / 7) {
            break;
        }
    }
    return best;
}
