/* SPDX-License-Identifier: MIT
 * What the kinds of video files share: the shapes of planes, the colours, and which kind a file is.
 */
#include "files/video.h"

#include <stdio.h>
#include <stdlib.h>

#include "shell/complain.h"

/* ---- planes ---------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    size_t planes, row_step, column_step;
} chromas[VIDEO_CHROMAS] = {
    [VIDEO_MONO] = {"mono", 1, 1, 1},
    [VIDEO_420] = {"420", 3, 2, 2},
    [VIDEO_420_JPEG] = {"420jpeg", 3, 2, 2},
    [VIDEO_420_MPEG2] = {"420mpeg2", 3, 2, 2},
    [VIDEO_420_PALDV] = {"420paldv", 3, 2, 2},
    [VIDEO_422] = {"422", 3, 1, 2},
    [VIDEO_444] = {"444", 3, 1, 1},
};

const char *video_chroma_word(video_chroma chroma) {
    return chromas[chroma].word;
}

size_t video_row_step(video_chroma chroma) {
    return chromas[chroma].row_step;
}

size_t video_column_step(video_chroma chroma) {
    return chromas[chroma].column_step;
}

size_t video_planes(video_chroma chroma) {
    return chromas[chroma].planes;
}

static size_t rounded_up(size_t samples, size_t step) {
    return samples / step + (samples % step != 0);
}

video_plane video_plane_at(const video_format *format, size_t plane) {
    video_plane luma = {.rows = format->height, .columns = format->width}, colour;

    if (plane == 0) {
        return luma;
    }
    colour.rows = rounded_up(format->height, chromas[format->chroma].row_step);
    colour.columns = rounded_up(format->width, chromas[format->chroma].column_step);
    colour.start = luma.rows * luma.columns + (plane - 1) * colour.rows * colour.columns;
    return colour;
}

size_t video_frame_bytes(const video_format *format) {
    const video_plane last = video_plane_at(format, chromas[format->chroma].planes - 1);

    return last.start + last.rows * last.columns;
}

/* ---- colours --------------------------------------------------------------------------------- */

static uint8_t to_byte(int32_t scaled) {
    const int32_t value = scaled / 65536;

    return (uint8_t)(value < 0 ? 0 : value > UINT8_MAX ? UINT8_MAX : value);
}

/* Weights times 2^16; those of Y add up to 1, those of Cb and Cr to 0. */
void video_of_rgb(unsigned red, unsigned green, unsigned blue, uint8_t ycc[VIDEO_MOST_PLANES]) {
    const int32_t r = (int32_t)red, g = (int32_t)green, b = (int32_t)blue;
    const int32_t half = 32768, neutral = VIDEO_NEUTRAL * 65536 + half;

    ycc[0] = to_byte(19595 * r + 38470 * g + 7471 * b + half);
    ycc[1] = to_byte(-11059 * r - 21709 * g + 32768 * b + neutral);
    ycc[2] = to_byte(32768 * r - 27439 * g - 5329 * b + neutral);
}

/* The colours whose weights these are the inverse of; times 2^16 again. */
void video_to_rgb(const uint8_t ycc[VIDEO_MOST_PLANES], uint8_t rgb[VIDEO_MOST_PLANES]) {
    const int32_t y = ycc[0] * 65536 + 32768;
    const int32_t cb = ycc[1] - VIDEO_NEUTRAL, cr = ycc[2] - VIDEO_NEUTRAL;

    rgb[0] = to_byte(y + 91881 * cr);
    rgb[1] = to_byte(y - 22554 * cb - 46802 * cr);
    rgb[2] = to_byte(y + 116130 * cb);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* By its first byte, which stays to be read: no picture begins as Y4M does. */
static int find_kind(video *v) {
    int first = 0;
    const int code = input_peek(&v->in, &first);

    v->kind = first == 'Y' ? &y4m_kind : &picture_kind;
    return code;
}

int video_check_size(const video *v, size_t max_pixels) {
    const video_format *f = &v->format;

    return f->width <= max_pixels / f->height
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT, "%s: %zux%zu is %.0f pixels; --max-pixels is %zu",
                          v->in.path, f->height, f->width, (double)f->height * (double)f->width,
                          max_pixels);
}

int video_truncated(const video *v, size_t got, size_t wanted) {
    return complain(EXIT_BAD_INPUT, "%s: frame %zu is truncated: %zu bytes of %zu", v->in.path,
                    v->frames, got, wanted);
}

int video_expect_frame(video *v, size_t bytes) {
    const size_t left = input_left(&v->in);

    return left == 0 || left >= bytes ? EXIT_DONE : video_truncated(v, left, bytes);
}

int video_open(video *v, const char *path, size_t height, size_t width, size_t max_pixels) {
    int code;

    *v = (video){.format = {.height = height, .width = width, .interlacing = '?'}};
    code = input_open(&v->in, path);
    if (code == EXIT_DONE && height > 0) {
        v->kind = &yuy2_kind;
    } else if (code == EXIT_DONE) {
        code = find_kind(v);
    }
    if (code == EXIT_DONE) {
        code = v->kind->open(v, max_pixels);
    }
    if (code != EXIT_DONE) {
        video_close(v);
    }
    return code;
}

int video_read(video *v, uint8_t *samples, int *has_frame) {
    int code;

    *has_frame = 0;
    code = v->kind->read(v, samples, has_frame);
    v->frames += (size_t)*has_frame;
    return code;
}

void video_close(video *v) {
    input_close(&v->in);
    free(v->row);
    v->row = NULL;
    image_free(&v->picture);
}
