/* SPDX-License-Identifier: MIT
 * Rung 4 on a GPU, two_passes: columns first. Two neighbouring columns lie in memory as one complex
 * column, so that tangling is a load, and a block transforms a tile of neighbouring ones: nobody
 * walks through memory a row at a time any more. The spectra stay tangled where they are, row k of
 * both in row k of the spectrum's memory. The second pass, a launch of its own, untangles rows k
 * and n - k while it loads them, and writes the same two rows: no other memory is needed, and no
 * barrier of the whole grid.
 */
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>

#include "ladder.h"

#ifndef WEFT_SHARED /* the emulator of the tests has its own */
#define WEFT_SHARED(type, name) extern __shared__ type name[]
#endif

namespace {

/* Threads of a block, where it has as many values; complex columns of a tile, and values of one. */
enum { COLUMN_THREADS = 1024, ROW_THREADS = 512, WIDEST_TILE = 8, LARGEST_TILE = 8192 };
/* What has a tile, and what shared memory holds. */
enum { SMALLEST_SIZE = 16, LARGEST_SIZE = 4096 };

typedef struct work {
    unsigned n, tile;
    float2 *roots; /* exp(-2 pi i u / n) */
} work;

/* A[i] <- A[i + u S] + W^u A[i + u S + S] for all i of `tile` lines side by side, from one buffer
 * to the other, by all threads of the block; the buffer that is returned has the result. */
__device__ float2 *recurrence(float2 *from, float2 *to, const float2 *roots, unsigned n,
                              unsigned tile) {
    for (unsigned size = 2; size <= n; size *= 2) {
        unsigned S = n / size;
        __syncthreads();
        for (unsigned j = threadIdx.x; j < n * tile; j += blockDim.x) {
            unsigned i = j / tile, u = i / S;
            float2 even = from[(j + u * S * tile) % (n * tile)];
            float2 odd = from[(j + (u * S + S) * tile) % (n * tile)], w = roots[u * S];
            to[j] = make_float2(even.x + (w.x * odd.x - w.y * odd.y),
                                even.y + (w.x * odd.y + w.y * odd.x));
        }
        float2 *swap = from;
        from = to;
        to = swap;
    }
    __syncthreads();
    return from;
}

/* in      image[n][n]
 * out     intermediate[n][n/2]: row k has the value k of the spectra of all complex columns
 * grid    a block for each tile */
__global__ void columns(work w, const float2 *image, float2 *intermediate) {
    WEFT_SHARED(float2, buffers); /* two, of n * tile numbers each */
    float2 *z = buffers;
    size_t pitch = w.n / 2, first = (size_t)blockIdx.x * w.tile;
    for (unsigned j = threadIdx.x; j < w.n * w.tile; j += blockDim.x) {
        z[j] = image[j / w.tile * pitch + first + j % w.tile];
    }
    z = recurrence(z, z + w.n * w.tile, w.roots, w.n, w.tile);
    for (unsigned j = threadIdx.x; j < w.n * w.tile; j += blockDim.x) {
        intermediate[j / w.tile * pitch + first + j % w.tile] = z[j];
    }
}

/* Values 2q and 2q + 1 of row k out of the tangled spectra of columns 2q and 2q + 1, of which `a`
 * is value k and `b` value n - k. */
__device__ void untangle_columns(float2 *row, float2 a, float2 b) {
    row[0] = make_float2((a.x + b.x) / 2, (a.y - b.y) / 2);
    row[1] = make_float2((a.y + b.y) / 2, (b.x - a.x) / 2);
}

/* Rows 0 and n/2 of the columns' spectra are real: one is the real part, one the imaginary part. */
__device__ void fold_rows(float2 *row, float2 a, float2 b) {
    row[0] = make_float2(a.x, b.x);
    row[1] = make_float2(a.y, b.y);
}

/* The spectra of both rows out of that of z: real parts first, imaginary parts mirrored behind. */
__device__ void unfold_rows(const float2 *z, float *upper, float *lower, unsigned n) {
    for (unsigned l = threadIdx.x; l <= n / 2; l += blockDim.x) {
        unsigned m = (n - l) % n;
        float2 p = z[l], q = z[m];
        upper[l] = (p.x + q.x) / 2;
        lower[l] = (p.y + q.y) / 2;
        if (l != m) {
            upper[m] = (p.y - q.y) / 2;
            lower[m] = (q.x - p.x) / 2;
        }
    }
}

/* Row k of the spectrum, whose mirror image is row n - k, as both are packed. */
__device__ void pack_rows(const float2 *z, float *upper, float *lower, unsigned n) {
    for (unsigned l = threadIdx.x; l < n; l += blockDim.x) {
        unsigned m = (n - l) % n;
        if (l == m) {
            upper[l] = z[l].x;
            lower[l] = z[l].y;
        } else if (l < m) {
            upper[l] = z[l].x;
            upper[m] = z[l].y;
        } else { /* of row n - k, whose value m is the conjugate */
            lower[m] = z[l].x;
            lower[l] = -z[l].y;
        }
    }
}

/* in, out the rows k and n - k of the spectrum, or 0 and n/2; the intermediate lies in them
 * grid    a block for each such pair */
__global__ void rows(work w, float *spectrum) {
    WEFT_SHARED(float2, buffers); /* two, of n numbers each */
    float2 *z = buffers;
    unsigned k = blockIdx.x;
    float *upper = spectrum + (size_t)k * w.n;
    float *lower = spectrum + (size_t)(k > 0 ? w.n - k : w.n / 2) * w.n;
    for (unsigned q = threadIdx.x; q < w.n / 2; q += blockDim.x) {
        float2 a = ((const float2 *)upper)[q], b = ((const float2 *)lower)[q];
        k > 0 ? untangle_columns(z + 2 * q, a, b) : fold_rows(z + 2 * q, a, b);
    }
    z = recurrence(z, z + w.n, w.roots, w.n, 1);
    k > 0 ? pack_rows(z, upper, lower, w.n) : unfold_rows(z, upper, lower, w.n);
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

/* Of a block with `lines` lines. */
size_t shared_bytes(const work *w, unsigned lines) {
    return 2 * w->n * lines * sizeof(float2);
}

int allow_shared_memory(const void *kernel, size_t bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) !=
           cudaSuccess;
}

void *prepare(size_t n) {
    int is_taken = n >= SMALLEST_SIZE && n <= LARGEST_SIZE;
    work *w = is_taken ? (work *)calloc(1, sizeof *w) : NULL;
    if (w != NULL) {
        w->n = (unsigned)n;
        w->tile = lesser(LARGEST_TILE / w->n, WIDEST_TILE);
        if (make_roots(w) != 0 ||
            allow_shared_memory((const void *)columns, shared_bytes(w, w->tile)) != 0 ||
            allow_shared_memory((const void *)rows, shared_bytes(w, 1)) != 0) {
            finish(w);
            return NULL;
        }
    }
    return w;
}

int run(void *of, const float *image, float *spectrum) {
    work *w = (work *)of;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(w->n / 2 / w->tile);
    config.blockDim = dim3(lesser(w->n * w->tile, COLUMN_THREADS));
    config.dynamicSmemBytes = shared_bytes(w, w->tile);
    if (cudaLaunchKernelEx(&config, columns, *w, (const float2 *)image, (float2 *)spectrum) !=
        cudaSuccess) {
        return 1;
    }
    config.gridDim = dim3(w->n / 2);
    config.blockDim = dim3(lesser(w->n, ROW_THREADS));
    config.dynamicSmemBytes = shared_bytes(w, 1);
    return cudaLaunchKernelEx(&config, rows, *w, spectrum) != cudaSuccess;
}

} // namespace

LADDER_DEFINE(ladder_gpu_two_passes) = {
    "two_passes",
    "columns first, in tiles of neighbours; the rows' launch untangles them while it loads",
    "gpu_4_two_passes.cu",
    LADDER_PACKED,
    prepare,
    run,
    finish};

#ifndef LADDER_RUNG
int main(int argc, char **argv) {
    return ladder_main(&ladder_gpu_two_passes, argc, argv);
}
#endif
