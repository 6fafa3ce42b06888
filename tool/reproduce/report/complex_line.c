/* SPDX-License-Identifier: MIT
 * See complex_line.h.
 */
#include "reproduce/report/complex_line.h"

#include <math.h>
#include <string.h>

#include "arith/angle.h"
#include "random.h"

complex_number line_root(size_t k, size_t n) {
    const angle a = angle_of(k % n, n);

    return (double)a.cosine - I * (double)a.sine;
}

void line_noise(size_t n, int is_real, unsigned seed, complex_number *f) {
    uint64_t state = seed;

    for (size_t x = 0; x < n; x++) {
        const double re = next_noise(&state, WEFT_F32), im = next_noise(&state, WEFT_F32);

        f[x] = is_real ? re : re + I * im;
    }
}

void line_sums(size_t n, const complex_number *f, complex_number *F) {
    for (size_t u = 0; u < n; u++) {
        F[u] = 0;
        for (size_t x = 0; x < n; x++) {
            F[u] += f[x] * line_root(x * u, n);
        }
    }
}

/* The value at an index that may lie behind the array. */
static complex_number at(const complex_number *a, size_t i, size_t n, reading how) {
    return how == READ_WITHOUT_MOD && i >= n ? 0 : a[i % n];
}

void line_recurrence(size_t n, complex_number *f, complex_number *other, reading how) {
    complex_number *from = f, *to = how == READ_IN_PLACE ? f : other;

    for (size_t size = 2; size <= n; size *= 2) {
        const size_t S = n / size;

        for (size_t i = 0; i < n; i++) {
            const size_t u = i / S;
            const complex_number w = line_root(u, how == READ_HALF_ROOT ? size / 2 : size);

            to[i] = at(from, i + u * S, n, how) + w * at(from, i + u * S + S, n, how);
        }
        if (how != READ_IN_PLACE) {
            complex_number *swap = from;

            from = to;
            to = swap;
        }
    }
    if (from != f) {
        memcpy(f, from, n * sizeof *f);
    }
}

double line_error(size_t n, const complex_number *there, const complex_number *right) {
    double error = 0, energy = 0;

    for (size_t i = 0; i < n; i++) {
        const complex_number off = there[i] - right[i];

        error += creal(off) * creal(off) + cimag(off) * cimag(off);
        energy += creal(right[i]) * creal(right[i]) + cimag(right[i]) * cimag(right[i]);
    }
    return sqrt(error / energy);
}
