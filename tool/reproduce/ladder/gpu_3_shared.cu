/* SPDX-License-Identifier: MIT
 * Rung 3 on a GPU, shared: a block, in place of a thread, transforms a pair of lines, in shared
 * memory. A line comes from memory and goes back there one time, not in every step; there are
 * hundreds of threads for each thread of before; and those of a warp read and write neighbouring
 * values of rows. The values of a column still lie a row apart.
 */
#include <cooperative_groups.h>
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>

#include "ladder.h"

#ifndef WEFT_SHARED /* the emulator of the tests has its own */
#define WEFT_SHARED(type, name) extern __shared__ type name[]
#endif

namespace {

/* Threads of a block, where a line has as many values; what shared memory holds. */
enum { THREADS = 512, LARGEST_SIZE = 4096 };

typedef struct work {
    unsigned n, threads, blocks;
    float2 *roots; /* exp(-2 pi i u / n) */
} work;

/* A[i] <- A[i + u S] + W^u A[i + u S + S] for all i, from one buffer to the other, by all threads
 * of the block; the buffer that is returned has the result. */
__device__ float2 *recurrence(float2 *from, float2 *to, const float2 *roots, unsigned n) {
    for (unsigned size = 2; size <= n; size *= 2) {
        unsigned S = n / size;
        __syncthreads();
        for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
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
    __syncthreads();
    return from;
}

/* The real lines a and b, whose values are `stride` apart, as one complex line. */
__device__ void tangle(float2 *z, const float *a, const float *b, size_t stride, unsigned n) {
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        z[i] = make_float2(a[i * stride], b[i * stride]);
    }
}

/* The spectra of both out of that of z: real parts first, imaginary parts mirrored behind. */
__device__ void untangle(const float2 *z, float *a, float *b, size_t stride, unsigned n) {
    for (unsigned u = threadIdx.x; u <= n / 2; u += blockDim.x) {
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
__device__ void row_pair(work w, float2 *z, const float *image, float *spectrum, size_t p) {
    size_t n = w.n, upper = 2 * p * n, lower = upper + n;
    tangle(z, image + upper, image + lower, 1, w.n);
    z = recurrence(z, z + n, w.roots, w.n);
    untangle(z, spectrum + upper, spectrum + lower, 1, w.n);
}

/* Columns p and n - p, the real and imaginary parts of one complex column; of p = 0 the columns 0
 * and n/2, which are real. */
__device__ void column_pair(work w, float2 *z, float *spectrum, size_t p) {
    size_t n = w.n;
    float *a = spectrum + p, *b = spectrum + (p > 0 ? n - p : n / 2);
    tangle(z, a, b, n, w.n);
    z = recurrence(z, z + n, w.roots, w.n);
    if (p == 0) {
        untangle(z, a, b, n, w.n);
        return;
    }
    for (unsigned k = threadIdx.x; k < w.n; k += blockDim.x) {
        a[k * n] = z[k].x;
        b[k * n] = z[k].y;
    }
}

__global__ void transform(work w, const float *image, float *spectrum) {
    WEFT_SHARED(float2, buffers); /* two, of n numbers each */
    for (size_t p = blockIdx.x; p < w.n / 2; p += gridDim.x) {
        row_pair(w, buffers, image, spectrum, p);
        __syncthreads();
    }
    cooperative_groups::this_grid().sync();
    for (size_t p = blockIdx.x; p < w.n / 2; p += gridDim.x) {
        column_pair(w, buffers, spectrum, p);
        __syncthreads();
    }
}

void finish(void *of) {
    work *w = (work *)of;
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

unsigned lesser(unsigned a, unsigned b) {
    return a < b ? a : b;
}

size_t shared_bytes(const work *w) {
    return 2 * w->n * sizeof(float2);
}

/* A block for each pair, but no more than can wait for one another. */
int count_blocks(work *w) {
    int device, processors, blocks;
    w->threads = lesser(w->n, THREADS);
    if (cudaFuncSetAttribute((const void *)transform, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)shared_bytes(w)) != cudaSuccess ||
        cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, (const void *)transform, (int)w->threads, shared_bytes(w)) != cudaSuccess) {
        return 1;
    }
    w->blocks = lesser(w->n / 2, (unsigned)(processors * blocks));
    return 0;
}

void *prepare(size_t n) {
    work *w = n <= LARGEST_SIZE ? (work *)calloc(1, sizeof *w) : NULL;
    if (w != NULL) {
        w->n = (unsigned)n;
        if (make_roots(w) != 0 || count_blocks(w) != 0) {
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
    config.blockDim = dim3(w->threads);
    config.dynamicSmemBytes = shared_bytes(w);
    config.attrs = &cooperative;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, transform, *w, image, spectrum) != cudaSuccess;
}

} // namespace

LADDER_DEFINE(ladder_gpu_shared) = {
    "shared",
    "a block transforms a pair of lines in shared memory, with hundreds of threads",
    "gpu_3_shared.cu",
    LADDER_PACKED,
    prepare,
    run,
    finish};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_gpu_shared, argc, argv);
}
#endif
