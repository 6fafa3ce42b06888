/* SPDX-License-Identifier: MIT
 * The oracle itself: against the O(N^2) sum of weft.h in long double, against closed forms, and the
 * reading of every X[k][l]; that its comparison sees what it must see; and the gates.
 */
#include <math.h>
#include <string.h>

#include "cases.h"
#include "expect.h"
#include "gates.h"
#include "oracle/oracle.h"

/* exp(-2 pi i (k m / H + l n / W)), the two angles brought under one turn in integers. */
static void plane_wave(shape s, size_t k, size_t m, size_t l, size_t n, long double *re,
                       long double *im) {
    const long double two_pi = 6.283185307179586476925286766559005768L;
    long double turns = (long double)(k * m % s.height) / (long double)s.height +
                        (long double)(l * n % s.width) / (long double)s.width;
    *re = cosl(two_pi * turns);
    *im = -sinl(two_pi * turns);
}

/* X[k][l], l <= W/2, by the formula at the head of weft.h. */
static void direct_dft(shape s, const double *image, long double *half) {
    for (size_t k = 0; k < s.height; k++)
        for (size_t l = 0; l <= s.width / 2; l++) {
            long double sum_re = 0, sum_im = 0, re, im;
            for (size_t m = 0; m < s.height; m++)
                for (size_t n = 0; n < s.width; n++) {
                    plane_wave(s, k, m, l, n, &re, &im);
                    sum_re += image[m * s.width + n] * re;
                    sum_im += image[m * s.width + n] * im;
                }
            half[2 * (k * (s.width / 2 + 1) + l)] = sum_re;
            half[2 * (k * (s.width / 2 + 1) + l) + 1] = sum_im;
        }
}

static long double distance(size_t count, const long double *a, const long double *b) {
    long double error = 0, energy = 0;
    for (size_t i = 0; i < count; i++) {
        error += (a[i] - b[i]) * (a[i] - b[i]);
        energy += b[i] * b[i];
    }
    return sqrtl(error / energy);
}

static void check_against_direct(shape s) {
    size_t size = s.height * s.width, reals = s.height * (s.width / 2 + 1) * 2;
    double *image = must_alloc(size * sizeof *image), *half = must_alloc(reals * sizeof *half);
    long double *expected = must_alloc(reals * sizeof *expected);
    long double *half_long = must_alloc(reals * sizeof *half_long);
    fill_noise(seed_of(s.height, s.width, 1), WEFT_F64, size, image);
    direct_dft(s, image, expected);
    assert_int_equal(oracle_forward(s.height, s.width, image, half), 0);
    assert_int_equal(oracle_forward_long(s.height, s.width, image, half_long), 0);
    long double error = distance(reals, half_long, expected);
    check(error <= 1e-18L, "%zux%zu long: %.3Lg", s.height, s.width, error);
    for (size_t i = 0; i < reals; i++)
        half_long[i] = half[i];
    error = distance(reals, half_long, expected);
    check(error <= 2e-15L, "%zux%zu double: %.3Lg", s.height, s.width, error);
    free(image);
    free(half);
    free(expected);
    free(half_long);
}

static void small_sizes_match_the_sum(void **state) {
    (void)state;
    for (size_t h = 1; h <= 12; h++)
        for (size_t w = 1; w <= 12; w++)
            check_against_direct((shape){h, w});
}

/* Every kind of factor: primes with a butterfly and with Bluestein's convolution, mixed, lines. */
static void other_sizes_match_the_sum(void **state) {
    (void)state;
    static const shape sizes[] = {{1, 31},  {31, 2}, {1, 37}, {37, 1},  {41, 3},  {16, 16},
                                  {13, 29}, {1, 64}, {32, 9}, {1, 211}, {128, 1}, {20, 21}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_against_direct(sizes[i]);
}

/* X = 1 everywhere for x[0][0] = 1, and exp(...) for a one elsewhere. */
static void impulse(void **state) {
    (void)state;
    shape s = {97, 40};
    size_t m = 5, n = 33;
    double *image = calloc(s.height * s.width, sizeof *image);
    long double *half = must_alloc(s.height * (s.width / 2 + 1) * 2 * sizeof *half);
    image[m * s.width + n] = 1;
    assert_int_equal(oracle_forward_long(s.height, s.width, image, half), 0);
    for (size_t k = 0; k < s.height; k++)
        for (size_t l = 0; l <= s.width / 2; l++) {
            long double re, im;
            size_t i = 2 * (k * (s.width / 2 + 1) + l);
            plane_wave(s, k, m, l, n, &re, &im);
            check(fabsl(half[i] - re) <= 1e-17L && fabsl(half[i + 1] - im) <= 1e-17L,
                  "bin %zu %zu: %Lg %Lg", k, l, half[i], half[i + 1]);
        }
    free(image);
    free(half);
}

/* cos(2 pi (3 m / H + 7 n / W)) has N/2 at (3, 7) and nothing at any other l <= W/2. */
static void wave_and_constant(void **state) {
    (void)state;
    shape s = {120, 63};
    size_t bins = s.width / 2 + 1, size = s.height * s.width;
    double *image = must_alloc(size * sizeof *image);
    double *half = must_alloc(s.height * bins * 2 * sizeof *half);
    for (size_t m = 0; m < s.height; m++)
        for (size_t n = 0; n < s.width; n++) {
            long double re, im;
            plane_wave(s, 3, m, 7, n, &re, &im);
            image[m * s.width + n] = (double)re + 10;
        }
    assert_int_equal(oracle_forward(s.height, s.width, image, half), 0);
    for (size_t i = 0; i < s.height * bins; i++) {
        double re = i == 0 ? 10.0 * (double)size : i == 3 * bins + 7 ? (double)size / 2 : 0;
        check(fabs(half[2 * i] - re) <= 1e-9 && fabs(half[2 * i + 1]) <= 1e-9, "bin %zu: %g %g", i,
              half[2 * i], half[2 * i + 1]);
    }
    free(image);
    free(half);
}

static void check_inverse(shape s) {
    size_t size = s.height * s.width, bins = s.width / 2 + 1, reals = s.height * bins * 2;
    double *image = must_alloc(size * sizeof *image), *half = must_alloc(reals * sizeof *half);
    double *back = must_alloc(size * sizeof *back);
    fill_noise(seed_of(s.height, s.width, 2), WEFT_F64, size, image);
    assert_int_equal(oracle_forward(s.height, s.width, image, half), 0);
    /* What is not Hermitian must be ignored: an imaginary part at (0, 0), an anti-Hermitian pair.
     */
    half[1] += 5;
    if (s.height > 2) {
        half[2 * bins] += 3;
        half[2 * (s.height - 1) * bins] -= 3;
    }
    assert_int_equal(oracle_inverse(s.height, s.width, half, back), 0);
    for (size_t i = 0; i < size; i++)
        check(fabs(back[i] - image[i]) <= 1e-14, "%zux%zu pixel %zu: %g, was %g", s.height, s.width,
              i, back[i], image[i]);
    free(image);
    free(half);
    free(back);
}

static void inverse_undoes_and_projects(void **state) {
    (void)state;
    static const shape sizes[] = {{1, 1}, {1, 2}, {2, 1},  {1, 7},   {7, 1},  {6, 8},
                                  {7, 8}, {8, 7}, {9, 11}, {37, 41}, {64, 30}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_inverse(sizes[i]);
}

static void check_reading(shape s, weft_layout layout) {
    size_t size = s.height * s.width, bins = s.width / 2 + 1;
    double *image = must_alloc(size * sizeof *image), re, im;
    double *half = must_alloc(s.height * bins * 2 * sizeof *half);
    fill_noise(seed_of(s.height, s.width, 3), WEFT_F64, size, image);
    assert_int_equal(oracle_forward(s.height, s.width, image, half), 0);
    for (size_t k = 0; k < s.height && layout == WEFT_HALF; k++)
        for (size_t l = 0; l < s.width; l++) {
            size_t row = l < bins ? k : (s.height - k) % s.height,
                   column = l < bins ? l : s.width - l;
            double sign = l < bins ? 1 : -1;
            oracle_read(s.height, s.width, WEFT_F64, layout, bins, half, k, l, &re, &im);
            assert_true(re == half[2 * (row * bins + column)]);
            assert_true(im == sign * half[2 * (row * bins + column) + 1]);
        }
    oracle_error e = oracle_compare(s.height, s.width, WEFT_F64, WEFT_HALF, bins, half, 1, half);
    assert_true(e.rel_l2 == 0 && e.max_rms == 0 && e.rel_l2_ac == 0);
    free(image);
    free(half);
}

static void reading_half(void **state) {
    (void)state;
    for (size_t h = 1; h <= 6; h++)
        for (size_t w = 1; w <= 6; w++)
            check_reading((shape){h, w}, WEFT_HALF);
}

/* The packed 4x4 and 3x3 spectra, slot by slot, as weft.h words them. */
static void reading_packed(void **state) {
    (void)state;
    float s[4][4];
    double re, im;
    for (int i = 0; i < 16; i++)
        s[i / 4][i % 4] = (float)(i + 1);
    const struct {
        size_t size, k, l;
        double re, im;
    } expected[] = {
        {4, 0, 0, 1, 0},   {4, 2, 0, 9, 0},  {4, 0, 2, 3, 0},   {4, 2, 2, 11, 0}, {4, 1, 0, 5, 13},
        {4, 3, 0, 5, -13}, {4, 1, 2, 7, 15}, {4, 3, 2, 7, -15}, {4, 0, 1, 2, 4},  {4, 3, 1, 14, 16},
        {4, 0, 3, 2, -4},  {4, 3, 3, 6, -8}, {3, 0, 0, 1, 0},   {3, 1, 0, 5, 9},  {3, 2, 0, 5, -9},
        {3, 1, 1, 6, 7},   {3, 2, 2, 6, -7}, {1, 0, 0, 1, 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        oracle_read(expected[i].size, expected[i].size, WEFT_F32, WEFT_PACKED, 4, s, expected[i].k,
                    expected[i].l, &re, &im);
        check(re == expected[i].re && im == expected[i].im, "case %zu: %g %g", i, re, im);
    }
}

static void comparison_sees(void **state) {
    (void)state;
    double half[3][2][2] = {{{8, 0}, {3, 4}}, {{0, 0}, {0, 0}}, {{0, 0}, {0, 0}}}, got[3][2][2];
    memcpy(got, half, sizeof got);
    got[1][1][0] = 0.5;
    oracle_error e = oracle_compare(3, 3, WEFT_F64, WEFT_HALF, 2, got, 1, &half[0][0][0]);
    assert_true(fabs(e.rel_l2 - sqrt(2 * 0.25 / 114)) < 1e-15);
    assert_true(fabs(e.rel_l2_ac - sqrt(2 * 0.25 / 50)) < 1e-15);
    assert_true(fabs(e.max_rms - 0.5 / sqrt(114.0 / 9)) < 1e-15);
    assert_true(e.worst_k == 1 && e.worst_l == 1);
    got[2][0][1] = NAN;
    e = oracle_compare(3, 3, WEFT_F64, WEFT_HALF, 2, got, 1, &half[0][0][0]);
    assert_true(isnan(e.rel_l2) && isnan(e.max_rms) && isnan(e.rel_l2_ac));
}

static void factor_divides(void **state) {
    (void)state;
    float packed[2] = {6, 3};
    double reference[2][2] = {{2, 0}, {1, 0}};
    oracle_error e = oracle_compare(1, 2, WEFT_F32, WEFT_PACKED, 2, packed, 3, &reference[0][0]);
    assert_true(e.rel_l2 == 0);
}

static int is_near(double a, double b) {
    return fabs(a / b - 1) < 1e-12;
}

static void gates_of_one_transform(void **state) {
    (void)state;
    double u = 0x1p-24;
    assert_true(is_near(gate_l2(2048, 2048, WEFT_F32), u * sqrt(22)));
    assert_true(is_near(gate_l2(241, 509, WEFT_F32), 2 * u * sqrt(log2(241.0 * 509))));
    assert_true(gate_l2(1, 1, WEFT_F64) == 0x1p-53);
    assert_true(gate_l2(7, 11, WEFT_F64) > 1.9 * gate_l2(7, 10, WEFT_F64));
    assert_true(is_near(gate_max(64, 64, WEFT_F32), 1.5 * u * sqrt(12) * sqrt(1 + log(4096))));
}

/* Small images are judged together; factors count unless they are powers of two. */
static void gates_of_a_problem(void **state) {
    (void)state;
    double u = 0x1p-24;
    problem p = {
        .height = 64, .width = 64, .batch = 9, .forward_scale = 1, .inverse_scale = 0x1p-12};
    gates g = gates_of(&p, OPERATION_FORWARD, 0);
    assert_true(gates_pool(&p) == 1);
    assert_true(g.l2 == gate_l2(64, 64, WEFT_F32));
    assert_true(is_near(g.max_rms, 1.5 * u * sqrt(12) * sqrt(1 + log(9 * 4096))));
    assert_true(is_near(gates_of(&p, OPERATION_INVERSE, 0).l2, u * sqrt(12)));
    assert_true(is_near(gates_of(&p, OPERATION_FILTER, 0).l2, 1.75 * u * sqrt(12)));
    assert_true(is_near(gates_of(&p, OPERATION_FILTER, 0).max_rms, 1.75 * g.max_rms));
    assert_true(is_near(gates_of(&p, OPERATION_FORWARD, 1).l2, 6.7 * u * 12));
    p.inverse_scale = 1.0 / 3;
    assert_true(is_near(gates_of(&p, OPERATION_INVERSE, 0).l2, u * sqrt(12) + 2 * u));
    assert_true(is_near(gates_of(&p, OPERATION_FILTER, 0).l2, 1.75 * u * sqrt(12) + 2 * u));
    assert_true(gates_of(&p, OPERATION_FORWARD, 0).l2 == g.l2);
    p.pixel = WEFT_PIXEL_U8;
    assert_true(isinf(gates_of(&p, OPERATION_FORWARD, 0).max_rms));
    p = (problem){.height = 2, .width = 8, .batch = 5, .forward_scale = 0.3, .inverse_scale = 1};
    assert_true(gates_pool(&p) == 5);
    g = gates_of(&p, OPERATION_FORWARD, 0);
    assert_true(is_near(g.max_rms, (1.5 * 2 + 2) * u * sqrt(1 + log(80))));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sizes_match_the_sum),
        cmocka_unit_test(other_sizes_match_the_sum),
        cmocka_unit_test(impulse),
        cmocka_unit_test(wave_and_constant),
        cmocka_unit_test(inverse_undoes_and_projects),
        cmocka_unit_test(reading_half),
        cmocka_unit_test(reading_packed),
        cmocka_unit_test(comparison_sees),
        cmocka_unit_test(factor_divides),
        cmocka_unit_test(gates_of_one_transform),
        cmocka_unit_test(gates_of_a_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
