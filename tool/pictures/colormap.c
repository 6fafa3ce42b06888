/* SPDX-License-Identifier: MIT
 * Ten colours of each map, evenly spaced, and straight lines between them.
 */
#include "pictures/colormap.h"

#include <stddef.h>

enum { COLORS = 10, FIRST_OF_TABLE = 1 };

const char *const colormap_words[] = {"gray", "viridis", "inferno", "twilight", NULL};

static const unsigned colors[][COLORS] = {{0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                           0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725},
                                          {0x000004, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60,
                                           0xcf4446, 0xed6925, 0xfb9b06, 0xf7d13d, 0xfcffa4},
                                          {0xe2d9e2, 0x9ebbc9, 0x6785be, 0x5e43a5, 0x421257,
                                           0x471340, 0x8e2c50, 0xba6657, 0xceac94, 0xe2d9e2}};

void colormap_color(int map, double level, double color[3]) {
    const double at = level * (COLORS - 1);
    const int before = at >= COLORS - 1 ? COLORS - 2 : (int)at;
    const unsigned *pair = map < FIRST_OF_TABLE ? NULL : colors[map - FIRST_OF_TABLE] + before;

    for (int i = 0; i < 3; i++) {
        const int shift = 8 * (2 - i);
        const double low = pair ? (pair[0] >> shift & 0xff) / 255.0 : 0;
        const double high = pair ? (pair[1] >> shift & 0xff) / 255.0 : 1;

        color[i] = pair ? low + (high - low) * (at - before) : level;
    }
}
