/* SPDX-License-Identifier: MIT
 * A picture in memory as the transforms want it: one plane per colour, samples as they are stored
 * in the file. PNG files in and out of it; nothing else knows PNG.
 */
#ifndef WEFT_TOOL_FILES_IMAGE_H
#define WEFT_TOOL_FILES_IMAGE_H

#include <stddef.h>

#include "shell/input.h"
#include "shell/output.h"

typedef struct image {
    size_t height, width;
    size_t planes; /* 1 gray, 3 red, green, blue */
    int depth;     /* 8: samples are unsigned char, 0..255; 16: unsigned short, native, 0..65535 */
    void *pixels;  /* [planes][H][W] */
    void *alpha;   /* [H][W], or NULL */
} image;

/* All functions that return int give an exit code and have complained. */
int image_allocate(image *picture, size_t height, size_t width, size_t planes, int depth,
                   int has_alpha);
void image_free(image *picture); /* fine when zeroed, and twice */

size_t image_sample_bytes(const image *picture);       /* 1 or 2 */
size_t image_plane_samples(const image *picture);      /* H * W */
unsigned image_largest(int depth);                     /* 255 or 65535 */
unsigned image_to_8_bits(unsigned value);              /* of 16 bits: the nearest one of 8 */
unsigned image_sample(const image *picture, size_t i); /* pixels, planes one after the other */
void image_set_sample(image *picture, size_t i, unsigned value);

/* One row between the planes and the order of a PNG file: R G B A R G B A ... */
size_t image_channels(const image *picture);
void image_split_row(image *picture, size_t row, const void *interleaved);
void image_join_row(const image *picture, size_t row, void *interleaved);

/* Colour to luma, Y = 0.299 R + 0.587 G + 0.114 B, rounded; alpha stays. */
void image_to_gray(image *picture);

/* Gray of 1, 2 and 4 bits becomes 0..255, a palette its colours, transparent colours alpha. Refuses
 * more than max_pixels before it allocates anything. */
int image_read_png(image *picture, const char *path, size_t max_pixels);
int image_read_open_png(image *picture, input *in, size_t max_pixels); /* from where it stands */
int image_write_png(const image *picture, output *out);

#endif
