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

void twiddle_fill(size_t n, const factor_list *list, cpx *table) {
    for (int stage = 0; stage + 1 < list->count; stage++) {
        size_t r = (size_t)list->radix[stage], m = n / r;
        for (size_t k = 0; k < r; k++) {
            for (size_t j = 0; j < m; j++) {
                table[twiddle_index(m, j, k)] = unit_root(j * k % n, n);
            }
        }
        table += stage_twiddles(r, m);
        n = m;
    }
}
