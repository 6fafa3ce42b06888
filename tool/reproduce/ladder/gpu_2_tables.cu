/* SPDX-License-Identifier: MIT
 * Rung 2 on a GPU, tables: sines and cosines come from a table of n numbers, which the host has
 * computed once, in double precision. That saves their arithmetic for every element of every step,
 * and all threads want the same entry at about the same time, so that it comes out of a cache.
 */
#include <cooperative_groups.h>
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>

#include "ladder.h"

namespace {

enum { THREADS = 64 }; /* of a block */

typedef struct work {
    unsigned n, blocks;
    float2 *first, *second; /* two buffers of n numbers for each pair */
    float2 *roots;          /* exp(-2 pi i u / n) */
} work;

/* A[i] <- A[i + u S] + W^u A[i + u S + S] for all i, from one buffer to the other; the buffer that
 * is returned has the result. */
__device__ float2 *recurrence(float2 *from, float2 *to, const float2 *roots, unsigned n) {
    for (unsigned size = 2; size <= n; size *= 2) {
        unsigned S = n / size;
        for (unsigned i = 0; i < n; i++) {
            unsigned u = i / S;
            float2 even = from[(i + u * S) % n], odd = from[(i + u * S + S) % n];
            float2 w = roots[u * S];
            to[i] = make_float2(even.x + (w.x * odd.x - w.y * odd.y),
                                even.y + (w.x * odd.y + w.y * odd.x));
        }
        float2 *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* The real lines a and b, whose values are `stride` apart, as one complex line. */
__device__ void tangle(float2 *z, const float *a, const float *b, size_t stride, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        z[i] = make_float2(a[i * stride], b[i * stride]);
    }
}

/* The spectra of both out of that of z: real parts first, imaginary parts mirrored behind. */
__device__ void untangle(const float2 *z, float *a, float *b, size_t stride, unsigned n) {
    for (unsigned u = 0; u <= n / 2; u++) {
        unsigned v = (n - u) % n;
        float2 p = z[u], q = z[v];
        a[u * stride] = (p.x + q.x) / 2;
        b[u * stride] = (p.y + q.y) / 2;
        if (u != v) {
            a[v * stride] = (p.y - q.y) / 2;
            b[v * stride] = (q.x - p.x) / 2;
        }
    }
}

/* Rows 2p and 2p + 1. */
__device__ void row_pair(work w, const float *image, float *spectrum, size_t p) {
    size_t n = w.n, upper = 2 * p * n, lower = upper + n;
    float2 *z = w.first + p * n;
    tangle(z, image + upper, image + lower, 1, w.n);
    z = recurrence(z, w.second + p * n, w.roots, w.n);
    untangle(z, spectrum + upper, spectrum + lower, 1, w.n);
}

/* Columns p and n - p, the real and imaginary parts of one complex column; of p = 0 the columns 0
 * and n/2, which are real. */
__device__ void column_pair(work w, float *spectrum, size_t p) {
    size_t n = w.n;
    float *a = spectrum + p, *b = spectrum + (p > 0 ? n - p : n / 2);
    float2 *z = w.first + p * n;
    tangle(z, a, b, n, w.n);
    z = recurrence(z, w.second + p * n, w.roots, w.n);
    if (p == 0) {
        untangle(z, a, b, n, w.n);
        return;
    }
    for (unsigned k = 0; k < w.n; k++) {
        a[k * n] = z[k].x;
        b[k * n] = z[k].y;
    }
}

__global__ void transform(work w, const float *image, float *spectrum) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (size_t p = grid.thread_rank(); p < w.n / 2; p += grid.size()) {
        row_pair(w, image, spectrum, p);
    }
    grid.sync();
    for (size_t p = grid.thread_rank(); p < w.n / 2; p += grid.size()) {
        column_pair(w, spectrum, p);
    }
}

void finish(void *of) {
    work *w = (work *)of;
    cudaFree(w->first);
    cudaFree(w->second);
    cudaFree(w->roots);
    free(w);
}

int make_roots(work *w) {
    size_t bytes = w->n * sizeof(float2);
    float2 *roots = (float2 *)malloc(bytes);
    if (roots == NULL || cudaMalloc((void **)&w->roots, bytes) != cudaSuccess) {
        free(roots);
        return 1;
    }
    for (unsigned u = 0; u < w->n; u++) {
        double angle = 6.283185307179586476925 * u / w->n;
        roots[u] = make_float2((float)cos(angle), (float)-sin(angle));
    }
    int failed = cudaMemcpy(w->roots, roots, bytes, cudaMemcpyHostToDevice) != cudaSuccess;
    free(roots);
    return failed;
}

/* As many blocks as the pairs need, but no more than can wait for one another. */
int count_blocks(work *w) {
    int device, processors, blocks;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)transform, THREADS,
                                                      0) != cudaSuccess) {
        return 1;
    }
    w->blocks = (w->n / 2 + THREADS - 1) / THREADS;
    if (w->blocks > (unsigned)(processors * blocks)) {
        w->blocks = (unsigned)(processors * blocks);
    }
    return 0;
}

void *prepare(size_t n) {
    work *w = (work *)calloc(1, sizeof *w);
    if (w != NULL) {
        w->n = (unsigned)n;
        if (cudaMalloc((void **)&w->first, n / 2 * n * sizeof(float2)) != cudaSuccess ||
            cudaMalloc((void **)&w->second, n / 2 * n * sizeof(float2)) != cudaSuccess ||
            make_roots(w) != 0 || count_blocks(w) != 0) {
            finish(w);
            return NULL;
        }
    }
    return w;
}

int run(void *of, const float *image, float *spectrum) {
    work *w = (work *)of;
    cudaLaunchAttribute cooperative = {};
    cudaLaunchConfig_t config = {};
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
    config.gridDim = dim3(w->blocks);
    config.blockDim = dim3(THREADS);
    config.attrs = &cooperative;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, transform, *w, image, spectrum) != cudaSuccess;
}

} // namespace

LADDER_DEFINE(ladder_gpu_tables) = {"tables",
                                    "sines and cosines come from a table that is computed once",
                                    "gpu_2_tables.cu",
                                    LADDER_PACKED,
                                    prepare,
                                    run,
                                    finish};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_gpu_tables, argc, argv);
}
#endif
