/* SPDX-License-Identifier: MIT
 * Roots of unity and the tables of a line, computed when a plan is made.
 */
#include "arith/twiddle.h"

static const long double quarter_pi = 0.785398163397448309615660845819875721L;

cpx unit_root(size_t k, size_t n) {
    int octant = (int)(8 * k / n);
    size_t rest = 8 * k % n;
    if (octant & 1) {
        rest = n - rest;
    }
    long double a = quarter_pi * ((long double)rest / (long double)n);
    return root_of_octant(octant, (real)cosl(a), (real)sinl(a));
}

size_t twiddle_count(size_t n, const factor_list *list) {
    size_t count = 0;
    for (int stage = 0; stage + 1 < list->count; stage++) {
        n /= (size_t)list->radix[stage];
        count += stage_twiddles((size_t)list->radix[stage], n);
    }
    return count;
}

void twiddle_fill(size_t n, const factor_list *list, cpx *table) {
    for (int stage = 0; stage + 1 < list->count; stage++) {
        size_t r = (size_t)list->radix[stage], m = n / r;
        for (size_t k = 0; k < r + r % 2; k++) {
            for (size_t j = 0; j < m; j++) {
                table[twiddle_index(m, j, k)] = is_product(r, k)
                                                    ? cpx_mul(table[twiddle_index(m, j, k / 4 * 4)],
                                                              table[twiddle_index(m, j, k % 4)])
                                                    : unit_root(j * k % n, n);
            }
        }
        table += stage_twiddles(r, m);
        n = m;
    }
}
