/* SPDX-License-Identifier: MIT
 * Rung 2, tables: all sines and cosines that the steps need are powers of one number, exp(-2 pi i /
 * N), so they are computed once and looked up from then on: step `size` takes every S-th of them.
 * This buys most of the time of rung 1, because a load takes a few cycles where a sine and a cosine
 * take a hundred or more. The table is computed in double and rounded once, as rung 1 rounds.
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

/* The line that is in `first` becomes its Fourier transform, which is in what is returned. */
static complex_number *transform_line(const work *w) {
    const size_t n = w->n;
    complex_number *from = w->first, *to = w->second;

    for (size_t size = 2; size <= n; size *= 2) {
        const size_t S = n / size;
        complex_number *const swap = from;
        for (size_t i = 0; i < n; i++) {
            const size_t u = i / S;
            const float re = w->roots[u * S].re, im = w->roots[u * S].im;
            const complex_number a = from[(i + u * S) % n], b = from[(i + u * S + S) % n];
            to[i].re = a.re + (re * b.re - im * b.im);
            to[i].im = a.im + (re * b.im + im * b.re);
        }
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

LADDER_DEFINE(ladder_cpu_tables) = {
    .name = "tables",
    .idea = "sines and cosines out of a table",
    .file = "cpu_2_tables.c",
    .layout = LADDER_FULL,
    .prepare = prepare,
    .run = run,
    .finish = finish,
};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_cpu_tables, argc, argv);
}
#endif
