/* SPDX-License-Identifier: MIT
 * What every kernel file begins with: shared memory by one macro, and the shape of a launch as
 * data. With this the text of a kernel compiles with nvcc for the GPU and, under cuemu, with g++
 * for a CPU.
 */
#ifndef WEFT_CUDA_BASE_KERNEL_CUH
#define WEFT_CUDA_BASE_KERNEL_CUH

#include <stddef.h>
#include <stdint.h>

#if !defined(WEFT_CUEMU)
#include <cooperative_groups.h>
#include <cuda.h>
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

/* A barrier of `threads` of the block, whole warps, who agree on a number from 1 to 15. */
#if defined(WEFT_CUEMU)
#define WEFT_SYNC_SOME(number, threads) cuemu::sync_some(number, threads)
#elif defined(__CUDA_ARCH__)
#define WEFT_SYNC_SOME(number, threads)                                                            \
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory")
#else
#define WEFT_SYNC_SOME(number, threads) ((void)(number))
#endif

/* Clusters of blocks, from sm_90 on; host code launches none on others. The block's number in its
 * cluster, the shared memory of block number `rank` in place of the block's own, and a barrier. */
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

/* Programmatic dependent launch: the first kernel of two lets the second one take its place, and
 * the second waits for the first before it touches what that one wrote. GPUs before sm_90 run them
 * one after the other. */
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

/* Tells a copy that what it touches is not wanted again soon, so that L2 keeps other things. Not
 * for what may stay: a copy that is told anything takes longer. */
static __device__ __forceinline__ uint64_t leaves_cache() {
    uint64_t policy = 0;
#if defined(__CUDA_ARCH__)
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
#endif
    return policy;
}

/* Asks L2 for the 128 bytes at `global`; a hint. */
static __device__ __forceinline__ void prefetch_to_cache(const void *global) {
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(global)));
#else
    (void)global;
#endif
}

/* And for a row, in pieces of 16 bytes, all but what its last one has of what follows; by one
 * thread. GPUs before sm_90 go without. */
static __device__ __forceinline__ void prefetch_row_to_cache(const void *row, size_t bytes,
                                                             bool stays_in_cache) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    size_t first = (size_t)row / 16 * 16;
    unsigned count = (unsigned)(((size_t)row + bytes) / 16 * 16 - first);
    size_t from = __cvta_generic_to_global((const void *)first);
    if (stays_in_cache) {
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(count));
    } else {
        asm volatile("cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" ::"l"(from),
                     "r"(count), "l"(leaves_cache()));
    }
#else
    (void)row;
    (void)bytes;
    (void)stays_in_cache;
#endif
}

/* How a kernel is launched; one dimension is enough for lines. */
typedef struct launch_shape {
    unsigned blocks, threads;
    unsigned cluster; /* blocks in a cluster; 0 as 1 */
    size_t shared_bytes;
    int cooperative;
    int may_start_early; /* while the kernel before it still runs; it waits for that one itself */
} launch_shape;

#endif
