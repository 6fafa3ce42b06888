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

/* x[count] becomes its DFT; roots[count / 2] are exp(-2 pi i k / count). */
static void transform(wide *x, size_t count, const wide *roots) {
    reverse_bits(x, count);
    for (size_t half = 1; half < count; half *= 2) {
        for (size_t first = 0; first < count; first += 2 * half) {
            for (size_t j = 0; j < half; j++) {
                wide *a = &x[first + j], *b = a + half, w = roots[j * (count / (2 * half))];
                wide turned = {b->re * w.re - b->im * w.im, b->re * w.im + b->im * w.re};
                *b = (wide){a->re - turned.re, a->im - turned.im};
                *a = (wide){a->re + turned.re, a->im + turned.im};
            }
        }
    }
}

void chirp_fill(size_t length, cpx *chirp, cpx *spectrum, void *scratch) {
    size_t padded = convolution_length(length);
    wide *x = scratch, *roots = x + padded;
    for (size_t k = 0; k < padded / 2; k++) {
        roots[k] = wide_of(angle_of(k, padded));
    }
    memset(x, 0, padded * sizeof *x);
    for (size_t n = 0; n < length; n++) {
        wide c = wide_of(angle_of(square_modulo(n, length), 2 * length));
        chirp[n] = rounded(c, 1);
        x[n] = x[n > 0 ? padded - n : 0] = (wide){c.re, -c.im};
    }
    transform(x, padded, roots);
    for (size_t k = 0; k < padded; k++) {
        spectrum[k] = rounded(x[k], 1 / (long double)padded);
    }
}
