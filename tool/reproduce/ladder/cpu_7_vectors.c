/* SPDX-License-Identifier: MIT
 * Rung 7, vectors: a CPU adds or multiplies 8 floats in the time of one if they lie beside each
 * other. So 8 lines are transformed together: where there was a float there is now a vector of
 * them, one for each line, and the steps read as before. All lines use the same root at the same
 * time, and the work on indices is shared among them. Rows come in tiles, too, for that. (The type
 * is an extension of GCC and Clang, which make what the CPU has of it.)
 */
#include <math.h>
#include <stdlib.h>

#include "ladder.h"

enum { LINES = 16, LANES = 8, CACHE_LINE = 64 };

typedef struct complex_number {
    float re, im;
} complex_number;

/* One value of each of LANES lines. */
typedef float vector __attribute__((vector_size(LANES * sizeof(float))));
typedef struct complex_vector {
    vector re, im;
} complex_vector;

typedef struct work {
    size_t n;
    complex_number *roots;          /* [n] powers of exp(-2 pi i / n) */
    complex_vector *first, *second; /* [LINES / LANES][n] before and after a step */
} work;

static complex_vector sum(complex_vector a, complex_vector b) {
    return (complex_vector){a.re + b.re, a.im + b.im};
}

static complex_vector difference(complex_vector a, complex_vector b) {
    return (complex_vector){a.re - b.re, a.im - b.im};
}

static complex_vector product(complex_number a, complex_vector b) {
    return (complex_vector){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Transforms of `size` values become half as many of twice that. */
static void step_of_2(const work *w, size_t size, const complex_vector *from, complex_vector *to) {
    const size_t S = w->n / (2 * size);

    for (size_t u = 0; u < size; u++) {
        for (size_t p = u * S; p < u * S + S; p++) {
            const complex_vector *x = from + u * S + p;
            const complex_vector a = x[0], b = product(w->roots[u * S], x[S]);
            to[p] = sum(a, b);
            to[p + w->n / 2] = difference(a, b);
        }
    }
}

/* Transforms of `size` values become a quarter as many of four times that. */
static void step_of_4(const work *w, size_t size, const complex_vector *from, complex_vector *to) {
    const size_t S = w->n / (4 * size), quarter = w->n / 4;

    for (size_t u = 0; u < size; u++) {
        const complex_number *roots = w->roots;
        for (size_t p = u * S; p < u * S + S; p++) {
            const complex_vector *x = from + 3 * u * S + p;
            const complex_vector a = x[0], b = product(roots[u * S], x[S]);
            const complex_vector c = product(roots[2 * u * S], x[2 * S]);
            const complex_vector d = product(roots[3 * u * S], x[3 * S]);
            const complex_vector even = sum(a, c), odd = difference(a, c);
            const complex_vector turned = {b.im - d.im, d.re - b.re}; /* -i (b - d) */
            to[p] = sum(even, sum(b, d));
            to[p + quarter] = sum(odd, turned);
            to[p + 2 * quarter] = difference(even, sum(b, d));
            to[p + 3 * quarter] = difference(odd, turned);
        }
    }
}

/* Lines j * LANES and on of `first` become their Fourier transforms, which are in what is returned.
 */
static complex_vector *transform_lines(const work *w, size_t j) {
    complex_vector *from = w->first + j * w->n, *to = w->second + j * w->n, *swap;

    for (size_t size = 1; size < w->n; size *= 4) {
        (4 * size <= w->n ? step_of_4 : step_of_2)(w, size, from, to);
        swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* So many lines of a tile; what lies in lanes that are none of them is transformed for nothing. */
static complex_vector *transform_tile(const work *w, size_t lines) {
    complex_vector *z = NULL;

    for (size_t j = (lines + LANES - 1) / LANES; j-- > 0;) {
        z = transform_lines(w, j);
    }
    return z;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Two rows are a line. They are read by pieces of cache lines, as a column of a tile is. */
static void load_rows(const work *w, const float *image, size_t lines, size_t piece) {
    const size_t n = w->n;

    for (size_t begin = 0; begin < n; begin += piece) {
        for (size_t j = 0; j < lines; j++) {
            const float *upper = image + 2 * j * n, *lower = upper + n;
            complex_vector *line = w->first + j / LANES * n;
            for (size_t i = begin; i < begin + piece; i++) {
                line[i].re[j % LANES] = upper[i];
                line[i].im[j % LANES] = lower[i];
            }
        }
    }
}

/* The values l of one line come out apart and packed. */
static void store_pair(const complex_vector *z, size_t lane, float *upper, size_t n, size_t l) {
    const float re = z[l].re[lane], im = z[l].im[lane];
    const float mirrored_re = z[n - l].re[lane], mirrored_im = z[n - l].im[lane];
    float *lower = upper + n;

    upper[l] = (re + mirrored_re) / 2;
    upper[n - l] = (im - mirrored_im) / 2;
    lower[l] = (im + mirrored_im) / 2;
    lower[n - l] = (mirrored_re - re) / 2;
}

static void store_rows(const work *w, const complex_vector *z, float *spectrum, size_t lines,
                       size_t piece) {
    const size_t n = w->n;

    for (size_t begin = 0; begin < n / 2; begin += piece) {
        for (size_t j = 0; j < lines; j++) {
            for (size_t l = begin > 0 ? begin : 1; l < begin + piece && l < n / 2; l++) {
                store_pair(z + j / LANES * n, j % LANES, spectrum + 2 * j * n, n, l);
            }
        }
    }
    for (size_t j = 0; j < lines; j++) {
        const complex_vector *line = z + j / LANES * n;
        float *upper = spectrum + 2 * j * n, *lower = upper + n;
        upper[0] = line[0].re[j % LANES];
        lower[0] = line[0].im[j % LANES];
        upper[n / 2] = line[n / 2].re[j % LANES];
        lower[n / 2] = line[n / 2].im[j % LANES];
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The other column of column l's pair. */
static size_t partner(size_t n, size_t l) {
    return l == 0 ? n / 2 : n - l;
}

/* Columns l, l + 1 ... are the real parts of as many lines, their partners the imaginary parts. */
static void load_columns(const work *w, const float *spectrum, size_t l, size_t lines) {
    const size_t n = w->n;

    for (size_t k = 0; k < n; k++) {
        for (size_t j = 0; j < lines; j++) {
            complex_vector *z = w->first + j / LANES * n + k;
            z->re[j % LANES] = spectrum[k * n + l + j];
            z->im[j % LANES] = spectrum[k * n + partner(n, l + j)];
        }
    }
}

static void store_columns(size_t n, const complex_vector *first, float *spectrum, size_t l,
                          size_t lines) {
    for (size_t k = 0; k < n; k++) {
        for (size_t j = 0; j < lines; j++) {
            const complex_vector *z = first + j / LANES * n + k;
            spectrum[k * n + l + j] = z->re[j % LANES];
            spectrum[k * n + partner(n, l + j)] = z->im[j % LANES];
        }
    }
}

/* Two real columns have come out of the first line in `z`: apart, each packed along k. */
static void pack_real_columns(size_t n, complex_vector *z) {
    for (size_t k = 1; k < n / 2; k++) {
        const complex_number a = {z[k].re[0], z[k].im[0]}, b = {z[n - k].re[0], z[n - k].im[0]};
        z[k].re[0] = (a.re + b.re) / 2;
        z[k].im[0] = (a.im + b.im) / 2;
        z[n - k].re[0] = (a.im - b.im) / 2;
        z[n - k].im[0] = (b.re - a.re) / 2;
    }
}

static int run(void *of, const float *image, float *spectrum) {
    const work *w = of;
    const size_t n = w->n, lines = n / 2 < LINES ? n / 2 : LINES, piece = n < 16 ? n : 16;

    for (size_t row = 0; row < n; row += 2 * lines) {
        load_rows(w, image + row * n, lines, piece);
        store_rows(w, transform_tile(w, lines), spectrum + row * n, lines, piece);
    }
    for (size_t l = 0; l < n / 2; l += lines) {
        complex_vector *z;
        load_columns(w, spectrum, l, lines);
        z = transform_tile(w, lines);
        if (l == 0) {
            pack_real_columns(n, z);
        }
        store_columns(n, z, spectrum, l, lines);
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
    w->first = aligned_alloc(CACHE_LINE, LINES / LANES * n * sizeof *w->first);
    w->second = aligned_alloc(CACHE_LINE, LINES / LANES * n * sizeof *w->second);
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

LADDER_DEFINE(ladder_cpu_vectors) = {
    .name = "vectors",
    .idea = "eight lines are the lanes of vectors",
    .file = "cpu_7_vectors.c",
    .layout = LADDER_PACKED,
    .prepare = prepare,
    .run = run,
    .finish = finish,
};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_cpu_vectors, argc, argv);
}
#endif
