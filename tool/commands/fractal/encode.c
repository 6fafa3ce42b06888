/* SPDX-License-Identifier: MIT
 * weft fractal encode: its options, and what was done, as a table; encode_file.c does it.
 */
#include <stdint.h>
#include <stdio.h>

#include "commands/fractal/coding_options.h"
#include "commands/fractal/commands.h"
#include "commands/fractal/encode_file.h"
#include "commands/fractal/planes.h"
#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/options.h"

enum {
    KEY_SEARCH = 0x200,
    KEY_THREADS,
    KEY_SIZE,
    KEY_FRAMES,
    KEY_MAX_PIXELS,
    KEY_VERBOSE,
    KEY_FORCE
};

typedef struct arguments {
    encode_job job;
    int force;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where the stream goes; - is standard output", 0},
    {"search", KEY_SEARCH, "NAME", 0,
     "How codes are found, one of those below; default auto, the fastest that can run", 0},
    {"threads", KEY_THREADS, "N", 0, "Of the CPU; default: as OpenMP is set", 0},
    {"size", KEY_SIZE, "HxW", 0, "The input is raw YUY2 with frames of this size", 0},
    {"frames", KEY_FRAMES, "N", 0, "Code the first N frames alone", 0},
    {"max-pixels", KEY_MAX_PIXELS, "N", 0, "Refuse larger frames; default 2^30", 0},
    {"force", KEY_FORCE, NULL, 0, "Write even over the input", 0},
    {"verbose", KEY_VERBOSE, NULL, 0, "A line for each frame on standard error", 0},
    {0}};

static const char *const stream_suffixes[] = {".fvc", NULL};

static void check_complete(struct argp_state *state, const arguments *a) {
    if (!a->job.input) {
        usage_error(state, "no input file");
    }
    if (!a->job.output) {
        usage_error(state, "no output file: say -o FILE");
    }
    check_suffix(state, "-o", a->job.output, stream_suffixes);
    if (!a->force) {
        check_apart(state, "-o", a->job.output, a->job.input, force_allows);
    }
}

static void take_input(struct argp_state *state, arguments *a, char *text) {
    if (a->job.input) {
        usage_error(state, "%s: one input file is enough", text);
    }
    a->job.input = file_option(state, "input", text);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->job.desc;
        break;
    case 'o':
        a->job.output = file_option(state, "-o", text);
        break;
    case KEY_SEARCH:
        a->job.desc.search = search_option(state, text);
        break;
    case KEY_THREADS:
        a->job.desc.threads = (int)count_option(state, "threads", text, 1, WEFT_MOST_THREADS);
        break;
    case KEY_SIZE:
        size_option(state, text, &a->job.height, &a->job.width);
        break;
    case KEY_FRAMES:
        a->job.frames = count_option(state, "frames", text, 0, UINT32_MAX);
        break;
    case KEY_MAX_PIXELS:
        a->job.max_pixels = max_pixels_option(state, text);
        break;
    case KEY_VERBOSE:
        a->job.verbose = 1;
        break;
    case KEY_FORCE:
        a->force = 1;
        break;
    case ARGP_KEY_ARG:
        take_input(state, a, text);
        break;
    case ARGP_KEY_END:
        check_complete(state, a);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "IN.y4m|IN.yuv|PICTURE -o OUT.fvc",
    .doc =
        "Code a video, or a picture as a video of one frame, as FVC1."
        "\vThe first frame is a reference: each of its blocks of 4x4 pixels is coded by a block of "
        "8x8 pixels of the same plane, halved, scaled, and with another mean. Frames after it code "
        "what changed, by blocks of the decoded reference. No search, and no number of threads, "
        "changes a byte of the stream. Y4M of 8 bits is read, raw YUY2, and "
        "pictures of 8 bits without alpha, of every kind that weft fft reads.\n\n"
        "--arith, --block, --codebook, --no-reorder, --store-scaled and --unroll say how a search "
        "goes about it and change no code; a search that has no such choice refuses them.\n\n"
        "Examples:\n"
        "  weft fractal encode photo.png -o photo.fvc\n"
        "  weft fractal encode city.y4m -o city.fvc --threshold 80 --refresh auto\n"
        "  weft fractal encode raw.yuv --size 576x704 -o - | wc -c",
    .children = coding_options_child,
    .help_filter = help_with_searches};

static void print_summary(const encode_job *job, const encode_done *done) {
    const video_format *f = &done->format;
    FILE *to = json_file_beside(job->output);

    fprintf(to, "%zu frame%s of %zux%zu, %s; %s profile, search %s\n", done->all.frames,
            done->all.frames == 1 ? "" : "s", f->height, f->width,
            chroma_text(chroma_of_video(f->chroma)), profile_words[job->desc.profile],
            done->search);
    totals_print(to, &done->all, f, done->seconds);
}

int command_fractal_encode(int argc, char **argv) {
    arguments a = {.job = {.frames = SIZE_MAX, .max_pixels = DEFAULT_MAX_PIXELS}};
    encode_done done;
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = encode_file(&a.job, &done);
    }
    if (code == EXIT_DONE) {
        print_summary(&a.job, &done);
    }
    return code;
}
