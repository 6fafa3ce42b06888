/* SPDX-License-Identifier: MIT
 * Defaults and checks of a description. Every error names the field and its value.
 */
#include "problem.h"

#include <math.h>

#include "sizes.h"

size_t real_bytes(const problem *p) {
    return p->precision == WEFT_F32 ? 4 : 8;
}

size_t pixel_bytes(const problem *p) {
    switch (p->pixel) {
    case WEFT_PIXEL_U8:
        return 1;
    case WEFT_PIXEL_U16:
        return 2;
    case WEFT_PIXEL_REAL:
    default:
        return real_bytes(p);
    }
}

size_t spectrum_element_bytes(const problem *p) {
    return p->layout == WEFT_HALF ? 2 * real_bytes(p) : real_bytes(p);
}

size_t spectrum_columns(const problem *p) {
    return p->layout == WEFT_HALF ? p->width / 2 + 1 : p->width;
}

size_t pixels_moved(const problem *p) {
    return p->batch * p->height * p->width * pixel_bytes(p);
}

size_t spectra_moved(const problem *p) {
    return p->batch * p->height * spectrum_columns(p) * spectrum_element_bytes(p);
}

size_t image_batch_bytes(const problem *p) {
    size_t span = 0;
    span_elements(p->batch, p->image_stride, p->height, p->image_pitch, p->width, &span);
    return span * pixel_bytes(p);
}

static size_t spectra_bytes(const problem *p, size_t batch) {
    size_t span = 0;
    span_elements(batch, p->spectrum_stride, p->height, p->spectrum_pitch, spectrum_columns(p),
                  &span);
    return span * spectrum_element_bytes(p);
}

size_t spectrum_batch_bytes(const problem *p) {
    return spectra_bytes(p, p->batch);
}

size_t transfer_bytes(const problem *p, weft_transfer kind) {
    return kind == WEFT_TRANSFER_GAIN ? p->height * (p->width / 2 + 1) * real_bytes(p)
                                      : spectra_bytes(p, 1);
}

/* One enum of the description: its value must lie in 0..last. */
static weft_status check_choice(const char *what, int value, int last) {
    return value >= 0 && value <= last
               ? WEFT_OK
               : weft_fail(WEFT_BAD_ARGUMENT, "%s %d: must be 0 to %d (see weft.h)", what, value,
                           last);
}

/* Fills in a default pitch and stride, and checks given ones. */
static weft_status resolve_rows(const problem *p, const char *what, size_t columns, size_t *pitch,
                                size_t *stride) {
    size_t span;
    if (*pitch == 0) {
        *pitch = columns;
    }
    if (*pitch < columns) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s_pitch %zu: a row has %zu elements", what, *pitch,
                         columns);
    }
    if (!span_elements(1, 0, p->height, *pitch, columns, &span)) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%zux%zu with %s_pitch %zu: too large", p->height,
                         p->width, what, *pitch);
    }
    if (*stride == 0) {
        *stride = p->height * *pitch;
    }
    if (*stride < span) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s_stride %zu: an image spans %zu elements", what,
                         *stride, span);
    }
    if (!span_elements(p->batch, *stride, p->height, *pitch, columns, &span)) {
        return weft_fail(WEFT_BAD_ARGUMENT, "batch %zu of %zux%zu with %s_stride %zu: too large",
                         p->batch, p->height, p->width, what, *stride);
    }
    return WEFT_OK;
}

static void set_scales(problem *p, weft_norm norm) {
    double n = (double)p->height * (double)p->width;
    p->forward_scale = norm == WEFT_NORM_FORWARD ? 1 / n
                       : norm == WEFT_NORM_ORTHO ? 1 / sqrt(n)
                                                 : 1;
    p->inverse_scale = norm == WEFT_NORM_BACKWARD ? 1 / n
                       : norm == WEFT_NORM_ORTHO  ? 1 / sqrt(n)
                                                  : 1;
}

weft_status problem_from_desc(problem *p, const weft_desc *desc) {
    weft_status status;
    if (desc == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "desc is NULL");
    }
    if (desc->height == 0 || desc->width == 0) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s 0: must be at least 1",
                         desc->height == 0 ? "height" : "width");
    }
    if ((status = check_choice("precision", (int)desc->precision, WEFT_F64)) != WEFT_OK ||
        (status = check_choice("pixel", (int)desc->pixel, WEFT_PIXEL_U16)) != WEFT_OK ||
        (status = check_choice("layout", (int)desc->layout, WEFT_HALF)) != WEFT_OK ||
        (status = check_choice("norm", (int)desc->norm, WEFT_NORM_NONE)) != WEFT_OK) {
        return status;
    }
    if (desc->threads < 0) {
        return weft_fail(WEFT_BAD_ARGUMENT, "threads %d: must not be negative", desc->threads);
    }
    if (desc->threads > WEFT_MOST_THREADS) {
        return weft_fail(WEFT_BAD_ARGUMENT, "threads %d: more than %d", desc->threads,
                         WEFT_MOST_THREADS);
    }
    if (desc->device < 0) {
        return weft_fail(WEFT_BAD_ARGUMENT, "device %d: must not be negative", desc->device);
    }
    for (size_t i = 0; i < sizeof desc->reserved / sizeof *desc->reserved; i++) {
        if (desc->reserved[i] != 0) {
            return weft_fail(WEFT_BAD_ARGUMENT, "reserved[%zu] %zu: must be 0", i,
                             desc->reserved[i]);
        }
    }
    *p = (problem){
        .height = desc->height,
        .width = desc->width,
        .batch = desc->batch ? desc->batch : 1,
        .precision = desc->precision,
        .pixel = desc->pixel,
        .layout = desc->layout,
        .image_pitch = desc->image_pitch,
        .image_stride = desc->image_stride,
        .spectrum_pitch = desc->spectrum_pitch,
        .spectrum_stride = desc->spectrum_stride,
        .threads = desc->threads,
        .device = desc->device,
    };
    if ((status = resolve_rows(p, "image", p->width, &p->image_pitch, &p->image_stride)) !=
            WEFT_OK ||
        (status = resolve_rows(p, "spectrum", spectrum_columns(p), &p->spectrum_pitch,
                               &p->spectrum_stride)) != WEFT_OK) {
        return status;
    }
    p->transfer_pitch = p->spectrum_pitch;
    set_scales(p, desc->norm);
    return WEFT_OK;
}

problem problem_with_tight_spectrum(const problem *p) {
    problem tight = *p;
    tight.spectrum_pitch = spectrum_columns(p);
    tight.spectrum_stride = p->height * tight.spectrum_pitch;
    return tight;
}
