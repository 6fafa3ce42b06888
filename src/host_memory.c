/* SPDX-License-Identifier: MIT
 * The memory space of the cpu.* strategies: host memory, where every copy is complete on return.
 */
#define _DEFAULT_SOURCE /* madvise(), _SC_PHYS_PAGES */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory_space.h"
#include "sizes.h"

enum { HUGE_PAGE = 2 << 20, LEAST_HUGE = 2 * HUGE_PAGE };

/* Each row of a large image lies on pages of its own, more than the processor's TLB holds, so huge
 * pages are requested; the system may refuse them. Freed memory that the C library keeps remains
 * marked so. */
static void *allocate_huge(size_t bytes) {
    size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *memory = whole >= bytes ? aligned_alloc(HUGE_PAGE, whole) : NULL;
#ifdef MADV_HUGEPAGE
    if (memory != NULL) {
        madvise(memory, whole, MADV_HUGEPAGE);
    }
#endif
    return memory;
}

static void *allocate_lines(size_t bytes) {
    return aligned_alloc(64, whole_lines(bytes ? bytes : 1));
}

static weft_status allocate(int device, size_t bytes, void **memory) {
    char text[BYTES_TEXT_SIZE];
    (void)device;
    *memory = bytes >= LEAST_HUGE ? allocate_huge(bytes) : NULL;
    if (*memory == NULL) {
        *memory = allocate_lines(bytes);
    }
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

weft_status host_memory_holds(size_t bytes) {
    char wanted[BYTES_TEXT_SIZE], there[BYTES_TEXT_SIZE];
    size_t all = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    return bytes <= all ? WEFT_OK
                        : weft_fail(WEFT_NO_MEMORY, "no memory for %s: the host has %s",
                                    bytes_text(bytes, wanted), bytes_text(all, there));
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
