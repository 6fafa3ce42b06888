/* SPDX-License-Identifier: MIT
 * What every kernel file begins with: dependent launches, and the shape of a launch as data. The
 * text of a kernel compiles with nvcc for the GPU and, with the emulator's headers first in the
 * include path, with g++ for a CPU.
 */
#ifndef WEFT_CUDA_BASE_KERNEL_CUH
#define WEFT_CUDA_BASE_KERNEL_CUH

#include "base/instructions.cuh"

/* Programmatic dependent launch: the first kernel of two lets the second one begin, and the second
 * one waits for the first before it touches what that one wrote. GPUs before sm_90 run them one
 * after the other. */
static __device__ __forceinline__ void let_next_start() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

static __device__ __forceinline__ void wait_for_previous() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* How a kernel is launched; one dimension is enough for lines. With 0 blocks it is what tables of
 * kernels say of a block. */
typedef struct launch_shape {
    unsigned blocks, threads;
    unsigned cluster; /* blocks in a cluster; 0 as 1 */
    size_t shared_bytes;
    unsigned resident; /* blocks that a multiprocessor is to hold; 0: it does not matter */
    int is_persistent; /* a block takes task after task: there are no more than are resident */
    int syncs_grid;    /* its blocks wait for one another: all must be resident */
    int is_dependent;  /* may begin while the kernel before it still runs, and waits for that one */
} launch_shape;

#endif
