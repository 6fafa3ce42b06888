/* SPDX-License-Identifier: MIT
 * What a TIFF says of a page besides its pixels, from TIFF to TIFF: how large a pixel is, its
 * colour profile, which goes to and from other formats, too, and the lines in which ImageJ says the
 * unit and what it knows of a stack.
 */
#ifndef WEFT_TOOL_FILES_TIFF_EXTRAS_H
#define WEFT_TOOL_FILES_TIFF_EXTRAS_H

#include <tiffio.h>

#include "files/image.h"

/* Of the page that has been read, before it is turned upright. An exit code. */
int tiff_extras_keep(TIFF *tiff, image *picture);
/* Into the page of such a file that is written; libtiff says what fails. */
void tiff_extras_write(TIFF *tiff, const image *picture, const char *path);

extern const char tiff_of_imagej[]; /* how a description by ImageJ begins */

#endif
