/* SPDX-License-Identifier: MIT
 * Inputs and the oracle's answers. Spectra that a strategy reads are rounded to its precision
 * first, and what those very bytes mean is then read back through oracle_read, by the formulas of
 * weft.h: neither rounding nor a wrong layout conversion of the library can hide in the
 * expectation.
 */
#include "reference.h"

#include <math.h>
#include <string.h>

#include "oracle/oracle.h"

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

static size_t real_bytes(const reference *r) {
    return r->precision == WEFT_F32 ? sizeof(float) : sizeof(double);
}

size_t reference_pixel_bytes(const reference *r) {
    return r->pixel == WEFT_PIXEL_REAL ? real_bytes(r) : r->pixel == WEFT_PIXEL_U8 ? 1 : 2;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state) { /* in [0, 1) */
    return (double)(splitmix64(state) >> 11) * 0x1p-53;
}

static void fill_random(reference *r, void *pixels, uint64_t *state) {
    for (size_t i = 0; i < pixel_count(r); i++) {
        double value = uniform(state);
        if (r->pixel == WEFT_PIXEL_U8) {
            ((unsigned char *)pixels)[i] = (unsigned char)(200 + 5 * value);
        } else if (r->pixel == WEFT_PIXEL_U16) {
            ((unsigned short *)pixels)[i] = (unsigned short)(59500 + 1001 * value);
        } else if (r->precision == WEFT_F32) {
            ((float *)pixels)[i] = (float)(value - 0.5);
        } else {
            ((double *)pixels)[i] = value - 0.5;
        }
    }
}

static double pixel_at(const reference *r, const void *pixels, size_t i) {
    if (r->pixel == WEFT_PIXEL_U8) {
        return ((const unsigned char *)pixels)[i];
    }
    if (r->pixel == WEFT_PIXEL_U16) {
        return ((const unsigned short *)pixels)[i];
    }
    return r->precision == WEFT_F32 ? (double)((const float *)pixels)[i]
                                    : ((const double *)pixels)[i];
}

int reference_create(reference *r, const weft_desc *desc, uint64_t seed, reference_picture *picture,
                     const void *context) {
    const size_t batch = desc->batch ? desc->batch : 1;
    *r = (reference){.height = desc->height,
                     .width = desc->width,
                     .distinct = batch < MOST_DISTINCT ? batch : MOST_DISTINCT,
                     .precision = desc->precision,
                     .pixel = desc->pixel};
    r->is_long = r->precision == WEFT_F64 && pixel_count(r) <= (size_t)4096 * 4096;
    for (size_t b = 0; b < r->distinct; b++) {
        r->pixels[b] = malloc(pixel_count(r) * reference_pixel_bytes(r));
        if (r->pixels[b] == NULL) {
            reference_destroy(r);
            return -1;
        }
        if (r->pixel != WEFT_PIXEL_REAL && picture != NULL) {
            picture(context, b, r->pixels[b]);
        } else {
            fill_random(r, r->pixels[b], &seed);
        }
    }
    return 0;
}

void reference_destroy(reference *r) {
    for (size_t b = 0; b < MOST_DISTINCT; b++) {
        free(r->pixels[b]);
        wide_free(&r->spectra[b]);
        for (int layout = 0; layout < 2; layout++) {
            free(r->inverses[layout][b].input);
            wide_free(&r->inverses[layout][b].image);
            wide_free(&r->filtered[0][layout][b]);
            wide_free(&r->filtered[1][layout][b]);
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        free(r->transfers[kind][WEFT_PACKED]);
        free(r->transfers[kind][WEFT_HALF]);
    }
    *r = (reference){0};
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

const wide *reference_spectrum(reference *r, size_t b) {
    wide *half = &r->spectra[b % r->distinct];
    if (half->data == NULL) {
        double *image = malloc(pixel_count(r) * sizeof *image);
        if (image == NULL) {
            return NULL;
        }
        for (size_t i = 0; i < pixel_count(r); i++) {
            image[i] = pixel_at(r, r->pixels[b % r->distinct], i);
        }
        forward(r, image, half);
        free(image);
    }
    return half->data != NULL ? half : NULL;
}

/* ---- spectra in a strategy's precision and layout -------------------------------------------- */

static void store_real(const reference *r, void *array, size_t i, long double value) {
    if (r->precision == WEFT_F32) {
        ((float *)array)[i] = (float)value;
    } else {
        ((double *)array)[i] = (double)value;
    }
}

/* A malloc'd spectrum in memory, or NULL. */
static void *round_spectrum(const reference *r, const wide *half, weft_layout layout) {
    void *rounded = malloc(half_count(r) * real_bytes(r));
    void *packed = layout == WEFT_PACKED ? malloc(pixel_count(r) * real_bytes(r)) : NULL;

    if (rounded == NULL || (layout == WEFT_PACKED && packed == NULL)) {
        free(rounded);
        free(packed);
        return NULL;
    }
    for (size_t i = 0; i < half_count(r); i++) {
        store_real(r, rounded, i, wide_at(half, i));
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

const expectation *reference_inverse(reference *r, weft_layout layout, size_t b) {
    expectation *e = &r->inverses[layout][b % r->distinct];
    const wide *half = reference_spectrum(r, b);
    wide meant = {0};

    if (e->image.data != NULL || half == NULL) {
        return half == NULL ? NULL : e;
    }
    e->input = round_spectrum(r, half, layout);
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
    void *gains = malloc(r->height * half_width(r) * real_bytes(r));
    if (gains == NULL) {
        return NULL;
    }
    for (size_t k = 0; k < r->height; k++) {
        const size_t row = r->gains_are_even && k > r->height - k ? r->height - k : k;
        for (size_t l = 0; l < half_width(r); l++) {
            double down = (double)row / (double)r->height - 0.4;
            double along = (double)l / (double)r->width - 0.1;
            store_real(r, gains, k * half_width(r) + l, exp(-3 * down * down - 5 * along * along));
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

const void *reference_transfer(reference *r, weft_transfer kind, weft_layout layout) {
    void **transfer = &r->transfers[kind][layout];
    if (*transfer == NULL) {
        *transfer = kind == WEFT_TRANSFER_GAIN ? make_gains(r) : make_kernel(r, layout);
    }
    return *transfer;
}

static long double load_real(const reference *r, const void *array, size_t i) {
    return r->precision == WEFT_F32 ? (long double)((const float *)array)[i]
                                    : (long double)((const double *)array)[i];
}

static void multiply_gains(const reference *r, const void *gains, const wide *from, wide *to) {
    for (size_t k = 0; k < r->height; k++) {
        for (size_t l = 0; l < half_width(r); l++) {
            const size_t i = k * half_width(r) + l, mirrored = (r->height - k) % r->height;
            const int own_mirror = l == (r->width - l) % r->width;
            const size_t row = own_mirror && mirrored < k ? mirrored : k;
            const long double gain = load_real(r, gains, row * half_width(r) + l);
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
    wide *image = &r->filtered[kind][layout][b % r->distinct];
    const wide *half = reference_spectrum(r, b);
    wide product = {0};

    if (half != NULL && image->data == NULL && multiply(r, kind, layout, half, &product) == 0) {
        inverse(r, &product, image);
    }
    wide_free(&product);
    return image->data != NULL ? image : NULL;
}
