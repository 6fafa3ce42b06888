/* SPDX-License-Identifier: MIT
 * The picture of the experiment: RGBA of 8 bits, as the DirectX 11 sample takes it, and how far
 * another is from it.
 */
#ifndef WEFT_TOOL_REPRODUCE_DX11_PICTURE_H
#define WEFT_TOOL_REPRODUCE_DX11_PICTURE_H

#include <stddef.h>

#include "files/image.h"

typedef struct dx11_picture {
    size_t height, width;
    unsigned char *rgba; /* [H][W][4], alpha opaque */
} dx11_picture;

/* The upper left part of `from`, zero where it does not reach, gray as three equal colours; or, if
 * NULL, the scene. An exit code, after a complaint. */
int dx11_picture_make(dx11_picture *p, const image *from, size_t height, size_t width);
void dx11_picture_free(dx11_picture *p);

/* Value i of a colour plane, 0..1, as a GPU gets it from the texture. */
float dx11_picture_value(const dx11_picture *p, size_t plane, size_t i);

/* In dB, against values whose pixels and planes lie this far apart; infinite if they are equal. */
double dx11_picture_psnr(const dx11_picture *p, const float *values, size_t pixel_step,
                         size_t plane_step);

#endif
