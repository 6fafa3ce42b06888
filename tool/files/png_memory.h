/* SPDX-License-Identifier: MIT
 * Memory for libpng, which has one way of failing for a damaged file and for a lack of memory: this
 * remembers which it was.
 */
#ifndef WEFT_TOOL_FILES_PNG_MEMORY_H
#define WEFT_TOOL_FILES_PNG_MEMORY_H

#include <png.h>

/* For png_create_read_struct_2 and its like, with a pointer to an int that becomes 1 if there is no
 * memory. What it returns is freed by free(), as libpng does by itself. */
png_voidp png_memory(png_structp png, png_alloc_size_t bytes);

#endif
