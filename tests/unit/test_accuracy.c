/* SPDX-License-Identifier: MIT
 * Every strategy, precision and layout against the oracle: all sizes to 32 x 32, larger ones
 * sampled, or every one to 64 x 64 and every line to 2048; forward, inverse and round trip within
 * the gates; batches with gaps; all norms; in place; and FFTW as the bar. What right means is
 * check/judge.h's; here is what it is asked of.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "rig.h"
#include "suite.h"

#if WEFT_TEST_FFTW
#include <fftw3.h>
#endif

/* Sizes that a strategy refused, of those it was asked for. */
typedef struct refusals {
    size_t asked, refused;
    char reason[256];
} refusals;

/* 1 when the strategy takes the description; a refusal is counted, anything else is a failure. */
static int make_or_count(rig *r, const weft_desc *desc, refusals *counted) {
    weft_status status = rig_make(r, desc);
    counted->asked++;
    if (status == WEFT_OK)
        return 1;
    check(status == WEFT_UNSUPPORTED, "%s %zux%zu: %s", desc->strategy, desc->height, desc->width,
          weft_last_error());
    counted->refused++;
    snprintf(counted->reason, sizeof counted->reason, "%s", weft_last_error());
    return 0;
}

static void report_refusals(const refusals *counted) {
    if (counted->refused == counted->asked)
        skip_because("%s", counted->reason);
    if (counted->refused > 0)
        print_message("note: refused %zu of %zu sizes: %s\n", counted->refused, counted->asked,
                      counted->reason);
}

static void run_case(const weft_desc *desc, refusals *counted) {
    rig r;
    if (!make_or_count(&r, desc, counted))
        return;
    reference of =
        rig_reference(&r, seed_of(desc->height, desc->width, desc->batch), PICTURE_NATURAL);
    rig_verify_forward(&r, &of);
    rig_verify_return(&r, &of);
    rig_verify_inverse(&r, &of);
    reference_destroy(&of);
    rig_free(&r);
}

/* Tight images, enough of them that their error is not chance. */
static weft_desc tight(const variant *v, shape s) {
    size_t size = s.height * s.width, most = 64, wanted = 512;
    return (weft_desc){.height = s.height,
                       .width = s.width,
                       .batch = size * most <= wanted ? most
                                : size < wanted       ? wanted / size
                                                      : 1,
                       .precision = v->precision,
                       .layout = v->layout,
                       .strategy = v->strategy};
}

/* Three images with gaps between rows and images; equal gaps (so that it may run in place) or not.
 */
static weft_desc gapped(const variant *v, shape s, int equal) {
    weft_desc d = tight(v, s);
    size_t columns = v->layout == WEFT_HALF ? s.width / 2 + 1 : s.width;
    d.batch = 3;
    d.image_pitch = s.width + 3;
    d.image_stride = s.height * d.image_pitch + 5;
    d.spectrum_pitch = equal ? d.image_pitch : columns + 1;
    d.spectrum_stride = equal ? d.image_stride : s.height * d.spectrum_pitch + 7;
    return d;
}

static void small_sizes(const variant *v) {
    refusals counted = {0};
    for (size_t h = 1; h <= SMALL_LIMIT; h++)
        for (size_t w = 1; w <= SMALL_LIMIT; w++) {
            weft_desc d = tight(v, (shape){h, w});
            if (small_shape_wanted((shape){h, w}))
                run_case(&d, &counted);
        }
    report_refusals(&counted);
}

/* Every norm meets every parity of H and W. */
static void batches_and_norms(const variant *v) {
    refusals counted = {0};
    size_t limit = quick_mode() ? 8 : 20;
    for (size_t h = 5; h <= limit; h++)
        for (size_t w = 5; w <= limit; w++) {
            weft_desc d = gapped(v, (shape){h, w}, (h + w) % 3 == 0);
            d.norm = (weft_norm)((h / 2 + w / 2) % 4);
            run_case(&d, &counted);
        }
    report_refusals(&counted);
}

static void large_sizes(const variant *v) {
    refusals counted = {0};
    for (size_t i = 0; i < large_shape_count(); i++) {
        weft_desc d = tight(v, large_shapes[i]);
        run_case(&d, &counted);
    }
    report_refusals(&counted);
}

static void large_batch(const variant *v) {
    refusals counted = {0};
    static const shape sizes[] = {{64, 128}, {45, 77}, {130, 66}, {64, 64}, {128, 128}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int norm = WEFT_NORM_BACKWARD; norm <= WEFT_NORM_NONE; norm++) {
            weft_desc d = gapped(v, sizes[i], norm % 2);
            d.norm = (weft_norm)norm;
            run_case(&d, &counted);
        }
    report_refusals(&counted);
}

/* Another side from 1 to 4096, as many from each octave. */
static size_t drawn_side(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
    size_t octave = (size_t)1 << (*state >> 60) * 12 / 16;
    return octave + 1 + (size_t)(*state >> 32) % octave;
}

/* Of the two layouts, each has half of the sizes to 64x64. */
static void every_size(const variant *v) {
    refusals counted = {0};
    uint64_t state = 300;
    if (getenv("WEFT_TEST_LONG") == NULL)
        skip_because("only with WEFT_TEST_LONG=1, as ./run test --long has it");
    for (size_t h = 1; h <= 64; h++)
        for (size_t w = 1; w <= 64; w++) {
            weft_desc d = tight(v, (shape){h, w});
            if ((h / 2 + w / 2) % 2 == (size_t)v->layout)
                run_case(&d, &counted);
        }
    for (size_t n = 1; n <= 2048; n++) {
        size_t few = 4 + n % 3;
        weft_desc columns = tight(v, (shape){n, few}), rows = tight(v, (shape){few, n});
        run_case(&columns, &counted);
        run_case(&rows, &counted);
    }
    for (int i = 0; i < 300; i++) {
        size_t height = drawn_side(&state), width = drawn_side(&state);
        weft_desc d = tight(v, (shape){height, width});
        if (i % 2 == (int)v->layout)
            run_case(&d, &counted);
    }
    report_refusals(&counted);
}

static int is_fast_at_any_size(const char *name) {
    return is_fast(name) || strcmp(name, "cuda.twopass") == 0;
}

#if WEFT_TEST_FFTW
static double error_squared(reference *of, size_t i, weft_precision precision, weft_layout layout,
                            size_t pitch, const void *spectrum) {
    oracle_error e;
    assert_int_equal(reference_compare(of, i, precision, layout, pitch, spectrum, 1, &e), WEFT_OK);
    return e.rel_l2 * e.rel_l2;
}

/* The sum over the images of the squared relative errors of FFTW's half spectra. */
#define ERROR_OF_FFTW(PRECISION, FFTW, REAL)                                                       \
    static double error_of_##FFTW(const rig *r, reference *of) {                                   \
        size_t height = r->size.height, width = r->size.width, bins = width / 2 + 1;               \
        REAL *image = must_alloc(height * width * sizeof *image);                                  \
        REAL *half = must_alloc(height * bins * 2 * sizeof *half);                                 \
        FFTW##_plan plan = FFTW##_plan_dft_r2c_2d((int)height, (int)width, image,                  \
                                                  (FFTW##_complex *)half, FFTW_ESTIMATE);          \
        double sum = 0;                                                                            \
        for (size_t i = 0; i < r->desc.batch; i++) {                                               \
            memcpy(image, reference_pixels(of, i), height *width * sizeof *image);                 \
            FFTW##_execute(plan);                                                                  \
            sum += error_squared(of, i, PRECISION, WEFT_HALF, bins, half);                         \
        }                                                                                          \
        FFTW##_destroy_plan(plan);                                                                 \
        free(image);                                                                               \
        free(half);                                                                                \
        return sum;                                                                                \
    }
ERROR_OF_FFTW(WEFT_F32, fftwf, float)
ERROR_OF_FFTW(WEFT_F64, fftw, double)

/* Of so many images that their error is not chance. */
enum { COMPARED_PIXELS = 1 << 14 };

static void compare_with_fftw(const variant *v, shape s, double most, refusals *counted) {
    rig r;
    weft_desc d = tight(v, s);
    d.batch = COMPARED_PIXELS / (s.height * s.width) + 1;
    if (!make_or_count(&r, &d, counted))
        return;
    reference of = rig_reference(&r, seed_of(s.height, s.width, 9), PICTURE_NATURAL);
    rig_verify_forward(&r, &of);
    double theirs = (v->precision == WEFT_F32 ? error_of_fftwf : error_of_fftw)(&r, &of), ours = 0;
    for (size_t i = 0; i < d.batch; i++)
        ours += error_squared(&of, i, v->precision, v->layout, rig_pitch(&r), rig_spectrum(&r, i));
    check(sqrt(ours) <= most * sqrt(theirs), "%s: L2 %.3f times FFTW's", r.about,
          sqrt(ours / theirs));
    reference_destroy(&of);
    rig_free(&r);
}
#endif

static void as_accurate_as_fftw(const variant *v) {
#if WEFT_TEST_FFTW
    static const shape sizes[] = {{16, 16},   {16, 32},    {32, 16},    {32, 32},   {64, 64},
                                  {128, 128}, {256, 256},  {512, 512},  {1024, 64}, {2048, 32},
                                  {16, 4096}, {108, 192},  {270, 480},  {49, 343},  {64, 1000},
                                  {120, 180}, {512, 2048}, {1024, 1024}};
    /* Radix 2, and operations that are not fused, round more often. */
    double most = uses_one_arithmetic(v->strategy) && has_fused(v->strategy) ? 1.05 : 1.2;
    refusals counted = {0};
    /* The largest take seconds by the strategies that are there to be read. */
    int has_time = !quick_mode() && is_fast_at_any_size(v->strategy);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (has_time || sizes[i].height * sizes[i].width <= 1 << 18)
            compare_with_fftw(v, sizes[i], most, &counted);
    report_refusals(&counted);
#else
    (void)v;
    skip_because("FFTW was not found when this was built");
#endif
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"sizes to 32x32", small_sizes, 1, NULL, 1},
        {"batches and norms", batches_and_norms, 1, NULL, 1},
        {"large sizes", large_sizes, 1, NULL, 1},
        {"large batches", large_batch, 1, NULL, 1},
        {"every size", every_size, 1, is_fast_at_any_size, 0},
        {"as accurate as FFTW", as_accurate_as_fftw, 1, NULL, 0},
    };
    cases_init(argc, argv);
    return suite_run("accuracy", tests, sizeof tests / sizeof *tests);
}
