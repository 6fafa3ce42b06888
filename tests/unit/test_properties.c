/* SPDX-License-Identifier: MIT
 * What every transform must satisfy, at sizes to 32 x 32 and some larger, through the *_host calls
 * and with no reference transform: linearity, impulse, shifts, Parseval, symmetries, DC.
 */
#include <complex.h>
#include <math.h>

#include "expect.h"
#include "gates.h"
#include "oracle/oracle.h"
#include "suite.h"

/* The references are computed wider than f64, so that only the transform's error is seen. */
typedef long double complex wide;

static wide wide_of(long double re, long double im) {
    return re + im * I;
}

/* A plan and what names it; spectra are handled whole, [H][W] complex. */
typedef struct subject {
    const variant *v;
    shape size;
    weft_plan *plan;
    size_t count;
    uint64_t seed;
} subject;

static void *narrow(const subject *s, const double *values) {
    void *reals = must_alloc(s->count * 8);
    for (size_t i = 0; i < s->count; i++)
        if (s->v->precision == WEFT_F32)
            ((float *)reals)[i] = (float)values[i];
        else
            ((double *)reals)[i] = values[i];
    return reals;
}

static wide *transform(const subject *s, const double *image) {
    size_t height = s->size.height, width = s->size.width;
    size_t pitch = s->v->layout == WEFT_HALF ? width / 2 + 1 : width;
    void *reals = narrow(s, image), *spectrum = must_alloc(height * pitch * 16);
    wide *full = must_alloc(s->count * sizeof *full);
    check(weft_forward_host(s->plan, reals, spectrum) == WEFT_OK, "%s", weft_last_error());
    for (size_t k = 0; k < height; k++)
        for (size_t l = 0; l < width; l++) {
            double re, im;
            oracle_read(height, width, s->v->precision, s->v->layout, pitch, spectrum, k, l, &re,
                        &im);
            full[k * width + l] = wide_of(re, im);
        }
    free(reals);
    free(spectrum);
    return full;
}

static double *noise(const subject *s, uint64_t salt) {
    double *image = must_alloc(s->count * sizeof *image);
    fill_noise(s->seed + salt, s->v->precision, s->count, image);
    return image;
}

/* Fails unless ||a - b|| <= factor * gate * sqrt(energy of one random spectrum of this size). */
static void check_close(const subject *s, const char *property, const wide *a, const wide *b,
                        double factor) {
    double error = 0, energy = (double)s->count * (double)s->count / 12;
    for (size_t i = 0; i < s->count; i++)
        error += (double)powl(cabsl(a[i] - b[i]), 2);
    double gate = factor * gate_l2(s->size.height, s->size.width, s->v->precision);
    check(sqrt(error / energy) <= gate, "%s: %s %s %s %zux%zu seed %llu: %.3g, gate %.3g", property,
          s->v->strategy, precision_name(s->v->precision), layout_name(s->v->layout),
          s->size.height, s->size.width, (unsigned long long)s->seed, sqrt(error / energy), gate);
}

/* exp(-2 pi i (k m / H + l n / W)). */
static wide wave(shape s, size_t k, size_t m, size_t l, size_t n) {
    const long double two_pi = 6.283185307179586476925286766559005768L;
    long double turns = (long double)(k * m % s.height) / (long double)s.height +
                        (long double)(l * n % s.width) / (long double)s.width;
    return wide_of(cosl(two_pi * turns), -sinl(two_pi * turns));
}

/* F(a + 2 b) = F(a) + 2 F(b); the sum is exact in the precision but for its own rounding. */
static void linearity(const subject *s) {
    double *a = noise(s, 1), *b = noise(s, 2);
    wide *fa = transform(s, a), *fb = transform(s, b);
    for (size_t i = 0; i < s->count; i++) {
        a[i] += 2 * b[i];
        fa[i] += 2 * fb[i];
    }
    wide *sum = transform(s, a);
    check_close(s, "linearity", sum, fa, 6);
    free(a), free(b), free(fa), free(fb), free(sum);
}

/* A one at (m, n) among zeros, at both parities of both. */
static void impulses(const subject *s) {
    for (size_t corner = 0; corner < 4; corner++) {
        size_t m = (s->size.height / 2 + corner / 2) % s->size.height;
        size_t n = (s->size.width / 3 + corner % 2) % s->size.width;
        double *image = calloc(s->count, sizeof *image);
        image[m * s->size.width + n] = 1;
        wide *got = transform(s, image), *expected = must_alloc(s->count * sizeof *got);
        for (size_t k = 0; k < s->size.height; k++)
            for (size_t l = 0; l < s->size.width; l++)
                expected[k * s->size.width + l] = wave(s->size, k, m, l, n);
        /* its spectrum has energy N, that of noise N N / 12 */
        check_close(s, "impulse", got, expected, 3 * sqrt(12 / (double)s->count));
        free(image), free(got), free(expected);
    }
}

/* Moving the image by (down, right), odd and even, turns every bin by its plane wave. */
static void shifts(const subject *s) {
    double *image = noise(s, 3), *moved = must_alloc(s->count * sizeof *moved);
    wide *plain = transform(s, image), *turned = must_alloc(s->count * sizeof *turned);
    size_t height = s->size.height, width = s->size.width;
    static const size_t moves[][2] = {{1, 0}, {0, 1}, {2, 3}};
    for (size_t i = 0; i < 3; i++) {
        size_t down = moves[i][0] % height, right = moves[i][1] % width;
        for (size_t m = 0; m < height; m++)
            for (size_t n = 0; n < width; n++) {
                moved[(m + down) % height * width + (n + right) % width] = image[m * width + n];
                turned[m * width + n] = plain[m * width + n] * wave(s->size, m, down, n, right);
            }
        wide *got = transform(s, moved);
        check_close(s, "shift", got, turned, 3);
        free(got);
    }
    free(image), free(moved), free(plain), free(turned);
}

static void parseval_and_dc(const subject *s) {
    double *image = noise(s, 4);
    long double energy = 0, sum = 0, bins = 0;
    wide *spectrum = transform(s, image);
    for (size_t i = 0; i < s->count; i++) {
        energy += (long double)image[i] * image[i];
        sum += image[i];
        bins += powl(cabsl(spectrum[i]), 2);
    }
    double gate = gate_l2(s->size.height, s->size.width, s->v->precision);
    double error = (double)fabsl(bins / (long double)s->count / energy - 1);
    check(error <= 3 * gate, "Parseval: %s %zux%zu: %.3g, gate %.3g", s->v->strategy,
          s->size.height, s->size.width, error, 3 * gate);
    error = (double)fabsl(creall(spectrum[0]) - sum) / sqrt((double)s->count / 12);
    check(error <= 6 * gate && cimagl(spectrum[0]) == 0,
          "DC: %s %zux%zu: %.9Lg + %.3Lgi, sum %.9Lg", s->v->strategy, s->size.height,
          s->size.width, creall(spectrum[0]), cimagl(spectrum[0]), sum);
    free(image), free(spectrum);
}

/* F(x transposed) = F(x) transposed, by two plans. */
static void transpose(const subject *s) {
    subject other = *s;
    other.size = (shape){s->size.width, s->size.height};
    weft_desc d = {.height = other.size.height,
                   .width = other.size.width,
                   .precision = s->v->precision,
                   .layout = s->v->layout,
                   .strategy = s->v->strategy};
    check(weft_plan_create(&other.plan, &d) == WEFT_OK, "%s", weft_last_error());
    double *image = noise(s, 5), *turned = must_alloc(s->count * sizeof *turned);
    for (size_t i = 0; i < s->count; i++)
        turned[i % s->size.width * s->size.height + i / s->size.width] = image[i];
    wide *a = transform(s, image), *b = transform(&other, turned);
    wide *back = must_alloc(s->count * sizeof *back);
    for (size_t i = 0; i < s->count; i++)
        back[i] = b[i % s->size.width * s->size.height + i / s->size.width];
    check_close(s, "transpose", a, back, 3);
    weft_plan_destroy(other.plan);
    free(image), free(turned), free(a), free(b), free(back);
}

/* X[k'][l'] = conj X[k][l], bit for bit: forced by PACKED, to be kept by HALF in columns 0 and W/2.
 */
static void symmetry(const subject *s) {
    double *image = noise(s, 6);
    wide *x = transform(s, image);
    for (size_t k = 0; k < s->size.height; k++)
        for (size_t l = 0; l < s->size.width; l++) {
            size_t k2 = (s->size.height - k) % s->size.height;
            size_t l2 = (s->size.width - l) % s->size.width;
            check(x[k2 * s->size.width + l2] == conjl(x[k * s->size.width + l]),
                  "symmetry: %s %zux%zu X[%zu][%zu]", s->v->strategy, s->size.height, s->size.width,
                  k, l);
        }
    free(image), free(x);
}

/* A property at every size. Sizes the strategy refuses are left to test_accuracy to report. */
static void run_at(const variant *v, shape size, void (*property)(const subject *s)) {
    subject s = {v, size, NULL, size.height * size.width,
                 seed_of(size.height, size.width, (size_t)v->layout)};
    weft_desc d = {.height = size.height,
                   .width = size.width,
                   .precision = v->precision,
                   .layout = v->layout,
                   .strategy = v->strategy};
    weft_status status = weft_plan_create(&s.plan, &d);
    check(status == WEFT_OK || status == WEFT_UNSUPPORTED, "%s", weft_last_error());
    if (status == WEFT_OK)
        property(&s);
    weft_plan_destroy(s.plan);
}

static void at_all_sizes(const variant *v, void (*property)(const subject *s)) {
    static const shape larger[] = {{64, 48}, {1, 211}, {128, 1}, {45, 105}, {37, 50}, {128, 128}};
    for (size_t h = 1; h <= SMALL_LIMIT; h++)
        for (size_t w = 1; w <= SMALL_LIMIT; w++)
            if (small_shape_wanted((shape){h, w}))
                run_at(v, (shape){h, w}, property);
    for (size_t i = 0; i < sizeof larger / sizeof *larger; i++)
        run_at(v, larger[i], property);
}

#define PROPERTY(name)                                                                             \
    static void name##_everywhere(const variant *v) {                                              \
        at_all_sizes(v, name);                                                                     \
    }
PROPERTY(linearity)
PROPERTY(impulses)
PROPERTY(shifts)
PROPERTY(parseval_and_dc)
PROPERTY(transpose)
PROPERTY(symmetry)

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"linearity", linearity_everywhere, 1, NULL, 0},
        {"impulses", impulses_everywhere, 1, NULL, 0},
        {"shifts", shifts_everywhere, 1, NULL, 0},
        {"Parseval and DC", parseval_and_dc_everywhere, 1, NULL, 0},
        {"transpose", transpose_everywhere, 1, NULL, 0},
        {"symmetry", symmetry_everywhere, 1, NULL, 0},
    };
    cases_init(argc, argv);
    return suite_run("properties", tests, sizeof tests / sizeof *tests);
}
