/* SPDX-License-Identifier: MIT
 * Rung 3, butterflies: two steps of the recurrence are one. The four values that two steps make of
 * four others are computed together, while these are in registers: three products are enough for
 * all four, because exp(-2 pi i u / size) for u + size/4 is the one for u times -i. Half as many
 * steps go through memory, and as u and the place within S are loops of their own, nothing is
 * divided. A step of two is left where log2 N is odd.
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

static int run(void *of, const float *image, float *spectrum) {
    const work *w = of;
    const size_t n = w->n;
    complex_number *const values = (complex_number *)spectrum, *line;

    for (size_t row = 0; row < n; row++) {
        for (size_t i = 0; i < n; i++) {
            w->first[i] = (complex_number){image[row * n + i], 0};
        }
        line = transform_line(w);
        for (size_t i = 0; i < n; i++) {
            values[row * n + i] = line[i];
        }
    }
    for (size_t column = 0; column < n; column++) {
        for (size_t i = 0; i < n; i++) {
            w->first[i] = values[i * n + column];
        }
        line = transform_line(w);
        for (size_t i = 0; i < n; i++) {
            values[i * n + column] = line[i];
        }
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

LADDER_DEFINE(ladder_cpu_butterflies) = {
    .name = "butterflies",
    .idea = "two steps are one, four values in registers",
    .file = "cpu_3_butterflies.c",
    .layout = LADDER_FULL,
    .prepare = prepare,
    .run = run,
    .finish = finish,
};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_cpu_butterflies, argc, argv);
}
#endif
