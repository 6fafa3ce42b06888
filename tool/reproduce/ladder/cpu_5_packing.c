/* SPDX-License-Identifier: MIT
 * Rung 5, packing: of a real row's transform F[l] and F[N - l] are conjugates, so that N reals hold
 * it: Re F[l] at l, Im F[l] at N - l. Columns l and N - l are then the two parts of one complex
 * column, which is transformed where it lies; columns 0 and N/2 are real, and are tangled as rows
 * are. Half as many columns are transformed, and half of the memory holds the spectrum.
 */
#include <math.h>
#include <stdlib.h>

#include "ladder.h"

typedef struct complex_number {
    float re, im;
} complex_number;

typedef struct work {
    size_t n;
    complex_number *roots;          /* [n] powers of exp(-2 pi i / n) */
    complex_number *first, *second; /* a line, before and after a step */
} work;

static complex_number sum(complex_number a, complex_number b) {
    return (complex_number){a.re + b.re, a.im + b.im};
}

static complex_number difference(complex_number a, complex_number b) {
    return (complex_number){a.re - b.re, a.im - b.im};
}

static complex_number product(complex_number a, complex_number b) {
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Transforms of `size` values become half as many of twice that: p is a place in `to`,
 * whose u begins at u S; in `from` that u begins at 2 u S. */
static void step_of_2(const work *w, size_t size, const complex_number *from, complex_number *to) {
    const size_t S = w->n / (2 * size);

    for (size_t u = 0; u < size; u++) {
        for (size_t p = u * S; p < u * S + S; p++) {
            const complex_number *x = from + u * S + p;
            const complex_number a = x[0], b = product(w->roots[u * S], x[S]);
            to[p] = sum(a, b);
            to[p + w->n / 2] = difference(a, b);
        }
    }
}

/* Transforms of `size` values become a quarter as many of four times that: p is a place in `to`,
 * whose u begins at u S; in `from` that u begins at 4 u S. */
static void step_of_4(const work *w, size_t size, const complex_number *from, complex_number *to) {
    const size_t S = w->n / (4 * size), quarter = w->n / 4;

    for (size_t u = 0; u < size; u++) {
        const complex_number *roots = w->roots;
        for (size_t p = u * S; p < u * S + S; p++) {
            const complex_number *x = from + 3 * u * S + p;
            const complex_number a = x[0], b = product(roots[u * S], x[S]);
            const complex_number c = product(roots[2 * u * S], x[2 * S]);
            const complex_number d = product(roots[3 * u * S], x[3 * S]);
            const complex_number even = sum(a, c), odd = difference(a, c);
            const complex_number turned = {b.im - d.im, d.re - b.re}; /* -i (b - d) */
            to[p] = sum(even, sum(b, d));
            to[p + quarter] = sum(odd, turned);
            to[p + 2 * quarter] = difference(even, sum(b, d));
            to[p + 3 * quarter] = difference(odd, turned);
        }
    }
}

/* The line that is in `first` becomes its Fourier transform, which is in what is returned. */
static complex_number *transform_line(const work *w) {
    complex_number *from = w->first, *to = w->second, *swap;

    for (size_t size = 1; size < w->n; size *= 4) {
        (4 * size <= w->n ? step_of_4 : step_of_2)(w, size, from, to);
        swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Two rows go in as one and come out apart, each packed. */
static void transform_rows(const work *w, const float *upper, float *to_upper) {
    const size_t n = w->n;
    const float *lower = upper + n;
    float *to_lower = to_upper + n;
    const complex_number *z;

    for (size_t i = 0; i < n; i++) {
        w->first[i] = (complex_number){upper[i], lower[i]};
    }
    z = transform_line(w);
    to_upper[0] = z[0].re;
    to_lower[0] = z[0].im;
    to_upper[n / 2] = z[n / 2].re;
    to_lower[n / 2] = z[n / 2].im;
    for (size_t l = 1; l < n / 2; l++) {
        const complex_number a = z[l], b = z[n - l];
        to_upper[l] = (a.re + b.re) / 2;
        to_upper[n - l] = (a.im - b.im) / 2;
        to_lower[l] = (a.im + b.im) / 2;
        to_lower[n - l] = (b.re - a.re) / 2;
    }
}

/* The other column of column l's pair. */
static size_t partner(size_t n, size_t l) {
    return l == 0 ? n / 2 : n - l;
}

/* Column l is the real part of the line, its partner the imaginary part. */
static void load_columns(const work *w, const float *spectrum, size_t l) {
    const size_t n = w->n;

    for (size_t k = 0; k < n; k++) {
        w->first[k] = (complex_number){spectrum[k * n + l], spectrum[k * n + partner(n, l)]};
    }
}

static void store_columns(size_t n, const complex_number *z, float *spectrum, size_t l) {
    for (size_t k = 0; k < n; k++) {
        spectrum[k * n + l] = z[k].re;
        spectrum[k * n + partner(n, l)] = z[k].im;
    }
}

/* Two real columns have come out of the line in `z`: apart, each packed along k. */
static void pack_real_columns(size_t n, complex_number *z) {
    for (size_t k = 1; k < n / 2; k++) {
        const complex_number a = z[k], b = z[n - k];
        z[k] = (complex_number){(a.re + b.re) / 2, (a.im + b.im) / 2};
        z[n - k] = (complex_number){(a.im - b.im) / 2, (b.re - a.re) / 2};
    }
}

static void transform_columns(const work *w, float *spectrum, size_t l) {
    complex_number *z;

    load_columns(w, spectrum, l);
    z = transform_line(w);
    if (l == 0) {
        pack_real_columns(w->n, z);
    }
    store_columns(w->n, z, spectrum, l);
}

static int run(void *of, const float *image, float *spectrum) {
    const work *w = of;
    const size_t n = w->n;

    for (size_t row = 0; row < n; row += 2) {
        transform_rows(w, image + row * n, spectrum + row * n);
    }
    for (size_t l = 0; l < n / 2; l++) {
        transform_columns(w, spectrum, l);
    }
    return 0;
}

static void finish(void *of) {
    work *w = of;
    free(w->roots);
    free(w->first);
    free(w->second);
    free(w);
}

static void *prepare(size_t n) {
    work *w = calloc(1, sizeof *w);

    if (w == NULL) {
        return NULL;
    }
    w->n = n;
    w->roots = malloc(n * sizeof *w->roots);
    w->first = malloc(n * sizeof *w->first);
    w->second = malloc(n * sizeof *w->second);
    if (w->roots == NULL || w->first == NULL || w->second == NULL) {
        finish(w);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        const double angle = 6.283185307179586476925 * (double)i / (double)n;
        w->roots[i] = (complex_number){(float)cos(angle), (float)-sin(angle)};
    }
    return w;
}

LADDER_DEFINE(ladder_cpu_packing) = {
    .name = "packing",
    .idea = "in the image's space, half of the columns",
    .file = "cpu_5_packing.c",
    .layout = LADDER_PACKED,
    .prepare = prepare,
    .run = run,
    .finish = finish,
};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_cpu_packing, argc, argv);
}
#endif
