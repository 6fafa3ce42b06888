/* SPDX-License-Identifier: MIT
 * Printed screens: the waves of which the dots of a printed picture consist stand out of its
 * spectrum as peaks, at the sums and differences of two of them. They are looked for there, each
 * beside what is around it, and a notch for each takes the screen away.
 */
#ifndef WEFT_TOOL_FILTER_SCREEN_H
#define WEFT_TOOL_FILTER_SCREEN_H

#include "files/image.h"
#include "shell/options.h"

typedef struct wave {
    double row, column; /* cycles per pixel, downwards and to the right; column >= 0 */
    double power;
} wave;

enum { MOST_WAVES = 64 };
typedef struct screen {
    wave waves[MOST_WAVES]; /* the first two have the periods of the screen, the others theirs */
    size_t count;           /* 0: the picture has no screen */
    double width;           /* of a notch, to each side, where half of a wave is left */
} screen;

/* That of a picture, all colours together. An exit code, after a complaint. */
int screen_find(screen *found, const image *picture, const transform_options *options);
double screen_reach(const screen *s, double least); /* as of a gain */
/* Row k of a spectrum of height rows, its first W/2 + 1 columns. */
void screen_multiply(const screen *s, size_t height, size_t width, size_t k, double *row);
enum { SCREEN_TEXT = 200 };
const char *screen_text(const screen *s, char text[SCREEN_TEXT]); /* of what was found, a line */

#endif
