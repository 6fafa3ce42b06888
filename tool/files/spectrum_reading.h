/* SPDX-License-Identifier: MIT
 * Whether complex numbers are half a spectrum, as of numpy.fft.rfft2, or all of it, as of fft2.
 */
#ifndef WEFT_TOOL_FILES_SPECTRUM_READING_H
#define WEFT_TOOL_FILES_SPECTRUM_READING_H

#include "files/spectrum.h"

/* Where an array can be both, the more probable is first. One of one or two columns is its own
 * half. */
typedef enum spectrum_reading {
    READ_HALF,
    READ_FULL,
    READ_HALF_OR_FULL,
    READ_FULL_OR_HALF
} spectrum_reading;

/* Of layout half, in which all columns of the array are counted. */
spectrum_reading spectrum_find_reading(const spectrum *s);

/* Whether the largest number is where numpy.fft.fftshift puts the mean: in the middle of an fft2,
 * or of the first column of an rfft2. A picture without negative values has no such spectrum. */
int spectrum_looks_shifted(const spectrum *s);

#endif
