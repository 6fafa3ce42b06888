/* SPDX-License-Identifier: MIT
 * The chunks of a PNG file that a picture keeps until it is a PNG file again: profile, gamma,
 * resolution, EXIF.
 */
#ifndef WEFT_TOOL_FILES_PNG_EXTRAS_H
#define WEFT_TOOL_FILES_PNG_EXTRAS_H

#include "files/image.h"

#include <png.h>

extern const char png_format[];  /* of extras */
extern const char png_profile[]; /* the chunk */

void png_extras_want(png_structp png); /* before the header is read */
/* Once all before the pixels is read. An exit code. */
int png_extras_keep(png_structp png, png_infop info, image *picture);

#endif
