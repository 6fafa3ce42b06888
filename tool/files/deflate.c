/* SPDX-License-Identifier: MIT
 * ISA-L or zlib; see deflate.h. Both take pieces of less than 2^32 bytes.
 */
#include "files/deflate.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#if WEFT_ISAL
#include <isa-l.h>
#endif

#include "files/image.h"
#include "shell/complain.h"

enum { MOST_PIECE = 1 << 30, FAST_LEVEL = 1, SMALL_LEVEL = 9, WINDOW_BITS = 15, MEMORY_LEVEL = 9 };

static unsigned piece(size_t count) {
    return (unsigned)(count < MOST_PIECE ? count : MOST_PIECE);
}

/* ---- zlib ------------------------------------------------------------------------------------ */

static size_t pack_by_zlib(deflater *d, unsigned char *bytes, size_t count, unsigned char *to,
                           size_t size) {
    size_t taken = 0, given = 0;

    deflateReset(&d->zlib);
    d->zlib.next_in = bytes;
    d->zlib.next_out = to;
    do {
        const int flush = count - taken <= MOST_PIECE ? Z_SYNC_FLUSH : Z_NO_FLUSH;
        const uInt in = piece(count - taken), out = piece(size - given);

        d->zlib.avail_in = in;
        d->zlib.avail_out = out;
        deflate(&d->zlib, flush);
        taken += in - d->zlib.avail_in;
        given += out - d->zlib.avail_out;
    } while (taken < count || d->zlib.avail_out == 0);
    return given;
}

/* ---- ISA-L ----------------------------------------------------------------------------------- */

#if WEFT_ISAL
enum { FIRST_BYTES = 16 }; /* so few that the code for the last bytes takes all of them */

struct isal_memory {
    struct isal_zstream stream;
    uint8_t level[ISAL_DEF_LVL1_DEFAULT];
};

/* Older ones would split blocks otherwise, and get other bytes. */
static int has_isal(void) {
    return __builtin_cpu_supports("sse4.2");
}

/* 0 where they do not fit. ISA-L's fast code (up to 2.32 at least) once takes bits of its stream's
 * address for bytes to be packed, so that one address of thousands got other bytes. The code that
 * it has for the last bytes does not: the first ones go there, into a block of their own. */
static size_t pack_by_isal(deflater *d, unsigned char *bytes, size_t count, unsigned char *to,
                           size_t size) {
    struct isal_zstream *s = &d->isal->stream;
    size_t taken = 0, given = 0;

    isal_deflate_init(s);
    s->level = FAST_LEVEL;
    s->level_buf = d->isal->level;
    s->level_buf_size = sizeof d->isal->level;
    do {
        const size_t left = count - taken;
        const uint32_t in = piece(taken == 0 && left > FIRST_BYTES ? FIRST_BYTES : left);
        const uint32_t out = piece(size - given);

        s->next_in = bytes + taken;
        s->avail_in = in;
        s->next_out = to + given;
        s->avail_out = out;
        s->flush = in == left || taken == 0 ? SYNC_FLUSH : NO_FLUSH;
        if (out == 0 || isal_deflate(s) != COMP_OK) {
            return 0;
        }
        taken += in - s->avail_in;
        given += out - s->avail_out;
    } while (taken < count || s->avail_out == 0);
    return given;
}

static int begin_isal(deflater *d) {
    if (d->is_small || !has_isal()) {
        return EXIT_DONE;
    }
    d->isal = allocate(1, sizeof *d->isal);
    return d->isal != NULL ? EXIT_DONE : EXIT_MEMORY;
}
#else
static int begin_isal(deflater *d) {
    d->isal = NULL;
    return EXIT_DONE;
}
#endif

/* ---- either ---------------------------------------------------------------------------------- */

/* As stored blocks, and a flush. */
size_t deflate_bound(size_t count) {
    return count + count / 1000 + 1024;
}

int deflater_begin(deflater *d, int is_small, const char *path) {
    *d = (deflater){.is_small = is_small};
    d->has_zlib = deflateInit2(&d->zlib, is_small ? SMALL_LEVEL : FAST_LEVEL, Z_DEFLATED,
                               -WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
    return d->has_zlib ? begin_isal(d)
                       : complain(EXIT_MEMORY, "%s: out of memory for the PNG writer", path);
}

size_t deflater_pack(deflater *d, unsigned char *bytes, size_t count, unsigned char *to,
                     size_t size) {
    size_t packed = 0;

#if WEFT_ISAL
    packed = d->isal != NULL ? pack_by_isal(d, bytes, count, to, size) : 0;
#endif
    return packed > 0 ? packed : pack_by_zlib(d, bytes, count, to, size);
}

void deflater_end(deflater *d) {
    if (d->has_zlib) {
        deflateEnd(&d->zlib);
    }
    free(d->isal);
    *d = (deflater){0};
}

const char *image_compressor(void) {
    static char text[64];

#if WEFT_ISAL
    if (has_isal()) {
        snprintf(text, sizeof text, "ISA-L %d.%d.%d", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION,
                 ISAL_PATCH_VERSION);
        return text;
    }
#endif
    snprintf(text, sizeof text, "zlib %s", zlibVersion());
    return text;
}
