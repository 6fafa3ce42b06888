/* SPDX-License-Identifier: MIT
 * The two kinds of butterflies have the same bits where all twiddles are 1, and others are turned
 * by the angles that they stand for; and lists are of radices that there are. Compiled once for
 * each precision.
 */
#include "butterflies.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/butterfly.h"
#include "arith/chirp.h"
#include "arith/twiddle.h"
#include "expect.h"

static const size_t radices[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11,  12,
                                 13, 15, 16, 17, 19, 31, 37, 61, 97, 113, 127};
enum { RADICES = sizeof radices / sizeof *radices, SUB_LINES = 12, MOST = LARGEST_ODD_RADIX };
enum { NUMBERS = (SUB_LINES + 1) * MOST };

/* The twiddles of the second stage of a line that has SUB_LINES before it, which begin in w. */
static const cpx *twiddles_of(size_t radix, cpx w[NUMBERS]) {
    factor_list list = {2, {SUB_LINES, (int)radix}};
    twiddle_fill(&list, NULL, w);
    return w + twiddles_before(&list, 1);
}

static void turned_butterfly(cpx *x, const cpx *twiddles, size_t sub_line, size_t radix) {
    const cpx *w = twiddles + sub_line * stage_twiddles(radix);
    if (radix <= LARGEST_RADIX) {
        butterfly_turned(x, w, (int)radix);
        return;
    }
    for (size_t k = 1; k < radix; k++)
        x[k] = cpx_mul(x[k], w[k - 1]);
    dft_large_odd(x, (int)radix, twiddles - radix);
}

static void some_values(cpx *x, size_t count, unsigned seed) {
    for (size_t i = 0; i < 2 * count; i++) {
        seed = seed * 1664525u + 1013904223u;
        *(i % 2 ? &x[i / 2].im : &x[i / 2].re) = (scalar)(int)seed / (scalar)(1u << 30);
    }
}

static void ones(void **state) {
    (void)state;
    for (int i = 0; i < RADICES && radices[i] <= LARGEST_RADIX; i++) {
        cpx numbers[NUMBERS], x[MOST], y[MOST];
        const cpx *w = twiddles_of(radices[i], numbers);
        for (unsigned seed = 0; seed < 100; seed++) {
            some_values(x, radices[i], seed);
            memcpy(y, x, sizeof y);
            butterfly(x, (int)radices[i]);
            butterfly_turned(y, w, (int)radices[i]);
            for (size_t k = 0; k < radices[i]; k++) {
                check(x[k].re == y[k].re && x[k].im == y[k].im,
                      "radix %zu: output %zu is %.17g %.17g, turned by nothing %.17g %.17g",
                      radices[i], k, (double)x[k].re, (double)x[k].im, (double)y[k].re,
                      (double)y[k].im);
            }
        }
    }
}

static long double complex exact_root(size_t k, size_t n) {
    return cexpl(-2 * acosl(-1) * I * (long double)(k % n) / (long double)n);
}

static void angles(void **state) {
    (void)state;
    for (int i = 0; i < RADICES; i++) {
        size_t r = radices[i], n = SUB_LINES * r;
        cpx numbers[NUMBERS], x[MOST], y[MOST];
        const cpx *w = twiddles_of(r, numbers);
        for (size_t q = 0; q < SUB_LINES; q++) {
            some_values(x, r, (unsigned)q);
            memcpy(y, x, sizeof y);
            turned_butterfly(y, w, q, r);
            for (size_t k = 0; k < r; k++) {
                long double complex sum = 0;
                for (size_t v = 0; v < r; v++) {
                    sum += (x[v].re + I * (long double)x[v].im) *
                           exact_root(v * (q + k * SUB_LINES), n);
                }
                long double error = cabsl(y[k].re + I * (long double)y[k].im - sum);
                check(error < 4 * (WEFT_REAL_BITS == 32 ? 0x1p-24L : 0x1p-53L) * (long double)r,
                      "radix %zu, sub-line %zu: output %zu is off by %Lg", r, q, k, error);
            }
        }
    }
}

static cpx *filled(const factor_list *list, void *scratch, size_t *bytes) {
    *bytes = twiddles_before(list, list->count) * sizeof(cpx);
    cpx *table = malloc(*bytes);
    assert_non_null(table);
    twiddle_fill(list, scratch, table);
    return table;
}

/* Tables of one length that share their angles have the bits of tables that do not. */
static void shared_angles(void **state) {
    (void)state;
    static const size_t lengths[] = {24, 64, 1000, 2032, 4095, 4096, 8190};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        void *scratch = calloc(1, twiddle_scratch(lengths[i]));
        assert_non_null(scratch);
        for (int which = 0; which < 4; which++) {
            factor_list list;
            size_t bytes;
            factor_line(lengths[i], which / 2 ? AXIS_COLUMN : AXIS_ROW, which % 2, &list);
            cpx *alone = filled(&list, NULL, &bytes), *among = filled(&list, scratch, &bytes);
            check(memcmp(alone, among, bytes) == 0, "%zu, list %d: other twiddles", lengths[i],
                  which);
            free(alone);
            free(among);
        }
        check(*(long double *)scratch == 1, "%zu: the angle of 0 is not remembered", lengths[i]);
        free(scratch);
    }
}

static size_t largest_prime(size_t n) {
    size_t prime = 1;
    for (size_t p = 2; n > 1; p++) {
        for (; n % p == 0; n /= p)
            prime = p;
    }
    return prime;
}

static int has_butterfly(size_t radix) {
    for (int i = 0; i < RADICES; i++) {
        if (radices[i] == radix)
            return 1;
    }
    return radix > LARGEST_RADIX && radix <= LARGEST_ODD_RADIX && largest_prime(radix) == radix;
}

/* A list has a length as its product, if its primes are not too large. */
static void products(void **state) {
    (void)state;
    for (size_t n = 1; n <= 5000; n++) {
        factor_list list;
        size_t product = 1;
        int has_list = factor_length(n, &list);
        check(has_list == (largest_prime(n) <= LARGEST_ODD_RADIX), "%zu: list %d", n, has_list);
        for (int s = 0; s < list.count; s++) {
            product *= (size_t)list.radix[s];
            check(has_butterfly((size_t)list.radix[s]), "%zu has radix %d", n, list.radix[s]);
        }
        check(product == n || !has_list, "%zu: the product is %zu", n, product);
    }
}

static void cheapest(void **state) {
    (void)state;
    static const factor_list lists[] = {
        {3, {12, 8, 8}},     {3, {10, 10, 10}},   {3, {15, 12, 6}},   {2, {15, 16}},
        {4, {13, 11, 7, 6}}, {4, {12, 10, 5, 5}}, {4, {19, 6, 6, 8}}, {4, {127, 61, 11, 2}},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        factor_list list;
        size_t n = 1;
        for (int s = 0; s < lists[i].count; s++)
            n *= (size_t)lists[i].radix[s];
        factor_length(n, &list);
        check(list.count == lists[i].count, "%zu has %d radices", n, list.count);
        for (int s = 0; s < list.count; s++)
            check(list.radix[s] == lists[i].radix[s], "%zu: radix %d is %d", n, s, list.radix[s]);
    }
}

/* Convolutions are long enough, and not much longer; their lists begin and end with 8 or 16, there
 * and back. */
static void convolutions(void **state) {
    (void)state;
    for (size_t n = LARGEST_ODD_RADIX + 1; n <= 20000; n++) {
        factor_list there, back;
        size_t padded = convolution_length(n), product = 1;
        check(padded >= 2 * n - 1 && padded < 3 * n, "%zu in %zu", n, padded);
        factor_line(padded, CONVOLVED, 0, &there);
        factor_line(padded, CONVOLVED, 1, &back);
        int last = there.count - 1;
        for (int s = 0; s <= last; s++) {
            product *= (size_t)there.radix[s];
            check(has_butterfly((size_t)there.radix[s]) && back.radix[last - s] == there.radix[s],
                  "%zu: radix %d, back %d", padded, there.radix[s], back.radix[last - s]);
        }
        check(product == padded && back.count == there.count, "%zu: the product is %zu", padded,
              product);
        check(there.radix[0] % 8 == 0 && there.radix[last] % 8 == 0, "%zu: from %d to %d", padded,
              there.radix[0], there.radix[last]);
    }
}

int run_butterfly_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ones),     cmocka_unit_test(angles),   cmocka_unit_test(shared_angles),
        cmocka_unit_test(products), cmocka_unit_test(cheapest), cmocka_unit_test(convolutions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
