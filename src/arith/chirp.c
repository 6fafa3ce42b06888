/* SPDX-License-Identifier: MIT
 * The tables of Bluestein's algorithm, computed when a plan is made.
 */
#include "arith/chirp.h"

#include <string.h>

#include "arith/angle.h"

/* exp(-i x) of an angle, and a number of the table before it is rounded. */
typedef struct wide {
    long double re, im;
} wide;

static wide wide_of(angle x) {
    return (wide){x.cosine, -x.sine};
}

static cpx rounded(wide z, long double scale) {
    return cpx_of((scalar)(z.re * scale), (scalar)(z.im * scale));
}

/* n^2 mod 2 length, without overflow: the chirp's angle in parts of a whole turn. */
static size_t square_modulo(size_t n, size_t length) {
    return (size_t)((unsigned __int128)n * n % (2 * length));
}

/* Exchanges values whose indices have their bits in reverse. */
static void reverse_bits(wide *x, size_t count) {
    for (size_t i = 0, reversed = 0; i < count; i++) {
        if (i < reversed) {
            wide swap = x[i];
            x[i] = x[reversed];
            x[reversed] = swap;
        }
        size_t bit = count / 2;
        for (; bit > 0 && (reversed & bit) != 0; bit /= 2) {
            reversed ^= bit;
        }
        reversed |= bit;
    }
}

static wide turned(wide z, wide w) {
    return (wide){z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}

/* x[count], a power of two, becomes its DFT; every `apart`-th of the roots is exp(-2 pi i k /
 * count). */
static void transform_power(wide *x, size_t count, const wide *roots, size_t apart) {
    reverse_bits(x, count);
    for (size_t half = 1; half < count; half *= 2) {
        for (size_t first = 0; first < count; first += 2 * half) {
            for (size_t j = 0; j < half; j++) {
                wide *a = &x[first + j], *b = a + half;
                wide by = turned(*b, roots[j * (count / (2 * half)) * apart]);
                *b = (wide){a->re - by.re, a->im - by.im};
                *a = (wide){a->re + by.re, a->im + by.im};
            }
        }
    }
}

/* The values of a line whose length is `parts` times a power of two: those whose indices are equal
 * modulo `parts` lie together. */
static size_t place_of(size_t n, size_t length, size_t parts) {
    return n % parts * (length / parts) + n / parts;
}

enum { MOST_PARTS = 9 };

/* The last stage: DFTs of `parts` values, one of each part. roots[length / 2] are exp(-2 pi i k /
 * length). */
static void join_parts(wide *x, size_t length, size_t parts, const wide *roots) {
    const size_t count = length / parts;
    for (size_t k = 0; k < count; k++) {
        wide of[MOST_PARTS];
        for (size_t p = 0; p < parts; p++) {
            of[p] = x[k + p * count];
        }
        for (size_t i = k; i < length; i += count) {
            x[i] = of[0];
            for (size_t p = 1; p < parts; p++) {
                size_t turn = p * i % length;
                wide by = turned(of[p], roots[turn % (length / 2)]);
                x[i].re += 2 * turn < length ? by.re : -by.re;
                x[i].im += 2 * turn < length ? by.im : -by.im;
            }
        }
    }
}

void chirp_fill(size_t length, cpx *chirp, cpx *spectrum, void *scratch) {
    size_t padded = convolution_length(length), parts = padded;
    wide *x = scratch, *roots = x + padded;
    while (parts % 2 == 0) {
        parts /= 2;
    }
    for (size_t k = 0; k < padded / 2; k++) {
        roots[k] = wide_of(angle_of(k, padded));
    }
    memset(x, 0, padded * sizeof *x);
    for (size_t n = 0; n < length; n++) {
        wide c = wide_of(angle_of(square_modulo(n, length), 2 * length));
        chirp[n] = rounded(c, 1);
        x[place_of(n, padded, parts)] = (wide){c.re, -c.im};
        x[place_of(n > 0 ? padded - n : 0, padded, parts)] = (wide){c.re, -c.im};
    }
    for (size_t p = 0; p < parts; p++) {
        transform_power(x + p * (padded / parts), padded / parts, roots, parts);
    }
    join_parts(x, padded, parts, roots);
    for (size_t k = 0; k < padded; k++) {
        spectrum[k] = rounded(x[k], 1 / (long double)padded);
    }
}
