/* SPDX-License-Identifier: MIT
 * What tests that call CUDA themselves share: failures in CUDA's words, and device memory that is
 * filled and read with everything waited for. Built without CUDA, a program has only its list of
 * tests, and suite_run() skips each.
 */
#ifndef WEFT_TESTS_UNIT_GPU_H
#define WEFT_TESTS_UNIT_GPU_H

#include "expect.h"

/* In a list of tests: the function, or NULL where there is none. */
#if WEFT_TEST_CUDA
#define WITH_CUDA(function) function
#else
#define WITH_CUDA(function) NULL
#endif

#if WEFT_TEST_CUDA
#include <cuda_runtime_api.h>

#define must_cuda(call) gpu_must((call), #call, __FILE__, __LINE__)

static inline void gpu_must(cudaError_t error, const char *call, const char *file, int line) {
    check(error == cudaSuccess, "%s:%d: %s: %s (CUDA error %d)", file, line, call,
          cudaGetErrorString(error), (int)error);
}

enum { GPU_POISON = 0xff }; /* NaN in either precision */

/* Streams that do not wait for the default one take no part in these: hence the waiting. */
static inline void gpu_poison(void *memory, size_t bytes) {
    must_cuda(cudaMemset(memory, GPU_POISON, bytes));
    must_cuda(cudaDeviceSynchronize());
}

static inline void gpu_put(void *memory, const void *from_host, size_t bytes) {
    must_cuda(cudaMemcpy(memory, from_host, bytes, cudaMemcpyHostToDevice));
    must_cuda(cudaDeviceSynchronize());
}

static inline void gpu_get(void *to_host, const void *memory, size_t bytes) {
    must_cuda(cudaDeviceSynchronize());
    must_cuda(cudaMemcpy(to_host, memory, bytes, cudaMemcpyDeviceToHost));
}

/* Poisoned; to be given back by gpu_free(). */
static inline void *gpu_alloc(size_t bytes) {
    void *memory = NULL;
    must_cuda(cudaMalloc(&memory, bytes ? bytes : 1));
    gpu_poison(memory, bytes);
    return memory;
}

static inline void gpu_free(void *memory) {
    must_cuda(cudaFree(memory));
}

/* That no call left an error behind for the next one to be blamed for. */
static inline void gpu_is_clean(const char *after) {
    cudaError_t error = cudaGetLastError();
    check(error == cudaSuccess, "%s left an error behind: %s", after, cudaGetErrorString(error));
}
#endif

#endif
