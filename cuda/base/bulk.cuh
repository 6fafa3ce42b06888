/* SPDX-License-Identifier: MIT
 * Bulk copies: one thread sends a whole row, or a box of pieces of rows, on its way between global
 * and shared memory, and all go on meanwhile; neither loads nor stores wait in anybody's queue.
 * From sm_90 on; what comes passes a gate where those who want it wait, a row that leaves is waited
 * for by who sent it.
 */
#ifndef WEFT_CUDA_BASE_BULK_CUH
#define WEFT_CUDA_BASE_BULK_CUH

#include "base/kernel.cuh"

namespace {

/* Whether the code that is being compiled may copy in bulk. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
constexpr bool HAS_BULK = true;
#else
constexpr bool HAS_BULK = false;
#endif

/* Of both addresses and of the number of bytes. */
enum { BULK_ALIGNMENT = 16 };

/* In shared memory. It opens again and again: each time when one thread has said how many bytes are
 * to come, and they have. */
typedef uint64_t gate;

#if defined(WEFT_CUEMU)
using cuemu::box_map;
using cuemu::copy_box;
using cuemu::copy_from_global;
using cuemu::copy_to_global;
using cuemu::gate_end;
using cuemu::gate_expect;
using cuemu::gate_make;
using cuemu::gate_wait;
using cuemu::let_copies_see_shared;
using cuemu::wait_for_copies_to_global;
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
typedef CUtensorMap box_map;
__device__ __forceinline__ void gate_make(gate *) {}
__device__ __forceinline__ void gate_end(gate *) {}
__device__ __forceinline__ void copy_box(void *, const box_map *, unsigned, unsigned, unsigned,
                                         gate *, bool) {}
__device__ __forceinline__ void gate_expect(gate *, unsigned) {}
__device__ __forceinline__ void gate_wait(gate *, unsigned) {}
__device__ __forceinline__ void copy_from_global(void *, const void *, unsigned, gate *, bool) {}
__device__ __forceinline__ void let_copies_see_shared() {}
__device__ __forceinline__ void copy_to_global(void *, const void *, unsigned, bool) {}
__device__ __forceinline__ void wait_for_copies_to_global() {}
#else
typedef CUtensorMap box_map;
__device__ __forceinline__ unsigned shared_address(const void *shared) {
    return (unsigned)__cvta_generic_to_shared(shared);
}

/* By one thread; others may use it after a barrier. */
__device__ __forceinline__ void gate_make(gate *g) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
                 "fence.mbarrier_init.release.cluster;\n\t"
                 "fence.proxy.async.shared::cta;" ::"r"(shared_address(g))
                 : "memory");
}

/* By one thread, when nobody waits at it any more: its place is wanted for something else. */
__device__ __forceinline__ void gate_end(gate *g) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(g)) : "memory");
}

/* By one thread, before it sends the copies; what it has written itself passes too. */
__device__ __forceinline__ void gate_expect(gate *g, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared_address(g)),
                 "r"(bytes)
                 : "memory");
}

/* Until it has opened for the first (turn 0), second (1), third (0) time. */
__device__ __forceinline__ void gate_wait(gate *g, unsigned turn) {
    asm volatile("{\n\t"
                 ".reg .pred open;\n"
                 "again%=:\n\t"
                 "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 open, [%0], %1;\n\t"
                 "@!open bra again%=;\n\t"
                 "}" ::"r"(shared_address(g)),
                 "r"(turn)
                 : "memory");
}

/* stays_in_cache: what lies in global memory, see leaves_cache(). */
__device__ __forceinline__ void copy_from_global(void *shared, const void *global, unsigned bytes,
                                                 gate *g, bool stays_in_cache) {
    if (stays_in_cache) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(shared_address(shared)),
                     "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(g))
                     : "memory");
    } else {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     ".L2::cache_hint [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(shared)),
                     "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(shared_address(g)),
                     "l"(leaves_cache())
                     : "memory");
    }
}

/* The box of `map`, a parameter of the kernel, that begins at these reals of these rows of this
 * image: row after row, to where 128 bytes are aligned. */
__device__ __forceinline__ void copy_box(void *shared, const box_map *map, unsigned column,
                                         unsigned row, unsigned image, gate *g,
                                         bool stays_in_cache) {
    if (stays_in_cache) {
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile"
                     ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(
                         shared_address(shared)),
                     "l"(map), "r"(column), "r"(row), "r"(image), "r"(shared_address(g))
                     : "memory");
    } else {
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile"
                     ".mbarrier::complete_tx::bytes.L2::cache_hint "
                     "[%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(shared_address(shared)),
                     "l"(map), "r"(column), "r"(row), "r"(image), "r"(shared_address(g)),
                     "l"(leaves_cache())
                     : "memory");
    }
}

/* By every thread that has written what is to be copied, before the barrier after which one sends
 * it. */
__device__ __forceinline__ void let_copies_see_shared() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void copy_to_global(void *global, const void *shared, unsigned bytes,
                                               bool stays_in_cache) {
    if (stays_in_cache) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                         __cvta_generic_to_global(global)),
                     "r"(shared_address(shared)), "r"(bytes)
                     : "memory");
    } else {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint "
                     "[%0], [%1], %2, %3;" ::"l"(__cvta_generic_to_global(global)),
                     "r"(shared_address(shared)), "r"(bytes), "l"(leaves_cache())
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
