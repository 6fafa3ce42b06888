/* SPDX-License-Identifier: MIT
 * The bulk copies of cuda/bulk.cuh, as late as they may be: what comes arrives when the first
 * thread waits at its gate, and until then its place holds garbage; what goes is read when its
 * sender waits for it, and must be what it was when it was sent. To ThreadSanitizer a place is
 * written when the copy is sent, and again when it arrives.
 */
#ifndef WEFT_TESTS_CUEMU_BULK_H
#define WEFT_TESTS_CUEMU_BULK_H

#include "engine.h"

namespace cuemu {

inline void check_bulk(const void *to, const void *from, size_t bytes) {
    if ((uintptr_t)to % 16 || (uintptr_t)from % 16 || bytes % 16)
        die("%s copies %zu bytes from %p to %p: a bulk copy wants whole 16 bytes",
            name(*self).c_str(), bytes, from, to);
}

inline gate_state &state_of(const uint64_t *gate) {
    unseen hidden;
    const auto found = self->home->gates.find(gate);
    if (found == self->home->gates.end())
        die("%s comes to a gate that nobody has made", name(*self).c_str());
    return found->second;
}

inline void wake_if_all_sent(gate_state &state) {
    if (!state.is_expecting || state.sent != state.expected)
        return;
    world.can_go.insert(world.can_go.end(), state.waiting.begin(), state.waiting.end());
    state.waiting.clear();
}

inline void gate_make(uint64_t *gate) {
    *gate = 0;
    unseen hidden;
    self->home->gates[gate] = {};
}

inline void gate_end(uint64_t *gate) {
    gate_state &state = state_of(gate);
    *gate = 0;
    unseen hidden;
    if (state.is_expecting || state.sent || !state.waiting.empty())
        die("%s ends a gate that something is still to come through", name(*self).c_str());
    self->home->gates.erase(gate);
}

inline void gate_expect(uint64_t *gate, unsigned bytes) {
    gate_state &state = state_of(gate);
    (void)*(volatile uint64_t *)gate;
    state.seen.release();
    unseen hidden;
    state.is_expecting = true;
    state.expected = bytes;
    wake_if_all_sent(state);
}

inline void copy_from_global(void *shared, const void *global, unsigned bytes, uint64_t *gate,
                             bool) {
    check_bulk(shared, global, bytes);
    gate_state &state = state_of(gate);
    memset(shared, 0xff, bytes);
    state.seen.release();
    unseen hidden;
    state.copies.push_back({shared, global, bytes, {}});
    state.sent += bytes;
    wake_if_all_sent(state);
}

/* Of what a box is: pieces of `bytes` of so many rows. */
struct box_map {
    const char *values;
    size_t pitch, stride;       /* in bytes */
    unsigned rows, bytes, real; /* of a real */
};

inline void copy_box(void *shared, const box_map *map, unsigned column, unsigned row,
                     unsigned image, uint64_t *gate, bool stays) {
    if ((uintptr_t)shared % 128 || map->rows < 1 || map->rows > 256)
        die("%s copies a box of %u rows to %p: a box has up to 256, to where 128 bytes are aligned",
            name(*self).c_str(), map->rows, shared);
    for (unsigned i = 0; i < map->rows; i++)
        copy_from_global((char *)shared + (size_t)i * map->bytes,
                         map->values + image * map->stride + (row + i) * map->pitch +
                             column * map->real,
                         map->bytes, gate, stays);
}

inline void gate_wait(uint64_t *gate, unsigned turn, CUEMU_HERE) {
    gate_state &state = state_of(gate);
    (void)*(volatile uint64_t *)gate;
    bool opens = false;
    {
        unseen hidden;
        while (state.opened % 2 == turn && !opens) {
            opens = state.is_expecting && state.sent == state.expected;
            if (!opens) {
                self->waits_at = {file, line};
                state.waiting.push_back(self);
                fiber::rest();
                self->waits_at = {};
            }
        }
    }
    state.seen.acquire();
    if (!opens)
        return;
    for (const sent_copy &copy : state.copies)
        memcpy(copy.to, copy.from, copy.bytes);
    state.seen.release();
    unseen hidden;
    state.opened++;
    state.is_expecting = false;
    state.sent = 0;
    state.copies.clear();
}

inline void let_copies_see_shared() {}

inline void copy_to_global(void *global, const void *shared, unsigned bytes, bool) {
    check_bulk(global, shared, bytes);
    for (unsigned i = 0; i < bytes; i++)
        (void)((const volatile char *)shared)[i];
    unseen hidden;
    const char *now = (const char *)shared;
    self->sent.push_back({global, shared, bytes, {now, now + bytes}});
}

inline void wait_for_copies_to_global() {
    for (const sent_copy &copy : self->sent) {
        if (memcmp(copy.from, copy.then.data(), copy.bytes))
            die("%s sent what is overwritten before it has left", name(*self).c_str());
        memcpy(copy.to, copy.from, copy.bytes);
    }
    unseen hidden;
    self->sent.clear();
}

} // namespace cuemu

#endif
