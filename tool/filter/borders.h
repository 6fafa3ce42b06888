/* SPDX-License-Identifier: MIT
 * What a filter sees beyond the borders of a picture. The transform takes a picture for one tile of
 * an endless floor, so the picture is enlarged by as much as the filter reaches: behind the last
 * row lies first what follows it, then what precedes the first one; and so for columns.
 */
#ifndef WEFT_TOOL_FILTER_BORDERS_H
#define WEFT_TOOL_FILTER_BORDERS_H

#include <stddef.h>

#include "weft.h"

typedef enum border { REFLECT, REFLECT101, REPLICATE, ZERO, WRAP } border;
extern const char *const border_words[];              /* as --pad has them; NULL at the end */
const char *border_about(border b);                   /* a line for people */
size_t border_index(border b, long i, size_t length); /* SIZE_MAX: there is a 0 */

/* height and width of desc become those of a plan that is fast and large enough; where enough is as
 * good as endless, exact. reach: pixels, or HUGE_VAL. is_strip: the height is that of a part of the
 * rows, whose neighbours are rows of the picture. WEFT_BAD_ARGUMENT where there is no such size. */
weft_status border_enlarge(border b, double reach, int is_strip, weft_desc *desc);

/* Two waves of a mirrored picture that are to go on beyond the border as if there was none: each
 * pixel there is one near the mirrored one, where both waves are as they would be. */
typedef struct going_on {
    double row[2], column[2]; /* cycles per pixel, downwards and to the right */
} going_on;

/* All of the picture, or a strip of its rows, lies in the first rows and the first `width` columns
 * of the plane, rows of the picture that are its neighbours where border_row() says; the rest of
 * the plane is filled. */
typedef struct bordered {
    border border;
    size_t height, width;             /* of the picture */
    size_t first, rows;               /* of the strip; 0 and height */
    size_t plane_height, plane_width; /* of the plane */
    size_t bytes;                     /* of a value: 1, 2, 4, 8 */
    const going_on *waves;            /* or NULL; not of a strip */
} bordered;
size_t border_row(const bordered *b, size_t m);  /* the picture's in row m; SIZE_MAX: none of it */
size_t border_end(const bordered *b);            /* of the picture's rows: none in b is as far */
int border_fill(const bordered *b, void *plane); /* an exit code, after a complaint */

#endif
