/* SPDX-License-Identifier: MIT
 * Clips for tests, see fractal_clips.h.
 */
#include "fractal_clips.h"

#include <string.h>

#include "expect.h"
#include "random.h"

size_t picture_bytes(size_t height, size_t width, weft_fractal_chroma chroma) {
    size_t bytes = 0;
    for (int i = 0; i < WEFT_FRACTAL_PLANES; i++) {
        bytes += weft_fractal_plane_height(height, chroma, i) *
                 weft_fractal_plane_width(width, chroma, i);
    }
    return bytes;
}

weft_fractal_picture picture_in(uint8_t *block, size_t height, size_t width,
                                weft_fractal_chroma chroma) {
    weft_fractal_picture p = {{NULL}, {0}};
    for (int i = 0; i < WEFT_FRACTAL_PLANES; i++) {
        size_t rows = weft_fractal_plane_height(height, chroma, i);
        p.plane[i] = rows > 0 ? block : NULL;
        block += rows * weft_fractal_plane_width(width, chroma, i);
    }
    return p;
}

/* A triangle wave of the given length, 0 to 200. */
static int wave(size_t at, size_t length) {
    size_t phase = at % length;
    return (int)(200 * (phase < length / 2 ? phase : length - phase) / (length / 2));
}

static uint8_t pixel(scene what, int frame, int plane, size_t m, size_t n, uint64_t noise) {
    size_t from = 5 + 9 * (size_t)frame;
    int is_other = what == SCENE_CUT && frame >= 2;
    switch (what) {
    case SCENE_EXTREME:
        return noise % 2 ? 255 : 0;
    case SCENE_FLAT:
        return (uint8_t)(77 + plane);
    case SCENE_MOVING:
    case SCENE_CUT:
    default:
        if (m >= 3 && m < 16 && n >= from && n < from + 14) {
            return (uint8_t)(20 + 15 * plane + (int)(noise % 4));
        }
        return (uint8_t)((is_other ? wave(m + 2 * n, 38) : wave(m + 3 * (size_t)plane * n, 22)) /
                             2 +
                         wave(n, is_other ? 90 : 54) / 2 + (int)(noise % 8));
    }
}

weft_fractal_picture draw(scene what, size_t height, size_t width, weft_fractal_chroma chroma,
                          int frame) {
    uint64_t state = seed_of(height, width, (size_t)frame);
    weft_fractal_picture p =
        picture_in(must_alloc(picture_bytes(height, width, chroma)), height, width, chroma);
    for (int i = 0; i < WEFT_FRACTAL_PLANES; i++) {
        size_t rows = weft_fractal_plane_height(height, chroma, i);
        size_t columns = weft_fractal_plane_width(width, chroma, i);
        for (size_t k = 0; k < rows * columns; k++) {
            p.plane[i][k] = pixel(what, frame, i, k / columns, k % columns, next_random(&state));
        }
    }
    return p;
}

stream encode_pictures(const weft_fractal_desc *desc, const weft_fractal_picture *pictures,
                       int frames) {
    weft_fractal_encoder *encoder;
    stream s = {.frames = frames};
    check(weft_fractal_encoder_create(&encoder, desc) == WEFT_OK, "%s", weft_last_error());
    size_t bound = weft_fractal_encoder_bound(encoder), written;
    s.bytes = must_alloc((size_t)(frames + 1) * bound);
    assert_int_equal(weft_fractal_write_header(encoder, s.bytes, &s.size), WEFT_OK);
    for (int i = 0; i < frames; i++) {
        s.begin[i] = s.size;
        check(weft_fractal_encode(encoder, &pictures[i], s.bytes + s.size, &written, &s.frame[i]) ==
                  WEFT_OK,
              "%s", weft_last_error());
        assert_true(written <= bound);
        s.size += written;
    }
    s.begin[frames] = s.size;
    weft_fractal_encoder_destroy(encoder);
    return s;
}

stream encode_scene(const weft_fractal_desc *desc, scene what, int frames) {
    weft_fractal_picture pictures[MOST_FRAMES] = {{{NULL}, {0}}};
    for (int i = 0; i < frames; i++) {
        pictures[i] = draw(what, desc->height, desc->width, desc->chroma, i);
    }
    stream s = encode_pictures(desc, pictures, frames);
    for (int i = 0; i < frames; i++) {
        free(pictures[i].plane[0]);
    }
    return s;
}

/* ---- decode ------------------------------------------------------------------------------------
 */

typedef weft_status (*ask_size)(const void *of, const uint8_t *bytes, size_t count, size_t *size);

static weft_status header_size(const void *of, const uint8_t *bytes, size_t count, size_t *size) {
    (void)of;
    return weft_fractal_header_size(bytes, count, size);
}

static weft_status frame_size(const void *of, const uint8_t *bytes, size_t count, size_t *size) {
    return weft_fractal_frame_size(of, bytes, count, size);
}

/* As who reads from a pipe: has as many bytes as it was told to have, and asks again. What is there
 * lies in memory of its own, so that sanitizers see when more is read. *taken is 0 if the stream
 * ends before. */
static weft_status take(ask_size ask, const void *of, const uint8_t *bytes, size_t left,
                        size_t *taken) {
    size_t have = 0, size;
    for (;;) {
        uint8_t *copy = must_alloc(have);
        memcpy(copy, bytes, have);
        weft_status status = ask(of, copy, have, &size);
        free(copy);
        *taken = 0;
        if (status != WEFT_OK || size > left) {
            return status;
        }
        *taken = size;
        if (size <= have) {
            return WEFT_OK;
        }
        have = size;
    }
}

static weft_status decode_frames(weft_fractal_decoder *d, const uint8_t *bytes, size_t size,
                                 uint8_t *pixels, int most_frames, int *frames) {
    const weft_fractal_stream *s = weft_fractal_decoder_stream(d);
    size_t height = weft_fractal_decoder_height(d), width = weft_fractal_decoder_width(d), taken;
    size_t each = picture_bytes(height, width, s->chroma);
    weft_status status;
    while (size > 0 && *frames < most_frames) {
        if ((status = take(frame_size, d, bytes, size, &taken)) != WEFT_OK) {
            return status;
        }
        if (taken == 0) {
            return WEFT_BAD_DATA; /* it ends within a frame */
        }
        weft_fractal_picture p = {{NULL}, {0}};
        if (pixels != NULL) {
            p = picture_in(pixels + (size_t)*frames * each, height, width, s->chroma);
        }
        if ((status = weft_fractal_decode(d, bytes, taken, pixels != NULL ? &p : NULL)) !=
            WEFT_OK) {
            return status;
        }
        bytes += taken;
        size -= taken;
        (*frames)++;
    }
    return weft_fractal_decoder_end(d);
}

weft_status decode_stream(const uint8_t *bytes, size_t size, const weft_fractal_decoding *decoding,
                          uint8_t *pixels, int most_frames, int *frames) {
    weft_fractal_decoder *d;
    size_t taken;
    *frames = 0;
    weft_status status = take(header_size, NULL, bytes, size, &taken);
    if (status != WEFT_OK) {
        return status;
    }
    if (taken == 0) {
        return WEFT_BAD_DATA;
    }
    if ((status = weft_fractal_decoder_create(&d, decoding, bytes, taken)) != WEFT_OK) {
        assert_null(d);
        return status;
    }
    status = decode_frames(d, bytes + taken, size - taken, pixels, most_frames, frames);
    weft_fractal_decoder_destroy(d);
    return status;
}
