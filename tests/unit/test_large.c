/* SPDX-License-Identifier: MIT
 * Problems that pass 2^30 bytes or 2^31 elements, on a GPU: an image whose spectrum is known by
 * formula, out of place and in place, and a batch whose every place must hold the bits of a batch
 * of one. They take gigabytes and a while, so they run only when WEFT_TEST_LARGE=1 asks for them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gates.h"
#include "gpu.h"
#include "oracle/oracle.h"
#include "plan.h"
#include "suite.h"

#if WEFT_TEST_CUDA
/* ---- whether to run -------------------------------------------------------------------------- */

static void skip_unless_asked_for(const variant *v) {
    const char *asked = getenv("WEFT_TEST_LARGE");
    if (!asked || strcmp(asked, "1") != 0)
        skip_because("only with WEFT_TEST_LARGE=1");
    if (v->precision != WEFT_F32)
        skip_because("large problems are run in single precision only");
}

/* Skips with the strategy's own words when it refuses the size. */
static weft_plan *plan_make(const variant *v, size_t side, size_t batch) {
    weft_plan *plan;
    weft_desc d = {.height = side,
                   .width = side,
                   .batch = batch,
                   .precision = v->precision,
                   .strategy = v->strategy};
    weft_status status = weft_plan_create(&plan, &d);
    if (status == WEFT_UNSUPPORTED)
        skip_because("%s", weft_last_error());
    check(status == WEFT_OK, "%s", weft_last_error());
    return plan;
}

/* For images, so many times, work, and a few small images more; otherwise it skips. */
static weft_plan *plan_with_memory(const variant *v, size_t side, size_t batch, size_t times) {
    weft_plan *plan = plan_make(v, side, batch);
    size_t available, total, few = (size_t)1 << 28;
    size_t wanted = times * plan_image_bytes(plan) + weft_plan_workspace(plan) + few;
    must_cuda(cudaMemGetInfo(&available, &total));
    if (available < wanted) {
        weft_plan_destroy(plan);
        skip_because("wants %zu MiB on the GPU, %zu MiB are free", wanted >> 20, available >> 20);
    }
    return plan;
}

/* Images on the device. */
typedef struct place {
    weft_plan *plan;
    void *images, *work;
} place;

static place place_make(weft_plan *plan) {
    return (place){plan, gpu_alloc(plan_image_bytes(plan)), gpu_alloc(weft_plan_workspace(plan))};
}

static void place_free(place *p) {
    gpu_free(p->images);
    gpu_free(p->work);
    weft_plan_destroy(p->plan);
}

/* `spectra` are the images' own memory, or others. */
static void forward(const place *p, void *spectra) {
    check(weft_forward(p->plan, p->images, spectra, p->work, NULL) == WEFT_OK, "%s",
          weft_last_error());
    must_cuda(cudaDeviceSynchronize());
}

static void inverse(const place *p, const void *spectra) {
    check(weft_inverse(p->plan, spectra, p->images, p->work, NULL) == WEFT_OK, "%s",
          weft_last_error());
    must_cuda(cudaDeviceSynchronize());
}

/* ---- an image with a known spectrum ---------------------------------------------------------- */

enum { SIDE = 16384 };
static const size_t pixels = (size_t)SIDE * SIDE, bins = SIDE / 2 + 1;

/* A cosine: `height` at (k, l) of the spectrum and as much at (-k, -l). */
static const struct wave {
    size_t k, l;
    double height;
} waves[] = {{0, 0, 0x1p12}, {3, 5000, 0x1p15}, {8191, 1, 0x1p14}, {4096, 12288, 0x1p14}};

/* One pixel: as much in every bin of the spectrum. No wave is so high that its rounding errors
 * could hide one wrong bin. */
static const struct impulse {
    size_t m, n;
    double value;
} impulses[] = {{0, 0, 1000}, {1, SIDE - 1, -2000}, {9000, 4321, 3000}, {SIDE - 1, 12289, 500}};

enum { WAVES = sizeof waves / sizeof *waves, IMPULSES = sizeof impulses / sizeof *impulses };

/* exp(-2 pi i j / SIDE), (re, im) pairs; SIDE is height and width, so j = k m + l n. */
static double *make_roots(void) {
    double *roots = must_alloc(2 * SIDE * sizeof *roots), turn = -2 * acos(-1);
    for (size_t j = 0; j < SIDE; j++) {
        roots[2 * j] = cos(turn * (double)j / SIDE);
        roots[2 * j + 1] = sin(turn * (double)j / SIDE);
    }
    return roots;
}

static float pixel_at(const double *roots, size_t m, size_t n) {
    double value = 0;
    for (int i = 0; i < WAVES; i++)
        value += waves[i].height * roots[2 * ((waves[i].k * m + waves[i].l * n) % SIDE)];
    value *= 2 / (double)pixels;
    for (int i = 0; i < IMPULSES; i++)
        if (impulses[i].m == m && impulses[i].n == n)
            value += impulses[i].value;
    return (float)value;
}

static float *make_image(const double *roots) {
    float *image = must_alloc(pixels * sizeof *image);
    for (size_t m = 0; m < SIDE; m++)
        for (size_t n = 0; n < SIDE; n++)
            image[m * SIDE + n] = pixel_at(roots, m, n);
    return image;
}

static void add_wave(double *half, size_t k, size_t l, double height) {
    if (l < bins)
        half[2 * (k * bins + l)] += height;
}

/* The known spectrum as the oracle has it. */
static double *make_half(const double *roots) {
    double *half = must_alloc(SIDE * bins * 2 * sizeof *half);
    for (size_t k = 0; k < SIDE; k++)
        for (size_t l = 0; l < bins; l++) {
            double re = 0, im = 0;
            for (int i = 0; i < IMPULSES; i++) {
                size_t j = (k * impulses[i].m + l * impulses[i].n) % SIDE;
                re += impulses[i].value * roots[2 * j];
                im += impulses[i].value * roots[2 * j + 1];
            }
            half[2 * (k * bins + l)] = re;
            half[2 * (k * bins + l) + 1] = im;
        }
    for (int i = 0; i < WAVES; i++) {
        add_wave(half, waves[i].k, waves[i].l, waves[i].height);
        add_wave(half, (SIDE - waves[i].k) % SIDE, (SIDE - waves[i].l) % SIDE, waves[i].height);
    }
    return half;
}

static void check_spectrum(const place *p, const char *how, const void *got, const double *half) {
    float *spectrum = must_alloc(pixels * sizeof *spectrum);
    gpu_get(spectrum, got, pixels * sizeof *spectrum);
    oracle_error e = oracle_compare(SIDE, SIDE, WEFT_F32, WEFT_PACKED, SIDE, spectrum, 1, half);
    const gates limit = gates_of(plan_problem(p->plan), OPERATION_FORWARD, 0);
    check(e.rel_l2 <= limit.l2, "%s %s: relative L2 error %.3g, gate %.3g",
          weft_plan_strategy(p->plan), how, e.rel_l2, limit.l2);
    check(e.max_rms <= limit.max_rms, "%s %s: largest error %.3g at [%zu][%zu], gate %.3g",
          weft_plan_strategy(p->plan), how, e.max_rms, e.worst_k, e.worst_l, limit.max_rms);
    free(spectrum);
}

static void check_round_trip(const place *p, const char *how, const float *expected) {
    float *image = must_alloc(pixels * sizeof *image);
    double error = 0, energy = 0;
    const double gate = gates_of(plan_problem(p->plan), OPERATION_FILTER, 0).l2;
    gpu_get(image, p->images, pixels * sizeof *image);
    for (size_t i = 0; i < pixels; i++) {
        double d = (double)image[i] - (double)expected[i];
        error += d * d;
        energy += (double)expected[i] * (double)expected[i];
    }
    check(sqrt(error / energy) <= gate, "%s %s: round trip: %.3g, gate %.3g",
          weft_plan_strategy(p->plan), how, sqrt(error / energy), gate);
    free(image);
}

/* There and back; `spectrum` as forward() has it. */
static void transform_and_check(const place *p, void *spectrum, const float *image,
                                const double *half) {
    const char *how = spectrum == p->images ? "in place" : "out of place";
    gpu_put(p->images, image, pixels * sizeof *image);
    forward(p, spectrum);
    check_spectrum(p, how, spectrum, half);
    if (spectrum != p->images)
        gpu_poison(p->images, pixels * sizeof *image);
    inverse(p, spectrum);
    check_round_trip(p, how, image);
}

/* Not every strategy goes the same way in place and out of place. */
static void large_image(const variant *v) {
    skip_unless_asked_for(v);
    place p = place_make(plan_with_memory(v, SIDE, 1, 2));
    void *apart = gpu_alloc(plan_spectrum_bytes(p.plan));
    double *roots = make_roots(), *half = make_half(roots);
    float *image = make_image(roots);
    transform_and_check(&p, apart, image, half);
    transform_and_check(&p, p.images, image, half);
    free(image);
    free(half);
    free(roots);
    gpu_free(apart);
    place_free(&p);
}

/* ---- a large batch --------------------------------------------------------------------------- */

/* Image 512 begins 2^31 elements after image 0. */
enum { BATCH = 520, BATCH_SIDE = 2048, SAMPLES = 2 };
static const size_t image_bytes = (size_t)BATCH_SIDE * BATCH_SIDE * sizeof(float);

/* One of the images that the batch consists of, and what a batch of one makes of it. */
typedef struct sample {
    void *source; /* on the device */
    float *spectrum, *back;
} sample;

/* Neighbours differ, and so do images that are 2^31 elements apart. */
static size_t sample_of(size_t i) {
    return (i + i / 512) % SAMPLES;
}

static void *source_make(uint64_t seed) {
    size_t count = image_bytes / sizeof(float);
    double *noise = must_alloc(count * sizeof *noise);
    float *image = must_alloc(image_bytes);
    void *source = gpu_alloc(image_bytes);
    fill_noise(seed, WEFT_F32, count, noise);
    for (size_t i = 0; i < count; i++)
        image[i] = (float)noise[i];
    gpu_put(source, image, image_bytes);
    free(noise);
    free(image);
    return source;
}

static sample sample_make(const place *one, uint64_t seed) {
    sample s = {source_make(seed), must_alloc(image_bytes), must_alloc(image_bytes)};
    must_cuda(cudaMemcpy(one->images, s.source, image_bytes, cudaMemcpyDeviceToDevice));
    forward(one, one->images);
    gpu_get(s.spectrum, one->images, image_bytes);
    inverse(one, one->images);
    gpu_get(s.back, one->images, image_bytes);
    return s;
}

static void samples_make(const variant *v, sample *samples) {
    place one = place_make(plan_make(v, BATCH_SIDE, 1));
    for (size_t s = 0; s < SAMPLES; s++)
        samples[s] = sample_make(&one, 300 + s);
    place_free(&one);
}

static void samples_free(sample *samples) {
    for (size_t s = 0; s < SAMPLES; s++) {
        gpu_free(samples[s].source);
        free(samples[s].spectrum);
        free(samples[s].back);
    }
}

static char *image_in(const place *p, size_t i) {
    return (char *)p->images + i * image_bytes;
}

static void put_batch(const place *p, const sample *samples) {
    for (size_t i = 0; i < BATCH; i++)
        must_cuda(cudaMemcpyAsync(image_in(p, i), samples[sample_of(i)].source, image_bytes,
                                  cudaMemcpyDeviceToDevice, NULL));
}

static void check_batch(const place *p, const sample *samples, int is_back) {
    float *got = must_alloc(image_bytes);
    for (size_t i = 0; i < BATCH; i++) {
        const sample *s = &samples[sample_of(i)];
        gpu_get(got, image_in(p, i), image_bytes);
        check(memcmp(got, is_back ? s->back : s->spectrum, image_bytes) == 0,
              "%s: image %zu of %d, %s: not the bits of a batch of one",
              weft_plan_strategy(p->plan), i, (int)BATCH, is_back ? "inverse" : "forward");
    }
    free(got);
}

static void large_batch(const variant *v) {
    sample samples[SAMPLES];
    skip_unless_asked_for(v);
    place all = place_make(plan_with_memory(v, BATCH_SIDE, BATCH, 1));
    samples_make(v, samples);
    put_batch(&all, samples);
    forward(&all, all.images);
    check_batch(&all, samples, 0);
    inverse(&all, all.images);
    check_batch(&all, samples, 1);
    samples_free(samples);
    place_free(&all);
}
#endif

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"image of 2^28 pixels", WITH_CUDA(large_image), 0, is_cuda, 0},
        {"batch of more than 2^31 elements", WITH_CUDA(large_batch), 0, is_cuda, 0},
    };
    cases_init(argc, argv);
    return suite_run("large", tests, sizeof tests / sizeof *tests);
}
