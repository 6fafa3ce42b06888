/* SPDX-License-Identifier: MIT
 * Large values on the CPU: an input whose absolute values add up to a quarter of the largest number
 * has the bits of the same input times a power of two, whatever that power is; so has a filter with
 * a large transfer. Of a constant image that is larger, the one value overflows that is too large.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "elements.h"
#include "expect.h"
#include "suite.h"

/* Powers of two in tiles of one and of several widths, in one stage and in more; factor lists of
 * every kind of radix; convolutions; lines. */
static const shape sizes[] = {{1, 1},     {1, 2},    {2, 1},    {3, 5},    {4, 4},    {6, 10},
                              {16, 16},   {1, 64},   {64, 1},   {17, 34},  {19, 16},  {32, 64},
                              {100, 81},  {127, 12}, {131, 34}, {34, 131}, {64, 128}, {2048, 16},
                              {16, 2048}, {1021, 4}, {2, 2039}, {1, 4099}};
enum { SIZES = sizeof sizes / sizeof *sizes };

enum content { NOISE, CONSTANT, IMPULSE, CHECKS, CONTENTS };

/* The exponent of a quarter of the largest number. */
static int quarter(weft_precision precision) {
    return (precision == WEFT_F32 ? FLT_MAX_EXP : DBL_MAX_EXP) - 2;
}

/* Fills an array with float numbers; if `adds_up`, their absolute values add up to at most 1. */
static void fill(double *values, size_t count, enum content which, int adds_up) {
    double sum = 0;
    int exponent;
    fill_noise(seed_of(count, which, 0), WEFT_F32, count, values);
    for (size_t i = 0; i < count; i++) {
        values[i] = which == NOISE      ? values[i]
                    : which == CONSTANT ? 1
                    : which == IMPULSE  ? i == count / 3
                                        : (i % 2 ? 1 : -1);
        sum += fabs(values[i]);
    }
    frexp(sum, &exponent);
    for (size_t i = 0; i < count; i++)
        values[i] = adds_up ? ldexp(values[i], -exponent) : values[i];
}

enum { FORWARD, INVERSE, BY_GAIN, BY_SPECTRUM };

/* One of the calls, and its operands in double. */
typedef struct task {
    const weft_plan *plan;
    const weft_desc *desc;
    int call;
    size_t inputs, transfers, outputs; /* reals of one image */
    const double *input, *transfer;
} task;

/* The reals of `batch` arrays, times 2^exponent in the `large`-th, or in all if that is negative.
 */
static void *reals_of(const task *t, const double *values, size_t count, size_t batch, int exponent,
                      int large) {
    const double factor = ldexp(1, exponent);
    void *reals = must_alloc(batch * count * sizeof(double));
    for (size_t b = 0; b < batch; b++)
        for (size_t i = 0; i < count; i++) {
            double value = values[i] * (large < 0 || (size_t)large == b ? factor : 1);
            element_set(reals, b * count + i, t->desc->precision, WEFT_PIXEL_REAL, value);
        }
    return reals;
}

static weft_status run(const task *t, const void *input, const void *transfer, void *output) {
    return t->call == FORWARD ? weft_forward_host(t->plan, input, output)
           : t->call == INVERSE
               ? weft_inverse_host(t->plan, input, output)
               : weft_filter_host(t->plan, input, transfer,
                                  t->call == BY_GAIN ? WEFT_TRANSFER_GAIN : WEFT_TRANSFER_SPECTRUM,
                                  output);
}

/* The output of the input times 2^exponent; `other` is the transfer's. */
static void *result_of(const task *t, int exponent, int other, int large, int in_place) {
    size_t batch = t->desc->batch ? t->desc->batch : 1;
    void *input = reals_of(t, t->input, t->inputs, batch, exponent, large);
    void *transfer = reals_of(t, t->transfer, t->transfers, 1, other, -1);
    void *output = in_place ? input : must_alloc(batch * t->outputs * sizeof(double));
    check(run(t, input, transfer, output) == WEFT_OK, "%s", weft_last_error());
    free(transfer);
    if (!in_place)
        free(input);
    return output;
}

static void compare(const task *t, const void *base, int exponent, int other, int large,
                    int in_place) {
    const size_t batch = t->desc->batch ? t->desc->batch : 1;
    const double factor = ldexp(1, exponent + other);
    void *output = result_of(t, exponent, other, large, in_place);
    for (size_t i = 0; i < batch * t->outputs; i++) {
        int is_large = large < 0 || (size_t)large == i / t->outputs;
        double got = element_get(output, i, t->desc->precision, WEFT_PIXEL_REAL);
        double want = element_get(base, i, t->desc->precision, WEFT_PIXEL_REAL);
        want *= is_large ? factor : 1;
        check(
            memcmp(&got, &want, sizeof got) == 0,
            "%s %zux%zu %s %s, call %d%s, %d threads, batch %zu: input times 2^%d, transfer times "
            "2^%d: value %zu is %a, should be %a",
            t->desc->strategy, t->desc->height, t->desc->width, precision_name(t->desc->precision),
            layout_name(t->desc->layout), (int)t->call, in_place ? " in place" : "",
            t->desc->threads, batch, exponent, other, i, got, want);
    }
    free(output);
}

static int may_be_in_place(const task *t) {
    return t->call >= BY_GAIN || t->desc->layout == WEFT_PACKED;
}

/* Every way to reach the edge of the range. A spectrum of one impulse is its conjugate's too. */
static void hold(const task *t) {
    const int most = quarter(t->desc->precision), middle = most * 3 / 4;
    const int of_filter[][2] = {{most, 0},         {0, most},         {most / 2, most / 2},
                                {-most / 2, most}, {most, -most / 2}, {middle, most - middle}};
    void *base = result_of(t, 0, 0, -1, 0);
    for (int in_place = 0; in_place <= may_be_in_place(t); in_place++) {
        if (t->call < BY_GAIN) {
            compare(t, base, most, 0, -1, in_place);
            compare(t, base, middle, 0, -1, in_place);
        }
        for (size_t i = 0; t->call >= BY_GAIN && i < sizeof of_filter / sizeof *of_filter; i++)
            compare(t, base, of_filter[i][0], of_filter[i][1], -1, in_place);
        if (t->desc->batch > 1)
            compare(t, base, most, 0, 1, in_place);
    }
    free(base);
}

static void hold_calls(const weft_desc *d, enum content which) {
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, d);
    if (status == WEFT_UNSUPPORTED)
        return;
    check(status == WEFT_OK, "%s", weft_last_error());
    size_t image = d->height * d->width, spectrum = tight_spectrum_reals(d);
    size_t gains = d->height * (d->width / 2 + 1);
    double *input = must_alloc(2 * (image + spectrum) * sizeof *input), *transfer = input;
    transfer += image + spectrum;
    for (int call = FORWARD; call <= BY_SPECTRUM; call++) {
        task t = {.plan = plan,
                  .desc = d,
                  .call = call,
                  .inputs = call == INVERSE ? spectrum : image,
                  .transfers = call == BY_GAIN       ? gains
                               : call == BY_SPECTRUM ? spectrum
                                                     : 0,
                  .outputs = call == FORWARD ? spectrum : image,
                  .input = input,
                  .transfer = transfer};
        fill(input, t.inputs, which, 1);
        fill(transfer, t.transfers, NOISE, 0);
        for (size_t i = 0; i < t.transfers; i++) /* a complex one's absolute value is below 1 */
            transfer[i] /= 2;
        hold(&t);
    }
    free(input);
    weft_plan_destroy(plan);
}

static void large_inputs(const variant *v) {
    for (size_t i = 0; i < SIZES; i++) {
        const size_t count = sizes[i].height * sizes[i].width;
        weft_desc d = desc_of(v, sizes[i]);
        d.threads = i % 2 ? 1 : 3;
        if (count > 5000 && (quick_mode() || !is_fast(v->strategy)))
            continue;
        hold_calls(&d, (enum content)(i % CONTENTS));
        if (count < 1000)
            hold_calls(&d, (enum content)((i + 1) % CONTENTS));
    }
}

/* The small images of a batch keep their bits beside a large one. */
static void batches(const variant *v) {
    static const shape some[] = {{16, 16}, {12, 35}, {64, 32}, {7, 131}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        weft_desc d = desc_of(v, some[i]);
        d.batch = 3;
        d.threads = 2;
        hold_calls(&d, NOISE);
    }
}

/* A filter of integer pixels by gains up to a quarter of the largest number over what they add up
 * to; the factors make pixels of the result again. */
static void pixels(const variant *v) {
    weft_desc d = desc_of(v, (shape){32, 48});
    const size_t count = d.height * d.width, gains = d.height * (d.width / 2 + 1);
    const int large = quarter(v->precision) - 8 - 11; /* of 255, of 1536 pixels */
    unsigned char image[32 * 48], out[2][32 * 48];
    weft_plan *plan;
    d.pixel = WEFT_PIXEL_U8;
    if (weft_plan_create(&plan, &d) == WEFT_UNSUPPORTED)
        return;
    void *gain = must_alloc(gains * sizeof(double));
    for (size_t i = 0; i < count; i++)
        image[i] = (unsigned char)(i * 89 % 255 + 1);
    for (int is_large = 0; is_large < 2; is_large++) {
        for (size_t i = 0; i < gains; i++)
            element_set(gain, i, v->precision, WEFT_PIXEL_REAL, ldexp(1, is_large ? large : 0));
        memcpy(out[is_large], image, count);
        assert_int_equal(
            weft_filter_host(plan, out[is_large], gain, WEFT_TRANSFER_GAIN, out[is_large]),
            WEFT_OK);
    }
    for (size_t i = 0; i < count; i++)
        check(out[0][i] == image[i] && out[1][i] == 255, "%s: pixel %zu is %d, %d", v->strategy, i,
              out[0][i], out[1][i]);
    free(gain);
    weft_plan_destroy(plan);
}

/* A constant image of half the largest number: X[0][0] is infinite where there are three pixels or
 * more, and all other values are 0. One that is infinite, or no number, makes no other finite
 * value.
 */
static void honest_overflow(const variant *v) {
    static const shape some[] = {{1, 1}, {2, 2}, {8, 4}, {16, 16}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        weft_desc d = desc_of(v, some[i]);
        size_t count = d.height * d.width, reals = tight_spectrum_reals(&d);
        const double values[] = {v->precision == WEFT_F32 ? (double)FLT_MAX / 2 : DBL_MAX / 2,
                                 INFINITY, NAN};
        weft_plan *plan;
        if (weft_plan_create(&plan, &d) == WEFT_UNSUPPORTED)
            continue;
        void *image = must_alloc(count * sizeof(double)), *to = must_alloc(reals * sizeof(double));
        for (int j = 0; j < 3; j++) {
            for (size_t m = 0; m < count; m++)
                element_set(image, m, v->precision, WEFT_PIXEL_REAL, values[j]);
            assert_int_equal(weft_forward_host(plan, image, to), WEFT_OK);
            for (size_t k = 0; k < reals; k++) {
                double got = element_get(to, k, v->precision, WEFT_PIXEL_REAL);
                check(j > 0   ? !isfinite(got) || got == 0
                      : k > 0 ? got == 0
                              : isinf(got) || count < 3,
                      "%s %zux%zu: of %g, value %zu is %g", v->strategy, d.height, d.width,
                      values[j], k, got);
            }
        }
        free(image);
        free(to);
        weft_plan_destroy(plan);
    }
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"large inputs", large_inputs, 1, NULL, 0},
        {"batches", batches, 1, NULL, 0},
        {"pixels", pixels, 0, NULL, 0},
        {"honest overflow", honest_overflow, 1, NULL, 0},
    };
    cases_init(argc, argv);
    return suite_run("range", tests, sizeof tests / sizeof *tests);
}
