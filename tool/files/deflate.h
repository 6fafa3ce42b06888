/* SPDX-License-Identifier: MIT
 * Bytes -> blocks of deflate, as PNG has them: ISA-L where Weft was built with it and the CPU is
 * one that it writes the same bytes on, else zlib, which also takes what is to be small.
 */
#ifndef WEFT_TOOL_FILES_DEFLATE_H
#define WEFT_TOOL_FILES_DEFLATE_H

#include <stddef.h>

#include <zlib.h>

typedef struct deflater {
    int is_small, has_zlib;
    z_stream zlib;
    struct isal_memory *isal; /* NULL: not used */
} deflater;

size_t deflate_bound(size_t count); /* bytes that these many become at most */
/* An exit code, after a complaint that names the file. */
int deflater_begin(deflater *d, int is_small, const char *path);
/* Bytes, which are only read, become blocks without an end, up to a whole byte, which know nothing
 * of other blocks. `size`: at least deflate_bound(count). Returns how many bytes they are. */
size_t deflater_pack(deflater *d, unsigned char *bytes, size_t count, unsigned char *to,
                     size_t size);
void deflater_end(deflater *d); /* fine when zeroed */

#endif
