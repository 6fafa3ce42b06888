/* SPDX-License-Identifier: MIT
 * Memory for one batch of images or spectra, on the host or a device: poisoned, with guard zones
 * before and after, and a host mirror that says what it ought to hold. What a transform may not
 * touch is proved here, for the tests' rig and for the judge of verify and bench.
 */
#ifndef WEFT_CHECK_BUFFER_H
#define WEFT_CHECK_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include "elements.h"
#include "strategy.h"

/* Where the elements of a batch lie, in elements of `element` bytes. */
typedef struct grid {
    size_t batch, height, width, pitch, stride, element;
} grid;

grid image_grid(const problem *p);
grid spectrum_grid(const problem *p); /* reals (PACKED) or complex numbers (HALF) */
grid transfer_grid(const problem *p, weft_transfer kind);
grid line_grid(size_t bytes);     /* of bytes */
size_t grid_bytes(const grid *g); /* from the first to past the last element */

typedef struct buffer {
    grid shape;
    size_t bytes, lead; /* payload; bytes before it: a guard, and what makes it only just aligned */
    const memory_space *space;
    int device;
    unsigned char *mirror; /* lead + bytes + guard, on the host */
    unsigned char *memory; /* the same in the space; NULL: a mirror alone */
} buffer;

/* The payload is poisoned, and aligned to `alignment` bytes and to no more. A buffer that could not
 * be made may be freed like one that is all zero. */
weft_status buffer_make(buffer *b, const memory_space *space, int device, grid shape,
                        size_t alignment);
/* What the mirror holds, kept in a mirror alone. */
weft_status buffer_keep(const buffer *b, buffer *kept);
void buffer_free(buffer *b);

void *buffer_memory(const buffer *b); /* the payload in the space, for the library */
void *buffer_mirror(const buffer *b); /* the payload on the host, for who checks it */
void *buffer_row(const buffer *b, size_t image, size_t row); /* in the mirror */

/* The elements of one image of the mirror become those of a tight array. */
void buffer_set_image(const buffer *b, size_t image, const void *tight);

enum { POISON_NAN = 0xff, POISON_HUGE = 0x7f };
weft_status buffer_poison(const buffer *b, int poison); /* mirror and memory, guards and all */
weft_status buffer_put(const buffer *b);                /* memory = mirror */
weft_status buffer_get(const buffer *b);                /* mirror = memory */

/* Each finds the first wrong byte: *at is counted from the payload's first, so that it is negative
 * in the guard before it, and NOWHERE if no byte is wrong. */
#define NOWHERE PTRDIFF_MAX
/* Where memory is not what the mirror says, guards and all. */
weft_status buffer_find_change(const buffer *b, ptrdiff_t *at);
/* Where the mirror is not poison any more outside its elements. */
void buffer_find_stain(const buffer *b, int poison, ptrdiff_t *at);
/* Where the elements of two mirrors have different bits, counted in a's payload. */
void buffer_find_difference(const buffer *a, const buffer *b, ptrdiff_t *at);

#endif
