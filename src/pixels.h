/* SPDX-License-Identifier: MIT
 * Image elements to and from real numbers, one at a time: the conversions of weft_pixel, for
 * executors on CPU and GPU.
 */
#ifndef WEFT_PIXELS_H
#define WEFT_PIXELS_H

#include <stdint.h>
#include <string.h>

#include "arith/numbers.h"
#include "weft.h"

/* A U8 or U16 pixel. */
static WEFT_HD unsigned integer_pixel(const void *image, weft_pixel type, size_t index) {
    return type == WEFT_PIXEL_U8 ? ((const unsigned char *)image)[index]
                                 : ((const unsigned short *)image)[index];
}

/* image[index] - offset; offset is an integer, so the difference of U8 and U16 pixels is exact. */
static WEFT_HD scalar load_pixel(const void *image, weft_pixel type, size_t index, scalar offset) {
    return type == WEFT_PIXEL_REAL ? ((const scalar *)image)[index]
                                   : (scalar)integer_pixel(image, type, index) - offset;
}

/* ONES is a real so large, 2^23 or 2^52, that its lowest bits count ones. Added to it, an integer
 * is in these bits, and goes to and from a real without a conversion instruction, for which a GPU
 * has few units. */
#if WEFT_REAL_BITS == 32
typedef uint32_t real_bits;
#define ONES_BITS 0x4b000000u
#define ONES 0x1p23f
#else
typedef uint64_t real_bits;
#define ONES_BITS 0x4330000000000000u
#define ONES 0x1p52
#endif

static WEFT_HD scalar real_of_bits(real_bits bits) {
    scalar value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static WEFT_HD real_bits bits_of_real(scalar value) {
    real_bits bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ONES + integer, and the integer again. */
static WEFT_HD scalar on_ones(unsigned integer) {
    return real_of_bits(ONES_BITS | integer);
}

static WEFT_HD unsigned off_ones(scalar value) {
    return (unsigned)(bits_of_real(value) - ONES_BITS);
}

/* Nearest integer, ties to even, within 0..most; NaN becomes 0. */
static WEFT_HD unsigned round_to_pixel(scalar value, scalar most) {
    value = value > 0 ? value : 0;
    value = value < most ? value : most;
    return off_ones(value + ONES); /* the sum is rounded to an integer */
}

static WEFT_HD void store_pixel(void *image, weft_pixel type, size_t index, scalar value) {
    switch (type) {
    case WEFT_PIXEL_U8:
        ((unsigned char *)image)[index] = (unsigned char)round_to_pixel(value, 255);
        break;
    case WEFT_PIXEL_U16:
        ((unsigned short *)image)[index] = (unsigned short)round_to_pixel(value, 65535);
        break;
    case WEFT_PIXEL_REAL:
    default:
        ((scalar *)image)[index] = value;
    }
}

#endif
