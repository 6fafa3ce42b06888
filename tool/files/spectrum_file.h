/* SPDX-License-Identifier: MIT
 * A picture's spectrum as a file: a .npy array, then a trailer with what the way back needs and an
 * array cannot say. NumPy ignores the trailer; a file without one (from numpy.save) is read too.
 */
#ifndef WEFT_TOOL_FILES_SPECTRUM_FILE_H
#define WEFT_TOOL_FILES_SPECTRUM_FILE_H

#include "files/spectrum.h"
#include "shell/output.h"

/* The array: layout half: complex (H, W/2 + 1), as numpy.fft.rfft2 of the pixels; layout packed:
 * real (H, W), see weft.h. Colour pictures have a first dimension of 3: red, green, blue. The
 * trailer, little-endian: 8 bytes "WEFTSPEC"; u32 version, 1; u32 CRC-32 (zlib's) of all bytes that
 * follow; u64 H; u64 W; u32 planes, 1 or 3; u32 depth of the pixels, 8, 16 or, of floats, 32; u32
 * layout, u32 norm,
 * u32 precision, the numbers of weft.h's enums; u32 zero; u64 bytes of alpha, 0 or H * W * depth/8;
 * alpha. The checksum leaves the array out, so that the values may be edited in place:
 * numpy.load(mmap_mode="r+"). */

/* What the user says about a file that may not say it itself; -1, or a width of 0, for nothing. */
typedef struct spectrum_facts {
    size_t width;
    int depth, layout, norm;
    const char *like; /* the picture that width and depth were taken from, or NULL */
} spectrum_facts;

/* Exit codes, after a complaint. What has been read is finite. */
int spectrum_write(const spectrum *s, output *out);
int spectrum_read(spectrum *s, const char *path, size_t max_pixels, const spectrum_facts *given);

#endif
