/* SPDX-License-Identifier: MIT
 * What kernels do by instructions that CUDA C++ has no words for, and what they suppose of the
 * hardware. The emulated build has a header of this name earlier in its include path
 * (tests/cuemu/base), so that the text of every kernel is the same there.
 * A bulk copy is one instruction of one thread: it copies a row, or a tile of pieces of rows (TMA),
 * between global and shared memory while the threads go on. Those who want what arrives wait at an
 * mbarrier; the thread that sent a copy to global memory waits for that one itself.
 */
#ifndef WEFT_CUDA_BASE_INSTRUCTIONS_CUH
#define WEFT_CUDA_BASE_INSTRUCTIONS_CUH

#include <stddef.h>
#include <stdint.h>

#include <cuda.h>
#include <cuda_runtime.h>

/* A multiprocessor of sm_90: its bytes of shared memory, those of them that the system takes for
 * each block, and the most blocks of one kernel that it is asked to hold. */
enum { SHARED_BYTES = 227 * 1024, SHARED_BYTES_OF_SYSTEM = 1024, MOST_RESIDENT_BLOCKS = 16 };

/* The block's dynamic shared memory as an array of `type`. */
#define WEFT_SHARED(type, name)                                                                    \
    extern __shared__ __align__(16) unsigned char weft_shared_memory[];                            \
    type *name = (type *)weft_shared_memory

namespace {

/* A barrier of `threads` of the block, whole warps, who agree on a number from 1 to 15. */
__device__ __forceinline__ void named_barrier_sync(unsigned number, unsigned threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/* Asks L2 for the 128 bytes at `global`; a hint. */
__device__ __forceinline__ void prefetch_to_cache(const void *global) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(global)));
}

/* ---- counters in global memory --------------------------------------------------------------- */

/* By one thread, after a barrier: those who have waited for the count see what the block wrote. */
__device__ __forceinline__ void count_up(unsigned *counter) {
    __threadfence();
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(counter))
                 : "memory");
}

/* By one thread, before a barrier. */
__device__ __forceinline__ void wait_for_count(const unsigned *counter, unsigned count) {
    unsigned found;
    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                     : "=r"(found)
                     : "l"(__cvta_generic_to_global(counter))
                     : "memory");
    } while (found < count);
}

/* ---- clusters of blocks, from sm_90 on ----------------------------------------------------------
 * Host code launches none on others. cooperative_groups.h has words for them, too, and takes longer
 * to compile than all that a kernel includes otherwise: only grids that synchronize include it. The
 * block's number in its cluster, the shared memory of block number `rank` in place of the block's
 * own, and a barrier, which is a macro so that the emulator can tell one place of the text from
 * another. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define WEFT_CLUSTER_SYNC() ((void)0)
__device__ __forceinline__ unsigned rank_in_cluster() {
    return 0;
}
template <class T> __device__ __forceinline__ T *of_block(T *shared, unsigned) {
    return shared;
}
#else
#define WEFT_CLUSTER_SYNC() (__cluster_barrier_arrive(), __cluster_barrier_wait())
__device__ __forceinline__ unsigned rank_in_cluster() {
    return __clusterRelativeBlockRank();
}
template <class T> __device__ __forceinline__ T *of_block(T *shared, unsigned rank) {
    return (T *)__cluster_map_shared_rank(shared, rank);
}
#endif

/* ---- bulk copies, from sm_90 on -------------------------------------------------------------- */

/* Of both addresses and of the number of bytes. */
enum { BULK_ALIGNMENT = 16 };

/* In shared memory. It completes one phase after another: each when one thread has said how many
 * bytes are to arrive, and they have. */
typedef uint64_t mbarrier;

/* What the TMA copies tiles of; the host makes it. */
typedef CUtensorMap tensor_map;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool HAS_BULK = false;
__device__ __forceinline__ void prefetch_row_to_cache(const void *, size_t, bool) {}
__device__ __forceinline__ void mbarrier_init(mbarrier *) {}
__device__ __forceinline__ void mbarrier_invalidate(mbarrier *) {}
__device__ __forceinline__ void mbarrier_expect(mbarrier *, unsigned) {}
__device__ __forceinline__ void mbarrier_wait(mbarrier *, unsigned) {}
__device__ __forceinline__ void copy_from_global(void *, const void *, unsigned, mbarrier *, bool) {
}
__device__ __forceinline__ void copy_tma_tile(void *, const tensor_map *, unsigned, unsigned,
                                              unsigned, mbarrier *, bool) {}
__device__ __forceinline__ void let_copies_see_shared() {}
__device__ __forceinline__ void copy_to_global(void *, const void *, unsigned, bool) {}
__device__ __forceinline__ void wait_for_copies_to_global() {}
#else
constexpr bool HAS_BULK = true;

/* Tells a copy that what it touches is not wanted again soon, so that L2 keeps other things. A copy
 * of what may stay in the cache gets no policy: with any, it takes longer. */
__device__ __forceinline__ uint64_t evict_first() {
    uint64_t policy = 0;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

/* Asks L2 for a row in pieces of 16 bytes: the first and the last one have some of what lies
 * around the row, but the bytes after the last whole piece are left out. By one thread. */
__device__ __forceinline__ void prefetch_row_to_cache(const void *row, size_t bytes,
                                                      bool is_cached) {
    size_t first = (size_t)row / 16 * 16;
    unsigned count = (unsigned)(((size_t)row + bytes) / 16 * 16 - first);
    size_t from = __cvta_generic_to_global((const void *)first);
    if (is_cached) {
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(count));
    } else {
        asm volatile("cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" ::"l"(from),
                     "r"(count), "l"(evict_first()));
    }
}

__device__ __forceinline__ unsigned shared_address(const void *shared) {
    return (unsigned)__cvta_generic_to_shared(shared);
}

/* By one thread; others may use it after a barrier. */
__device__ __forceinline__ void mbarrier_init(mbarrier *b) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
                 "fence.mbarrier_init.release.cluster;\n\t"
                 "fence.proxy.async.shared::cta;" ::"r"(shared_address(b))
                 : "memory");
}

/* By one thread, when nobody waits at it any more: its place is wanted for something else. */
__device__ __forceinline__ void mbarrier_invalidate(mbarrier *b) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(b)) : "memory");
}

/* By one thread, before it sends the copies; those who wait see what it has written itself too. */
__device__ __forceinline__ void mbarrier_expect(mbarrier *b, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared_address(b)),
                 "r"(bytes)
                 : "memory");
}

/* Until the first phase (parity 0), the second (1), the third (0) is complete. */
__device__ __forceinline__ void mbarrier_wait(mbarrier *b, unsigned parity) {
    asm volatile("{\n\t"
                 ".reg .pred complete;\n"
                 "again%=:\n\t"
                 "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 complete, [%0], %1;\n\t"
                 "@!complete bra again%=;\n\t"
                 "}" ::"r"(shared_address(b)),
                 "r"(parity)
                 : "memory");
}

/* is_cached: L2 is to keep what lies in global memory, else it evicts it first. */
__device__ __forceinline__ void copy_from_global(void *shared, const void *global, unsigned bytes,
                                                 mbarrier *b, bool is_cached) {
    if (is_cached) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(shared_address(shared)),
                     "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(b))
                     : "memory");
    } else {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     ".L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(shared)),
                     "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(b)),
                     "l"(evict_first())
                     : "memory");
    }
}

/* The tile of `map`, a parameter of the kernel, that begins at this element of this row of this
 * image: row after row, to where 128 bytes are aligned. */
__device__ __forceinline__ void copy_tma_tile(void *shared, const tensor_map *map, unsigned column,
                                              unsigned row, unsigned image, mbarrier *b,
                                              bool is_cached) {
    if (is_cached) {
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile"
                     ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(
                         shared_address(shared)),
                     "l"(map), "r"(column), "r"(row), "r"(image), "r"(shared_address(b))
                     : "memory");
    } else {
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile"
                     ".mbarrier::complete_tx::bytes.L2::cache_hint "
                     "[%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(shared_address(shared)),
                     "l"(map), "r"(column), "r"(row), "r"(image), "r"(shared_address(b)),
                     "l"(evict_first())
                     : "memory");
    }
}

/* By every thread that has written what is to be copied, before the barrier after which one thread
 * sends it. */
__device__ __forceinline__ void let_copies_see_shared() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void copy_to_global(void *global, const void *shared, unsigned bytes,
                                               bool is_cached) {
    if (is_cached) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                         __cvta_generic_to_global(global)),
                     "r"(shared_address(shared)), "r"(bytes)
                     : "memory");
    } else {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint "
                     "[%0], [%1], %2, %3;" ::"l"(__cvta_generic_to_global(global)),
                     "r"(shared_address(shared)), "r"(bytes), "l"(evict_first())
                     : "memory");
    }
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* Until all that this thread has sent has left shared memory; every thread that sends must wait
 * before it returns. */
__device__ __forceinline__ void wait_for_copies_to_global() {
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
#endif

} // namespace

#endif
