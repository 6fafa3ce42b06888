/* SPDX-License-Identifier: MIT
 * What every kernel file begins with: clusters and dependent launches, and the shape of a launch as
 * data. The text of a kernel compiles with nvcc for the GPU and, with the emulator's headers first
 * in the include path, with g++ for a CPU.
 */
#ifndef WEFT_CUDA_BASE_KERNEL_CUH
#define WEFT_CUDA_BASE_KERNEL_CUH

#include <cooperative_groups.h>

#include "base/instructions.cuh"

/* Clusters of blocks, from sm_90 on; host code launches none on others. The block's number in its
 * cluster, the shared memory of block number `rank` in place of the block's own, and a barrier,
 * which is a macro so that the emulator can tell one place of the text from another. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define WEFT_CLUSTER_SYNC() cooperative_groups::this_cluster().sync()
static __device__ __forceinline__ unsigned rank_in_cluster() {
    return cooperative_groups::this_cluster().block_rank();
}
template <class T> static __device__ __forceinline__ T *of_block(T *shared, unsigned rank) {
    return cooperative_groups::this_cluster().map_shared_rank(shared, rank);
}
#else
#define WEFT_CLUSTER_SYNC() ((void)0)
static __device__ __forceinline__ unsigned rank_in_cluster() {
    return 0;
}
template <class T> static __device__ __forceinline__ T *of_block(T *shared, unsigned) {
    return shared;
}
#endif

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
