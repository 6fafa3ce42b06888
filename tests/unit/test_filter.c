/* SPDX-License-Identifier: MIT
 * weft_filter against the oracle (forward, times transfer, inverse) for both kinds of transfer and
 * both layouts, in place, on batches and on pixels; and against a convolution summed directly.
 */
#include <math.h>

#include "expect.h"
#include "oracle/oracle.h"
#include "rig.h"
#include "suite.h"

/* A filter at work: the plan's memory, the transfer, the output, and the transfer as complex
 * numbers over [H][W/2 + 1] that the oracle multiplies by. */
typedef struct bench {
    rig r;
    weft_transfer kind;
    buffer transfer, out;
    size_t bins, count;
    long double *factors;
    double *images;
    uint64_t seed;
} bench;

static int bench_make(bench *b, const weft_desc *d, weft_transfer kind) {
    weft_status status = rig_make(&b->r, d);
    check(status == WEFT_OK || status == WEFT_UNSUPPORTED, "%s", weft_last_error());
    if (status != WEFT_OK)
        return 0;
    b->kind = kind;
    b->transfer = rig_new_transfer(&b->r, kind);
    b->out = rig_new_image(&b->r);
    b->bins = d->width / 2 + 1;
    b->count = d->height * d->width;
    b->factors = must_alloc(d->height * b->bins * 2 * sizeof *b->factors);
    b->images = must_alloc(b->r.desc.batch * b->count * sizeof *b->images);
    b->seed = seed_of(d->height, d->width, (size_t)kind);
    return 1;
}

static void bench_free(bench *b) {
    buffer_free(&b->transfer);
    buffer_free(&b->out);
    free(b->factors);
    free(b->images);
    rig_free(&b->r);
}

static void *transfer_row(const bench *b, size_t k) {
    const grid *g = &b->transfer.shape;
    return (char *)buffer_mirror(&b->transfer) + k * g->pitch * g->element;
}

/* Random spectrum, for WEFT_HALF with what is not Hermitian too; its meaning read by the oracle. */
static void random_spectrum(bench *b) {
    const weft_desc *d = &b->r.desc;
    size_t reals = d->layout == WEFT_HALF ? 2 * b->bins : d->width;
    double *noise = must_alloc(reals * sizeof *noise), re, im;
    for (size_t k = 0; k < d->height; k++) {
        fill_noise(b->seed + k, d->precision, reals, noise);
        for (size_t j = 0; j < reals; j++)
            element_set(transfer_row(b, k), j, d->precision, WEFT_PIXEL_REAL, noise[j]);
    }
    for (size_t i = 0; i < d->height * b->bins; i++) {
        oracle_read(d->height, d->width, d->precision, d->layout, b->transfer.shape.pitch,
                    buffer_mirror(&b->transfer), i / b->bins, i % b->bins, &re, &im);
        b->factors[2 * i] = re;
        b->factors[2 * i + 1] = im;
    }
    buffer_put(&b->transfer);
    free(noise);
}

static double gain_at(const bench *b, size_t k, size_t l) {
    return element_get(transfer_row(b, k), l, b->r.desc.precision, WEFT_PIXEL_REAL);
}

/* Random gains, not symmetric in columns 0 and W/2: there the smaller row counts for both. */
static void random_gain(bench *b) {
    const weft_desc *d = &b->r.desc;
    double *noise = must_alloc(b->bins * sizeof *noise);
    for (size_t k = 0; k < d->height; k++) {
        fill_noise(b->seed + k, d->precision, b->bins, noise);
        for (size_t l = 0; l < b->bins; l++)
            element_set(transfer_row(b, k), l, d->precision, WEFT_PIXEL_REAL, noise[l]);
    }
    for (size_t k = 0; k < d->height; k++)
        for (size_t l = 0; l < b->bins; l++) {
            size_t partner = (d->height - k) % d->height;
            int self_paired = l == (d->width - l) % d->width;
            b->factors[2 * (k * b->bins + l)] =
                gain_at(b, self_paired && partner < k ? partner : k, l);
            b->factors[2 * (k * b->bins + l) + 1] = 0;
        }
    buffer_put(&b->transfer);
    free(noise);
}

/* What filtering image i should give with the factor 1 both ways together (BACKWARD, FORWARD,
 * ORTHO). */
static long double *expected_image(const bench *b, size_t i) {
    const weft_desc *d = &b->r.desc;
    long double *half = must_alloc(d->height * b->bins * 2 * sizeof *half);
    long double *image = must_alloc(b->count * sizeof *image);
    assert_int_equal(oracle_forward_long(d->height, d->width, b->images + i * b->count, half), 0);
    for (size_t j = 0; j < d->height * b->bins; j++) {
        long double re = half[2 * j], im = half[2 * j + 1];
        half[2 * j] = re * b->factors[2 * j] - im * b->factors[2 * j + 1];
        half[2 * j + 1] = re * b->factors[2 * j + 1] + im * b->factors[2 * j];
    }
    assert_int_equal(oracle_inverse_long(d->height, d->width, half, image), 0);
    free(half);
    return image;
}

static void check_result(const bench *b) {
    double *got = must_alloc(b->r.desc.batch * b->count * sizeof *got);
    long double error = 0, energy = 0;
    double scale = b->r.desc.norm == WEFT_NORM_NONE ? (double)b->count : 1;
    rig_get_images(&b->r, &b->out, got);
    for (size_t i = 0; i < b->r.desc.batch; i++) {
        long double *expected = expected_image(b, i);
        for (size_t j = 0; j < b->count; j++) {
            long double e = got[i * b->count + j] / (long double)scale - expected[j];
            error += e * e;
            energy += expected[j] * expected[j];
        }
        free(expected);
    }
    double l2 = (double)sqrtl(error / energy),
           unit = b->r.desc.precision == WEFT_F32 ? 0x1p-24 : 0x1p-53;
    /* there, times, and back, each scaling rounded once more */
    double gate =
        oracle_gate_round_trip(b->r.size.height, b->r.size.width, b->r.desc.precision) + 4 * unit;
    check(l2 <= gate, "%s: filter by %s, seed %llu: %.3g, gate %.3g", b->r.about,
          b->kind == WEFT_TRANSFER_GAIN ? "gain" : "spectrum", (unsigned long long)b->seed, l2,
          gate);
    free(got);
}

static void filter_noise(const weft_desc *d, weft_transfer kind) {
    bench b;
    if (!bench_make(&b, d, kind))
        return;
    fill_noise(b.seed, d->precision, b.r.desc.batch * b.count, b.images);
    rig_put_images(&b.r, b.images);
    (kind == WEFT_TRANSFER_GAIN ? random_gain : random_spectrum)(&b);
    rig_filter(&b.r, &b.transfer, kind, &b.out);
    check_result(&b);
    bench_free(&b);
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

static const shape sizes[] = {{1, 1},   {1, 2},   {2, 1},   {1, 9},   {9, 1},    {2, 2},   {3, 3},
                              {4, 6},   {5, 8},   {8, 5},   {7, 7},   {8, 8},    {16, 12}, {15, 20},
                              {32, 32}, {31, 29}, {64, 64}, {45, 66}, {128, 64}, {100, 81}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void by_spectrum(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        weft_desc d = filter_desc(v, sizes[i]);
        filter_noise(&d, WEFT_TRANSFER_SPECTRUM);
    }
}

static void by_gain(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        weft_desc d = filter_desc(v, sizes[i]);
        filter_noise(&d, WEFT_TRANSFER_GAIN);
    }
}

/* A gain of 1 gives pixels back as they were. */
static void identity_on_pixels(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        bench b;
        weft_desc d = filter_desc(v, sizes[i]);
        d.pixel = i % 2 ? WEFT_PIXEL_U8 : WEFT_PIXEL_U16;
        d.norm = (weft_norm)(i % 3);
        if (!bench_make(&b, &d, WEFT_TRANSFER_GAIN))
            continue;
        for (size_t j = 0; j < b.r.desc.batch; j++)
            fill_picture(PICTURE_RANDOM, d.pixel, b.seed + j, sizes[i], b.images + j * b.count);
        for (size_t j = 0; j < d.height * b.bins; j++)
            element_set(buffer_mirror(&b.transfer), j, d.precision, WEFT_PIXEL_REAL, 1);
        buffer_put(&b.transfer);
        rig_put_images(&b.r, b.images);
        rig_filter(&b.r, &b.transfer, WEFT_TRANSFER_GAIN, &b.out);
        double *got = must_alloc(b.r.desc.batch * b.count * sizeof *got);
        rig_get_images(&b.r, &b.out, got);
        for (size_t j = 0; j < b.r.desc.batch * b.count; j++)
            check(got[j] == b.images[j], "%s: pixel %zu became %g, was %g", b.r.about, j, got[j],
                  b.images[j]);
        free(got);
        bench_free(&b);
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
static void put_kernel(bench *b) {
    double *images = calloc(b->r.desc.batch * b->count, sizeof *images);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            images[i % b->r.size.height * b->r.size.width + j % b->r.size.width] += kernel[i][j];
    rig_put_images(&b->r, images);
    free(images);
}

static void convolve(const variant *v, shape s) {
    bench b;
    weft_desc d = filter_desc(v, s);
    d.norm = WEFT_NORM_BACKWARD;
    d.spectrum_pitch = d.image_pitch = 0;
    if (!bench_make(&b, &d, WEFT_TRANSFER_SPECTRUM))
        return;
    put_kernel(&b);
    rig_forward(&b.r); /* its spectrum is the transfer */
    for (size_t i = 0; i < b.transfer.bytes; i++)
        ((char *)buffer_mirror(&b.transfer))[i] = ((char *)buffer_mirror(&b.r.spectrum))[i];
    buffer_put(&b.transfer);
    fill_noise(b.seed, d.precision, b.r.desc.batch * b.count, b.images);
    rig_put_images(&b.r, b.images);
    rig_filter(&b.r, &b.transfer, WEFT_TRANSFER_SPECTRUM, &b.out);
    double *got = must_alloc(b.r.desc.batch * b.count * sizeof *got);
    rig_get_images(&b.r, &b.out, got);
    for (size_t j = 0; j < b.r.desc.batch * b.count; j++) {
        const double *image = b.images + j / b.count * b.count;
        double want = convolved(image, s, j % b.count / s.width, j % b.count % s.width);
        check(fabs(got[j] - want) <= (d.precision == WEFT_F32 ? 3e-5 : 6e-14),
              "%s: convolution at %zu: %.9g, should be %.9g", b.r.about, j, got[j], want);
    }
    free(got);
    bench_free(&b);
}

static void convolves(const variant *v) {
    for (size_t i = 0; i < SIZES; i++)
        convolve(v, sizes[i]);
}

/* Blurring pixels: the exact result, rounded, but for values closer to a tie than the error. */
static void blurs_pixels(const variant *v) {
    bench b;
    weft_desc d = filter_desc(v, (shape){32, 64});
    d.pixel = WEFT_PIXEL_U8;
    d.norm = WEFT_NORM_ORTHO;
    if (!bench_make(&b, &d, WEFT_TRANSFER_GAIN))
        return;
    for (size_t i = 0; i < b.r.desc.batch; i++)
        fill_picture(PICTURE_NATURAL, d.pixel, b.seed + i, b.r.size, b.images + i * b.count);
    random_gain(&b);
    rig_put_images(&b.r, b.images);
    rig_filter(&b.r, &b.transfer, WEFT_TRANSFER_GAIN, &b.out);
    double *got = must_alloc(b.r.desc.batch * b.count * sizeof *got);
    rig_get_images(&b.r, &b.out, got);
    for (size_t i = 0; i < b.r.desc.batch; i++) {
        long double *exact = expected_image(&b, i);
        for (size_t j = 0; j < b.count; j++) {
            double want = exact[j] < 0 ? 0 : exact[j] > 255 ? 255 : (double)exact[j];
            check(fabs(got[i * b.count + j] - want) <= 0.5 + 1e-3, "%s: pixel %zu: %g, exactly %g",
                  b.r.about, j, got[i * b.count + j], want);
        }
        free(exact);
    }
    free(got);
    bench_free(&b);
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"by spectrum", by_spectrum, 1, NULL, 0},
        {"by gain", by_gain, 1, NULL, 0},
        {"identity on pixels", identity_on_pixels, 1, NULL, 0},
        {"convolution", convolves, 1, NULL, 0},
        {"blur of pixels", blurs_pixels, 1, NULL, 0},
    };
    cases_init(argc, argv);
    return suite_run("filter", tests, sizeof tests / sizeof *tests);
}
