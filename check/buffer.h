/* SPDX-License-Identifier: MIT
 * Memory for one batch of images or spectra, on the host or a device: poisoned, with guard zones
 * before and after, and a host mirror that says what it ought to hold. What a transform may not
 * touch is proved here. Besides, the elements of images and spectra, and their sizes.
 */
#ifndef WEFT_CHECK_BUFFER_H
#define WEFT_CHECK_BUFFER_H

#include <stddef.h>

#include "strategy.h"

/* Where the elements of a batch lie, in elements of `element` bytes. */
typedef struct grid {
    size_t batch, height, width, pitch, stride, element;
} grid;

size_t grid_bytes(const grid *g); /* from the first to past the last element */

typedef struct buffer {
    grid shape;
    size_t bytes, lead; /* payload; bytes before it: a guard, and what makes it only just aligned */
    const memory_space *space;
    int device;
    unsigned char *mirror; /* lead + bytes + guard, on the host */
    unsigned char *memory; /* the same in the space */
} buffer;

/* The payload is aligned to `alignment` bytes and to no more. */
buffer buffer_make(const memory_space *space, int device, grid shape, size_t alignment);
void buffer_free(buffer *b);

void *buffer_memory(const buffer *b); /* the payload in the space, for the library */
void *buffer_mirror(const buffer *b); /* the payload on the host, for the test */

enum { POISON_NAN = 0xff, POISON_HUGE = 0x7f };
void buffer_poison(buffer *b, int poison); /* mirror and memory, guards and all */
void buffer_put(buffer *b);                /* memory = mirror */
void buffer_get(buffer *b);                /* mirror = memory */

/* Whether memory equals the mirror still, guards and all. */
int buffer_unchanged(const buffer *b);
/* Whether all of the mirror but the elements is poison still. */
int buffer_holes_poisoned(const buffer *b, int poison);
/* Whether the elements of two mirrors have equal bits. */
int buffer_same_elements(const buffer *a, const buffer *b);

/* One image or spectrum without gaps. */
size_t tight_image_bytes(const weft_desc *d);
size_t tight_spectrum_reals(const weft_desc *d);
size_t tight_spectrum_bytes(const weft_desc *d);

/* Element i of the row, which is a float, double, unsigned char or unsigned short. */
double element_get(const void *row, size_t i, weft_precision precision, weft_pixel pixel);
void element_set(void *row, size_t i, weft_precision precision, weft_pixel pixel, double value);

#endif
