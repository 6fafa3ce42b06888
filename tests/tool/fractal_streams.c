/* SPDX-License-Identifier: MIT
 * Writes streams of the fractal codec and what the library decodes them to, for test_fvc1.py:
 * fractal_streams FOLDER. For each case NAME.fvc, and for each size that it is decoded in
 * NAME.1.planes and so on: all planes of all frames, one behind the other.
 */
#include <stdio.h>

#include "expect.h"
#include "fractal_clips.h"

typedef struct stream_case {
    const char *name;
    scene what;
    int frames;
    weft_fractal_desc desc;
} stream_case;

static const stream_case cases[] = {
    {"mono", SCENE_MOVING, 3, {.height = 40, .width = 56}},
    {"one-pixel", SCENE_MOVING, 2, {.height = 1, .width = 1, .chroma = WEFT_FRACTAL_420}},
    {"odd-420", SCENE_CUT, 5, {.height = 37, .width = 51, .chroma = WEFT_FRACTAL_420}},
    {"odd-422", SCENE_CUT, 4, {.height = 19, .width = 45, .chroma = WEFT_FRACTAL_422}},
    {"444", SCENE_MOVING, 2, {.height = 24, .width = 33, .chroma = WEFT_FRACTAL_444}},
    {"raw", SCENE_CUT, 4, {.height = 37, .width = 51, .chroma = WEFT_FRACTAL_420, .raw_codes = 1}},
    {"refresh", SCENE_CUT, 5, {.height = 33, .width = 40, .refresh = 2, .frames = 5}},
    {"extreme", SCENE_EXTREME, 2, {.height = 32, .width = 32, .no_flat = 1, .trunc_mean = 1}},
    {"flat",
     SCENE_FLAT,
     2,
     {.height = 17, .width = 9, .iterations = 1, .fps_numerator = 30000, .fps_denominator = 1001}},
    {"dense",
     SCENE_CUT,
     4,
     {.height = 37, .width = 51, .chroma = WEFT_FRACTAL_420, .profile = WEFT_FRACTAL_DENSE}},
    {"dense-raw",
     SCENE_CUT,
     3,
     {.height = 20, .width = 29, .profile = WEFT_FRACTAL_DENSE, .raw_codes = 1}},
    {"no-frames", SCENE_FLAT, 0, {.height = 8, .width = 8}},
};

static void save(const char *folder, const char *name, const char *kind, const uint8_t *bytes,
                 size_t count) {
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, kind);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static void write_case(const char *folder, const stream_case *c) {
    stream s = encode_scene(&c->desc, c->what, c->frames);
    save(folder, c->name, "fvc", s.bytes, s.size);
    for (size_t scale = 1; scale <= 4; scale *= 2) {
        const weft_fractal_desc *d = &c->desc;
        const weft_fractal_decoding how = {.scale = (int)scale};
        size_t bytes =
            (size_t)c->frames * picture_bytes(d->height * scale, d->width * scale, d->chroma);
        uint8_t *pixels = must_alloc(bytes);
        char kind[20];
        int frames;
        if (decode_stream(s.bytes, s.size, &how, pixels, c->frames + 1, &frames) != WEFT_OK ||
            frames != c->frames) {
            fprintf(stderr, "%s: %d frames: %s\n", c->name, frames, weft_last_error());
            exit(1);
        }
        snprintf(kind, sizeof kind, "%zu.planes", scale);
        save(folder, c->name, kind, pixels, bytes);
        free(pixels);
    }
    free(s.bytes);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: fractal_streams FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_case(argv[1], &cases[i]);
    }
    return 0;
}
