/* SPDX-License-Identifier: MIT
 * weft_filter against the reference (forward, times transfer, inverse) for both kinds of transfer
 * and both layouts, in place, on batches and on pixels; and against a convolution summed directly.
 */
#include <math.h>

#include "expect.h"
#include "rig.h"
#include "suite.h"

/* Noise, or pictures, by a transfer of noise: not Hermitian in columns 0 and W/2, where a gain's
 * smaller row counts for both. */
static void filter(const weft_desc *d, weft_transfer kind) {
    rig r;
    if (!rig_made(&r, d))
        return;
    reference of = rig_reference(&r, seed_of(d->height, d->width, (size_t)kind), PICTURE_NATURAL);
    rig_verify_filter(&r, &of, kind);
    reference_destroy(&of);
    rig_free(&r);
}

static weft_desc filter_desc(const variant *v, shape s) {
    return (weft_desc){.height = s.height,
                       .width = s.width,
                       .batch = s.height * s.width < 300 ? 40 : 2,
                       .precision = v->precision,
                       .layout = v->layout,
                       .image_pitch = s.width + 1,
                       .spectrum_pitch = s.width + 2,
                       .norm = (weft_norm)((s.height / 2 + s.width / 2) % 4),
                       .strategy = v->strategy};
}

static const shape sizes[] = {{1, 1},    {1, 2},    {2, 1},   {1, 9},   {9, 1},   {2, 2},
                              {3, 3},    {4, 6},    {5, 8},   {8, 5},   {7, 7},   {8, 8},
                              {16, 12},  {15, 20},  {32, 32}, {31, 29}, {64, 64}, {45, 66},
                              {128, 64}, {100, 81}, {3, 1024}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void by_spectrum(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        weft_desc d = filter_desc(v, sizes[i]);
        filter(&d, WEFT_TRANSFER_SPECTRUM);
    }
}

static void by_gain(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        weft_desc d = filter_desc(v, sizes[i]);
        filter(&d, WEFT_TRANSFER_GAIN);
    }
}

/* A plan's memory with a transfer, an output, and images as doubles. */
typedef struct arena {
    rig r;
    buffer transfer, out;
    size_t count; /* of the pixels of all images */
    double *images, *got;
    uint64_t seed;
} arena;

static int arena_make(arena *a, const weft_desc *d, weft_transfer kind) {
    if (!rig_made(&a->r, d))
        return 0;
    a->transfer = rig_new_transfer(&a->r, kind);
    a->out = rig_new_image(&a->r);
    a->count = a->r.desc.batch * d->height * d->width;
    a->images = must_alloc(a->count * sizeof *a->images);
    a->got = must_alloc(a->count * sizeof *a->got);
    a->seed = seed_of(d->height, d->width, (size_t)kind);
    return 1;
}

static void arena_free(arena *a) {
    buffer_free(&a->transfer);
    buffer_free(&a->out);
    free(a->images);
    free(a->got);
    rig_free(&a->r);
}

static void arena_filter(arena *a, weft_transfer kind) {
    rig_put_images(&a->r, a->images);
    rig_filter(&a->r, &a->transfer, kind, &a->out);
    rig_get_images(&a->r, &a->out, a->got);
}

/* A gain of 1 gives pixels back as they were. */
static void identity_on_pixels(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        arena a;
        weft_desc d = filter_desc(v, sizes[i]);
        size_t pixels = d.height * d.width;
        d.pixel = i % 2 ? WEFT_PIXEL_U8 : WEFT_PIXEL_U16;
        d.norm = (weft_norm)(i % 3);
        if (!arena_make(&a, &d, WEFT_TRANSFER_GAIN))
            continue;
        for (size_t j = 0; j < d.batch; j++)
            fill_picture(PICTURE_RANDOM, d.pixel, a.seed + j, sizes[i], a.images + j * pixels);
        for (size_t j = 0; j < d.height * (d.width / 2 + 1); j++)
            element_set(buffer_mirror(&a.transfer), j, d.precision, WEFT_PIXEL_REAL, 1);
        arena_filter(&a, WEFT_TRANSFER_GAIN);
        for (size_t j = 0; j < a.count; j++)
            check(a.got[j] == a.images[j], "%s: pixel %zu became %g, was %g", a.r.about, j,
                  a.got[j], a.images[j]);
        arena_free(&a);
    }
}

/* sum over a 3x3 kernel of kernel * image, indices modulo the size; not symmetric, so flips show.
 */
static const double kernel[3][3] = {{0, 1, 2}, {3, -4, 5}, {6, 7, -8}};

static double convolved(const double *image, shape s, size_t m, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            sum += kernel[i][j] * image[(m + 3 * s.height - i) % s.height * s.width +
                                        (n + 3 * s.width - j) % s.width];
    return sum;
}

/* The kernel as an image, wrapped where it is larger than that; into r->image. */
static void put_kernel(rig *r) {
    double *images = calloc(r->desc.batch * r->size.height * r->size.width, sizeof *images);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            images[i % r->size.height * r->size.width + j % r->size.width] += kernel[i][j];
    rig_put_images(r, images);
    free(images);
}

static void convolve(const variant *v, shape s) {
    arena a;
    weft_desc d = filter_desc(v, s);
    d.norm = WEFT_NORM_BACKWARD;
    d.spectrum_pitch = d.image_pitch = 0;
    if (!arena_make(&a, &d, WEFT_TRANSFER_SPECTRUM))
        return;
    put_kernel(&a.r);
    rig_forward(&a.r); /* its spectrum is the transfer */
    buffer_set_image(&a.transfer, 0, buffer_mirror(&a.r.spectrum));
    fill_noise(a.seed, d.precision, a.count, a.images);
    arena_filter(&a, WEFT_TRANSFER_SPECTRUM);
    for (size_t j = 0; j < a.count; j++) {
        size_t pixels = s.height * s.width, pixel = j % pixels;
        double want = convolved(a.images + j - pixel, s, pixel / s.width, pixel % s.width);
        check(fabs(a.got[j] - want) <= (d.precision == WEFT_F32 ? 3e-5 : 6e-14),
              "%s: convolution at %zu: %.9g, should be %.9g", a.r.about, j, a.got[j], want);
    }
    arena_free(&a);
}

static void convolves(const variant *v) {
    for (size_t i = 0; i < SIZES; i++)
        convolve(v, sizes[i]);
}

/* Filtered pixels: the exact result, rounded, but for values closer to a tie than the error. */
static void blurs_pixels(const variant *v) {
    weft_desc d = filter_desc(v, (shape){32, 64});
    d.pixel = WEFT_PIXEL_U8;
    d.norm = WEFT_NORM_ORTHO;
    filter(&d, WEFT_TRANSFER_GAIN);
}

/* Work memory is for what is transformed, not for what lies between the rows and the images. */
static void workspace_without_gaps(const variant *v) {
    enum { GAP = 1 << 16 };
    const size_t taken = side_taken(v->strategy, v->precision), side = taken < 32 ? 32 : taken;
    const shape s = {side, side};
    weft_desc tight = filter_desc(v, s), gaps;
    tight.image_pitch = tight.spectrum_pitch = 0;
    gaps = tight;
    gaps.spectrum_pitch = GAP;
    gaps.spectrum_stride = s.height * 2 * GAP;
    gaps.image_pitch = GAP;
    weft_plan *plans[2];
    check(weft_plan_create(&plans[0], &tight) == WEFT_OK, "%s", weft_last_error());
    check(weft_plan_create(&plans[1], &gaps) == WEFT_OK, "%s", weft_last_error());
    size_t least = weft_plan_workspace(plans[0]), most = weft_plan_workspace(plans[1]);
    check(most <= 2 * least + GAP, "%s: a workspace of %zu bytes, with gaps of %zu", v->strategy,
          least, most);
    weft_plan_destroy(plans[0]);
    weft_plan_destroy(plans[1]);
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"by spectrum", by_spectrum, 1, NULL, 0},
        {"by gain", by_gain, 1, NULL, 0},
        {"identity on pixels", identity_on_pixels, 1, NULL, 0},
        {"convolution", convolves, 1, NULL, 0},
        {"workspace without gaps", workspace_without_gaps, 1, NULL, 0},
        {"blur of pixels", blurs_pixels, 1, NULL, 0},
    };
    cases_init(argc, argv);
    return suite_run("filter", tests, sizeof tests / sizeof *tests);
}
