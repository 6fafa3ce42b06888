/* SPDX-License-Identifier: MIT
 * Reading .npy: the input is a file that weft ifft is to read, with and without what its options
 * can say about it. What it takes must be a spectrum of finite numbers, which is written and read
 * again as the same.
 */
#include <math.h>
#include <string.h>

#include "elements.h"
#include "files/spectrum_file.h"
#include "fuzz.h"
#include "input_file.h"
#include "shell/complain.h"

enum { MAX_PIXELS = 1 << 16 };

static const spectrum_facts nothing_given = {.depth = -1, .layout = -1, .norm = -1};

static size_t value_bytes(const spectrum *s) {
    return spectrum_reals(s) * element_size(s->precision, WEFT_PIXEL_REAL);
}

static size_t alpha_bytes(const spectrum *s) {
    return s->alpha != NULL ? s->height * s->width * (size_t)s->depth / 8 : 0;
}

static void check_numbers(const spectrum *s) {
    must(s->height >= 1 && s->width >= 1 && s->width <= MAX_PIXELS / s->height, "%zux%zu",
         s->height, s->width);
    must(s->planes == 1 || s->planes == 3, "%zu planes", s->planes);
    must(s->depth == 8 || s->depth == 16 || s->depth == 32, "depth %d", s->depth);
    for (size_t i = 0; i < spectrum_reals(s); i++) {
        double value = element_get(s->values, i, s->precision, WEFT_PIXEL_REAL);
        must(isfinite(value), "number %zu: %g", i, value);
    }
}

static int is_same(const spectrum *a, const spectrum *b) {
    return a->height == b->height && a->width == b->width && a->planes == b->planes &&
           a->depth == b->depth && a->precision == b->precision && a->layout == b->layout &&
           a->norm == b->norm && memcmp(a->values, b->values, value_bytes(a)) == 0 &&
           alpha_bytes(a) == alpha_bytes(b) &&
           (a->alpha == NULL || memcmp(a->alpha, b->alpha, alpha_bytes(a)) == 0);
}

static void check_return(const spectrum *s) {
    char *file = NULL;
    size_t size;
    spectrum again;
    output out = {.file = open_memstream(&file, &size)};
    must(out.file != NULL && spectrum_write(s, &out) == EXIT_DONE && fclose(out.file) == 0,
         "cannot be written");
    int code = spectrum_read(&again, input_file((uint8_t *)file, size), MAX_PIXELS, &nothing_given);
    must(code == EXIT_DONE && is_same(s, &again), "is read as another spectrum, code %d", code);
    spectrum_free(&again);
    free(file);
}

static void read_with(const char *path, const spectrum_facts *given) {
    spectrum s;
    if (spectrum_read(&s, path, MAX_PIXELS, given) == EXIT_DONE) {
        check_numbers(&s);
        check_return(&s);
        spectrum_set_precision(&s, s.precision == WEFT_F32 ? WEFT_F64 : WEFT_F32);
    } else {
        must(s.values == NULL && s.alpha == NULL, "a refused spectrum has memory");
    }
    spectrum_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static const spectrum_facts packed = {
        .depth = 16, .layout = WEFT_PACKED, .norm = WEFT_NORM_ORTHO};
    static const spectrum_facts half = {.width = 5, .depth = 8, .layout = WEFT_HALF, .norm = -1};
    read_with(input_file(bytes, count), &nothing_given);
    read_with(input_file(bytes, count), &packed);
    read_with(input_file(bytes, count), &half);
    return 0;
}
