/* SPDX-License-Identifier: MIT
 * Block geometry, see blocks.h.
 */
#include "blocks.h"

static int has_plane(weft_fractal_chroma chroma, int plane) {
    return (unsigned)chroma <= WEFT_FRACTAL_444 && plane >= 0 && plane < planes_of(chroma);
}

static size_t half_of(size_t n) {
    return n / 2 + n % 2;
}

int planes_of(weft_fractal_chroma chroma) {
    return chroma == WEFT_FRACTAL_MONO ? 1 : WEFT_FRACTAL_PLANES;
}

size_t weft_fractal_plane_height(size_t height, weft_fractal_chroma chroma, int plane) {
    if (!has_plane(chroma, plane)) {
        return 0;
    }
    return plane > 0 && chroma == WEFT_FRACTAL_420 ? half_of(height) : height;
}

size_t weft_fractal_plane_width(size_t width, weft_fractal_chroma chroma, int plane) {
    if (!has_plane(chroma, plane)) {
        return 0;
    }
    return plane > 0 && chroma != WEFT_FRACTAL_444 ? half_of(width) : width;
}

static size_t padded(size_t n) {
    return (n + 2 * BLOCK_SIDE - 1) / (2 * BLOCK_SIDE) * (2 * BLOCK_SIDE);
}

plane_blocks blocks_of_plane(size_t height, size_t width, weft_fractal_chroma chroma,
                             weft_fractal_profile profile, int i) {
    if (!has_plane(chroma, i)) {
        return (plane_blocks){0};
    }
    plane_blocks b = {.height = weft_fractal_plane_height(height, chroma, i),
                      .width = weft_fractal_plane_width(width, chroma, i),
                      .side = BLOCK_SIDE,
                      .step = profile == WEFT_FRACTAL_DENSE ? DENSE_STEP : SEED_STEP};
    b.padded_height = padded(b.height);
    b.padded_width = padded(b.width);
    b.range_columns = b.padded_width / b.side;
    b.ranges = b.padded_height / b.side * b.range_columns;
    b.domain_columns = (b.padded_width - 2 * b.side) / b.step + 1;
    b.domains = ((b.padded_height - 2 * b.side) / b.step + 1) * b.domain_columns;
    return b;
}

plane_blocks blocks_enlarged(const plane_blocks *blocks, size_t scale, size_t height,
                             size_t width) {
    plane_blocks b = *blocks;
    b.height = height;
    b.width = width;
    b.padded_height *= scale;
    b.padded_width *= scale;
    b.side *= scale;
    b.step *= scale;
    return b;
}
