/* SPDX-License-Identifier: MIT
 * Tight spectra from one layout to another, in one precision. convert.c checks the arguments and
 * calls the function of the right precision.
 */
#ifndef WEFT_CONVERT_LAYOUT_H
#define WEFT_CONVERT_LAYOUT_H

#include <stddef.h>

void packed_to_half_f32(size_t height, size_t width, const void *packed, void *half);
void packed_to_half_f64(size_t height, size_t width, const void *packed, void *half);
void half_to_packed_f32(size_t height, size_t width, const void *half, void *packed);
void half_to_packed_f64(size_t height, size_t width, const void *half, void *packed);
void packed_to_full_f32(size_t height, size_t width, const void *packed, void *full);
void packed_to_full_f64(size_t height, size_t width, const void *packed, void *full);

#endif
