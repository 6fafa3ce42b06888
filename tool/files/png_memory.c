/* SPDX-License-Identifier: MIT
 * malloc() with a memory of its own; see png_memory.h.
 */
#include "files/png_memory.h"

#include <stdlib.h>

png_voidp png_memory(png_structp png, png_alloc_size_t bytes) {
    void *memory = malloc(bytes);

    if (!memory) {
        *(int *)png_get_mem_ptr(png) = 1;
    }
    return memory;
}
