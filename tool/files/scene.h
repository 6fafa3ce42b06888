/* SPDX-License-Identifier: MIT
 * A test picture with the statistics of natural ones, the same on every machine.
 */
#ifndef WEFT_TOOL_FILES_SCENE_H
#define WEFT_TOOL_FILES_SCENE_H

#include <stddef.h>
#include <stdint.h>

enum { SCENE_LONGEST_SIDE = 32768, SCENE_SMALLEST_RADIUS = 2 };

/* pixels[planes][H][W], values 0..255 (depth 8) or 0..65535 (depth 16), planes 1 or 3. The picture
 * of depth 8 is that of depth 16, rounded. Returns an exit code; complains of a lack of memory
 * itself. */
int scene_render(size_t height, size_t width, int depth, size_t planes, uint64_t seed,
                 uint16_t *pixels);

/* The same with other leaves: none is smaller than this radius, instead of SCENE_SMALLEST_RADIUS.
 */
int scene_render_from(int64_t smallest_radius, size_t height, size_t width, int depth,
                      size_t planes, uint64_t seed, uint16_t *pixels);

#endif
