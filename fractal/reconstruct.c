/* SPDX-License-Identifier: MIT
 * The pixels of ranges, see reconstruct.h. The side of a block is a constant in each of the copies
 * that the compiler makes of range_pixels().
 */
#include "reconstruct.h"

#include <string.h>

#include "plane.h"
#include "scales.h"

enum { MOST_ENLARGED = 4 * BLOCK_SIDE };

static void flat_pixels(size_t side, uint8_t mean, uint8_t *pixels, size_t pitch) {
    for (size_t m = 0; m < side; m++) {
        for (size_t n = 0; n < side; n++) {
            pixels[m * pitch + n] = mean;
        }
    }
}

static inline int clamped(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* log2_one: of what a scale and a sum of side x side x 4 pixels are multiplied by. */
static inline __attribute__((always_inline)) void
range_pixels(const size_t side, const weft_fractal_code *code, const uint16_t *domain,
             size_t domain_pitch, int log2_one, uint8_t *pixels, size_t pitch) {
    int values[MOST_ENLARGED * MOST_ENLARGED], sum = 0;
    const int count = (int)(side * side), half = 1 << (log2_one - 1);
    for (size_t m = 0; m < side; m++) {
        for (size_t n = 0; n < side; n++) {
            values[m * side + n] = domain[m * domain_pitch + n];
            sum += values[m * side + n];
        }
    }
    const int scale = code->scale * count, off = half - code->scale * sum;
    for (size_t m = 0; m < side; m++) {
        for (size_t n = 0; n < side; n++) {
            int value = code->mean + ((scale * values[m * side + n] + off) >> log2_one);
            pixels[m * pitch + n] = (uint8_t)clamped(value);
        }
    }
}

/* The same for blocks of BLOCK_SIDE, whose values less their mean fit into 16 bits, of which
 * compilers make better vectors. */
static void small_range_pixels(const weft_fractal_code *code, const uint16_t *domain,
                               size_t domain_pitch, int log2_one, uint8_t *pixels, size_t pitch) {
    int16_t values[BLOCK_PIXELS], sum = 0;
    const int16_t scale = code->scale;
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        values[i] = (int16_t)domain[i / BLOCK_SIDE * domain_pitch + i % BLOCK_SIDE];
        sum = (int16_t)(sum + values[i]);
    }
    uint8_t made[BLOCK_PIXELS];
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        int16_t off_mean = (int16_t)(BLOCK_PIXELS * values[i] - sum);
        int value = code->mean + ((scale * off_mean + (1 << (log2_one - 1))) >> log2_one);
        made[i] = (uint8_t)clamped(value);
    }
    for (size_t m = 0; m < BLOCK_SIDE; m++) {
        memcpy(pixels + m * pitch, made + m * BLOCK_SIDE, BLOCK_SIDE);
    }
}

static void coded_pixels(const plane_blocks *b, const weft_fractal_code *code,
                         const uint16_t *domain, int log2_unit, uint8_t *pixels) {
    size_t pitch = b->padded_width;
    switch (b->side) {
    case BLOCK_SIDE:
        small_range_pixels(code, domain, pitch / 2, 6 + log2_unit, pixels, pitch);
        break;
    case 2 * BLOCK_SIDE:
        range_pixels(2 * BLOCK_SIDE, code, domain, pitch / 2, 8 + log2_unit, pixels, pitch);
        break;
    default:
        range_pixels(4 * BLOCK_SIDE, code, domain, pitch / 2, 10 + log2_unit, pixels, pitch);
    }
}

void reconstruct(const plane_blocks *b, weft_fractal_profile profile,
                 const weft_fractal_code *codes, const uint16_t *half, uint8_t *plane) {
    const int log2_unit = log2_of_unit(profile);
    for (size_t m = 0; m < b->padded_height; m += b->side) {
        for (size_t n = 0; n < b->padded_width; n += b->side, codes++) {
            uint8_t *pixels = plane + m * b->padded_width + n;
            if (codes->mode == WEFT_FRACTAL_UNCHANGED) {
                continue;
            }
            if (codes->scale == 0) {
                flat_pixels(b->side, codes->mean, pixels, b->padded_width);
            } else {
                coded_pixels(b, codes, half + first_of_domain(b, codes->domain), log2_unit, pixels);
            }
        }
    }
}

void reconstruct_from_itself(const plane_blocks *b, weft_fractal_profile profile,
                             const weft_fractal_code *codes, uint16_t *half, uint8_t *plane) {
    plane_halve(b, plane, half);
    reconstruct(b, profile, codes, half, plane);
}
