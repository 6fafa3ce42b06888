/* SPDX-License-Identifier: MIT
 * weft scene: the test picture of scene_render as a PNG file.
 */
#include "files/scene.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/image.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/options.h"
#include "shell/output.h"
#include "shell/parse.h"
#include "shell/progress.h"

enum { KEY_SEED = 0x200, KEY_DEPTH, KEY_RGB };

typedef struct arguments {
    size_t height, width, planes, seed;
    int depth;
    const char *output;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where the picture goes; - is standard output", 0},
    {"seed", KEY_SEED, "N", 0, "Another picture for every N; default 0", 0},
    {"depth", KEY_DEPTH, "8|16", 0, "Bits of a pixel; default 8", 0},
    {"rgb", KEY_RGB, NULL, 0, "In colour", 0},
    {0}};

static void parse_sides(struct argp_state *state, const char *text, arguments *a) {
    if (a->height > 0) {
        argp_error(state, "%s: one size is enough", text);
    }
    if (parse_size(text, &a->height, &a->width)) {
        argp_error(state, "%s: a size is ROWSxCOLUMNS, neither of them 0, such as 1080x1920", text);
    }
    if (a->height > SCENE_LONGEST_SIDE || a->width > SCENE_LONGEST_SIDE) {
        argp_error(state, "%s: rows and columns must be 1 to %d", text, SCENE_LONGEST_SIDE);
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case 'o':
        a->output = file_option(state, "-o", text);
        break;
    case KEY_SEED:
        a->seed = count_option(state, "seed", text, 0, SIZE_MAX);
        break;
    case KEY_DEPTH:
        a->depth = depth_option(state, text);
        break;
    case KEY_RGB:
        a->planes = 3;
        break;
    case ARGP_KEY_ARG:
        parse_sides(state, text, a);
        break;
    case ARGP_KEY_END:
        if (a->height == 0 || !a->output) {
            argp_error(state, a->output ? "no size, such as 2048x2048" : "no output: say -o FILE");
        }
        check_png_output(state, a->output);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "ROWSxCOLUMNS -o OUT.png",
    .doc =
        "Draw a test picture with the statistics of natural ones."
        "\vLeaves of every size lie over each other. The same size, seed and depth give the same "
        "pixels on every machine.\n\n"
        "Examples:\n"
        "  weft scene 2048x2048 -o scene.png\n"
        "  weft scene 1080x1920 --rgb --depth 16 --seed 7 -o scene.png"};

static int render(const arguments *a, image *picture) {
    size_t count = a->planes * a->height * a->width;
    uint16_t *pixels = allocate(count, sizeof *pixels);
    int code = EXIT_MEMORY;

    progress_start("drawing");
    if (pixels) {
        code = scene_render(a->height, a->width, a->depth, a->planes, a->seed, pixels);
    }
    progress_end();
    if (code == EXIT_DONE) {
        code = image_allocate(picture, a->height, a->width, a->planes, a->depth, 0);
    }
    for (size_t i = 0; code == EXIT_DONE && i < count; i++) {
        image_set_sample(picture, i, pixels[i]);
    }
    free(pixels);
    return code;
}

static int write_picture(output *out, void *context) {
    return image_write_png(context, out);
}

int command_scene(int argc, char **argv) {
    arguments a = {.planes = 1, .depth = 8};
    image picture = {0};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = render(&a, &picture);
    }
    if (code == EXIT_DONE) {
        code = output_whole(a.output, write_picture, &picture);
    }
    image_free(&picture);
    return code;
}
