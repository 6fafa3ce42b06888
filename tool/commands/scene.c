/* SPDX-License-Identifier: MIT
 * weft scene: the test picture of scene_render as a PNG file, or a sequence of frames as Y4M.
 */
#include "files/scene.h"

#include <stdio.h>
#include <stdlib.h>

#include "files/image.h"
#include "files/sequence.h"
#include "files/y4m.h"
#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/options.h"
#include "shell/output.h"
#include "shell/parse.h"
#include "shell/progress.h"

enum { KEY_SEED = 0x200, KEY_DEPTH, KEY_RGB, KEY_SEQUENCE, KEY_FRAMES, KEY_CHROMA };
enum { DEFAULT_FRAMES = 30 };

typedef struct arguments {
    size_t height, width, planes, seed;
    int depth;
    int sequence; /* of sequence_words; -1: a picture */
    size_t frames;
    video_chroma chroma;
    const char *of_picture, *of_sequence; /* an option that was given, for one of them alone */
    const char *output;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where the picture goes; - is standard output", 0},
    {"seed", KEY_SEED, "N", 0, "Another picture for every N; default 0", 0},
    {"depth", KEY_DEPTH, "8|16", 0, "Bits of a pixel; default 8", 0},
    {"rgb", KEY_RGB, NULL, 0, "In colour", 0},
    {"sequence", KEY_SEQUENCE, "NAME", 0, "Draw a video instead, one of those below", 0},
    {"frames", KEY_FRAMES, "N", 0, "Of a sequence; default 30", 0},
    {"chroma", KEY_CHROMA, "444|422|420|mono", 0, "Of a sequence; default 422", 0},
    {0}};

static const char *const y4m_suffixes[] = {".y4m", NULL};

static void parse_sides(struct argp_state *state, const char *text, arguments *a) {
    if (a->height > 0) {
        usage_error(state, "%s: one size is enough", text);
    }
    if (parse_size(text, &a->height, &a->width)) {
        usage_error(state, "%s: a size is ROWSxCOLUMNS, neither of them 0, such as 1080x1920",
                    text);
    }
    if (a->height > SCENE_LONGEST_SIDE || a->width > SCENE_LONGEST_SIDE) {
        usage_error(state, "%s: rows and columns must be 1 to %d", text, SCENE_LONGEST_SIDE);
    }
}

/* In 4:2:0 a colour sample lies amid those of Y that it covers, as in JPEG. */
static video_chroma chroma_option(struct argp_state *state, const char *text) {
    static const char *const words[] = {"444", "422", "420", "mono", NULL};
    static const video_chroma chromas[] = {VIDEO_444, VIDEO_422, VIDEO_420_JPEG, VIDEO_MONO};

    return chromas[word_option(state, "chroma", text, words)];
}

static void check_arguments(struct argp_state *state, const arguments *a) {
    if (a->height == 0 || !a->output) {
        usage_error(state, a->output ? "no size, such as 2048x2048" : "no output: say -o FILE");
    }
    if (a->sequence < 0 && a->of_sequence) {
        usage_error(state, "%s: is for a --sequence only", a->of_sequence);
    }
    if (a->sequence >= 0 && a->of_picture) {
        usage_error(state, "%s: is for a picture only; a sequence has 8 bits and --chroma",
                    a->of_picture);
    }
    if (a->sequence < 0 && has_suffix(a->output, y4m_suffixes[0])) {
        usage_error(state, "-o %s: a video needs --sequence NAME", a->output);
    }
    check_suffix(state, "-o", a->output, a->sequence < 0 ? png_suffixes : y4m_suffixes);
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
        a->of_picture = "--depth";
        break;
    case KEY_RGB:
        a->planes = 3;
        a->of_picture = "--rgb";
        break;
    case KEY_SEQUENCE:
        a->sequence = word_option(state, "sequence", text, sequence_words);
        break;
    case KEY_FRAMES:
        a->frames = count_option(state, "frames", text, 0, UINT32_MAX);
        a->of_sequence = "--frames";
        break;
    case KEY_CHROMA:
        a->chroma = chroma_option(state, text);
        a->of_sequence = "--chroma";
        break;
    case ARGP_KEY_ARG:
        parse_sides(state, text, a);
        break;
    case ARGP_KEY_END:
        check_arguments(state, a);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const char *sequence_at(int i, const char **about) {
    *about = sequence_words[i] != NULL ? sequence_about(i) : NULL;
    return sequence_words[i];
}

static char *help(int key, const char *text, void *context) {
    (void)context;
    return key == ARGP_KEY_HELP_POST_DOC ? help_with_list("Sequences:", sequence_at, text)
                                         : (char *)text;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "ROWSxCOLUMNS -o OUT.png|OUT.y4m",
    .doc =
        "Draw a test picture with the statistics of natural ones."
        "\vLeaves of every size lie over each other. The same size, seed and depth give the same "
        "pixels on every machine. A sequence moves before such leaves, 30 frames a second; its "
        "first "
        "frames do not depend on how many follow.\n\n"
        "Examples:\n"
        "  weft scene 2048x2048 -o scene.png\n"
        "  weft scene 1080x1920 --rgb --depth 16 --seed 7 -o scene.png\n"
        "  weft scene 576x704 --sequence pan --frames 60 -o pan.y4m",
    .help_filter = help};

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

static int draw_picture(const arguments *a) {
    image picture = {0};
    int code = render(a, &picture);

    if (code == EXIT_DONE) {
        code = output_whole(a->output, write_picture, &picture);
    }
    image_free(&picture);
    return code;
}

typedef struct film {
    sequence drawn;
    size_t frames;
    uint8_t *samples;
} film;

static int write_film(output *out, void *context) {
    film *f = context;
    int code = y4m_write_header(out, &f->drawn.format);

    progress_start("drawing frames");
    for (size_t i = 0; code == EXIT_DONE && i < f->frames; i++) {
        sequence_frame(&f->drawn, i, f->samples);
        code = y4m_write_frame(out, &f->drawn.format, f->samples);
        progress_step((double)i / (double)f->frames, NULL);
    }
    progress_end();
    return code;
}

static int draw_sequence(const arguments *a) {
    film f = {.frames = a->frames};
    int code;

    progress_start("drawing");
    code = sequence_open(&f.drawn, a->sequence, a->height, a->width, a->chroma, a->seed);
    progress_end();
    if (code == EXIT_DONE && !(f.samples = allocate(video_frame_bytes(&f.drawn.format), 1))) {
        code = EXIT_MEMORY;
    }
    if (code == EXIT_DONE) {
        code = output_whole(a->output, write_film, &f);
    }
    free(f.samples);
    sequence_close(&f.drawn);
    return code;
}

int command_scene(int argc, char **argv) {
    arguments a = {
        .planes = 1, .depth = 8, .sequence = -1, .frames = DEFAULT_FRAMES, .chroma = VIDEO_422};
    const int code = options_parse(&argp, argc, argv, 0, &a);

    if (code != EXIT_DONE) {
        return code;
    }
    return a.sequence < 0 ? draw_picture(&a) : draw_sequence(&a);
}
