/* SPDX-License-Identifier: MIT
 * One block of memory for many arrays: whoever lays them out does so twice, first to learn how much
 * they take, then in the block.
 */
#ifndef WEFT_FRACTAL_ARENA_H
#define WEFT_FRACTAL_ARENA_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory_space.h"

typedef struct arena {
    uint8_t *bytes; /* NULL: only measured so far */
    size_t used;
} arena;

/* NULL while it is measured. */
static inline void *arena_take(arena *a, size_t count, size_t size) {
    enum { LINE = 64 };
    void *taken = a->bytes != NULL ? a->bytes + a->used : NULL;
    a->used += (count * size + LINE - 1) / LINE * LINE;
    return taken;
}

/* The block, for all that was measured, filled with zeros. */
static inline weft_status arena_open(arena *a) {
    void *block = NULL;
    weft_status status = host_memory_holds(a->used);
    if (status == WEFT_OK) {
        status = host_memory.allocate(0, a->used, &block);
    }
    if (status == WEFT_OK) {
        memset(block, 0, a->used);
        *a = (arena){.bytes = block};
    }
    return status;
}

static inline void arena_close(arena *a) {
    host_memory.release(0, a->bytes);
}

#endif
