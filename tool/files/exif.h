/* SPDX-License-Identifier: MIT
 * EXIF, what a camera says about a picture: small TIFF directories in memory. What no longer is
 * true of a picture that was turned upright and filtered is changed in place.
 */
#ifndef WEFT_TOOL_FILES_EXIF_H
#define WEFT_TOOL_FILES_EXIF_H

#include <stddef.h>

#include "files/image.h"

/* 1 to 8, as EXIF numbers them: 1 upright, the default where nothing else is said. From then on it
 * says 1, and its sizes and resolutions are those of the picture turned upright. bytes: from the
 * order of bytes on, "II*" or "MM". */
int exif_take_orientation(unsigned char *bytes, size_t count);

/* Wipes out the small picture, which shows what this one was before. */
void exif_forget_thumbnail(unsigned char *bytes, size_t count);

/* Turns and mirrors the planes so that an orientation becomes 1. An exit code. */
int image_turn_upright(image *picture, int orientation);

#endif
