/* SPDX-License-Identifier: MIT
 * Image elements to and from real numbers: the conversions of weft_pixel, for executors on CPU and
 * GPU.
 */
#ifndef WEFT_PIXELS_H
#define WEFT_PIXELS_H

#include "arith/real.h"
#include "weft.h"

/* image[index] - offset; offset is an integer, so the difference of U8 and U16 pixels is exact. */
static WEFT_HD real load_pixel(const void *image, weft_pixel type, size_t index, real offset) {
    switch (type) {
    case WEFT_PIXEL_U8:
        return (real)((const unsigned char *)image)[index] - offset;
    case WEFT_PIXEL_U16:
        return (real)((const unsigned short *)image)[index] - offset;
    case WEFT_PIXEL_REAL:
    default:
        return ((const real *)image)[index];
    }
}

/* Nearest integer, ties to even, within 0..most; NaN becomes 0. */
static WEFT_HD real round_to_pixel(real value, real most) {
    value = (real)(sizeof(real) == 4 ? rintf((float)value) : rint((double)value));
    if (!(value > 0)) {
        return 0;
    }
    return value < most ? value : most;
}

static WEFT_HD void store_pixel(void *image, weft_pixel type, size_t index, real value) {
    switch (type) {
    case WEFT_PIXEL_U8:
        ((unsigned char *)image)[index] = (unsigned char)round_to_pixel(value, 255);
        break;
    case WEFT_PIXEL_U16:
        ((unsigned short *)image)[index] = (unsigned short)round_to_pixel(value, 65535);
        break;
    case WEFT_PIXEL_REAL:
    default:
        ((real *)image)[index] = value;
    }
}

#endif
