/* SPDX-License-Identifier: MIT
 * Every strategy, precision and layout against the oracle: all sizes to 32 x 32, larger ones
 * sampled; forward, inverse and round trip within the gates; batches with gaps; all norms; in
 * place; and FFTW as the bar.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "oracle/oracle.h"
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

/* A scaled result is rounded once more, and its factor is itself rounded. */
static double slack(const rig *r, double factor) {
    return factor == 1 ? 0 : 2 * ldexp(1, r->desc.precision == WEFT_F32 ? -24 : -53);
}

static double gate_l2(const rig *r, double factor) {
    return oracle_gate_l2(r->size.height, r->size.width, r->desc.precision) + slack(r, factor);
}

/* The oracle's gate is for the outputs of one image; the largest of a batch may be larger. */
static double gate_max(const rig *r, double factor) {
    double outputs = (double)r->size.height * (double)r->size.width;
    double peak = sqrt(1 + log(outputs)),
           peak_of_batch = sqrt(1 + log(outputs * (double)r->desc.batch));
    return oracle_gate_max(r->size.height, r->size.width, r->desc.precision) * peak_of_batch /
               peak +
           slack(r, factor) * peak_of_batch;
}

static void check_gates(const rig *r, const char *what, double l2, double max_rms, double factor,
                        uint64_t seed) {
    check(l2 <= gate_l2(r, factor), "%s: %s, seed %llu: L2 %.3g, gate %.3g", r->about, what,
          (unsigned long long)seed, l2, gate_l2(r, factor));
    check(max_rms <= gate_max(r, factor), "%s: %s, seed %llu: max %.3g, gate %.3g", r->about, what,
          (unsigned long long)seed, max_rms, gate_max(r, factor));
}

/* All images of the batch against the oracle, pooled: the error of a few numbers alone is chance.
 */
static void check_spectra(const rig *r, const double *images, uint64_t seed) {
    size_t height = r->size.height, width = r->size.width;
    double factor = forward_factor(r->desc.norm, r->size), squares = 0, max_rms = 0;
    long double *half = must_alloc(height * (width / 2 + 1) * 2 * sizeof *half);
    for (size_t i = 0; i < r->desc.batch; i++) {
        assert_int_equal(oracle_forward_long(height, width, images + i * height * width, half), 0);
        oracle_error e = oracle_compare_long(height, width, r->desc.precision, r->desc.layout,
                                             rig_pitch(r), rig_spectrum(r, i), factor, half);
        squares += e.rel_l2 * e.rel_l2;
        max_rms = e.max_rms <= max_rms ? max_rms : e.max_rms;
    }
    check_gates(r, "forward", sqrt(squares / (double)r->desc.batch), max_rms, factor, seed);
    free(half);
}

/* Relative L2 of got / factor against expected, and the largest error over the RMS. */
static void image_error(size_t count, const double *got, double factor, const long double *expected,
                        double *l2, double *max_rms) {
    long double error = 0, energy = 0, worst = 0;
    for (size_t i = 0; i < count; i++) {
        long double d = fabsl(got[i] / (long double)factor - expected[i]);
        error += d * d;
        energy += expected[i] * expected[i];
        worst = d > worst ? d : worst;
    }
    *l2 = error == 0 ? 0 : (double)sqrtl(error / energy);
    *max_rms = error == 0 ? 0 : (double)(worst / sqrtl(energy / (long double)count));
}

/* weft_forward of noise, for all images of the batch. Returns the noise. */
static double *forward_noise(rig *r, uint64_t seed) {
    size_t count = r->size.height * r->size.width;
    double *images = must_alloc(r->desc.batch * count * sizeof *images);
    fill_noise(seed, r->desc.precision, r->desc.batch * count, images);
    rig_put_images(r, images);
    rig_forward(r);
    check_spectra(r, images, seed);
    if (rig_may_run_in_place(r))
        rig_forward_in_place(r);
    return images;
}

static void check_round_trip(rig *r, const double *images, uint64_t seed) {
    size_t count = r->desc.batch * r->size.height * r->size.width;
    double *back = must_alloc(count * sizeof *back), l2, max_rms;
    long double *expected = must_alloc(count * sizeof *expected);
    for (size_t i = 0; i < count; i++)
        expected[i] = images[i];
    rig_inverse(r);
    rig_get_images(r, &r->image, back);
    double factor = forward_factor(r->desc.norm, r->size) * inverse_factor(r->desc.norm, r->size) *
                    (double)(r->size.height * r->size.width);
    image_error(count, back, factor, expected, &l2, &max_rms);
    double gate = oracle_gate_round_trip(r->size.height, r->size.width, r->desc.precision) +
                  (r->desc.norm == WEFT_NORM_NONE ? 0 : slack(r, 0));
    check(l2 <= gate, "%s: round trip, seed %llu: %.3g, gate %.3g", r->about,
          (unsigned long long)seed, l2, gate);
    free(back);
    free(expected);
}

/* What the oracle makes of image i's spectrum in the mirror, as it was put there. */
static void expect_image(const rig *r, size_t i, long double *image) {
    size_t height = r->size.height, width = r->size.width, bins = width / 2 + 1;
    long double *half = must_alloc(height * bins * 2 * sizeof *half);
    for (size_t k = 0; k < height; k++)
        for (size_t l = 0; l < bins; l++) {
            double re, im;
            oracle_read(height, width, r->desc.precision, r->desc.layout, rig_pitch(r),
                        rig_spectrum(r, i), k, l, &re, &im);
            half[2 * (k * bins + l)] = re;
            half[2 * (k * bins + l) + 1] = im;
        }
    assert_int_equal(oracle_inverse_long(height, width, half, image), 0);
    free(half);
}

/* Random spectra, those of WEFT_HALF not Hermitian in columns 0 and W/2. */
static void inverse_noise(rig *r, uint64_t seed) {
    size_t reals = r->desc.batch * rig_spectrum_reals(r), count = r->size.height * r->size.width;
    double *spectra = must_alloc(reals * sizeof *spectra);
    double *images = must_alloc(r->desc.batch * count * sizeof *images), l2, max_rms;
    long double *expected = must_alloc(r->desc.batch * count * sizeof *expected);
    fill_noise(seed, r->desc.precision, reals, spectra);
    rig_put_spectra(r, spectra);
    rig_inverse(r);
    rig_get_images(r, &r->image, images);
    for (size_t i = 0; i < r->desc.batch; i++)
        expect_image(r, i, expected + i * count);
    double factor = inverse_factor(r->desc.norm, r->size);
    /* The oracle has the factor 1/N built in. */
    image_error(r->desc.batch * count, images, factor * (double)count, expected, &l2, &max_rms);
    check_gates(r, "inverse", l2, max_rms, factor, seed);
    free(expected);
    if (rig_may_run_in_place(r))
        rig_inverse_in_place(r);
    free(spectra);
    free(images);
}

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
    uint64_t seed = seed_of(desc->height, desc->width, desc->batch);
    double *images = forward_noise(&r, seed);
    check_round_trip(&r, images, seed);
    free(images);
    inverse_noise(&r, seed);
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

#if WEFT_TEST_FFTW
/* FFTW's half spectra of images, one after another, widened to double. */
static double *fftw_halves(shape s, weft_precision precision, const double *images, size_t batch) {
    size_t count = s.height * s.width, reals = s.height * (s.width / 2 + 1) * 2;
    double *halves = must_alloc(batch * reals * sizeof *halves);
    if (precision == WEFT_F64) {
        double *copy = must_alloc(count * sizeof *copy);
        for (size_t i = 0; i < batch; i++) {
            fftw_plan plan =
                fftw_plan_dft_r2c_2d((int)s.height, (int)s.width, copy,
                                     (fftw_complex *)(halves + i * reals), FFTW_ESTIMATE);
            memcpy(copy, images + i * count, count * sizeof *copy);
            fftw_execute(plan);
            fftw_destroy_plan(plan);
        }
        free(copy);
        return halves;
    }
    float *copy = must_alloc(count * sizeof *copy), *out = must_alloc(reals * sizeof *out);
    fftwf_plan plan = fftwf_plan_dft_r2c_2d((int)s.height, (int)s.width, copy, (fftwf_complex *)out,
                                            FFTW_ESTIMATE);
    for (size_t i = 0; i < batch * count; i += count) {
        for (size_t n = 0; n < count; n++)
            copy[n] = (float)images[i + n];
        fftwf_execute(plan);
        for (size_t n = 0; n < reals; n++)
            halves[i / count * reals + n] = out[n];
    }
    fftwf_destroy_plan(plan);
    free(copy);
    free(out);
    return halves;
}

/* Of so many images that their error is not chance. */
enum { COMPARED_PIXELS = 1 << 14 };

static void compare_with_fftw(const variant *v, shape s, double most, refusals *counted) {
    rig r;
    weft_desc d = tight(v, s);
    d.batch = COMPARED_PIXELS / (s.height * s.width) + 1;
    if (!make_or_count(&r, &d, counted))
        return;
    size_t bins = s.width / 2 + 1, count = s.height * s.width;
    double *images = forward_noise(&r, seed_of(s.height, s.width, 9));
    double *peer = fftw_halves(s, v->precision, images, d.batch), theirs = 0, ours = 0;
    long double *half = must_alloc(s.height * bins * 2 * sizeof *half);
    for (size_t i = 0; i < d.batch; i++) {
        oracle_forward_long(s.height, s.width, images + i * count, half);
        double of_peer = oracle_compare_long(s.height, s.width, WEFT_F64, WEFT_HALF, bins,
                                             peer + i * s.height * bins * 2, 1, half)
                             .rel_l2;
        double own = oracle_compare_long(s.height, s.width, v->precision, v->layout, rig_pitch(&r),
                                         rig_spectrum(&r, i), 1, half)
                         .rel_l2;
        theirs += of_peer * of_peer;
        ours += own * own;
    }
    check(sqrt(ours) <= most * sqrt(theirs), "%s: L2 %.3f times FFTW's", r.about,
          sqrt(ours / theirs));
    free(half);
    free(peer);
    free(images);
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
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!quick_mode() || sizes[i].height * sizes[i].width <= 1 << 18)
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
        {"as accurate as FFTW", as_accurate_as_fftw, 1, NULL, 0},
    };
    cases_init(argc, argv);
    return suite_run("accuracy", tests, sizeof tests / sizeof *tests);
}
