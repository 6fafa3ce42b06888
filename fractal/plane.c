/* SPDX-License-Identifier: MIT
 * Planes, see plane.h.
 */
#include "plane.h"

#include <string.h>

void plane_load(const plane_blocks *b, const uint8_t *from, size_t pitch, uint8_t *plane) {
    for (size_t m = 0; m < b->padded_height; m++) {
        uint8_t *row = plane + m * b->padded_width;
        if (m < b->height) {
            memcpy(row, from + m * pitch, b->width);
            memset(row + b->width, row[b->width - 1], b->padded_width - b->width);
        } else {
            memcpy(row, row - b->padded_width, b->padded_width);
        }
    }
}

void plane_store(const plane_blocks *b, const uint8_t *plane, uint8_t *to, size_t pitch) {
    for (size_t m = 0; m < b->height; m++) {
        memcpy(to + m * pitch, plane + m * b->padded_width, b->width);
    }
}

uint64_t plane_squared_error(const plane_blocks *b, const uint8_t *x, const uint8_t *y) {
    uint64_t all = 0;
    for (size_t m = 0; m < b->height; m++) {
        const uint8_t *of_x = x + m * b->padded_width, *of_y = y + m * b->padded_width;
        uint32_t of_row = 0; /* 2^16 pixels of 255^2 at most */
        for (size_t n = 0; n < b->width; n++) {
            int difference = of_x[n] - of_y[n];
            of_row += (uint32_t)(difference * difference);
        }
        all += of_row;
    }
    return all;
}

void plane_halve(const plane_blocks *b, const uint8_t *plane, uint16_t *half) {
    size_t width = b->padded_width / 2;
    for (size_t m = 0; m < b->padded_height / 2; m++) {
        const uint8_t *restrict upper = plane + 2 * m * b->padded_width;
        const uint8_t *restrict lower = upper + b->padded_width;
        uint16_t *restrict row = half + m * width;
        for (size_t n = 0; n < width; n++) {
            row[n] = (uint16_t)(upper[2 * n] + upper[2 * n + 1] + lower[2 * n] + lower[2 * n + 1]);
        }
    }
}

void range_differences(const plane_blocks *b, size_t first, const uint8_t *x, const uint8_t *y,
                       uint16_t sums[RANGES_TOGETHER]) {
    uint16_t of_column[RANGES_TOGETHER * BLOCK_SIDE] = {0};
    const size_t count = ranges_together(b, first);
    for (size_t m = 0; m < BLOCK_SIDE; m++) {
        const size_t row = first_of_range(b, first) + m * b->padded_width;
        const uint8_t *of_x = x + row, *of_y = y + row;
        for (size_t n = 0; n < count * BLOCK_SIDE; n++) {
            uint8_t most = of_x[n] > of_y[n] ? of_x[n] : of_y[n];
            uint8_t least = of_x[n] > of_y[n] ? of_y[n] : of_x[n];
            of_column[n] = (uint16_t)(of_column[n] + (uint8_t)(most - least));
        }
    }
    for (size_t i = 0; i < count; i++) {
        const uint16_t *of = of_column + i * BLOCK_SIDE;
        sums[i] = (uint16_t)(of[0] + of[1] + of[2] + of[3]);
    }
}

weft_status picture_check(const weft_fractal_picture *picture, const plane_blocks *b, int plane) {
    if (picture->plane[plane] == NULL) {
        return weft_fail(WEFT_BAD_ARGUMENT, "plane %d is NULL", plane);
    }
    return picture->pitch[plane] == 0 || picture->pitch[plane] >= b->width
               ? WEFT_OK
               : weft_fail(WEFT_BAD_ARGUMENT, "pitch %zu of plane %d: rows have %zu pixels",
                           picture->pitch[plane], plane, b->width);
}
