/* SPDX-License-Identifier: MIT
 * The memory of the cpu.* strategies: the host's, where everything is at once in place and
 * finished.
 */
#include <stdlib.h>
#include <string.h>

#include "sizes.h"
#include "strategy.h"

static weft_status allocate(int device, size_t bytes, void **memory) {
    char text[BYTES_TEXT_SIZE];
    (void)device;
    *memory = aligned_alloc(64, whole_lines(bytes ? bytes : 1));
    return *memory
               ? WEFT_OK
               : weft_fail(WEFT_NO_MEMORY, "no memory for %s on the host", bytes_text(bytes, text));
}

static void release(int device, void *memory) {
    (void)device;
    free(memory);
}

static weft_status copy(int device, void *to, const void *from, size_t bytes) {
    (void)device;
    memcpy(to, from, bytes);
    return WEFT_OK;
}

static weft_status done(int device) {
    (void)device;
    return WEFT_OK;
}

static weft_status any_pointer(int device, const char *what, const void *memory) {
    (void)device;
    (void)what;
    (void)memory;
    return WEFT_OK;
}

const memory_space host_memory = {
    .name = "cpu",
    .allocate = allocate,
    .release = release,
    .copy_in = copy,
    .copy_out = copy,
    .wait = done,
    .check_pointer = any_pointer,
};
