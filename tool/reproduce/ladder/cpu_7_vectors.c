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

enum { LINES = 16, CACHE_LINE = 64 };

enum { LANES = 8 };

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

/* ---- steps ----------------------------------------------------------------------------------- */

/* Transforms of `size` values become half as many of twice that: p is a place in `to`,
 * whose u begins at u S; in `from` that u begins at 2 u S. */
static void step_of_2(const work *w, size_t size, const complex_vector *from, complex_vector *to) {
    const size_t S = w->n / (2 * size);

    for (size_t u = 0; u < size; u++) {
        const complex_number root_b = w->roots[u * S];
        for (size_t p = u * S; p < u * S + S; p++) {
            const complex_vector *x = from + u * S + p;
            const complex_vector a = x[0], b = product(root_b, x[S]);
            to[p] = sum(a, b);
            to[p + w->n / 2] = difference(a, b);
        }
    }
}

/* Transforms of `size` values become a quarter as many of four times that: p is a place in `to`,
 * whose u begins at u S; in `from` that u begins at 4 u S. */
static void step_of_4(const work *w, size_t size, const complex_vector *from, complex_vector *to) {
    const size_t S = w->n / (4 * size), quarter = w->n / 4;

    for (size_t u = 0; u < size; u++) {
        const complex_number root_b = w->roots[u * S], root_c = w->roots[2 * u * S];
        const complex_number root_d = w->roots[3 * u * S];
        for (size_t p = u * S; p < u * S + S; p++) {
            const complex_vector *x = from + 3 * u * S + p;
            const complex_vector a = x[0], b = product(root_b, x[S]);
            const complex_vector c = product(root_c, x[2 * S]);
            const complex_vector d = product(root_d, x[3 * S]);
            const complex_vector even = sum(a, c), odd = difference(a, c);
            const complex_vector turned = {b.im - d.im, d.re - b.re}; /* -i (b - d) */
            to[p] = sum(even, sum(b, d));
            to[p + quarter] = sum(odd, turned);
            to[p + 2 * quarter] = difference(even, sum(b, d));
            to[p + 3 * quarter] = difference(odd, turned);
        }
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

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

/* ---- where values lie between rows and columns, and after ------------------------------------ */

static size_t imaginary_place(size_t n, size_t l) {
    return l == 0 ? n / 2 : n - l;
}

/* F[l] of a real row, and with it F[n - l]. */
static void put(float *row, size_t n, size_t l, float re, float im) {
    row[l] = re;
    if (l > 0 && l < n / 2) {
        row[n - l] = im;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void load_element(complex_vector *z, size_t lane, const float *row, size_t n, size_t i) {
    z[i].re[lane] = row[i];
    z[i].im[lane] = row[n + i];
}

static void store_element(const complex_vector *z, size_t lane, float *row, size_t n, size_t l) {
    const size_t mirror = l == 0 ? 0 : n - l;
    const float re = z[l].re[lane], mirrored_re = z[mirror].re[lane];
    const float im = z[l].im[lane], mirrored_im = z[mirror].im[lane];

    put(row, n, l, (re + mirrored_re) / 2, (im - mirrored_im) / 2);
    put(row + n, n, l, (im + mirrored_im) / 2, (mirrored_re - re) / 2);
}

/* Rows are read and written by pieces: of several cache lines, so that what fetches memory ahead
 * has something to go by, and so few that those of all rows of a tile stay in the nearest cache. */
static size_t piece_of(size_t count) {
    return count < 64 ? count : 64;
}

static void load_rows(const work *w, const float *image, size_t lines) {
    const size_t n = w->n, piece = piece_of(n);

    for (size_t begin = 0; begin < n; begin += piece) {
        for (size_t j = 0; j < lines; j++) {
            for (size_t i = begin; i < begin + piece; i++) {
                load_element(w->first + j / LANES * n, j % LANES, image + 2 * j * n, n, i);
            }
        }
    }
}

static void store_rows(const work *w, const complex_vector *z, float *spectrum, size_t lines) {
    const size_t n = w->n, piece = piece_of(n / 2);

    for (size_t begin = 0; begin < n / 2; begin += piece) {
        for (size_t j = 0; j < lines; j++) {
            for (size_t l = begin; l < begin + piece; l++) {
                store_element(z + j / LANES * n, j % LANES, spectrum + 2 * j * n, n, l);
            }
        }
    }
    for (size_t j = 0; j < lines; j++) {
        store_element(z + j / LANES * n, j % LANES, spectrum + 2 * j * n, n, n / 2);
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The columns of the tile at column l. */
static void load_columns(const work *w, const float *spectrum, size_t l, size_t lines) {
    const size_t n = w->n;

    for (size_t k = 0; k < n; k++) {
        const float *row = spectrum + k * n;
        for (size_t j = 0; j < lines; j++) {
            complex_vector *z = w->first + j / LANES * n + k;
            z->re[j % LANES] = row[l + j];
            z->im[j % LANES] = row[imaginary_place(n, l + j)];
        }
    }
}

static void store_columns(size_t n, const complex_vector *tile, float *spectrum, size_t l,
                          size_t lines) {
    for (size_t k = 0; k < n; k++) {
        float *row = spectrum + k * n;
        for (size_t j = 0; j < lines; j++) {
            const complex_vector *z = tile + j / LANES * n + k;
            row[l + j] = z->re[j % LANES];
            row[imaginary_place(n, l + j)] = z->im[j % LANES];
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

static void transform_columns(const work *w, float *spectrum, size_t l, size_t lines) {
    complex_vector *z;

    load_columns(w, spectrum, l, lines);
    z = transform_tile(w, lines);
    if (l == 0) {
        pack_real_columns(w->n, z);
    }
    store_columns(w->n, z, spectrum, l, lines);
}

/* ---- the rung -------------------------------------------------------------------------------- */

static int run(void *of, const float *image, float *spectrum) {
    const work *w = of;
    const size_t n = w->n, lines = n / 2 < LINES ? n / 2 : LINES;

    for (size_t row = 0; row < n; row += 2 * lines) {
        load_rows(w, image + row * n, lines);
        store_rows(w, transform_tile(w, lines), spectrum + row * n, lines);
    }
    for (size_t l = 0; l < n / 2; l += lines) {
        transform_columns(w, spectrum, l, lines);
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
    const size_t elements = LINES / LANES * n;

    if (w == NULL) {
        return NULL;
    }
    w->n = n;
    w->roots = malloc(n * sizeof *w->roots);
    w->first = aligned_alloc(CACHE_LINE, elements * sizeof *w->first);
    w->second = aligned_alloc(CACHE_LINE, elements * sizeof *w->second);
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
