/* SPDX-License-Identifier: MIT
 * How a plane of H x W pixels is cut: its padded size, its range blocks of n x n pixels, and its
 * domain blocks of 2n x 2n, every `step` pixels. All are numbered row by row.
 */
#ifndef WEFT_FRACTAL_BLOCKS_H
#define WEFT_FRACTAL_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "weft_fractal.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BLOCK_SIDE = 4, /* n; of a picture that is decoded larger so many times more */
    BLOCK_PIXELS = BLOCK_SIDE * BLOCK_SIDE,
    MOST_SIDE = 65535,
    SEED_STEP = 2 * BLOCK_SIDE,
    DENSE_STEP = 2
};

typedef struct plane_blocks {
    size_t height, width; /* without padding */
    size_t padded_height, padded_width;
    size_t side, step;            /* n, and from domain to domain, in pixels */
    size_t range_columns, ranges; /* in a row, and in all */
    size_t domain_columns, domains;
} plane_blocks;

/* Of plane i of pictures of height x width; all zero if there is no such plane. */
plane_blocks blocks_of_plane(size_t height, size_t width, weft_fractal_chroma chroma,
                             weft_fractal_profile profile, int i);

/* The same blocks, `scale` times as high and wide, of pictures of height x width. */
plane_blocks blocks_enlarged(const plane_blocks *blocks, size_t scale, size_t height, size_t width);

int planes_of(weft_fractal_chroma chroma);

/* Where a range begins in the padded plane, and a domain in the half image of half the padded
 * plane's width. */
static inline size_t first_of_range(const plane_blocks *b, size_t range) {
    uint32_t columns = (uint32_t)b->range_columns, at = (uint32_t)range; /* see below */
    return at / columns * b->side * b->padded_width + at % columns * b->side;
}

static inline size_t first_of_domain(const plane_blocks *b, uint32_t domain) {
    uint32_t columns = (uint32_t)b->domain_columns; /* half the size, half the time of a division */
    return (domain / columns * (b->padded_width / 2) + domain % columns) * (b->step / 2);
}

static inline size_t padded_pixels(const plane_blocks *b) {
    return b->padded_height * b->padded_width;
}

/* How many bits it takes to write n. */
static inline int bits_of(size_t n) {
    return n == 0 ? 0 : 64 - __builtin_clzll(n);
}

#ifdef __cplusplus
}
#endif

#endif
