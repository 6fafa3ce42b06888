/* SPDX-License-Identifier: MIT
 * Loaded before the C library, it makes one allocation of a process fail, of any that there is or
 * of those that the extension asks for itself, libweft within it: it knows them by where they are
 * called from. It counts the extension's blocks that are in use, too. test_memory.py calls it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t counted, failing; /* numbers begin at 1; 0: none fails */
static atomic_int is_extension_alone;
static _Atomic uintptr_t first, last; /* of the extension's code */

static int find_extension(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    for (int i = 0; strstr(info->dlpi_name, "/_weft.") != NULL && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
            first = info->dlpi_addr + part->p_vaddr;
            last = first + part->p_memsz;
        }
    }
    return 0;
}

/* From now on the allocation of this number fails, alone. Returns whether one has failed since the
 * last call. */
int fail_allocation(uint64_t number, int of_extension_alone) {
    const int has_failed = failing != 0 && counted >= failing;
    dl_iterate_phdr(find_extension, NULL);
    is_extension_alone = of_extension_alone;
    counted = 0;
    failing = number;
    return has_failed;
}

static int is_of_extension(const void *caller) {
    return (uintptr_t)caller >= first && (uintptr_t)caller < last;
}

static int fails(const void *caller) {
    if ((is_extension_alone && !is_of_extension(caller)) || ++counted != failing) {
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

/* ---- the extension's blocks ------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const void *blocks[4096];
static size_t most; /* so many of them have been in use at the same time */

static int is_replaced(const void *block, const void *by) {
    size_t i = 0;
    while (i < most && blocks[i] != block) {
        i++;
    }
    if (i < most) {
        blocks[i] = by;
    }
    return i < most;
}

static void *added(void *block, const void *caller) {
    if (block != NULL && is_of_extension(caller)) {
        pthread_mutex_lock(&lock);
        if (!is_replaced(NULL, block)) {
            if (most == sizeof blocks / sizeof *blocks) {
                abort();
            }
            blocks[most++] = block;
        }
        pthread_mutex_unlock(&lock);
    }
    return block;
}

static void removed(const void *block) {
    if (block != NULL) {
        pthread_mutex_lock(&lock);
        is_replaced(block, NULL);
        pthread_mutex_unlock(&lock);
    }
}

int blocks_of_extension(void) {
    int count = 0;
    for (size_t i = 0; i < most; i++) {
        count += blocks[i] != NULL;
    }
    return count;
}

/* ---- what allocates -------------------------------------------------------------------------- */

#define CALLER __builtin_return_address(0)

/* These names of the C library need no looking up, which would allocate. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t bytes) {
    return fails(CALLER) ? NULL : added(__libc_malloc(bytes), CALLER);
}

void *calloc(size_t count, size_t bytes) {
    return fails(CALLER) ? NULL : added(__libc_calloc(count, bytes), CALLER);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return fails(CALLER) ? NULL : added(__libc_memalign(alignment, bytes), CALLER);
}

void *realloc(void *memory, size_t bytes) {
    if (fails(CALLER)) {
        return NULL;
    }
    removed(memory);
    return added(__libc_realloc(memory, bytes), CALLER);
}

void free(void *memory) {
    removed(memory);
    __libc_free(memory);
}
