/* SPDX-License-Identifier: MIT
 * Rung 1, the report's program: A[i] <- A[i + u S] + W^u A[i + u S + S], where S = N / size and
 * u = i div S, for size 2, 4 ... N; indices are taken mod N, and W is exp(-2 pi i / size). After
 * the last step A is the Fourier transform of what it was. All rows go through it, then all
 * columns, as if the image were complex. A sine and a cosine are computed for each element of each
 * step: these take most of the time.
 */
#include <math.h>
#include <stdlib.h>

#include "ladder.h"

typedef struct complex_number {
    float re, im;
} complex_number;

typedef struct work {
    size_t n;
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
            const double angle = 6.283185307179586476925 * (double)u / (double)size;
            const float re = (float)cos(angle), im = (float)-sin(angle);
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
    w->first = malloc(n * sizeof *w->first);
    w->second = malloc(n * sizeof *w->second);
    if (w->first == NULL || w->second == NULL) {
        finish(w);
        return NULL;
    }
    return w;
}

LADDER_DEFINE(ladder_cpu_report) = {
    .name = "report",
    .idea = "the report's recurrence, every row and column",
    .file = "cpu_1_report.c",
    .layout = LADDER_FULL,
    .prepare = prepare,
    .run = run,
    .finish = finish,
};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_cpu_report, argc, argv);
}
#endif
