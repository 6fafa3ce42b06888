/* SPDX-License-Identifier: MIT
 * Frames in memory: of a drawn sequence, or the first ones of a file.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_FILM_H
#define WEFT_TOOL_COMMANDS_FRACTAL_FILM_H

#include "files/video.h"
#include "weft_fractal.h"

typedef struct film_source {
    const char *path;     /* NULL: drawn */
    size_t height, width; /* of drawn frames */
    int sequence;         /* of sequence_words */
    size_t frames;        /* the most */
} film_source;

enum { FILM_NAME_SIZE = 1024 };

typedef struct film {
    char name[FILM_NAME_SIZE]; /* of the sequence or file, by json_label() */
    video_format format;
    size_t frames;
    uint8_t *samples;
} film;

/* An exit code, after a complaint; also of a file without frames. */
int film_open(film *f, const film_source *source);
uint8_t *film_frame(const film *f, size_t number);
void film_close(film *f); /* fine when zeroed */

/* A description with the size and chroma of the film. */
weft_fractal_desc film_describe(const film *f, const weft_fractal_desc *desc);

#endif
