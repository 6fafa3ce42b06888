/* SPDX-License-Identifier: MIT
 * U8 and U16 images: the bins beside DC within the gate against their own energy, DC the exact sum,
 * rounding and clamping on the way back, and round trips that are exact.
 */
#include <math.h>

#include "expect.h"
#include "oracle/oracle.h"
#include "rig.h"
#include "suite.h"

static const shape sizes[] = {{64, 64},   {37, 139}, {48, 63}, {127, 30},
                              {256, 128}, {1, 300},  {129, 1}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static weft_desc pixel_desc(const variant *v, shape s, weft_pixel pixel) {
    return (weft_desc){.height = s.height,
                       .width = s.width,
                       .batch = 2,
                       .image_pitch = s.width + 1,
                       .precision = v->precision,
                       .pixel = pixel,
                       .layout = v->layout,
                       .strategy = v->strategy};
}

/* Two different pictures. */
static double *pictures(const rig *r, picture which, uint64_t seed) {
    size_t count = r->size.height * r->size.width;
    double *images = must_alloc(2 * count * sizeof *images);
    fill_picture(which, r->desc.pixel, seed, r->size, images);
    fill_picture(which, r->desc.pixel, seed + 1, r->size, images + count);
    return images;
}

/* Off DC within the gate, and DC exact. Returns the relative L2 error off DC. */
static double forward_picture(const variant *v, shape s, weft_pixel pixel, picture which) {
    rig r;
    weft_desc d = pixel_desc(v, s, pixel);
    if (!rig_made(&r, &d))
        return 0;
    reference of = rig_reference(&r, seed_of(s.height, s.width, (size_t)which), which);
    double error = rig_verify_forward(&r, &of).rel_l2;
    reference_destroy(&of);
    rig_free(&r);
    return error;
}

static void forward_off_dc(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        forward_picture(v, sizes[i], WEFT_PIXEL_U8, PICTURE_NATURAL);
        forward_picture(v, sizes[i], WEFT_PIXEL_U8, PICTURE_LOW_CONTRAST);
        forward_picture(v, sizes[i], WEFT_PIXEL_U16, PICTURE_NATURAL);
        forward_picture(v, sizes[i], WEFT_PIXEL_U16, PICTURE_BRIGHT);
    }
}

/* At the main size the means leave less error than the gate allows. */
static void faint_picture(const variant *v) {
    if (v->precision == WEFT_F32 && !quick_mode()) {
        double error = forward_picture(v, (shape){2048, 2048}, WEFT_PIXEL_U8, PICTURE_LOW_CONTRAST);
        check(error <= 2.5e-7, "%s: off DC %.3g", v->strategy, error);
    }
}

static void white_of(const variant *v, shape s, weft_pixel pixel) {
    rig r;
    weft_desc d = pixel_desc(v, s, pixel);
    if (!rig_made(&r, &d))
        return;
    size_t count = 2 * s.height * s.width;
    double top = pixel == WEFT_PIXEL_U8 ? 255 : 65535, re, im;
    double *images = must_alloc(count * sizeof *images);
    for (size_t i = 0; i < count; i++)
        images[i] = top;
    rig_put_images(&r, images);
    rig_forward(&r);
    oracle_read(s.height, s.width, v->precision, v->layout, rig_pitch(&r), rig_spectrum(&r, 1), 0,
                0, &re, &im);
    double sum = top * (double)(s.height * s.width); /* a power of two times an odd 16 bits */
    check(re == sum && im == 0, "%s: DC %.17g + %gi, the sum is %.17g", r.about, re, im, sum);
    oracle_read(s.height, s.width, v->precision, v->layout, rig_pitch(&r), rig_spectrum(&r, 1), 3,
                7, &re, &im);
    check(re == 0 && im == 0, "%s: white has %g + %gi at (3, 7)", r.about, re, im);
    free(images);
    rig_free(&r);
}

/* White images: the largest sums, and no energy off DC at all. The sum of a column of the tallest
 * ones has more than 32 bits. */
static void white(const variant *v) {
    white_of(v, (shape){256, 256}, WEFT_PIXEL_U8);
    white_of(v, (shape){256, 256}, WEFT_PIXEL_U16);
    if (!quick_mode())
        white_of(v, (shape){131072, 16}, WEFT_PIXEL_U16);
}

/* A constant image `value`, by X[0][0] alone and the factor 1, becomes `expected` everywhere. */
static void check_constant(rig *r, double value, double expected) {
    size_t reals = rig_spectrum_reals(r), count = 2 * r->size.height * r->size.width;
    double *spectra = calloc(2 * reals, sizeof *spectra), *images = must_alloc(count * 8);
    spectra[0] = spectra[reals] = value;
    rig_put_spectra(r, spectra);
    rig_inverse(r);
    rig_get_images(r, &r->image, images);
    for (size_t i = 0; i < count; i++)
        check(images[i] == expected, "%s: %.9g became %g, should be %g", r->about, value, images[i],
              expected);
    free(spectra);
    free(images);
}

static void round_and_clamp(const variant *v, shape s, weft_pixel pixel) {
    static const double cases[][2] = {
        {0, 0},       {0.5, 0},   {1.5, 2},  {2.5, 2}, {0.75, 1}, {126.5, 126}, {253.5, 254},
        {254.5, 254}, {-0.25, 0}, {-0.5, 0}, {-1, 0},  {-1e9, 0}, {7.25, 7}};
    rig r;
    weft_desc d = pixel_desc(v, s, pixel);
    d.norm = WEFT_NORM_NONE;
    if (!rig_made(&r, &d))
        return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_constant(&r, cases[i][0], cases[i][1]);
    double top = pixel == WEFT_PIXEL_U8 ? 255 : 65535;
    check_constant(&r, top, top);
    check_constant(&r, top + 0.25, top);
    check_constant(&r, top + 0.5, top);
    check_constant(&r, top + 1, top);
    check_constant(&r, 1e9, top);
    check_constant(&r, NAN, 0);
    rig_free(&r);
}

static void inverse_rounds_and_clamps(const variant *v) {
    static const shape small[] = {{1, 1}, {4, 8}, {5, 7}, {6, 3}, {1, 16}, {32, 1}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        round_and_clamp(v, small[i], WEFT_PIXEL_U8);
        round_and_clamp(v, small[i], WEFT_PIXEL_U16);
    }
}

static void round_trip(const variant *v, shape s, weft_pixel pixel, picture which, weft_norm norm) {
    rig r;
    weft_desc d = pixel_desc(v, s, pixel);
    d.norm = norm;
    if (!rig_made(&r, &d))
        return;
    size_t count = 2 * s.height * s.width;
    double *images = pictures(&r, which, seed_of(s.height, s.width, 8)),
           *back = must_alloc(count * 8);
    rig_put_images(&r, images);
    rig_forward(&r);
    rig_inverse(&r);
    rig_get_images(&r, &r.image, back);
    for (size_t i = 0; i < count; i++)
        check(back[i] == images[i], "%s: %s pixel %zu came back as %g, was %g", r.about,
              picture_name(which), i, back[i], images[i]);
    free(images);
    free(back);
    rig_free(&r);
}

static void round_trips_are_exact(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        round_trip(v, sizes[i], WEFT_PIXEL_U8, PICTURE_RANDOM, WEFT_NORM_BACKWARD);
        round_trip(v, sizes[i], WEFT_PIXEL_U8, PICTURE_NATURAL, WEFT_NORM_FORWARD);
        round_trip(v, sizes[i], WEFT_PIXEL_U16, PICTURE_RANDOM, WEFT_NORM_ORTHO);
        round_trip(v, sizes[i], WEFT_PIXEL_U16, PICTURE_BRIGHT, WEFT_NORM_BACKWARD);
    }
    for (size_t n = 1; n <= 12; n++)
        round_trip(v, (shape){n, 13 - n}, WEFT_PIXEL_U8, PICTURE_RANDOM, WEFT_NORM_BACKWARD);
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"forward off DC", forward_off_dc, 1, NULL, 0},
        {"faint picture of 2048x2048", faint_picture, 0, NULL, 0},
        {"white", white, 1, NULL, 0},
        {"inverse rounds and clamps", inverse_rounds_and_clamps, 1, NULL, 0},
        {"round trips are exact", round_trips_are_exact, 1, NULL, 0},
    };
    cases_init(argc, argv);
    return suite_run("pixels", tests, sizeof tests / sizeof *tests);
}
