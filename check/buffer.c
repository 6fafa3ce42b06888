/* SPDX-License-Identifier: MIT
 * Guarded memory: see buffer.h.
 */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 256, READ_BYTES = 1 << 16 };

/* ---- grids ----------------------------------------------------------------------------------- */

grid image_grid(const problem *p) {
    return (grid){p->batch,       p->height,       p->width,
                  p->image_pitch, p->image_stride, element_size(p->precision, p->pixel)};
}

grid spectrum_grid(const problem *p) {
    const size_t real = element_size(p->precision, WEFT_PIXEL_REAL);
    const int is_half = p->layout == WEFT_HALF;
    return (grid){p->batch,          p->height,          is_half ? p->width / 2 + 1 : p->width,
                  p->spectrum_pitch, p->spectrum_stride, is_half ? 2 * real : real};
}

grid transfer_grid(const problem *p, weft_transfer kind) {
    const size_t columns = p->width / 2 + 1;
    grid g = spectrum_grid(p);
    g.batch = 1;
    if (kind == WEFT_TRANSFER_GAIN) {
        g = (grid){1, p->height, columns, columns, 0, element_size(p->precision, WEFT_PIXEL_REAL)};
    }
    return g;
}

grid line_grid(size_t bytes) {
    return (grid){1, 1, bytes, bytes, bytes, 1};
}

size_t grid_bytes(const grid *g) {
    return ((g->batch - 1) * g->stride + (g->height - 1) * g->pitch + g->width) * g->element;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t total(const buffer *b) {
    return b->lead + b->bytes + GUARD;
}

static weft_status make_mirror(buffer *b) {
    b->mirror = malloc(total(b));
    return b->mirror != NULL ? WEFT_OK
                             : weft_fail(WEFT_NO_MEMORY, "no memory to check what is written");
}

weft_status buffer_make(buffer *b, const memory_space *space, int device, grid shape,
                        size_t alignment) {
    void *memory = NULL;
    weft_status status;

    *b = (buffer){.shape = shape,
                  .bytes = grid_bytes(&shape),
                  .lead = GUARD + alignment,
                  .space = space,
                  .device = device};
    if ((status = make_mirror(b)) != WEFT_OK ||
        (status = space->allocate(device, total(b), &memory)) != WEFT_OK) {
        return status;
    }
    b->memory = memory;
    return buffer_poison(b, POISON_NAN);
}

weft_status buffer_keep(const buffer *b, buffer *kept) {
    *kept = (buffer){.shape = b->shape, .bytes = b->bytes, .lead = b->lead};
    weft_status status = make_mirror(kept);
    if (status == WEFT_OK) {
        memcpy(kept->mirror, b->mirror, total(b));
    }
    return status;
}

void buffer_free(buffer *b) {
    free(b->mirror);
    if (b->memory != NULL) {
        b->space->release(b->device, b->memory);
    }
    *b = (buffer){0};
}

void *buffer_memory(const buffer *b) {
    return b->memory + b->lead;
}

void *buffer_mirror(const buffer *b) {
    return b->mirror + b->lead;
}

static size_t row_offset(const grid *g, size_t image, size_t row) {
    return (image * g->stride + row * g->pitch) * g->element;
}

void *buffer_row(const buffer *b, size_t image, size_t row) {
    return (char *)buffer_mirror(b) + row_offset(&b->shape, image, row);
}

void buffer_set_image(const buffer *b, size_t image, const void *tight) {
    const size_t bytes = b->shape.width * b->shape.element;
    for (size_t row = 0; row < b->shape.height; row++) {
        memcpy(buffer_row(b, image, row), (const char *)tight + row * bytes, bytes);
    }
}

weft_status buffer_put(const buffer *b) {
    return b->space->copy_in(b->device, b->memory, b->mirror, total(b));
}

weft_status buffer_get(const buffer *b) {
    weft_status status = b->space->wait(b->device);
    return status != WEFT_OK ? status
                             : b->space->copy_out(b->device, b->mirror, b->memory, total(b));
}

weft_status buffer_poison(const buffer *b, int poison) {
    memset(b->mirror, poison, total(b));
    return buffer_put(b);
}

/* ---- what is wrong --------------------------------------------------------------------------- */

/* Of two stretches of bytes: the first that differs; `count` when none does. */
static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t count) {
    size_t i = memcmp(a, b, count) == 0 ? count : 0;
    while (i < count && a[i] == b[i]) {
        i++;
    }
    return i;
}

weft_status buffer_find_change(const buffer *b, ptrdiff_t *at) {
    unsigned char part[READ_BYTES];
    weft_status status = b->space->wait(b->device);

    *at = NOWHERE;
    for (size_t from = 0; from < total(b) && status == WEFT_OK && *at == NOWHERE;) {
        const size_t left = total(b) - from, count = left < READ_BYTES ? left : READ_BYTES;
        status = b->space->copy_out(b->device, part, b->memory + from, count);
        if (status == WEFT_OK) {
            const size_t same = first_difference(part, b->mirror + from, count);
            if (same < count) {
                *at = (ptrdiff_t)(from + same) - (ptrdiff_t)b->lead;
            }
        }
        from += count;
    }
    return status;
}

/* Whether a byte of mirror[from .. to) is not poison; *at says which. */
static int is_stained(const buffer *b, size_t from, size_t to, int poison, ptrdiff_t *at) {
    while (from < to && b->mirror[from] == poison) {
        from++;
    }
    *at = from < to ? (ptrdiff_t)from - (ptrdiff_t)b->lead : NOWHERE;
    return from < to;
}

void buffer_find_stain(const buffer *b, int poison, ptrdiff_t *at) {
    const grid *g = &b->shape;
    size_t hole = 0;
    for (size_t image = 0; image < g->batch; image++) {
        for (size_t row = 0; row < g->height; row++) {
            const size_t start = b->lead + row_offset(g, image, row);
            if (is_stained(b, hole, start, poison, at)) {
                return;
            }
            hole = start + g->width * g->element;
        }
    }
    is_stained(b, hole, total(b), poison, at);
}

void buffer_find_difference(const buffer *a, const buffer *b, ptrdiff_t *at) {
    const size_t bytes = a->shape.width * a->shape.element;
    *at = NOWHERE;
    for (size_t image = 0; image < a->shape.batch; image++) {
        for (size_t row = 0; row < a->shape.height; row++) {
            const size_t same =
                first_difference(buffer_row(a, image, row), buffer_row(b, image, row), bytes);
            if (same < bytes) {
                *at = (ptrdiff_t)(row_offset(&a->shape, image, row) + same);
                return;
            }
        }
    }
}
