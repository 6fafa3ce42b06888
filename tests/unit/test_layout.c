/* SPDX-License-Identifier: MIT
 * The conversions packed <-> half <-> full against the formulas of weft.h as the oracle reads them,
 * for all parities, lines and points, both precisions; what is not Hermitian; and their bad
 * arguments.
 */
#include <math.h>
#include <string.h>

#include "buffer.h"
#include "cases.h"
#include "expect.h"
#include "oracle/oracle.h"

typedef struct sheet {
    shape size;
    weft_precision precision;
} sheet;

static size_t bytes_of(const sheet *s, size_t reals) {
    return reals * (s->precision == WEFT_F32 ? 4 : 8);
}

static size_t bins(const sheet *s) {
    return s->size.width / 2 + 1;
}

static size_t half_reals(const sheet *s) {
    return s->size.height * bins(s) * 2;
}

static size_t full_reals(const sheet *s) {
    return s->size.height * s->size.width * 2;
}

static double at(const sheet *s, const void *reals, size_t i) {
    return element_get(reals, i, s->precision, WEFT_PIXEL_REAL);
}

/* Reals that are all different and never 0, so that each slot can be told from each. */
static void *random_reals(const sheet *s, size_t count) {
    double *noise = must_alloc(count * sizeof *noise);
    void *reals = must_alloc(bytes_of(s, count));
    fill_noise(seed_of(s->size.height, s->size.width, count), s->precision, count, noise);
    for (size_t i = 0; i < count; i++)
        element_set(reals, i, s->precision, WEFT_PIXEL_REAL, noise[i] + 2);
    free(noise);
    return reals;
}

static void for_all_sheets(void (*run)(const sheet *s)) {
    static const size_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 17};
    enum { COUNT = sizeof lengths / sizeof *lengths };
    for (int p = WEFT_F32; p <= WEFT_F64; p++)
        for (size_t h = 0; h < COUNT; h++)
            for (size_t w = 0; w < COUNT; w++)
                run(&(sheet){{lengths[h], lengths[w]}, (weft_precision)p});
}

static void check_bin(const sheet *s, const char *what, const void *packed, const void *complex,
                      size_t i, size_t k, size_t l) {
    double re, im;
    oracle_read(s->size.height, s->size.width, s->precision, WEFT_PACKED, s->size.width, packed, k,
                l, &re, &im);
    check(at(s, complex, 2 * i) == re && at(s, complex, 2 * i + 1) == im,
          "%s %zux%zu %s: X[%zu][%zu] is %g %g, should be %g %g", what, s->size.height,
          s->size.width, precision_name(s->precision), k, l, at(s, complex, 2 * i),
          at(s, complex, 2 * i + 1), re, im);
}

static void check_to_half_and_full(const sheet *s) {
    void *packed = random_reals(s, s->size.height * s->size.width);
    void *half = must_alloc(bytes_of(s, half_reals(s))),
         *full = must_alloc(bytes_of(s, full_reals(s)));
    memset(half, 0xff, bytes_of(s, half_reals(s)));
    memset(full, 0xff, bytes_of(s, full_reals(s)));
    assert_int_equal(weft_packed_to_half(s->size.height, s->size.width, s->precision, packed, half),
                     WEFT_OK);
    assert_int_equal(weft_packed_to_full(s->size.height, s->size.width, s->precision, packed, full),
                     WEFT_OK);
    for (size_t k = 0; k < s->size.height; k++) {
        for (size_t l = 0; l < bins(s); l++)
            check_bin(s, "half", packed, half, k * bins(s) + l, k, l);
        for (size_t l = 0; l < s->size.width; l++)
            check_bin(s, "full", packed, full, k * s->size.width + l, k, l);
    }
    free(packed);
    free(half);
    free(full);
}

static void packed_to_half_and_full(void **state) {
    (void)state;
    for_all_sheets(check_to_half_and_full);
}

static void check_there_and_back(const sheet *s) {
    size_t bytes = bytes_of(s, s->size.height * s->size.width);
    void *packed = random_reals(s, s->size.height * s->size.width), *back = must_alloc(bytes);
    void *half = must_alloc(bytes_of(s, half_reals(s)));
    memset(back, 0xff, bytes);
    weft_packed_to_half(s->size.height, s->size.width, s->precision, packed, half);
    assert_int_equal(weft_half_to_packed(s->size.height, s->size.width, s->precision, half, back),
                     WEFT_OK);
    check(memcmp(packed, back, bytes) == 0, "%zux%zu: there and back differs", s->size.height,
          s->size.width);
    free(packed);
    free(half);
    free(back);
}

static void there_and_back_is_exact(void **state) {
    (void)state;
    for_all_sheets(check_there_and_back);
}

/* (X[k][l] + conj X[k'][l]) / 2 in columns 0 and W/2; the bin itself elsewhere. */
static void check_projected(const sheet *s, const void *half, const void *packed, size_t k,
                            size_t l) {
    double re, im;
    size_t i = k * bins(s) + l, partner = (s->size.height - k) % s->size.height * bins(s) + l;
    double want_re = at(s, half, 2 * i), want_im = at(s, half, 2 * i + 1);
    double unit = s->precision == WEFT_F32 ? 0x1p-24 : 0x1p-53;
    if (l == (s->size.width - l) % s->size.width) {
        want_re = (want_re + at(s, half, 2 * partner)) / 2;
        want_im = (want_im - at(s, half, 2 * partner + 1)) / 2;
    }
    oracle_read(s->size.height, s->size.width, s->precision, WEFT_PACKED, s->size.width, packed, k,
                l, &re, &im);
    check(fabs(re - want_re) <= 4 * unit && fabs(im - want_im) <= 4 * unit,
          "%zux%zu: X[%zu][%zu] is %g %g, projected %g %g", s->size.height, s->size.width, k, l, re,
          im, want_re, want_im);
}

/* The image that a packed spectrum stands for, or the one of any half spectrum. */
static double *image_of(const sheet *s, weft_layout layout, const void *spectrum) {
    size_t pitch = layout == WEFT_PACKED ? s->size.width : bins(s);
    double *half = must_alloc(half_reals(s) * sizeof *half);
    double *image = must_alloc(full_reals(s) / 2 * sizeof *image);
    for (size_t k = 0; k < s->size.height; k++)
        for (size_t l = 0; l < bins(s); l++)
            oracle_read(s->size.height, s->size.width, s->precision, layout, pitch, spectrum, k, l,
                        &half[2 * (k * bins(s) + l)], &half[2 * (k * bins(s) + l) + 1]);
    assert_int_equal(oracle_inverse(s->size.height, s->size.width, half, image), 0);
    free(half);
    return image;
}

static void check_projection(const sheet *s) {
    void *half = random_reals(s, half_reals(s));
    void *packed = must_alloc(bytes_of(s, full_reals(s) / 2));
    assert_int_equal(weft_half_to_packed(s->size.height, s->size.width, s->precision, half, packed),
                     WEFT_OK);
    for (size_t k = 0; k < s->size.height; k++)
        for (size_t l = 0; l < bins(s); l++)
            check_projected(s, half, packed, k, l);
    double *a = image_of(s, WEFT_HALF, half), *b = image_of(s, WEFT_PACKED, packed);
    for (size_t i = 0; i < full_reals(s) / 2; i++)
        check(fabs(a[i] - b[i]) <= (s->precision == WEFT_F32 ? 2e-6 : 4e-15),
              "%zux%zu: irfft2 differs at %zu: %g %g", s->size.height, s->size.width, i, a[i],
              b[i]);
    free(half);
    free(packed);
    free(a);
    free(b);
}

static void half_to_packed_projects_as_irfft2(void **state) {
    (void)state;
    for_all_sheets(check_projection);
}

typedef weft_status conversion(size_t height, size_t width, weft_precision p, const void *from,
                               void *to);

static void bad_arguments(void **state) {
    (void)state;
    static conversion *const all[] = {weft_packed_to_half, weft_half_to_packed,
                                      weft_packed_to_full};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double in[2] = {1, 2}, out[4] = {7, 7, 7, 7};
        assert_int_equal(all[i](0, 1, WEFT_F64, in, out), WEFT_BAD_ARGUMENT);
        assert_non_null(strstr(weft_last_error(), "height"));
        assert_int_equal(all[i](1, 0, WEFT_F64, in, out), WEFT_BAD_ARGUMENT);
        assert_non_null(strstr(weft_last_error(), "width"));
        assert_int_equal(all[i](1, 1, WEFT_F64, NULL, out), WEFT_BAD_ARGUMENT);
        assert_int_equal(all[i](1, 1, WEFT_F64, in, NULL), WEFT_BAD_ARGUMENT);
        assert_int_equal(all[i](1, 1, (weft_precision)2, in, out), WEFT_BAD_ARGUMENT);
        assert_int_equal(all[i](SIZE_MAX / 2, 4, WEFT_F64, in, out), WEFT_BAD_ARGUMENT);
        for (int j = 0; j < 4; j++)
            assert_true(out[j] == 7);
    }
}

/* Neither takes memory that is not aligned to its reals, nor arrays that share a byte; side by side
 * they are taken. */
static void misplaced_arrays(void **state) {
    (void)state;
    enum { SIDE = 4, GUARD = 64 };
    static const struct {
        conversion *convert;
        size_t from_row, to_row; /* reals */
        const char *from, *to;
    } all[] = {{weft_packed_to_half, SIDE, SIDE + 2, "packed", "half"},
               {weft_half_to_packed, SIDE + 2, SIDE, "half", "packed"},
               {weft_packed_to_full, SIDE, 2 * SIDE, "packed", "full"}};
    for (int p = WEFT_F32; p <= WEFT_F64; p++)
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            static _Alignas(64) char memory[4096];
            const size_t real = p == WEFT_F32 ? 4 : 8;
            const size_t from = SIDE * all[i].from_row * real, to = SIDE * all[i].to_row * real;
            char *middle = memory + sizeof memory / 2;
            const struct {
                size_t input, output; /* offsets from the middle */
                const char *text;     /* NULL: they are taken */
            } places[] = {{1, to + GUARD, all[i].from},
                          {real / 2, from + GUARD, "must be aligned"},
                          {0, from + 1, all[i].to},
                          {0, 0, "overlap"},
                          {0, real, "overlap"},
                          {0, from - real, "overlap"},
                          {to - real, 0, "overlap"},
                          {0, from, NULL},
                          {to, 0, NULL}};
            for (size_t j = 0; j < sizeof places / sizeof *places; j++) {
                const char *text = places[j].text;
                memset(memory, 0x55, sizeof memory);
                weft_status status =
                    all[i].convert(SIDE, SIDE, (weft_precision)p, middle + places[j].input,
                                   middle + places[j].output);
                check(status == (text == NULL ? WEFT_OK : WEFT_BAD_ARGUMENT),
                      "%s to %s %s, place %zu: %s", all[i].from, all[i].to,
                      precision_name((weft_precision)p), j, weft_status_string(status));
                check(text == NULL || strstr(weft_last_error(), text) != NULL,
                      "\"%s\" is not in: %s", text, weft_last_error());
                for (size_t b = 0; text != NULL && b < sizeof memory; b++)
                    assert_int_equal(memory[b], 0x55);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_to_half_and_full),
        cmocka_unit_test(there_and_back_is_exact),
        cmocka_unit_test(half_to_packed_projects_as_irfft2),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(misplaced_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
