/* SPDX-License-Identifier: MIT
 * The elements of images and spectra: their sizes, and one of them read or written as a double
 * whatever its type is. For the tests, and for references and judgements.
 */
#ifndef WEFT_CHECK_ELEMENTS_H
#define WEFT_CHECK_ELEMENTS_H

#include <stddef.h>

#include "weft.h"

/* Bytes of a pixel; of a real number with WEFT_PIXEL_REAL. */
static inline size_t element_size(weft_precision precision, weft_pixel pixel) {
    return pixel == WEFT_PIXEL_U8    ? 1
           : pixel == WEFT_PIXEL_U16 ? 2
           : precision == WEFT_F32   ? sizeof(float)
                                     : sizeof(double);
}

/* Element i of the row, which is a float, double, unsigned char or unsigned short. */
static inline double element_get(const void *row, size_t i, weft_precision precision,
                                 weft_pixel pixel) {
    if (pixel == WEFT_PIXEL_U8) {
        return ((const unsigned char *)row)[i];
    }
    if (pixel == WEFT_PIXEL_U16) {
        return ((const unsigned short *)row)[i];
    }
    return precision == WEFT_F32 ? (double)((const float *)row)[i] : ((const double *)row)[i];
}

static inline void element_set(void *row, size_t i, weft_precision precision, weft_pixel pixel,
                               double value) {
    if (pixel == WEFT_PIXEL_U8) {
        ((unsigned char *)row)[i] = (unsigned char)value;
    } else if (pixel == WEFT_PIXEL_U16) {
        ((unsigned short *)row)[i] = (unsigned short)value;
    } else if (precision == WEFT_F32) {
        ((float *)row)[i] = (float)value;
    } else {
        ((double *)row)[i] = value;
    }
}

/* One image or spectrum without gaps. */
static inline size_t tight_image_bytes(const weft_desc *d) {
    return d->height * d->width * element_size(d->precision, d->pixel);
}

static inline size_t tight_spectrum_reals(const weft_desc *d) {
    return d->height * (d->layout == WEFT_HALF ? 2 * (d->width / 2 + 1) : d->width);
}

static inline size_t tight_spectrum_bytes(const weft_desc *d) {
    return tight_spectrum_reals(d) * element_size(d->precision, WEFT_PIXEL_REAL);
}

#endif
