/* SPDX-License-Identifier: MIT
 * Drawn videos, the same on every machine, before the leaves of scene.h:
 *     pan    the camera moves to the right, a pixel and a half a frame, and after 64 frames back
 *     flash  nothing moves, but some frames are brighter, as if lit by a photographer
 *     masts  nine thin bars swing before a background that rests
 *     discs  twelve leaves move slowly before a background that rests
 *     rush   the camera moves as in pan, and twenty leaves race before it
 * A frame depends on size, seed and its number alone; Y does not depend on the chroma.
 */
#ifndef WEFT_TOOL_FILES_SEQUENCE_H
#define WEFT_TOOL_FILES_SEQUENCE_H

#include "files/movers.h"
#include "files/video.h"

extern const char *const sequence_words[]; /* their names; NULL at the end */
const char *sequence_about(int which);     /* one line of words */

typedef struct sequence {
    video_format format;
    const struct sequence_kind *kind;
    uint64_t seed;
    size_t rows, columns; /* of the canvas: of a view, and how far the camera moves */
    uint8_t *canvas;      /* [3][rows][columns]: Y, Cb, Cr of all that rests */
    view seen;            /* what the camera sees */
} sequence;

/* `which`: of sequence_words. An exit code; complains of a lack of memory itself. */
int sequence_open(sequence *s, int which, size_t height, size_t width, video_chroma chroma,
                  uint64_t seed);
/* Any frame, as video.h lays it out. */
void sequence_frame(sequence *s, size_t number, uint8_t *samples);
void sequence_close(sequence *s); /* fine after a failure of sequence_open, and twice */

#endif
