/* SPDX-License-Identifier: MIT
 * Rung 8, threads: no tile needs another of its pass, so every core takes tiles, into memory of its
 * own; only between rows and columns do all wait for all. cc -O3 -march=native -fopenmp ... -lm
 * This is the last rung. With -DWITHOUT_TABLES, _BUTTERFLIES, _TANGLING, _PACKING, _TILES,
 * _VECTORS or _THREADS it leaves out one idea and keeps all others.
 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "ladder.h"

enum { LINES = 16, CACHE_LINE = 64 };

#ifdef WITHOUT_VECTORS
enum { LANES = 1 };
#else
enum { LANES = 8 };
#endif

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
    complex_vector *first, *second; /* [threads][LINES / LANES][n] before and after a step */
    int threads;
} work;

#ifdef WITHOUT_TABLES
static complex_number root(const work *w, size_t i) {
    const double angle = 6.283185307179586476925 * (double)i / (double)w->n;
    return (complex_number){(float)cos(angle), (float)-sin(angle)};
}
#else
static complex_number root(const work *w, size_t i) {
    return w->roots[i];
}
#endif

static complex_vector sum(complex_vector a, complex_vector b) {
    return (complex_vector){a.re + b.re, a.im + b.im};
}

static complex_vector product(complex_number a, complex_vector b) {
    return (complex_vector){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* ---- steps ----------------------------------------------------------------------------------- */

#ifdef WITHOUT_BUTTERFLIES

enum { RADIX = 2 };

static void step(const work *w, size_t size, const complex_vector *from, complex_vector *to) {
    const size_t n = w->n, S = n / (2 * size);

    for (size_t i = 0; i < n; i++) {
        const size_t u = i / S;
        const complex_vector a = from[(i + u * S) % n], b = from[(i + u * S + S) % n];
        to[i] = sum(a, product(root(w, u * S), b));
    }
}

#else

enum { RADIX = 4 };

static complex_vector difference(complex_vector a, complex_vector b) {
    return (complex_vector){a.re - b.re, a.im - b.im};
}

/* Transforms of `size` values become half as many of twice that: p is a place in `to`,
 * whose u begins at u S; in `from` that u begins at 2 u S. */
static void step_of_2(const work *w, size_t size, const complex_vector *from, complex_vector *to) {
    const size_t S = w->n / (2 * size);

    for (size_t u = 0; u < size; u++) {
        const complex_number root_b = root(w, u * S);
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
        const complex_number root_b = root(w, u * S), root_c = root(w, 2 * u * S);
        const complex_number root_d = root(w, 3 * u * S);
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

static void step(const work *w, size_t size, const complex_vector *from, complex_vector *to) {
    (4 * size <= w->n ? step_of_4 : step_of_2)(w, size, from, to);
}

#endif

/* ---- lines ----------------------------------------------------------------------------------- */

/* Lines j * LANES and on of `first` become their Fourier transforms, which are in what is returned.
 */
static complex_vector *transform_lines(const work *w, size_t j) {
    complex_vector *from = w->first + j * w->n, *to = w->second + j * w->n, *swap;

    for (size_t size = 1; size < w->n; size *= RADIX) {
        step(w, size, from, to);
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

#ifdef WITHOUT_PACKING

#define LAYOUT LADDER_FULL
enum { REALS = 2 }; /* of a value */

static size_t column_count(size_t n) {
    return n;
}

static size_t real_place(size_t l) {
    return 2 * l;
}

static size_t imaginary_place(size_t n, size_t l) {
    (void)n;
    return 2 * l + 1;
}

/* F[l] of a real row, and with it F[n - l]. */
static void put(float *row, size_t n, size_t l, float re, float im) {
    const size_t mirror = l == 0 ? 0 : n - l;
    row[2 * mirror] = re;
    row[2 * mirror + 1] = -im;
    row[2 * l] = re;
    row[2 * l + 1] = im;
}

#else

#define LAYOUT LADDER_PACKED
enum { REALS = 1 };

/* A column and its partner are one. */
static size_t column_count(size_t n) {
    return n / 2;
}

static size_t real_place(size_t l) {
    return l;
}

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

#endif

/* ---- rows ------------------------------------------------------------------------------------ */

#ifdef WITHOUT_TANGLING

enum { ROWS = 1 }; /* of a line */

static void load_element(complex_vector *z, size_t lane, const float *row, size_t n, size_t i) {
    (void)n;
    z[i].re[lane] = row[i];
    z[i].im[lane] = 0;
}

static void store_element(const complex_vector *z, size_t lane, float *row, size_t n, size_t l) {
    put(row, n, l, z[l].re[lane], z[l].im[lane]);
}

#else

enum { ROWS = 2 };

static void load_element(complex_vector *z, size_t lane, const float *row, size_t n, size_t i) {
    z[i].re[lane] = row[i];
    z[i].im[lane] = row[n + i];
}

static void store_element(const complex_vector *z, size_t lane, float *row, size_t n, size_t l) {
    const size_t mirror = l == 0 ? 0 : n - l;
    const float re = z[l].re[lane], mirrored_re = z[mirror].re[lane];
    const float im = z[l].im[lane], mirrored_im = z[mirror].im[lane];

    put(row, n, l, (re + mirrored_re) / 2, (im - mirrored_im) / 2);
    put(row + REALS * n, n, l, (im + mirrored_im) / 2, (mirrored_re - re) / 2);
}

#endif

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
                load_element(w->first + j / LANES * n, j % LANES, image + ROWS * j * n, n, i);
            }
        }
    }
}

static void store_rows(const work *w, const complex_vector *z, float *spectrum, size_t lines) {
    const size_t n = w->n, piece = piece_of(n / 2);

    for (size_t begin = 0; begin < n / 2; begin += piece) {
        for (size_t j = 0; j < lines; j++) {
            for (size_t l = begin; l < begin + piece; l++) {
                store_element(z + j / LANES * n, j % LANES, spectrum + REALS * ROWS * j * n, n, l);
            }
        }
    }
    for (size_t j = 0; j < lines; j++) {
        store_element(z + j / LANES * n, j % LANES, spectrum + REALS * ROWS * j * n, n, n / 2);
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

static void load_value(const work *w, const float *spectrum, size_t l, size_t k, size_t j) {
    const size_t n = w->n;
    const float *row = spectrum + REALS * k * n;
    complex_vector *z = w->first + j / LANES * n + k;

    z->re[j % LANES] = row[real_place(l + j)];
    z->im[j % LANES] = row[imaginary_place(n, l + j)];
}

static void store_value(size_t n, const complex_vector *tile, float *spectrum, size_t l, size_t k,
                        size_t j) {
    float *row = spectrum + REALS * k * n;
    const complex_vector *z = tile + j / LANES * n + k;

    row[real_place(l + j)] = z->re[j % LANES];
    row[imaginary_place(n, l + j)] = z->im[j % LANES];
}

/* The columns of the tile at column l: row by row, or without tiles one column after another. */
#ifdef WITHOUT_TILES

static void load_columns(const work *w, const float *spectrum, size_t l, size_t lines) {
    for (size_t j = 0; j < lines; j++) {
        for (size_t k = 0; k < w->n; k++) {
            load_value(w, spectrum, l, k, j);
        }
    }
}

static void store_columns(size_t n, const complex_vector *tile, float *spectrum, size_t l,
                          size_t lines) {
    for (size_t j = 0; j < lines; j++) {
        for (size_t k = 0; k < n; k++) {
            store_value(n, tile, spectrum, l, k, j);
        }
    }
}

#else

static void load_columns(const work *w, const float *spectrum, size_t l, size_t lines) {
    for (size_t k = 0; k < w->n; k++) {
        for (size_t j = 0; j < lines; j++) {
            load_value(w, spectrum, l, k, j);
        }
    }
}

static void store_columns(size_t n, const complex_vector *tile, float *spectrum, size_t l,
                          size_t lines) {
    for (size_t k = 0; k < n; k++) {
        for (size_t j = 0; j < lines; j++) {
            store_value(n, tile, spectrum, l, k, j);
        }
    }
}

#endif

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
    if (l == 0 && LAYOUT == LADDER_PACKED) {
        pack_real_columns(w->n, z);
    }
    store_columns(w->n, z, spectrum, l, lines);
}

/* ---- the rung -------------------------------------------------------------------------------- */

/* The calling thread's part of the memory. */
static work own_part(const work *w) {
    const size_t at = (size_t)omp_get_thread_num() * (LINES / LANES) * w->n;
    work own = *w;

    own.first += at;
    own.second += at;
    return own;
}

static int run(void *of, const float *image, float *spectrum) {
    const work *w = of;
    const size_t n = w->n;

#pragma omp parallel num_threads(w->threads)
    {
        /* Here the compiler sees that there are at most LINES, and unrolls loops over them. */
        const size_t lines = n / 2 < LINES ? n / 2 : LINES;
        const work own = own_part(w);
#pragma omp for
        for (size_t row = 0; row < n; row += ROWS * lines) {
            load_rows(&own, image + row * n, lines);
            store_rows(&own, transform_tile(&own, lines), spectrum + REALS * row * n, lines);
        }
#pragma omp for
        for (size_t l = 0; l < column_count(n); l += lines) {
            transform_columns(&own, spectrum, l, lines);
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
    size_t elements;

    if (w == NULL) {
        return NULL;
    }
    w->n = n;
#ifdef WITHOUT_THREADS
    w->threads = 1;
#else
    w->threads = omp_get_max_threads();
#endif
    elements = (size_t)w->threads * (LINES / LANES) * n;
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

LADDER_DEFINE(ladder_cpu_threads) = {
    .name = "threads",
    .idea = "every core takes tiles",
    .file = "cpu_8_threads.c",
    .layout = LAYOUT,
    .prepare = prepare,
    .run = run,
    .finish = finish,
};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_cpu_threads, argc, argv);
}
#endif
