/* SPDX-License-Identifier: MIT
 * Inputs and the oracle's answers. Spectra that a strategy reads are rounded to its precision
 * first, and what those very bytes mean is then read back through oracle_read, by the formulas of
 * weft.h: neither rounding nor a wrong layout conversion of the library can hide in the
 * expectation.
 */
#include "reference.h"

#include <math.h>

#include "elements.h"
#include "random.h"

struct reference_image {
    void *pixels;            /* as the strategy reads them, tight [H][W] */
    wide spectrum;           /* tight half spectrum */
    expectation inverses[2]; /* by weft_layout */
    wide filtered[2][2];     /* by weft_transfer, weft_layout */
    wide returned;
};

/* ---- shapes ---------------------------------------------------------------------------------- */

static size_t pixel_count(const reference *r) {
    return r->height * r->width;
}

static size_t half_width(const reference *r) {
    return r->width / 2 + 1;
}

static size_t half_count(const reference *r) {
    return r->height * half_width(r) * 2; /* reals */
}

static size_t spectrum_count(const reference *r, weft_layout layout) {
    return layout == WEFT_HALF ? half_count(r) : pixel_count(r); /* reals */
}

static size_t bytes_of_real(const reference *r) {
    return element_size(r->precision, WEFT_PIXEL_REAL);
}

static double real_get(const reference *r, const void *reals, size_t i) {
    return element_get(reals, i, r->precision, WEFT_PIXEL_REAL);
}

static void real_set(const reference *r, void *reals, size_t i, long double value) {
    element_set(reals, i, r->precision, WEFT_PIXEL_REAL, (double)value);
}

/* ---- pixels ---------------------------------------------------------------------------------- */

static reference_image *image_of(const reference *r, size_t b) {
    return &r->images[b % r->distinct];
}

static double random_pixel(const reference *r, uint64_t *state) {
    const double value = random_uniform(state, 53);
    return r->pixel == WEFT_PIXEL_U8    ? 200 + 5 * value
           : r->pixel == WEFT_PIXEL_U16 ? 59500 + 1001 * value
                                        : value - 0.5;
}

static void put_random_pixels(const reference *r, size_t b, void *pixels) {
    uint64_t state = seed_after(r->seed, b * pixel_count(r));
    for (size_t i = 0; i < pixel_count(r); i++) {
        element_set(pixels, i, r->precision, r->pixel, random_pixel(r, &state));
    }
}

static int make_pixels(reference *r, size_t b, reference_picture *picture, const void *context) {
    void *pixels = malloc(pixel_count(r) * element_size(r->precision, r->pixel));
    image_of(r, b)->pixels = pixels;
    if (pixels != NULL && picture != NULL) {
        picture(context, b, pixels);
    } else if (pixels != NULL) {
        put_random_pixels(r, b, pixels);
    }
    return pixels != NULL ? 0 : -1;
}

int reference_create(reference *r, const weft_desc *desc, size_t most_distinct, uint64_t seed,
                     reference_picture *picture, const void *context) {
    const size_t batch = desc->batch ? desc->batch : 1;
    *r = (reference){.height = desc->height,
                     .width = desc->width,
                     .distinct = batch < most_distinct ? batch : most_distinct,
                     .precision = desc->precision,
                     .pixel = desc->pixel,
                     .seed = seed};
    r->is_long = r->precision == WEFT_F64 && pixel_count(r) <= (size_t)4096 * 4096;
    r->images = calloc(r->distinct, sizeof *r->images);
    int failed = r->images == NULL;
    for (size_t b = 0; b < r->distinct && !failed; b++) {
        failed = make_pixels(r, b, picture, context) != 0;
    }
    if (failed) {
        reference_destroy(r);
    }
    return failed ? -1 : 0;
}

static void free_image(reference_image *image) {
    free(image->pixels);
    wide_free(&image->spectrum);
    wide_free(&image->returned);
    for (int layout = 0; layout < 2; layout++) {
        free(image->inverses[layout].input);
        wide_free(&image->inverses[layout].image);
        wide_free(&image->filtered[WEFT_TRANSFER_GAIN][layout]);
        wide_free(&image->filtered[WEFT_TRANSFER_SPECTRUM][layout]);
    }
}

void reference_destroy(reference *r) {
    for (size_t b = 0; r->images != NULL && b < r->distinct; b++) {
        free_image(&r->images[b]);
    }
    free(r->images);
    for (int layout = 0; layout < 2; layout++) {
        free(r->transfers[WEFT_TRANSFER_GAIN][layout]);
        free(r->transfers[WEFT_TRANSFER_SPECTRUM][layout]);
    }
    *r = (reference){0};
}

const void *reference_pixels(const reference *r, size_t b) {
    return image_of(r, b)->pixels;
}

static int widen(const reference *r, size_t b, wide *image) {
    if (wide_allocate(image, 0, pixel_count(r)) != 0) {
        return -1;
    }
    for (size_t i = 0; i < pixel_count(r); i++) {
        wide_set(image, i, element_get(reference_pixels(r, b), i, r->precision, r->pixel));
    }
    return 0;
}

const wide *reference_returned(reference *r, size_t b) {
    wide *image = &image_of(r, b)->returned;
    return image->data != NULL || widen(r, b, image) == 0 ? image : NULL;
}

/* ---- the oracle on wide arrays --------------------------------------------------------------- */

static int forward(const reference *r, const double *image, wide *half) {
    if (wide_allocate(half, r->is_long, half_count(r)) != 0) {
        return -1;
    }
    int failed = r->is_long ? oracle_forward_long(r->height, r->width, image, half->data)
                            : oracle_forward(r->height, r->width, image, half->data);
    if (failed) {
        wide_free(half);
    }
    return failed;
}

static int inverse(const reference *r, const wide *half, wide *image) {
    if (wide_allocate(image, r->is_long, pixel_count(r)) != 0) {
        return -1;
    }
    int failed = r->is_long ? oracle_inverse_long(r->height, r->width, half->data, image->data)
                            : oracle_inverse(r->height, r->width, half->data, image->data);
    if (failed) {
        wide_free(image);
    }
    return failed;
}

static const wide *spectrum_of(reference *r, size_t b) {
    wide *half = &image_of(r, b)->spectrum, image = {0};
    if (half->data == NULL && widen(r, b, &image) == 0) {
        forward(r, image.data, half);
        wide_free(&image);
    }
    return half->data != NULL ? half : NULL;
}

weft_status reference_compare(reference *r, size_t b, weft_precision precision, weft_layout layout,
                              size_t pitch, const void *spectrum, double factor,
                              oracle_error *error) {
    const wide *half = spectrum_of(r, b);
    if (half == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for the oracle");
    }
    *error = half->is_long ? oracle_compare_long(r->height, r->width, precision, layout, pitch,
                                                 spectrum, factor, half->data)
                           : oracle_compare(r->height, r->width, precision, layout, pitch, spectrum,
                                            factor, half->data);
    return WEFT_OK;
}

/* ---- spectra in a strategy's precision and layout -------------------------------------------- */

/* A malloc'd spectrum in memory, or NULL. */
static void *round_spectrum(const reference *r, const wide *half, weft_layout layout) {
    void *rounded = malloc(half_count(r) * bytes_of_real(r));
    void *packed = layout == WEFT_PACKED ? malloc(pixel_count(r) * bytes_of_real(r)) : NULL;

    if (rounded == NULL || (layout == WEFT_PACKED && packed == NULL)) {
        free(rounded);
        free(packed);
        return NULL;
    }
    for (size_t i = 0; i < half_count(r); i++) {
        real_set(r, rounded, i, wide_at(half, i));
    }
    if (layout == WEFT_HALF) {
        return rounded;
    }
    weft_half_to_packed(r->height, r->width, r->precision, rounded, packed);
    free(rounded);
    return packed;
}

/* *half = what `spectrum`, in memory, means. */
static int read_spectrum(const reference *r, weft_layout layout, const void *spectrum, wide *half) {
    const size_t pitch = layout == WEFT_PACKED ? r->width : half_width(r);
    if (wide_allocate(half, r->is_long, half_count(r)) != 0) {
        return -1;
    }
    for (size_t k = 0; k < r->height; k++) {
        for (size_t l = 0; l < half_width(r); l++) {
            const size_t i = 2 * (k * half_width(r) + l);
            double re, im;
            oracle_read(r->height, r->width, r->precision, layout, pitch, spectrum, k, l, &re, &im);
            wide_set(half, i, re);
            wide_set(half, i + 1, im);
        }
    }
    return 0;
}

static void *make_noise(const reference *r, uint64_t seed, size_t count) {
    void *noise = malloc(count * bytes_of_real(r));
    for (size_t i = 0; noise != NULL && i < count; i++) {
        real_set(r, noise, i, next_noise(&seed, r->precision));
    }
    return noise;
}

const expectation *reference_inverse(reference *r, weft_layout layout, size_t b) {
    expectation *e = &image_of(r, b)->inverses[layout];
    wide meant = {0};

    if (e->image.data != NULL) {
        return e;
    }
    if (r->reads_noise) {
        const size_t count = spectrum_count(r, layout);
        e->input = make_noise(r, seed_after(r->seed, b % r->distinct * count), count);
    } else {
        const wide *half = spectrum_of(r, b);
        e->input = half != NULL ? round_spectrum(r, half, layout) : NULL;
    }
    if (e->input != NULL && read_spectrum(r, layout, e->input, &meant) == 0) {
        inverse(r, &meant, &e->image);
    }
    wide_free(&meant);
    if (e->image.data == NULL) {
        free(e->input);
        e->input = NULL;
        return NULL;
    }
    return e;
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* Gains of a Gaussian around a point off the origin: rows k and H - k differ, as weft.h allows. */
static void *make_gains(const reference *r) {
    void *gains = malloc(r->height * half_width(r) * bytes_of_real(r));
    if (gains == NULL) {
        return NULL;
    }
    for (size_t k = 0; k < r->height; k++) {
        const size_t row = r->gains_are_even && k > r->height - k ? r->height - k : k;
        for (size_t l = 0; l < half_width(r); l++) {
            double down = (double)row / (double)r->height - 0.4;
            double along = (double)l / (double)r->width - 0.1;
            real_set(r, gains, k * half_width(r) + l, exp(-3 * down * down - 5 * along * along));
        }
    }
    return gains;
}

/* The transform of a lopsided 2 x 3 blur around pixel (0, 0), whose far side wraps around. */
static void *make_kernel(const reference *r, weft_layout layout) {
    static const double weights[2][3] = {{0.5, 0.2, 0.05}, {0.15, 0.07, 0.03}};
    double *image = calloc(pixel_count(r), sizeof *image);
    wide half = {0};
    void *spectrum = NULL;

    if (image == NULL) {
        return NULL;
    }
    for (size_t m = 0; m < 2; m++) {
        for (size_t n = 0; n < 3; n++) {
            size_t column = (n + r->width - 1) % r->width;
            image[m % r->height * r->width + column] += weights[m][n];
        }
    }
    if (forward(r, image, &half) == 0) {
        spectrum = round_spectrum(r, &half, layout);
    }
    wide_free(&half);
    free(image);
    return spectrum;
}

static void *make_transfer(const reference *r, weft_transfer kind, weft_layout layout) {
    const int is_gain = kind == WEFT_TRANSFER_GAIN;
    if (r->reads_noise) {
        return make_noise(r, ~r->seed,
                          is_gain ? r->height * half_width(r) : spectrum_count(r, layout));
    }
    return is_gain ? make_gains(r) : make_kernel(r, layout);
}

const void *reference_transfer(reference *r, weft_transfer kind, weft_layout layout) {
    void **transfer = &r->transfers[kind][layout];
    if (*transfer == NULL) {
        *transfer = make_transfer(r, kind, layout);
    }
    return *transfer;
}

static void multiply_gains(const reference *r, const void *gains, const wide *from, wide *to) {
    for (size_t k = 0; k < r->height; k++) {
        for (size_t l = 0; l < half_width(r); l++) {
            const size_t i = k * half_width(r) + l, mirrored = (r->height - k) % r->height;
            const int own_mirror = l == (r->width - l) % r->width;
            const size_t row = own_mirror && mirrored < k ? mirrored : k;
            const long double gain = real_get(r, gains, row * half_width(r) + l);
            wide_set(to, 2 * i, wide_at(from, 2 * i) * gain);
            wide_set(to, 2 * i + 1, wide_at(from, 2 * i + 1) * gain);
        }
    }
}

static void multiply_spectra(const reference *r, const wide *a, const wide *b, wide *to) {
    for (size_t i = 0; i < half_count(r); i += 2) {
        const long double re = wide_at(a, i), im = wide_at(a, i + 1);
        const long double by_re = wide_at(b, i), by_im = wide_at(b, i + 1);
        wide_set(to, i, re * by_re - im * by_im);
        wide_set(to, i + 1, re * by_im + im * by_re);
    }
}

static int multiply(reference *r, weft_transfer kind, weft_layout layout, const wide *half,
                    wide *product) {
    const void *transfer = reference_transfer(r, kind, layout);
    wide meant = {0};

    if (transfer == NULL || wide_allocate(product, r->is_long, half_count(r)) != 0) {
        return -1;
    }
    if (kind == WEFT_TRANSFER_GAIN) {
        multiply_gains(r, transfer, half, product);
        return 0;
    }
    if (read_spectrum(r, layout, transfer, &meant) != 0) {
        return -1;
    }
    multiply_spectra(r, half, &meant, product);
    wide_free(&meant);
    return 0;
}

const wide *reference_filtered(reference *r, weft_transfer kind, weft_layout layout, size_t b) {
    wide *image = &image_of(r, b)->filtered[kind][layout];
    const wide *half = spectrum_of(r, b);
    wide product = {0};

    if (half != NULL && image->data == NULL && multiply(r, kind, layout, half, &product) == 0) {
        inverse(r, &product, image);
    }
    wide_free(&product);
    return image->data != NULL ? image : NULL;
}

/* ---- into buffers ---------------------------------------------------------------------------- */

/* The b-th image or spectrum that the operation reads; NULL when out of memory. */
static const void *input_of(reference *r, operation what, weft_layout layout, size_t b) {
    const expectation *e;
    if (what != OPERATION_INVERSE) {
        return reference_pixels(r, b);
    }
    e = reference_inverse(r, layout, b);
    return e != NULL ? e->input : NULL;
}

weft_status reference_put(reference *r, operation what, weft_layout layout, const buffer *input) {
    weft_status status = buffer_poison(input, POISON_NAN);
    for (size_t b = 0; b < input->shape.batch && status == WEFT_OK; b++) {
        const void *one = input_of(r, what, layout, b);
        if (one == NULL) {
            return weft_fail(WEFT_NO_MEMORY, "no memory for the oracle");
        }
        buffer_set_image(input, b, one);
    }
    return status == WEFT_OK ? buffer_put(input) : status;
}

weft_status reference_put_transfer(reference *r, weft_transfer kind, weft_layout layout,
                                   const buffer *transfer) {
    const void *values = reference_transfer(r, kind, layout);
    weft_status status = values != NULL ? buffer_poison(transfer, POISON_NAN)
                                        : weft_fail(WEFT_NO_MEMORY, "no memory for a transfer");
    if (status != WEFT_OK) {
        return status;
    }
    buffer_set_image(transfer, 0, values);
    return buffer_put(transfer);
}
