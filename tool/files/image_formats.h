/* SPDX-License-Identifier: MIT
 * The formats of picture files, a file for each. image_file.c chooses among them; nothing else
 * knows one, but for PNG.
 */
#ifndef WEFT_TOOL_FILES_IMAGE_FORMATS_H
#define WEFT_TOOL_FILES_IMAGE_FORMATS_H

#include "files/image.h"

/* A picture that is read is zeroed, and freed by the caller if reading fails. */
typedef int image_reader(image *picture, input *in, size_t max_pixels);
typedef int image_writer(const image *picture, output *out, const image_options *options);

image_reader image_png_read;
image_writer image_png_write;

/* EXIT_BAD_INPUT if H * W is more than that, or a side is 0. */
int image_check_size(const char *path, size_t height, size_t width, size_t max_pixels);

#endif
