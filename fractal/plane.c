/* SPDX-License-Identifier: MIT
 * Planes, see plane.h.
 */
#include "plane.h"

#include <stdlib.h>
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

int range_difference(const plane_blocks *b, size_t range, const uint8_t *x, const uint8_t *y) {
    uint8_t of_x[BLOCK_PIXELS], of_y[BLOCK_PIXELS];
    int sum = 0;
    range_block(b, range, x, of_x);
    range_block(b, range, y, of_y);
    for (size_t i = 0; i < BLOCK_PIXELS; i++) {
        sum += abs(of_x[i] - of_y[i]);
    }
    return sum;
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
