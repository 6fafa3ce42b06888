/* SPDX-License-Identifier: MIT
 * A memory space, the host's or a CUDA device's: how memory is taken, filled and read back there. A
 * strategy names the one where its image, spectrum and workspace live.
 */
#ifndef WEFT_MEMORY_SPACE_H
#define WEFT_MEMORY_SPACE_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All calls return with the work done. `device` is the CUDA ordinal; the host ignores it. */
typedef struct memory_space {
    const char *name; /* "cpu" or "cuda", the prefix of its strategies' names */
    int is_device;
    weft_status (*allocate)(int device, size_t bytes,
                            void **memory);    /* aligned to 64 bytes at least */
    void (*release)(int device, void *memory); /* NULL is fine */
    weft_status (*copy_in)(int device, void *to, const void *from_host, size_t bytes);
    weft_status (*copy_out)(int device, void *to_host, const void *from, size_t bytes);
    weft_status (*wait)(int device); /* for all work enqueued on the default stream */
    /* WEFT_OK, or WEFT_BAD_ARGUMENT when `memory` cannot be used by a strategy of this space. */
    weft_status (*check_pointer)(int device, const char *what, const void *memory);
} memory_space;

extern const memory_space host_memory;

/* WEFT_NO_MEMORY if this machine has less memory than so many bytes of tables. The system gives
 * memory that it does not have, and tables are written whole: so it is asked before the first is
 * made. */
weft_status host_memory_holds(size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
