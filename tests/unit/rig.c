/* SPDX-License-Identifier: MIT
 * A plan with guarded memory around it: see rig.h.
 */
#include "rig.h"

#include <stdio.h>
#include <string.h>

#include "expect.h"

static size_t real_size(const rig *r) {
    return r->desc.precision == WEFT_F32 ? 4 : 8;
}

static size_t pixel_size(const rig *r) {
    return r->desc.pixel == WEFT_PIXEL_U8 ? 1 : r->desc.pixel == WEFT_PIXEL_U16 ? 2 : real_size(r);
}

static grid image_grid_of(const rig *r) {
    const weft_desc *d = &r->desc;
    size_t pitch = d->image_pitch ? d->image_pitch : d->width;
    size_t stride = d->image_stride ? d->image_stride : d->height * pitch;
    return (grid){d->batch, d->height, d->width, pitch, stride, pixel_size(r)};
}

static grid spectrum_grid_of(const rig *r) {
    const weft_desc *d = &r->desc;
    size_t columns = d->layout == WEFT_HALF ? d->width / 2 + 1 : d->width;
    size_t pitch = d->spectrum_pitch ? d->spectrum_pitch : columns;
    size_t stride = d->spectrum_stride ? d->spectrum_stride : d->height * pitch;
    size_t element = (d->layout == WEFT_HALF ? 2 : 1) * real_size(r);
    return (grid){d->batch, d->height, columns, pitch, stride, element};
}

static const memory_space *space_of(const rig *r) {
    return plan_strategy(r->plan)->space;
}

/* Spectra are aligned to their reals, on a device to whole complex numbers. */
static size_t spectrum_alignment(const rig *r) {
    return space_of(r)->is_device ? spectrum_grid_of(r).element : real_size(r);
}

static void describe(rig *r) {
    const weft_desc *d = &r->desc;
    snprintf(r->about, sizeof r->about, "%s %zux%zu batch %zu %s %s pixel %d norm %d pitch %zu %zu",
             weft_plan_strategy(r->plan), d->height, d->width, d->batch,
             precision_name(d->precision), layout_name(d->layout), (int)d->pixel, (int)d->norm,
             d->image_pitch, d->spectrum_pitch);
}

weft_status rig_make(rig *r, const weft_desc *desc) {
    *r = (rig){.desc = *desc, .size = {desc->height, desc->width}};
    r->desc.batch = desc->batch ? desc->batch : 1;
    weft_status status = weft_plan_create(&r->plan, desc);
    if (status != WEFT_OK)
        return status;
    describe(r);
    size_t work = weft_plan_workspace(r->plan);
    r->image = buffer_make(space_of(r), desc->device, image_grid_of(r), pixel_size(r));
    r->spectrum =
        buffer_make(space_of(r), desc->device, spectrum_grid_of(r), spectrum_alignment(r));
    r->work = buffer_make(space_of(r), desc->device, (grid){1, 1, work, work, work, 1}, 16);
    check(r->image.bytes == plan_image_bytes(r->plan), "%s: image bytes %zu", r->about,
          plan_image_bytes(r->plan));
    check(r->spectrum.bytes == plan_spectrum_bytes(r->plan), "%s: spectrum bytes %zu", r->about,
          plan_spectrum_bytes(r->plan));
    return WEFT_OK;
}

void rig_free(rig *r) {
    buffer_free(&r->image);
    buffer_free(&r->spectrum);
    buffer_free(&r->work);
    weft_plan_destroy(r->plan);
}

buffer rig_new_image(const rig *r) {
    return buffer_make(space_of(r), r->desc.device, image_grid_of(r), pixel_size(r));
}

buffer rig_new_transfer(const rig *r, weft_transfer kind) {
    grid g = spectrum_grid_of(r);
    g.batch = 1;
    if (kind == WEFT_TRANSFER_GAIN)
        g = (grid){1, g.height, r->size.width / 2 + 1, r->size.width / 2 + 1, 0, real_size(r)};
    buffer b = buffer_make(space_of(r), r->desc.device, g,
                           kind == WEFT_TRANSFER_GAIN ? real_size(r) : spectrum_alignment(r));
    check(b.bytes == plan_transfer_bytes(r->plan, kind), "%s: transfer bytes %zu", r->about,
          plan_transfer_bytes(r->plan, kind));
    return b;
}

static void *row_of(const buffer *b, size_t image, size_t row) {
    const grid *g = &b->shape;
    return (char *)buffer_mirror(b) + (image * g->stride + row * g->pitch) * g->element;
}

void rig_put_images(rig *r, const double *images) {
    buffer_poison(&r->image, POISON_NAN);
    for (size_t i = 0; i < r->desc.batch; i++)
        for (size_t m = 0; m < r->size.height; m++)
            for (size_t n = 0; n < r->size.width; n++)
                element_set(row_of(&r->image, i, m), n, r->desc.precision, r->desc.pixel,
                            *images++);
    buffer_put(&r->image);
}

void rig_get_images(const rig *r, const buffer *from, double *images) {
    for (size_t i = 0; i < r->desc.batch; i++)
        for (size_t m = 0; m < r->size.height; m++)
            for (size_t n = 0; n < r->size.width; n++)
                *images++ = element_get(row_of(from, i, m), n, r->desc.precision, r->desc.pixel);
}

static size_t reals_per_row(const rig *r) {
    return r->desc.layout == WEFT_HALF ? 2 * (r->size.width / 2 + 1) : r->size.width;
}

size_t rig_spectrum_reals(const rig *r) {
    return r->size.height * reals_per_row(r);
}

void rig_put_spectra(rig *r, const double *reals) {
    buffer_poison(&r->spectrum, POISON_NAN);
    for (size_t i = 0; i < r->desc.batch; i++)
        for (size_t k = 0; k < r->size.height; k++)
            for (size_t j = 0; j < reals_per_row(r); j++)
                element_set(row_of(&r->spectrum, i, k), j, r->desc.precision, WEFT_PIXEL_REAL,
                            *reals++);
    buffer_put(&r->spectrum);
}

const void *rig_spectrum(const rig *r, size_t i) {
    return row_of(&r->spectrum, i, 0);
}

size_t rig_pitch(const rig *r) {
    return r->spectrum.shape.pitch;
}

/* One of the three calls, operands as given. */
typedef struct call {
    enum { CALL_FORWARD, CALL_INVERSE, CALL_FILTER } which;
    const buffer *in, *transfer;
    weft_transfer kind;
    buffer *out;
} call;

static weft_status execute(rig *r, const call *c) {
    const void *in = buffer_memory(c->in);
    void *out = buffer_memory(c->out), *work = buffer_memory(&r->work);
    if (c->which == CALL_FORWARD)
        return weft_forward(r->plan, in, out, work, NULL);
    if (c->which == CALL_INVERSE)
        return weft_inverse(r->plan, in, out, work, NULL);
    return weft_filter(r->plan, in, buffer_memory(c->transfer), c->kind, out, work, NULL);
}

static void run_once(rig *r, const call *c, int poison) {
    buffer_poison(&r->work, POISON_NAN);
    if (c->in != c->out)
        buffer_poison(c->out, poison);
    weft_status status = execute(r, c);
    check(status == WEFT_OK, "%s: %s", r->about, weft_last_error());
    if (c->in != c->out)
        check(buffer_unchanged(c->in), "%s: the input was modified", r->about);
    if (c->transfer)
        check(buffer_unchanged(c->transfer), "%s: the transfer was modified", r->about);
    buffer_get(c->out);
    buffer_get(&r->work);
    check(buffer_holes_poisoned(c->out, poison), "%s: wrote outside the output", r->about);
    check(buffer_holes_poisoned(&r->work, POISON_NAN), "%s: wrote outside work", r->about);
}

static buffer copy_of(const buffer *b) {
    buffer copy = buffer_make(b->space, b->device, b->shape, b->lead % 128 ? b->lead % 128 : 128);
    memcpy(buffer_mirror(&copy), buffer_mirror(b), b->bytes);
    return copy;
}

static void run_twice(rig *r, const call *c) {
    run_once(r, c, POISON_NAN);
    buffer first = copy_of(c->out);
    run_once(r, c, POISON_HUGE);
    check(buffer_same_elements(&first, c->out), "%s: the second run gave other bits", r->about);
    buffer_free(&first);
}

void rig_forward(rig *r) {
    run_twice(r, &(call){.which = CALL_FORWARD, .in = &r->image, .out = &r->spectrum});
}

void rig_inverse(rig *r) {
    run_twice(r, &(call){.which = CALL_INVERSE, .in = &r->spectrum, .out = &r->image});
}

/* Once more over the input itself (whose gaps hold NaN), which must become what `expected` holds.
 */
static void run_in_place(rig *r, call c, const buffer *expected) {
    run_once(r, &c, POISON_NAN);
    check(buffer_same_elements(c.out, expected), "%s: in place gave other bits", r->about);
}

void rig_filter(rig *r, const buffer *transfer, weft_transfer kind, buffer *out) {
    call c = {CALL_FILTER, &r->image, transfer, kind, out};
    run_twice(r, &c);
    c.out = &r->image;
    run_in_place(r, c, out);
}

int rig_may_run_in_place(const rig *r) {
    const grid *a = &r->image.shape, *b = &r->spectrum.shape;
    return r->desc.layout == WEFT_PACKED && r->desc.pixel == WEFT_PIXEL_REAL &&
           a->pitch == b->pitch && a->stride == b->stride;
}

void rig_forward_in_place(rig *r) {
    run_in_place(r, (call){.which = CALL_FORWARD, .in = &r->image, .out = &r->image}, &r->spectrum);
}

void rig_inverse_in_place(rig *r) {
    run_in_place(r, (call){.which = CALL_INVERSE, .in = &r->spectrum, .out = &r->spectrum},
                 &r->image);
}
