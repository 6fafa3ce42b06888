/* SPDX-License-Identifier: MIT
 * A plan with guarded memory around it: see rig.h.
 */
#include "rig.h"

#include <math.h>
#include <stdio.h>

#include "expect.h"

static void must(const rig *r, weft_status status) {
    check(status == WEFT_OK, "%s: %s", r->about, weft_last_error());
}

/* ---- making it ------------------------------------------------------------------------------- */

static void describe(rig *r) {
    const weft_desc *d = &r->desc;
    snprintf(r->about, sizeof r->about, "%s %zux%zu batch %zu %s %s pixel %d norm %d pitch %zu %zu",
             weft_plan_strategy(r->plan), d->height, d->width, d->batch,
             precision_name(d->precision), layout_name(d->layout), (int)d->pixel, (int)d->norm,
             d->image_pitch, d->spectrum_pitch);
}

static int is_near(double factor, double expected) {
    return fabs(factor / expected - 1) <= 1e-15;
}

/* What the plan made of the description, by which it is judged, is what weft.h says. */
static void check_problem(const rig *r) {
    const weft_desc *d = &r->desc;
    const problem *p = plan_problem(r->plan);
    size_t columns = d->layout == WEFT_HALF ? d->width / 2 + 1 : d->width;
    size_t image_pitch = d->image_pitch ? d->image_pitch : d->width;
    size_t spectrum_pitch = d->spectrum_pitch ? d->spectrum_pitch : columns;
    check(p->height == d->height && p->width == d->width && p->batch == d->batch &&
              p->precision == d->precision && p->pixel == d->pixel && p->layout == d->layout &&
              p->image_pitch == image_pitch && p->spectrum_pitch == spectrum_pitch &&
              p->image_stride == (d->image_stride ? d->image_stride : d->height * image_pitch) &&
              p->spectrum_stride ==
                  (d->spectrum_stride ? d->spectrum_stride : d->height * spectrum_pitch) &&
              is_near(p->forward_scale, forward_factor(d->norm, r->size)) &&
              is_near(p->inverse_scale, inverse_factor(d->norm, r->size)),
          "%s: the plan is of another problem", r->about);
}

/* Aligned to its elements and to no more; spectra on a host to their reals. */
static buffer new_buffer(const rig *r, grid g) {
    const memory_space *space = plan_strategy(r->plan)->space;
    size_t real = element_size(r->desc.precision, WEFT_PIXEL_REAL);
    buffer b;
    must(r, buffer_make(&b, space, r->desc.device, g,
                        space->is_device || g.element < real ? g.element : real));
    return b;
}

weft_status rig_make(rig *r, const weft_desc *desc) {
    *r = (rig){.desc = *desc, .size = {desc->height, desc->width}};
    r->desc.batch = desc->batch ? desc->batch : 1;
    weft_status status = weft_plan_create(&r->plan, desc);
    if (status != WEFT_OK)
        return status;
    describe(r);
    check_problem(r);
    r->image = rig_new_image(r);
    r->spectrum = new_buffer(r, spectrum_grid(plan_problem(r->plan)));
    must(r, buffer_make(&r->work, plan_strategy(r->plan)->space, desc->device,
                        line_grid(weft_plan_workspace(r->plan)), 16));
    check(r->image.bytes == plan_image_bytes(r->plan), "%s: image bytes %zu", r->about,
          plan_image_bytes(r->plan));
    check(r->spectrum.bytes == plan_spectrum_bytes(r->plan), "%s: spectrum bytes %zu", r->about,
          plan_spectrum_bytes(r->plan));
    return WEFT_OK;
}

int rig_made(rig *r, const weft_desc *desc) {
    weft_status status = rig_make(r, desc);
    check(status == WEFT_OK || status == WEFT_UNSUPPORTED, "%s", weft_last_error());
    return status == WEFT_OK;
}

void rig_free(rig *r) {
    buffer_free(&r->image);
    buffer_free(&r->spectrum);
    buffer_free(&r->work);
    weft_plan_destroy(r->plan);
}

buffer rig_new_image(const rig *r) {
    return new_buffer(r, image_grid(plan_problem(r->plan)));
}

buffer rig_new_transfer(const rig *r, weft_transfer kind) {
    buffer b = new_buffer(r, transfer_grid(plan_problem(r->plan), kind));
    check(b.bytes == plan_transfer_bytes(r->plan, kind), "%s: transfer bytes %zu", r->about,
          plan_transfer_bytes(r->plan, kind));
    return b;
}

/* ---- what the mirrors hold ------------------------------------------------------------------- */

/* Tight rows of all images into a mirror; its gaps become poison. */
static void put_rows(const rig *r, const buffer *b, size_t columns, weft_pixel pixel,
                     const double *values) {
    must(r, buffer_poison(b, POISON_NAN));
    for (size_t i = 0; i < r->desc.batch; i++)
        for (size_t m = 0; m < r->size.height; m++)
            for (size_t n = 0; n < columns; n++)
                element_set(buffer_row(b, i, m), n, r->desc.precision, pixel, *values++);
}

void rig_put_images(rig *r, const double *images) {
    put_rows(r, &r->image, r->size.width, r->desc.pixel, images);
}

void rig_put_spectra(rig *r, const double *reals) {
    put_rows(r, &r->spectrum, rig_spectrum_reals(r) / r->size.height, WEFT_PIXEL_REAL, reals);
}

void rig_get_images(const rig *r, const buffer *from, double *images) {
    for (size_t i = 0; i < r->desc.batch; i++)
        for (size_t m = 0; m < r->size.height; m++)
            for (size_t n = 0; n < r->size.width; n++)
                *images++ =
                    element_get(buffer_row(from, i, m), n, r->desc.precision, r->desc.pixel);
}

size_t rig_spectrum_reals(const rig *r) {
    return tight_spectrum_reals(&r->desc);
}

const void *rig_spectrum(const rig *r, size_t i) {
    return buffer_row(&r->spectrum, i, 0);
}

size_t rig_pitch(const rig *r) {
    return r->spectrum.shape.pitch;
}

/* ---- running it ------------------------------------------------------------------------------ */

static trial trial_of(const rig *r, operation what) {
    int is_inverse = what == OPERATION_INVERSE;
    return (trial){.plan = r->plan,
                   .what = what,
                   .input = is_inverse ? &r->spectrum : &r->image,
                   .output = is_inverse ? &r->image : &r->spectrum,
                   .work = &r->work};
}

static void run(const rig *r, const trial *t) {
    complaint c;
    must(r, trial_run(t, &c));
    check(c.text[0] == '\0', "%s: %s", r->about, c.text);
}

/* Over the input, out of which the output's mirror came. */
static void run_in_place(const rig *r, const trial *t) {
    complaint c;
    must(r, trial_run_in_place(t, &c));
    check(c.text[0] == '\0', "%s: %s", r->about, c.text);
}

void rig_forward(rig *r) {
    trial t = trial_of(r, OPERATION_FORWARD);
    run(r, &t);
}

void rig_inverse(rig *r) {
    trial t = trial_of(r, OPERATION_INVERSE);
    run(r, &t);
}

static trial filter_of(const rig *r, const buffer *transfer, weft_transfer kind,
                       const buffer *out) {
    trial t = trial_of(r, OPERATION_FILTER);
    t.output = out;
    t.transfer = transfer;
    t.kind = kind;
    return t;
}

/* In place too, which any plan may. */
void rig_filter(rig *r, const buffer *transfer, weft_transfer kind, buffer *out) {
    trial t = filter_of(r, transfer, kind, out);
    run(r, &t);
    run_in_place(r, &t);
}

/* ---- judging it ------------------------------------------------------------------------------ */

static int may_run_in_place(const rig *r) {
    const grid *a = &r->image.shape, *b = &r->spectrum.shape;
    return r->desc.layout == WEFT_PACKED && r->desc.pixel == WEFT_PIXEL_REAL &&
           a->pitch == b->pitch && a->stride == b->stride;
}

typedef struct picture_source {
    const rig *r;
    uint64_t seed;
    picture which;
} picture_source;

static void put_picture(const void *context, size_t b, void *pixels) {
    const picture_source *of = context;
    const weft_desc *d = &of->r->desc;
    size_t count = d->height * d->width;
    double *values = must_alloc(count * sizeof *values);
    if (d->pixel == WEFT_PIXEL_REAL)
        fill_noise(seed_after(of->seed, b * count), d->precision, count, values);
    else
        fill_picture(of->which, d->pixel, of->seed + b, of->r->size, values);
    for (size_t i = 0; i < count; i++)
        element_set(pixels, i, d->precision, d->pixel, values[i]);
    free(values);
}

reference rig_reference(const rig *r, uint64_t seed, picture which) {
    picture_source source = {r, seed, which};
    reference of;
    check(reference_create(&of, &r->desc, r->desc.batch, seed, put_picture, &source) == 0,
          "%s: no memory", r->about);
    of.reads_noise = 1;
    return of;
}

static verdict passed(const rig *r, const trial *t, reference *of) {
    verdict v = verdict_begin(r->plan, t->what, 0);
    must(r, judge(t, of, &v));
    check(v.passed, "%s: %s: %s", r->about, operation_words[t->what], v.why);
    return v;
}

static verdict verify(rig *r, operation what, reference *of) {
    trial t = trial_of(r, what);
    must(r, reference_put(of, what, r->desc.layout, t.input));
    run(r, &t);
    verdict v = passed(r, &t, of);
    if (may_run_in_place(r))
        run_in_place(r, &t);
    return v;
}

verdict rig_verify_forward(rig *r, reference *of) {
    return verify(r, OPERATION_FORWARD, of);
}

void rig_verify_inverse(rig *r, reference *of) {
    verify(r, OPERATION_INVERSE, of);
}

void rig_verify_filter(rig *r, reference *of, weft_transfer kind) {
    buffer transfer = rig_new_transfer(r, kind), out = rig_new_image(r);
    trial t = filter_of(r, &transfer, kind, &out);
    must(r, reference_put(of, OPERATION_FILTER, r->desc.layout, &r->image));
    must(r, reference_put_transfer(of, kind, r->desc.layout, &transfer));
    rig_filter(r, &transfer, kind, &out);
    passed(r, &t, of);
    buffer_free(&transfer);
    buffer_free(&out);
}

void rig_verify_return(rig *r, reference *of) {
    trial t = trial_of(r, OPERATION_INVERSE);
    run(r, &t);
    t.what = OPERATION_FILTER; /* there and back, without a transfer */
    passed(r, &t, of);
}
