/* SPDX-License-Identifier: MIT
 * Samples, values and samples again; see values.h.
 */
#include "filter/values.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "filter/levels.h"
#include "shell/complain.h"

size_t values_bytes(const weft_desc *desc) {
    return desc->pixel == WEFT_PIXEL_U8    ? 1
           : desc->pixel == WEFT_PIXEL_U16 ? 2
                                           : npy_real_bytes(desc->precision);
}

int values_are_rounded_down(const filter_run *r, const image *picture) {
    return picture->depth == 8 && r->filter->like != NULL && r->filter->like->rounds_down;
}

/* ---- of a picture -----------------------------------------------------------------------------
 */

static double sample_at(const image *picture, const light *l, size_t i) {
    return l->of != NULL ? l->of[image_sample(picture, i)] : image_value(picture, i);
}

static void load_numbers(const filter_run *r, const image *picture, const light *l, size_t first,
                         double before, void *to) {
    const size_t count = picture->width;
    const float added = (float)before;

    if (r->desc.precision == WEFT_F64) {
        for (size_t n = 0; n < count; n++) {
            ((double *)to)[n] = sample_at(picture, l, first + n) + before;
        }
    } else if (l->of == NULL && picture->depth == 8) { /* the loops that take time */
        for (size_t n = 0; n < count; n++) {
            ((float *)to)[n] = ((const uint8_t *)picture->pixels)[first + n] + added;
        }
    } else if (l->of == NULL && picture->depth == 16) {
        for (size_t n = 0; n < count; n++) {
            ((float *)to)[n] = ((const uint16_t *)picture->pixels)[first + n] + added;
        }
    } else {
        for (size_t n = 0; n < count; n++) {
            ((float *)to)[n] = (float)(sample_at(picture, l, first + n) + before);
        }
    }
}

void values_load_row(const filter_run *r, const image *picture, const light *l, size_t first,
                     double before, void *to) {
    if (r->desc.pixel == WEFT_PIXEL_REAL) {
        load_numbers(r, picture, l, first, before, to);
    } else {
        const size_t bytes = image_sample_bytes(picture);
        memcpy(to, (const char *)picture->pixels + first * bytes, picture->width * bytes);
    }
}

/* The mean of a plane of the picture, as it is filtered. */
static double mean_of(const image *picture, const light *l, size_t plane) {
    const size_t count = image_plane_samples(picture), first = plane * count;
    double sum = 0;

    if (l->of == NULL && picture->depth == 8) { /* the loop that takes time */
        uint64_t whole = 0;
        for (size_t i = first; i < first + count; i++) {
            whole += ((const uint8_t *)picture->pixels)[i];
        }
        return (double)whole / (double)count;
    }
    for (size_t i = first; i < first + count; i++) {
        sum += sample_at(picture, l, i);
    }
    return sum / (double)count;
}

/* How often each line of a mirrored side comes in a longer one in whose middle it lies. */
static void count_mirrored(size_t length, size_t side, double *counts) {
    const long first = lrint(floor((double)(side - length + 1) / 2));

    for (size_t i = 0; i < side; i++) {
        counts[border_index(REFLECT, (long)i - first, length)]++;
    }
}

/* ImageJ mirrors a picture into a square, the side of which is the least power of two of at least
 * one and a half times the longer one of the picture, and keeps the mean of that. */
static int mean_of_square(const image *picture, const light *l, size_t plane, double *mean) {
    const size_t height = picture->height, width = picture->width;
    double *rows = allocate(height + width, sizeof *rows), *columns;
    size_t side = 2;

    if (rows == NULL) {
        return EXIT_MEMORY;
    }
    columns = rows + height;
    memset(rows, 0, (height + width) * sizeof *rows);
    while ((double)side < 1.5 * (double)(height > width ? height : width)) {
        side *= 2;
    }
    count_mirrored(height, side, rows);
    count_mirrored(width, side, columns);
    *mean = 0;
    for (size_t m = 0; m < height; m++) {
        double sum = 0;

        for (size_t n = 0; n < width; n++) {
            sum += columns[n] * sample_at(picture, l, (plane * height + m) * width + n);
        }
        *mean += rows[m] * sum / (double)side / (double)side;
    }
    free(rows);
    return EXIT_DONE;
}

/* What the user adds to a result. The middle is the one of stored values: to the eye, gray. */
static double offset_of(const filter_run *r, const image *picture, const light *l) {
    const filter *f = r->filter;
    const unsigned middle = (image_largest(picture->depth) + 1) / 2;

    if (!f->has_offset) {
        return 0;
    }
    return !isnan(f->offset)      ? f->offset
           : picture->depth == 32 ? 0.5
           : l->of != NULL        ? l->of[middle]
                                  : middle;
}

/* A border of zeros is none of what is taken away. */
int values_find_shift(const filter_run *r, const image *picture, const light *l, size_t plane,
                      shift *s) {
    const double mean = mean_of(picture, l, plane);
    const double centre = r->filter->border == ZERO ? 0 : (double)(float)rint(mean);
    double kept = mean;
    int code = EXIT_DONE;

    if (r->filter->like != NULL && r->filter->like->of_square) {
        code = mean_of_square(picture, l, plane, &kept);
    }
    *s = (shift){.before = -centre,
                 .behind = r->keeps_mean ? kept - (mean - centre) * r->gain_of_mean
                                         : centre * r->gain_of_mean + offset_of(r, picture, l)};
    return code;
}

/* ---- of a result ------------------------------------------------------------------------------
 */

enum { PART = 256 };

/* Who rounds down has rounded to the nearest of 16 bits before. */
static const double half_of_16_bits = 0.5 / 257;

/* A part of a row of the result, shifted, as it would be stored. */
static void take_values(const filter_run *r, const void *row, size_t first, size_t count,
                        double behind, const light *l, double values[PART]) {
    if (r->desc.precision == WEFT_F64) {
        for (size_t n = 0; n < count; n++) {
            values[n] = ((const double *)row)[first + n] + behind;
        }
    } else {
        for (size_t n = 0; n < count; n++) {
            values[n] = (double)((const float *)row)[first + n] + behind;
        }
    }
    for (size_t n = 0; l->of != NULL && n < count; n++) {
        values[n] = light_stored(l, values[n]);
    }
    for (size_t n = 0; r->filter->is_spread && n < count; n++) {
        values[n] = (values[n] - r->black) * r->factor;
    }
}

static void look_at_values(const filter_run *r, const char *planes, const shift shifts[],
                           const light *l, const image *picture, levels_look *look, levels *s) {
    const size_t row_bytes = r->desc.width * values_bytes(&r->desc);
    const size_t rows = picture->planes * picture->height;
    double values[PART];

    for (size_t i = 0; i < rows; i++) {
        const size_t p = i / picture->height, m = i % picture->height;
        const char *row = planes + (p * r->desc.height + m) * row_bytes;

        for (size_t at = 0; at < picture->width; at += PART) {
            const size_t count = picture->width - at < PART ? picture->width - at : PART;

            take_values(r, row, at, count, shifts[p].behind, l, values);
            look(s, values, count);
        }
    }
}

int values_find_scale(filter_run *r, const char *planes, const shift shifts[], const light *l,
                      const image *picture) {
    const size_t bins = r->filter->like != NULL ? r->filter->like->bins : 0;
    const double saturated = r->filter->saturated;
    levels *s = allocate(1, sizeof *s);

    if (s == NULL) {
        return EXIT_MEMORY;
    }
    r->black = 0;
    r->factor = 1;
    levels_begin(s);
    look_at_values(r, planes, shifts, l, picture, levels_widen, s);
    if (s->white > s->black && (bins > 0 || saturated > 0)) {
        s->bins = bins > 0 ? bins : LEVELS_MOST_BINS;
        look_at_values(r, planes, shifts, l, picture, levels_count, s);
        levels_narrow(s, saturated, bins > 0);
    }
    if (s->white > s->black) {
        r->black = s->black;
        r->factor = image_largest(picture->depth) / (s->white - s->black);
    }
    free(s);
    return EXIT_DONE;
}

/* As weft.h says of its pixels: to nearest, ties to even, NaN to 0. Adding and subtracting 1.5 x
 * 2^52 rounds so, without a call. */
static void round_values(size_t count, const double values[PART], double largest, int rounded[PART],
                         filter_losses *losses) {
    const double rounder = 6755399441055744.0;
    int clamped = 0, not_finite = 0;

    for (size_t n = 0; n < count; n++) {
        double value = values[n];

        not_finite += !(fabs(value) <= DBL_MAX);
        clamped += (value < -0.5) | (value >= largest + 0.5);
        value = value > 0 ? value : 0;
        value = value < largest ? value : largest;
        rounded[n] = (int)((value + rounder) - rounder);
    }
    losses->clamped += (size_t)clamped;
    losses->not_finite += (size_t)not_finite;
}

static void round_row(const filter_run *r, const void *row, double behind, const light *l,
                      image *picture, size_t first, filter_losses *losses) {
    const double largest = image_largest(picture->depth);
    size_t count;

    for (size_t at = 0; at < picture->width; at += count) {
        double values[PART];
        int rounded[PART];

        count = picture->width - at < PART ? picture->width - at : PART;
        take_values(r, row, at, count, behind, l, values);
        for (size_t n = 0; values_are_rounded_down(r, picture) && n < count; n++) {
            values[n] = floor(values[n] + half_of_16_bits);
        }
        round_values(count, values, largest, rounded, losses);
        if (picture->depth == 8) {
            for (size_t n = 0; n < count; n++) {
                ((uint8_t *)picture->pixels)[first + at + n] = (uint8_t)rounded[n];
            }
        } else {
            for (size_t n = 0; n < count; n++) {
                ((uint16_t *)picture->pixels)[first + at + n] = (uint16_t)rounded[n];
            }
        }
    }
}

static void float_row(const filter_run *r, const void *row, double behind, const light *l,
                      float *to, filter_losses *losses) {
    size_t count;

    for (size_t at = 0; at < r->width; at += count) {
        double values[PART];

        count = r->width - at < PART ? r->width - at : PART;
        take_values(r, row, at, count, behind, l, values);
        for (size_t n = 0; n < count; n++) {
            to[at + n] = (float)values[n];
            losses->not_finite += isfinite(to[at + n]) ? 0 : 1;
        }
    }
}

void values_store_row(const filter_run *r, const void *row, double behind, const light *l,
                      image *result, size_t first, filter_losses *losses) {
    if (result->depth == 32) {
        float_row(r, row, behind, l, (float *)result->pixels + first, losses);
    } else if (r->desc.pixel != WEFT_PIXEL_REAL) {
        const size_t bytes = image_sample_bytes(result);
        memcpy((char *)result->pixels + first * bytes, row, result->width * bytes);
    } else {
        round_row(r, row, behind, l, result, first, losses);
    }
}
