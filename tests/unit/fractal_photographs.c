/* SPDX-License-Identifier: MIT
 * Photographs for tests, see fractal_photographs.h.
 */
#include "fractal_photographs.h"

#include <png.h>
#include <stdio.h>

#include "expect.h"

static void load(const char *folder, const char *name, uint8_t *to, size_t pitch) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    check(png_image_begin_read_from_file(&image, path), "%s: %s", path, image.message);
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = must_alloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    size_t top = (image.height - CIF_HEIGHT) / 2, left = (image.width - CIF_WIDTH) / 2;
    for (size_t i = 0; i < (size_t)CIF_HEIGHT * CIF_WIDTH; i++) {
        size_t m = i / CIF_WIDTH, n = i % CIF_WIDTH;
        const uint8_t *rgb = pixels + 3 * ((top + m) * image.width + left + n);
        to[m * pitch + n] =
            (uint8_t)((19595u * rgb[0] + 38470u * rgb[1] + 7471u * rgb[2] + 32768u) >> 16);
    }
    free(pixels);
}

weft_fractal_picture photograph(const char *folder, const char *name) {
    weft_fractal_picture p = {.plane = {must_alloc((size_t)CIF_HEIGHT * CIF_WIDTH)}};
    load(folder, name, p.plane[0], CIF_WIDTH);
    return p;
}

weft_fractal_picture mosaic(const char *folder) {
    const size_t pitch = 2 * CIF_WIDTH, half = CIF_HEIGHT * pitch;
    weft_fractal_picture p = {.plane = {must_alloc(2 * half)}};
    load(folder, "astronaut", p.plane[0], pitch);
    load(folder, "camera", p.plane[0] + CIF_WIDTH, pitch);
    load(folder, "coffee", p.plane[0] + half, pitch);
    load(folder, "brick", p.plane[0] + half + CIF_WIDTH, pitch);
    return p;
}
