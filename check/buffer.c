/* SPDX-License-Identifier: MIT
 * Guarded memory: see buffer.h.
 */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 256 };

size_t grid_bytes(const grid *g) {
    return ((g->batch - 1) * g->stride + (g->height - 1) * g->pitch + g->width) * g->element;
}

static size_t total(const buffer *b) {
    return b->lead + b->bytes + GUARD;
}

buffer buffer_make(const memory_space *space, int device, grid shape, size_t alignment) {
    size_t bytes = grid_bytes(&shape);
    buffer b = {shape, bytes, GUARD + alignment, space, device, NULL, NULL};
    void *memory = NULL;
    b.mirror = malloc(total(&b));
    if (!b.mirror || space->allocate(device, total(&b), &memory) != WEFT_OK)
        abort();
    b.memory = memory;
    buffer_poison(&b, POISON_NAN);
    return b;
}

void buffer_free(buffer *b) {
    free(b->mirror);
    if (b->space)
        b->space->release(b->device, b->memory);
    *b = (buffer){0};
}

void *buffer_memory(const buffer *b) {
    return b->memory + b->lead;
}

void *buffer_mirror(const buffer *b) {
    return b->mirror + b->lead;
}

void buffer_put(buffer *b) {
    if (b->space->copy_in(b->device, b->memory, b->mirror, total(b)) != WEFT_OK)
        abort();
}

static void read_memory(const buffer *b, unsigned char *to) {
    if (b->space->wait(b->device) != WEFT_OK ||
        b->space->copy_out(b->device, to, b->memory, total(b)) != WEFT_OK)
        abort();
}

void buffer_get(buffer *b) {
    read_memory(b, b->mirror);
}

void buffer_poison(buffer *b, int poison) {
    memset(b->mirror, poison, total(b));
    buffer_put(b);
}

int buffer_unchanged(const buffer *b) {
    unsigned char *now = malloc(total(b));
    if (!now)
        abort();
    read_memory(b, now);
    int same = memcmp(now, b->mirror, total(b)) == 0;
    free(now);
    return same;
}

static size_t row_offset(const grid *g, size_t image, size_t row) {
    return (image * g->stride + row * g->pitch) * g->element;
}

static int all_poison(const unsigned char *from, const unsigned char *to, int poison) {
    for (; from < to; from++)
        if (*from != poison)
            return 0;
    return 1;
}

int buffer_holes_poisoned(const buffer *b, int poison) {
    const grid *g = &b->shape;
    const unsigned char *payload = buffer_mirror(b), *hole = b->mirror;
    for (size_t image = 0; image < g->batch; image++)
        for (size_t row = 0; row < g->height; row++) {
            const unsigned char *start = payload + row_offset(g, image, row);
            if (!all_poison(hole, start, poison))
                return 0;
            hole = start + g->width * g->element;
        }
    return all_poison(hole, b->mirror + total(b), poison);
}

int buffer_same_elements(const buffer *a, const buffer *b) {
    const grid *g = &a->shape, *h = &b->shape;
    for (size_t image = 0; image < g->batch; image++)
        for (size_t row = 0; row < g->height; row++)
            if (memcmp((char *)buffer_mirror(a) + row_offset(g, image, row),
                       (char *)buffer_mirror(b) + row_offset(h, image, row),
                       g->width * g->element) != 0)
                return 0;
    return 1;
}

size_t tight_image_bytes(const weft_desc *d) {
    static const size_t sizes[] = {[WEFT_PIXEL_U8] = 1, [WEFT_PIXEL_U16] = 2};
    size_t real = d->precision == WEFT_F32 ? sizeof(float) : sizeof(double);
    return d->height * d->width * (d->pixel == WEFT_PIXEL_REAL ? real : sizes[d->pixel]);
}

size_t tight_spectrum_reals(const weft_desc *d) {
    return d->height * (d->layout == WEFT_HALF ? 2 * (d->width / 2 + 1) : d->width);
}

size_t tight_spectrum_bytes(const weft_desc *d) {
    return tight_spectrum_reals(d) * (d->precision == WEFT_F32 ? sizeof(float) : sizeof(double));
}

double element_get(const void *row, size_t i, weft_precision precision, weft_pixel pixel) {
    if (pixel == WEFT_PIXEL_U8)
        return ((const unsigned char *)row)[i];
    if (pixel == WEFT_PIXEL_U16)
        return ((const unsigned short *)row)[i];
    return precision == WEFT_F32 ? (double)((const float *)row)[i] : ((const double *)row)[i];
}

void element_set(void *row, size_t i, weft_precision precision, weft_pixel pixel, double value) {
    if (pixel == WEFT_PIXEL_U8)
        ((unsigned char *)row)[i] = (unsigned char)value;
    else if (pixel == WEFT_PIXEL_U16)
        ((unsigned short *)row)[i] = (unsigned short)value;
    else if (precision == WEFT_F32)
        ((float *)row)[i] = (float)value;
    else
        ((double *)row)[i] = value;
}
