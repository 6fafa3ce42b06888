/* SPDX-License-Identifier: MIT
 * Draws or reads frames into memory; see film.h.
 */
#include "commands/fractal/film.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/fractal/planes.h"
#include "files/sequence.h"
#include "shell/complain.h"
#include "shell/json_file.h"
#include "shell/options.h"
#include "shell/progress.h"

uint8_t *film_frame(const film *f, size_t number) {
    return f->samples + number * video_frame_bytes(&f->format);
}

weft_fractal_desc film_describe(const film *f, const weft_fractal_desc *desc) {
    weft_fractal_desc filled = *desc;

    filled.height = f->format.height;
    filled.width = f->format.width;
    filled.chroma = chroma_of_video(f->format.chroma);
    return filled;
}

static int take_memory(film *f, size_t frames) {
    f->samples = allocate(frames, video_frame_bytes(&f->format));
    return f->samples ? EXIT_DONE : EXIT_MEMORY;
}

static int draw(film *f, const film_source *source) {
    sequence drawn;
    int code;

    json_label(f->name, sizeof f->name, sequence_words[source->sequence]);
    progress_start("drawing");
    code = sequence_open(&drawn, source->sequence, source->height, source->width, VIDEO_422, 0);
    if (code == EXIT_DONE) {
        f->format = drawn.format;
        code = take_memory(f, source->frames);
    }
    for (; code == EXIT_DONE && f->frames < source->frames; f->frames++) {
        sequence_frame(&drawn, f->frames, film_frame(f, f->frames));
    }
    progress_end();
    sequence_close(&drawn);
    return code;
}

static int read_frames(film *f, video *in, size_t most) {
    int has_frame = 1, code = EXIT_DONE;

    while (code == EXIT_DONE && has_frame && f->frames < most) {
        code = video_read(in, film_frame(f, f->frames), &has_frame);
        f->frames += (size_t)has_frame;
    }
    return code == EXIT_DONE && f->frames == 0
               ? complain(EXIT_BAD_INPUT, "%s: has no frame", in->in.path)
               : code;
}

static int load(film *f, const film_source *source) {
    video in;
    int code = video_open(&in, source->path, 0, 0, DEFAULT_MAX_PIXELS);

    json_label(f->name, sizeof f->name, source->path);
    if (code == EXIT_DONE) {
        f->format = in.format;
        code = take_memory(f, in.kind == &picture_kind ? 1 : source->frames);
    }
    if (code == EXIT_DONE) {
        code = read_frames(f, &in, in.kind == &picture_kind ? 1 : source->frames);
    }
    video_close(&in);
    return code;
}

int film_open(film *f, const film_source *source) {
    const int code = source->path != NULL ? load(f, source) : draw(f, source);

    if (code != EXIT_DONE) {
        film_close(f);
    }
    return code;
}

void film_close(film *f) {
    free(f->samples);
    f->samples = NULL;
}
