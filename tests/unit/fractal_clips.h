/* SPDX-License-Identifier: MIT
 * Small clips for the tests of the fractal codec: drawn, encoded into memory, and decoded again.
 */
#ifndef WEFT_TESTS_UNIT_FRACTAL_CLIPS_H
#define WEFT_TESTS_UNIT_FRACTAL_CLIPS_H

#include <stddef.h>
#include <stdint.h>

#include "weft_fractal.h"

enum { MOST_FRAMES = 8 };

/* What is drawn. */
typedef enum scene {
    SCENE_MOVING,  /* waves with a square that moves over them, and noise of 3 bits */
    SCENE_EXTREME, /* noise of 0 and 255 */
    SCENE_FLAT,    /* one value */
    SCENE_CUT      /* as SCENE_MOVING, with another picture from frame 2 on */
} scene;

/* One frame, all planes in one block of memory, which is freed by free(plane[0]). */
weft_fractal_picture draw(scene what, size_t height, size_t width, weft_fractal_chroma chroma,
                          int frame);

/* Bytes of all planes of one frame. */
size_t picture_bytes(size_t height, size_t width, weft_fractal_chroma chroma);

/* The planes of such a picture in a block. */
weft_fractal_picture picture_in(uint8_t *block, size_t height, size_t width,
                                weft_fractal_chroma chroma);

typedef struct stream {
    uint8_t *bytes;
    size_t size, begin[MOST_FRAMES + 1]; /* begin[0]: where the first frame begins */
    int frames;
    weft_fractal_frame frame[MOST_FRAMES];
} stream;

/* Encodes so many frames of a scene; free(bytes) when done. Ends the test if it fails. */
stream encode_scene(const weft_fractal_desc *desc, scene what, int frames);

/* The same from pictures that the caller has. */
stream encode_pictures(const weft_fractal_desc *desc, const weft_fractal_picture *pictures,
                       int frames);

/* Decodes a whole stream into frames one behind the other, or NULL for codes alone. Returns the
 * first status that is no success, after so many *frames. */
weft_status decode_stream(const uint8_t *bytes, size_t size, const weft_fractal_decoding *decoding,
                          uint8_t *pixels, int most_frames, int *frames);

#endif
