/* SPDX-License-Identifier: MIT
 * What every kernel file begins with: shared memory by one macro, and the shape of a launch as
 * data. With this the text of a kernel compiles with nvcc for the GPU and, under cuemu, with g++
 * for CPU threads.
 */
#ifndef WEFT_CUDA_KERNEL_CUH
#define WEFT_CUDA_KERNEL_CUH

#include <stddef.h>

#if !defined(WEFT_CUEMU)
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#endif

/* The block's dynamic shared memory as an array of `type`. */
#if defined(WEFT_CUEMU)
#define WEFT_SHARED(type, name) type *name = (type *)cuemu::shared_memory()
#else
#define WEFT_SHARED(type, name)                                                                    \
    extern __shared__ __align__(16) unsigned char weft_shared_memory[];                            \
    type *name = (type *)weft_shared_memory
#endif

/* Programmatic dependent launch: the first kernel of two lets the second one start, the second
 * waits before it touches what the first has written. Without it (and under cuemu) the launches are
 * in order anyway. */
#if defined(WEFT_CUEMU)
#define WEFT_LET_NEXT_START() ((void)0)
#define WEFT_WAIT_FOR_PREVIOUS() ((void)0)
#else
#define WEFT_LET_NEXT_START() cudaTriggerProgrammaticLaunchCompletion()
#define WEFT_WAIT_FOR_PREVIOUS() cudaGridDependencySynchronize()
#endif

/* How a kernel is launched; one dimension is enough for lines. */
typedef struct launch_shape {
    unsigned blocks, threads;
    size_t shared_bytes;
    int cooperative;
    int may_start_early; /* the kernel calls WEFT_WAIT_FOR_PREVIOUS itself */
} launch_shape;

#endif
