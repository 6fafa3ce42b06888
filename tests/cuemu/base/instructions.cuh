/* SPDX-License-Identifier: MIT
 * The emulator's cuda/base/instructions.cuh, which is found before that one: the same names, with
 * their meaning on the emulated GPU. Bulk copies are as late as they may be. One to shared memory
 * arrives when the first thread waits at its mbarrier, and until then its place holds garbage; one
 * to global memory is read when its sender waits for it, and must find what was there when it was
 * sent. To ThreadSanitizer a place is written when the copy is sent, and again when it arrives.
 */
#ifndef WEFT_TESTS_CUEMU_BASE_INSTRUCTIONS_CUH
#define WEFT_TESTS_CUEMU_BASE_INSTRUCTIONS_CUH

#include <cuda.h>

#include "cooperative_groups.h"
#include "cuemu.h"

/* As on sm_90, but a multiprocessor holds so few blocks that a persistent block has several tasks
 * even in a small image. */
enum { SHARED_BYTES = 227 * 1024, SHARED_BYTES_OF_SYSTEM = 1024, MOST_RESIDENT_BLOCKS = 2 };

#define WEFT_SHARED(type, name) type *name = (type *)cuemu::shared_memory()

/* 1 to 15, and whole warps: number 0 is the block's own barrier. */
inline void named_barrier_sync(unsigned number, unsigned threads, CUEMU_HERE) {
    cuemu::sync_some(number, threads, {file, line});
}

/* Hints. */
inline void prefetch_to_cache(const void *) {}
inline void prefetch_row_to_cache(const void *, size_t, bool) {}

// ---- Counters in global memory -----------------------------------------------------------------

inline void count_up(unsigned *counter) {
    __atomic_fetch_add(counter, 1, __ATOMIC_RELEASE);
}

inline void wait_for_count(const unsigned *counter, unsigned count, CUEMU_HERE) {
    for (bool again = false; __atomic_load_n(counter, __ATOMIC_ACQUIRE) < count; again = true)
        cuemu::let_others_go({file, line}, again);
}

// ---- Clusters of blocks ------------------------------------------------------------------------

#define WEFT_CLUSTER_SYNC() cooperative_groups::this_cluster().sync()

inline unsigned rank_in_cluster() {
    return cooperative_groups::this_cluster().block_rank();
}

template <class T> T *of_block(T *shared, unsigned rank) {
    return cooperative_groups::this_cluster().map_shared_rank(shared, rank);
}

// ---- Bulk copies -------------------------------------------------------------------------------

enum { BULK_ALIGNMENT = 16 };
constexpr bool HAS_BULK = true;

typedef uint64_t mbarrier;
typedef CUtensorMap tensor_map;

namespace cuemu {

inline void check_bulk(const void *to, const void *from, size_t bytes) {
    if ((uintptr_t)to % 16 || (uintptr_t)from % 16 || bytes % 16)
        die("%s copies %zu bytes from %p to %p: a bulk copy wants whole 16 bytes",
            name(*self).c_str(), bytes, from, to);
}

inline mbarrier_state &state_of(const mbarrier *b) {
    unseen hidden;
    const auto found = self->home->mbarriers.find(b);
    if (found == self->home->mbarriers.end())
        die("%s comes to an mbarrier that nobody has initialized", name(*self).c_str());
    return found->second;
}

inline void wake_if_all_sent(mbarrier_state &state) {
    if (!state.is_expecting || state.sent != state.expected)
        return;
    world.can_go.insert(world.can_go.end(), state.waiting.begin(), state.waiting.end());
    state.waiting.clear();
}

} // namespace cuemu

inline void mbarrier_init(mbarrier *b) {
    *b = 0;
    cuemu::unseen hidden;
    cuemu::self->home->mbarriers[b] = {};
}

inline void mbarrier_invalidate(mbarrier *b) {
    cuemu::mbarrier_state &state = cuemu::state_of(b);
    *b = 0;
    cuemu::unseen hidden;
    if (state.is_expecting || state.sent || !state.waiting.empty())
        cuemu::die("%s invalidates an mbarrier that something is still to arrive at",
                   cuemu::name(*cuemu::self).c_str());
    cuemu::self->home->mbarriers.erase(b);
}

inline void mbarrier_expect(mbarrier *b, unsigned bytes) {
    cuemu::mbarrier_state &state = cuemu::state_of(b);
    (void)*(volatile mbarrier *)b;
    state.seen.release();
    cuemu::unseen hidden;
    state.is_expecting = true;
    state.expected = bytes;
    cuemu::wake_if_all_sent(state);
}

inline void copy_from_global(void *shared, const void *global, unsigned bytes, mbarrier *b, bool) {
    cuemu::check_bulk(shared, global, bytes);
    cuemu::mbarrier_state &state = cuemu::state_of(b);
    memset(shared, 0xff, bytes);
    state.seen.release();
    cuemu::unseen hidden;
    state.copies.push_back({shared, global, bytes, {}});
    state.sent += bytes;
    cuemu::wake_if_all_sent(state);
}

inline void copy_tma_tile(void *shared, const tensor_map *map, unsigned column, unsigned row,
                          unsigned image, mbarrier *b, bool is_cached) {
    if ((uintptr_t)shared % 128)
        cuemu::die("%s copies a tile to %p: a tile wants 128 bytes to be aligned",
                   cuemu::name(*cuemu::self).c_str(), shared);
    for (unsigned i = 0; i < map->rows; i++)
        copy_from_global((char *)shared + (size_t)i * map->row_bytes,
                         map->values + image * map->stride + (row + i) * map->pitch +
                             column * map->element_bytes,
                         map->row_bytes, b, is_cached);
}

inline void mbarrier_wait(mbarrier *b, unsigned parity, CUEMU_HERE) {
    cuemu::mbarrier_state &state = cuemu::state_of(b);
    (void)*(volatile mbarrier *)b;
    bool completes = false;
    {
        cuemu::unseen hidden;
        while (state.phases % 2 == parity && !completes) {
            completes = state.is_expecting && state.sent == state.expected;
            if (!completes) {
                cuemu::self->waits_at = {file, line};
                state.waiting.push_back(cuemu::self);
                cuemu::fiber::rest();
                cuemu::self->waits_at = {};
            }
        }
    }
    state.seen.acquire();
    if (!completes)
        return;
    for (const cuemu::sent_copy &copy : state.copies)
        memcpy(copy.to, copy.from, copy.bytes);
    state.seen.release();
    cuemu::unseen hidden;
    state.phases++;
    state.is_expecting = false;
    state.sent = 0;
    state.copies.clear();
}

inline void let_copies_see_shared() {}

inline void copy_to_global(void *global, const void *shared, unsigned bytes, bool) {
    cuemu::check_bulk(global, shared, bytes);
    for (unsigned i = 0; i < bytes; i++)
        (void)((const volatile char *)shared)[i];
    cuemu::unseen hidden;
    const char *first = (const char *)shared;
    cuemu::self->sent.push_back({global, shared, bytes, {first, first + bytes}});
}

inline void wait_for_copies_to_global() {
    for (const cuemu::sent_copy &copy : cuemu::self->sent) {
        if (memcmp(copy.from, copy.sent_bytes.data(), copy.bytes))
            cuemu::die("%s sent what is overwritten before it has left",
                       cuemu::name(*cuemu::self).c_str());
        memcpy(copy.to, copy.from, copy.bytes);
    }
    cuemu::unseen hidden;
    cuemu::self->sent.clear();
}

#endif
