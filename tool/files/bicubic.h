/* SPDX-License-Identifier: MIT
 * A plane of 8 bits, enlarged by Keys' cubic convolution (a = -1/2), as most programs do it.
 */
#ifndef WEFT_TOOL_FILES_BICUBIC_H
#define WEFT_TOOL_FILES_BICUBIC_H

#include <stddef.h>
#include <stdint.h>

/* samples[rows][columns] to the first enlarged_rows x enlarged_columns of `scale` times as many;
 * scale: 1, 2 or 4. */
void bicubic_enlarge(const uint8_t *samples, size_t rows, size_t columns, size_t scale,
                     uint8_t *enlarged, size_t enlarged_rows, size_t enlarged_columns);

#endif
