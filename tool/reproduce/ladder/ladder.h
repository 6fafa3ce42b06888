/* SPDX-License-Identifier: MIT
 * A rung of the ladder from the report's program to today's: the two-dimensional Fourier transform
 * of a real image with n rows and n columns, n a power of two, in one file that builds alone
 *     cc -O3 -march=native cpu_2_tables.c -lm   or   nvcc -O3 -arch=native gpu_2_tables.cu
 * and is run as ./a.out [n]. ladder_main() checks it and times it. weft reproduce ladder compiles
 * the same files with -DLADDER_RUNG=NAME, by which they have no main, and holds every bin against
 * an oracle.
 */
#ifndef WEFT_TOOL_REPRODUCE_LADDER_LADDER_H
#define WEFT_TOOL_REPRODUCE_LADDER_LADDER_H

#include <stddef.h>

/* What a rung writes: n x n complex numbers as (re, im) pairs of floats, or n x n floats, which
 * with k' = (n - k) % n and l' = (n - l) % n are
 *     spectrum[k][l] = Re X[k][l], spectrum[k'][l] = Im X[k][l]    of columns 0 and n/2, k < k'
 *     spectrum[k][l] = Re X[k][l], spectrum[k][l'] = Im X[k][l]    of columns l < l', every k
 * where the four values that are their own mirror, k == k' and l == l', are real. */
typedef enum ladder_layout { LADDER_FULL, LADDER_PACKED } ladder_layout;

typedef struct ladder_rung {
    const char *name; /* "tables" */
    const char *idea; /* one sentence */
    const char *file; /* "cpu_2_tables.c" */
    ladder_layout layout;
    /* Tables and work memory. NULL: no memory, or the rung does not take this n. */
    void *(*prepare)(size_t n);
    /* On a CPU the spectrum is there on return; on a GPU, which has image and spectrum in its
     * memory, the work has been put into the default stream. 0, or not: it failed. */
    int (*run)(void *of, const float *image, float *spectrum);
    void (*finish)(void *of);
} ladder_rung;

/* LADDER_DEFINE(ladder_cpu_tables) = {...}; defines a rung, by another name where one is given. */
#ifdef LADDER_RUNG
#define LADDER_NAME(own) LADDER_RUNG
#else
#define LADDER_NAME(own) own
#endif
#ifdef __cplusplus
#define LADDER_DEFINE(own)                                                                         \
    extern "C" const ladder_rung LADDER_NAME(own);                                                 \
    const ladder_rung LADDER_NAME(own)
#else
#define LADDER_DEFINE(own) const ladder_rung LADDER_NAME(own)
#endif

#ifndef LADDER_RUNG

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LADDER_DEFAULT_SIZE = 2048, LADDER_MOST_RUNS = 15, LADDER_LEAST_RUNS = 3 };

/* ---- memory of the device that the rung runs on ---------------------------------------------- */

#ifdef __CUDACC__

static void *ladder_memory(size_t floats) {
    void *memory;
    return cudaMalloc(&memory, floats * sizeof(float)) == cudaSuccess ? memory : NULL;
}

static void ladder_give_back(void *memory) {
    cudaFree(memory);
}

static int ladder_copy(float *to, const float *from, size_t floats) {
    return cudaMemcpy(to, from, floats * sizeof(float), cudaMemcpyDefault) != cudaSuccess;
}

static int ladder_wait(void) {
    return cudaDeviceSynchronize() != cudaSuccess;
}

/* Why a rung was not prepared. */
static const char *ladder_reason(void) {
    const cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? cudaGetErrorString(error) : "not a size that it takes";
}

#else

static void *ladder_memory(size_t floats) {
    return malloc(floats * sizeof(float));
}

static void ladder_give_back(void *memory) {
    free(memory);
}

static int ladder_copy(float *to, const float *from, size_t floats) {
    memcpy(to, from, floats * sizeof(float));
    return 0;
}

static int ladder_wait(void) {
    return 0;
}

static const char *ladder_reason(void) {
    return "no memory";
}

#endif

/* ---- some bins against the definition -------------------------------------------------------- */

/* X[k][l] as the rung has stored it. */
static void ladder_read(ladder_layout layout, const float *spectrum, size_t n, size_t k, size_t l,
                        double *re, double *im) {
    const size_t mirror_k = (n - k) % n, mirror_l = (n - l) % n;
    const float *row = spectrum + k * n, *mirror_row = spectrum + mirror_k * n;

    if (layout == LADDER_FULL) {
        *re = spectrum[2 * (k * n + l)];
        *im = spectrum[2 * (k * n + l) + 1];
    } else if (l == mirror_l) {
        *re = k <= mirror_k ? row[l] : mirror_row[l];
        *im = k == mirror_k ? 0 : k < mirror_k ? mirror_row[l] : -row[l];
    } else {
        *re = l < mirror_l ? row[l] : mirror_row[mirror_l];
        *im = l < mirror_l ? row[mirror_l] : -mirror_row[l];
    }
}

/* X[k][l] as it is defined: the sum over all pixels. */
static void ladder_sum(const float *image, size_t n, size_t k, size_t l, double *re, double *im) {
    *re = *im = 0;
    for (size_t row = 0; row < n; row++) {
        for (size_t column = 0; column < n; column++) {
            const double turns = (double)((k * row + l * column) % n) / (double)n;
            *re += image[row * n + column] * cos(6.283185307179586476925 * turns);
            *im -= image[row * n + column] * sin(6.283185307179586476925 * turns);
        }
    }
}

/* The largest error of some bins, those that layouts store in ways of their own among them, against
 * the root of the mean square of all bins, which the pixels tell. */
static double ladder_error(ladder_layout layout, const float *image, const float *spectrum,
                           size_t n) {
    const size_t at[][2] = {{0, 0},     {n / 2, n / 2},     {0, n / 2},         {1, n / 2},
                            {n - 1, 0}, {n / 3, n / 5 + 1}, {n - 1, n / 2 + 1}, {n / 2, n - 1}};
    double energy = 0, worst = 0;

    for (size_t i = 0; i < n * n; i++) {
        energy += (double)image[i] * image[i];
    }
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const size_t k = at[i][0] % n, l = at[i][1] % n;
        double re, im, expected_re, expected_im, error;
        ladder_read(layout, spectrum, n, k, l, &re, &im);
        ladder_sum(image, n, k, l, &expected_re, &expected_im);
        error = hypot(re - expected_re, im - expected_im);
        if (!(error <= worst)) { /* also NaN, which then stays */
            worst = error;
        }
    }
    return worst / sqrt(energy);
}

/* ---- the program ----------------------------------------------------------------------------- */

static double ladder_seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ladder_compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The seconds of a run. On a GPU ten of them lie between two events, for it takes about as long to
 * launch a short one as to run it. */
#ifdef __CUDACC__
static int ladder_time_run(const ladder_rung *rung, void *of, const float *image, float *spectrum,
                           double *seconds) {
    enum { RUNS = 10 };
    cudaEvent_t begin, end;
    float milliseconds = 0;
    int failed;

    if (cudaEventCreate(&begin) != cudaSuccess || cudaEventCreate(&end) != cudaSuccess) {
        return 1;
    }
    failed = cudaEventRecord(begin) != cudaSuccess;
    for (int i = 0; i < RUNS && !failed; i++) {
        failed = rung->run(of, image, spectrum);
    }
    failed = failed || cudaEventRecord(end) != cudaSuccess ||
             cudaEventSynchronize(end) != cudaSuccess ||
             cudaEventElapsedTime(&milliseconds, begin, end) != cudaSuccess;
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    *seconds = 1e-3 * milliseconds / RUNS;
    return failed;
}
#else
static int ladder_time_run(const ladder_rung *rung, void *of, const float *image, float *spectrum,
                           double *seconds) {
    const double start = ladder_seconds();
    int failed = rung->run(of, image, spectrum);
    *seconds = ladder_seconds() - start;
    return failed;
}
#endif

/* Several times, fewer where a run takes long; how many. */
static int ladder_time(const ladder_rung *rung, void *of, const float *image, float *spectrum,
                       double seconds[LADDER_MOST_RUNS]) {
    const double begin = ladder_seconds();
    int runs = 0;

    while (runs < LADDER_MOST_RUNS && (runs < LADDER_LEAST_RUNS || ladder_seconds() - begin < 2)) {
        if (ladder_time_run(rung, of, image, spectrum, &seconds[runs++]) != 0) {
            return 0;
        }
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, ladder_compare);
    return runs;
}

/* Noise is transformed once and checked, then timed. */
static int ladder_try(const ladder_rung *rung, size_t n, void *of, float *image, float *spectrum,
                      float *on_device, float *result) {
    const size_t floats = n * n * (rung->layout == LADDER_FULL ? 2 : 1);
    double error, seconds[LADDER_MOST_RUNS];
    unsigned noise = 1;
    int runs;

    for (size_t i = 0; i < n * n; i++) {
        noise ^= noise << 13;
        noise ^= noise >> 17;
        noise ^= noise << 5;
        image[i] = (float)(noise >> 8) / (1 << 24) - 0.5f;
    }
    if (ladder_copy(on_device, image, n * n) != 0 || rung->run(of, on_device, result) != 0 ||
        ladder_wait() != 0 || ladder_copy(spectrum, result, floats) != 0) {
        fprintf(stderr, "%s: it failed at %zux%zu\n", rung->file, n, n);
        return EXIT_FAILURE;
    }
    error = ladder_error(rung->layout, image, spectrum, n);
    if (!(error <= 2e-6)) {
        fprintf(stderr, "%s: wrong at %zux%zu: an error of %.1e, 2e-6 is allowed\n", rung->file, n,
                n, error);
        return EXIT_FAILURE;
    }
    runs = ladder_time(rung, of, on_device, result, seconds);
    if (runs == 0) {
        fprintf(stderr, "%s: it failed at %zux%zu while it was timed\n", rung->file, n, n);
        return EXIT_FAILURE;
    }
    printf("%s: %s\n%zux%zu  best %.3f ms, median of %d %.3f ms, error %.1e\n", rung->name,
           rung->idea, n, n, 1e3 * seconds[0], runs, 1e3 * seconds[runs / 2], error);
    return EXIT_SUCCESS;
}

static int ladder_main(const ladder_rung *rung, int argc, char **argv) {
    const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : (size_t)LADDER_DEFAULT_SIZE;
    float *image, *spectrum, *on_device, *result;
    void *of;
    int code = EXIT_FAILURE;

    if (argc > 2 || n < 2 || n > 32768 || (n & (n - 1)) != 0) {
        fprintf(stderr, "usage: %s [n], a power of two from 2 to 32768\n", argv[0]);
        return 2;
    }
    image = (float *)malloc(n * n * sizeof *image);
    spectrum = (float *)malloc(2 * n * n * sizeof *spectrum);
    on_device = (float *)ladder_memory(n * n);
    result = (float *)ladder_memory(2 * n * n);
    of = rung->prepare(n);
    if (image != NULL && spectrum != NULL && on_device != NULL && result != NULL && of != NULL) {
        code = ladder_try(rung, n, of, image, spectrum, on_device, result);
    } else {
        fprintf(stderr, "%s: cannot begin with %zux%zu: %s\n", rung->file, n, n, ladder_reason());
    }
    if (of != NULL) {
        rung->finish(of);
    }
    ladder_give_back(result);
    ladder_give_back(on_device);
    free(spectrum);
    free(image);
    return code;
}

#endif
#endif
