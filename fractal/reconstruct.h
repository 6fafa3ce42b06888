/* SPDX-License-Identifier: MIT
 * Codes and a half image -> pixels, in integers, as docs/fvc1.md says. Blocks may be enlarged.
 */
#ifndef WEFT_FRACTAL_RECONSTRUCT_H
#define WEFT_FRACTAL_RECONSTRUCT_H

#include <stdint.h>

#include "blocks.h"

enum { START_VALUE = 128 }; /* of all pixels before the first iteration */

/* All ranges that have a code, into the padded plane; others stay as they are. */
void reconstruct(const plane_blocks *b, weft_fractal_profile profile,
                 const weft_fractal_code *codes, const uint16_t *half, uint8_t *plane);

/* One iteration: all ranges from the plane as it is. Makes its half image on the way. */
void reconstruct_from_itself(const plane_blocks *b, weft_fractal_profile profile,
                             const weft_fractal_code *codes, uint16_t *half, uint8_t *plane);

#endif
