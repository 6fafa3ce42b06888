/* SPDX-License-Identifier: MIT
 * The oracle: transforms in double and long double (transform.inc, once per type), reading a
 * spectrum by the formulas of weft.h, and comparing it with a reference. Called by the tests and,
 * through check/, by the tool. It sees include/ and its own folder only.
 */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { LARGEST_DIRECT_PRIME = 31, COLUMNS_TOGETHER = 8 };

static int thread_index(void) {
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static int thread_limit(void) {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* n = factors[0] * factors[1] * ..., fours before the rest, closed by a 1. Returns the largest one.
 */
static size_t factorize(size_t n, size_t *factors) {
    size_t count = 0, largest = 1;
    for (size_t p = 4; n > 1; p = p == 4 ? 2 : p == 2 ? 3 : p + 2) {
        if (p > 4 && p * p > n)
            p = n;
        for (; n % p == 0; n /= p) {
            factors[count++] = p;
            largest = p > largest ? p : largest;
        }
    }
    factors[count] = 1;
    return largest;
}

/* exp(-2 pi i j / n), 0 <= j < n: the angle is brought into the first octant in integers. */
static void unit_root(size_t j, size_t n, long double *re, long double *im) {
    const long double two_pi = 6.283185307179586476925286766559005768L;
    size_t whole = 4 * n, part = 4 * j;
    int below = part > whole - part, left = 0, steep = 0;
    if (below)
        part = whole - part;
    if (part > n) {
        part -= n;
        left = 1;
    }
    if (part > n - part) {
        part = n - part;
        steep = 1;
    }
    long double angle = two_pi * (long double)part / (long double)whole;
    long double c = cosl(angle), s = sinl(angle), t = c;
    if (steep) {
        c = s;
        s = t;
    }
    if (left) {
        t = c;
        c = -s;
        s = t;
    }
    *re = c;
    *im = below ? s : -s;
}

#define REAL double
#define NAME(x) x##_double
#include "transform.inc"
#undef REAL
#undef NAME

#define REAL long double
#define NAME(x) x##_long_double
#include "transform.inc"
#undef REAL
#undef NAME

int oracle_forward(size_t height, size_t width, const double *image, double *half) {
    return oracle_run_forward_double(height, width, image, half);
}

int oracle_forward_long(size_t height, size_t width, const double *image, long double *half) {
    return oracle_run_forward_long_double(height, width, image, half);
}

int oracle_inverse(size_t height, size_t width, const double *half, double *image) {
    return oracle_run_inverse_double(height, width, half, image);
}

int oracle_inverse_long(size_t height, size_t width, const long double *half, long double *image) {
    return oracle_run_inverse_long_double(height, width, half, image);
}

static double real_at(weft_precision precision, const void *reals, size_t i) {
    return precision == WEFT_F32 ? (double)((const float *)reals)[i] : ((const double *)reals)[i];
}

static void read_packed(size_t height, size_t width, weft_precision precision, size_t pitch,
                        const void *spectrum, size_t k, size_t l, double *re, double *im) {
    size_t k2 = (height - k) % height, l2 = (width - l) % width;
    if (l == l2) {
        size_t low = k < k2 ? k : k2, high = k < k2 ? k2 : k;
        double second = real_at(precision, spectrum, high * pitch + l);
        *re = real_at(precision, spectrum, low * pitch + l);
        *im = k == k2 ? 0 : k < k2 ? second : -second;
    } else if (l < l2) {
        *re = real_at(precision, spectrum, k * pitch + l);
        *im = real_at(precision, spectrum, k * pitch + l2);
    } else {
        *re = real_at(precision, spectrum, k2 * pitch + l2);
        *im = -real_at(precision, spectrum, k2 * pitch + l);
    }
}

static void read_half(size_t height, size_t width, weft_precision precision, size_t pitch,
                      const void *spectrum, size_t k, size_t l, double *re, double *im) {
    int stored = l <= width / 2;
    size_t row = stored ? k : (height - k) % height, column = stored ? l : width - l;
    double value = real_at(precision, spectrum, 2 * (row * pitch + column) + 1);
    *re = real_at(precision, spectrum, 2 * (row * pitch + column));
    *im = stored ? value : -value;
}

void oracle_read(size_t height, size_t width, weft_precision precision, weft_layout layout,
                 size_t pitch, const void *spectrum, size_t k, size_t l, double *re, double *im) {
    (layout == WEFT_PACKED ? read_packed : read_half)(height, width, precision, pitch, spectrum, k,
                                                      l, re, im);
}

/* Sums of squares over the bins seen so far. */
typedef struct tally {
    long double error, energy, error_dc, energy_dc, worst;
    int broken; /* a NaN was seen */
    size_t worst_k, worst_l;
} tally;

static void tally_add(tally *t, size_t k, size_t l, int copies, long double error,
                      long double energy) {
    if (isnan(error) || isnan(energy))
        t->broken = 1;
    if (error > t->worst || (isnan(error) && !isnan(t->worst))) {
        t->worst = error;
        t->worst_k = k;
        t->worst_l = l;
    }
    if (k == 0 && l == 0) {
        t->error_dc = error;
        t->energy_dc = energy;
    } else {
        t->error += copies * error;
        t->energy += copies * energy;
    }
}

static double ratio(long double error, long double energy) {
    return error == 0 && energy == 0 ? 0 : (double)sqrtl(error / energy);
}

static oracle_error tally_close(const tally *t, size_t bins) {
    if (t->broken)
        return (oracle_error){NAN, NAN, NAN, t->worst_k, t->worst_l};
    long double energy = t->energy + t->energy_dc;
    return (oracle_error){ratio(t->error + t->error_dc, energy),
                          ratio(t->worst, energy / (long double)bins), ratio(t->error, t->energy),
                          t->worst_k, t->worst_l};
}

/* Exactly one of the references is there. */
static oracle_error compare(size_t height, size_t width, weft_precision precision,
                            weft_layout layout, size_t pitch, const void *spectrum, double factor,
                            const double *reference, const long double *reference_long) {
    tally t = {0};
    for (size_t k = 0; k < height; k++)
        for (size_t l = 0; l <= width / 2; l++) {
            double re, im;
            oracle_read(height, width, precision, layout, pitch, spectrum, k, l, &re, &im);
            size_t i = 2 * (k * (width / 2 + 1) + l);
            long double x = reference ? reference[i] : reference_long[i];
            long double y = reference ? reference[i + 1] : reference_long[i + 1];
            long double dx = (long double)re / factor - x, dy = (long double)im / factor - y;
            tally_add(&t, k, l, l == (width - l) % width ? 1 : 2, dx * dx + dy * dy, x * x + y * y);
        }
    return tally_close(&t, height * width);
}

oracle_error oracle_compare(size_t height, size_t width, weft_precision precision,
                            weft_layout layout, size_t pitch, const void *spectrum, double factor,
                            const double *reference) {
    return compare(height, width, precision, layout, pitch, spectrum, factor, reference, NULL);
}

oracle_error oracle_compare_long(size_t height, size_t width, weft_precision precision,
                                 weft_layout layout, size_t pitch, const void *spectrum,
                                 double factor, const long double *reference) {
    return compare(height, width, precision, layout, pitch, spectrum, factor, NULL, reference);
}
