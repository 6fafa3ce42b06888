/* SPDX-License-Identifier: MIT
 * weft fractal encode: frames out of a file or pipe, each to the bytes of FVC1, which are written
 * as they come.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/fractal/coding_options.h"
#include "commands/fractal/commands.h"
#include "commands/fractal/planes.h"
#include "commands/fractal/stopwatch.h"
#include "commands/fractal/totals.h"
#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/options.h"
#include "shell/output.h"
#include "shell/progress.h"

enum {
    KEY_SEARCH = 0x200,
    KEY_THREADS,
    KEY_SIZE,
    KEY_FRAMES,
    KEY_MAX_PIXELS,
    KEY_VERBOSE,
    KEY_FORCE
};
enum { LONGEST_SIDE = 65535, MOST_RATE = 65535, DETAIL_SIZE = 160 };

typedef struct arguments {
    weft_fractal_desc desc;
    char *input, *output;
    size_t height, width; /* of raw YUY2; 0: it is none */
    size_t frames;        /* the most to be coded */
    size_t max_pixels;
    int verbose, force;
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
    if (!a->input) {
        usage_error(state, "no input file");
    }
    if (!a->output) {
        usage_error(state, "no output file: say -o FILE");
    }
    check_suffix(state, "-o", a->output, stream_suffixes);
    if (!a->force) {
        check_apart(state, "-o", a->output, a->input, force_allows);
    }
}

static void take_input(struct argp_state *state, arguments *a, char *text) {
    if (a->input) {
        usage_error(state, "%s: one input file is enough", text);
    }
    a->input = file_option(state, "input", text);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->desc;
        break;
    case 'o':
        a->output = file_option(state, "-o", text);
        break;
    case KEY_SEARCH:
        a->desc.search = search_option(state, text);
        break;
    case KEY_THREADS:
        a->desc.threads = (int)count_option(state, "threads", text, 1, WEFT_MOST_THREADS);
        break;
    case KEY_SIZE:
        size_option(state, text, &a->height, &a->width);
        break;
    case KEY_FRAMES:
        a->frames = count_option(state, "frames", text, 0, UINT32_MAX);
        break;
    case KEY_MAX_PIXELS:
        a->max_pixels = max_pixels_option(state, text);
        break;
    case KEY_VERBOSE:
        a->verbose = 1;
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
    .args_doc = "IN.y4m|IN.png|IN.yuv -o OUT.fvc",
    .doc =
        "Code a video, or a picture as a video of one frame, as FVC1."
        "\vThe first frame is a reference: each of its blocks of 4x4 pixels is coded by a block of "
        "8x8 pixels of the same plane, halved, scaled, and with another mean. Frames after it code "
        "what changed, by blocks of the decoded reference. No search, and no number of threads, "
        "changes a byte of the stream. Y4M of 8 bits is read, PNG of 8 bits without alpha, and raw "
        "YUY2.\n\n"
        "--arith, --block, --codebook, --no-reorder, --store-scaled and --unroll say how a search "
        "goes about it and change no code; a search that has no such choice refuses them.\n\n"
        "Examples:\n"
        "  weft fractal encode photo.png -o photo.fvc\n"
        "  weft fractal encode city.y4m -o city.fvc --threshold 80 --refresh auto\n"
        "  weft fractal encode raw.yuv --size 576x704 -o - | wc -c",
    .children = coding_options_child,
    .help_filter = help_with_searches};

/* ---- before the first frame ------------------------------------------------------------------ */

typedef struct encoding {
    const arguments *given;
    video in;
    size_t length; /* of the file behind what was read to open it; SIZE_MAX: not known */
    weft_fractal_encoder *encoder;
    uint8_t *samples, *bytes; /* of a frame, raw and coded */
    int has_frame;            /* in samples, to be coded */
    totals all;
    stopwatch since;
} encoding;

/* The stream has 16 bits for each number of frames a second. */
static void take_rate(weft_fractal_desc *desc, const video *in) {
    const video_ratio rate = in->format.rate;

    if (rate.numerator > MOST_RATE || rate.denominator > MOST_RATE) {
        complain(EXIT_DONE, "%s: %u:%u frames a second are not kept: a stream has at most %d:%d",
                 in->in.path, rate.numerator, rate.denominator, MOST_RATE, MOST_RATE);
        return;
    }
    desc->fps_numerator = rate.numerator;
    desc->fps_denominator = rate.denominator;
}

static int check_sides(const video *in) {
    const video_format *f = &in->format;

    return f->height <= LONGEST_SIDE && f->width <= LONGEST_SIDE
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT, "%s: %zux%zu: a stream has sides up to %d", in->in.path,
                          f->height, f->width, LONGEST_SIDE);
}

static int make_encoder(encoding *e) {
    weft_fractal_desc desc = e->given->desc;
    const video_format *f = &e->in.format;
    weft_status status;

    desc.height = f->height;
    desc.width = f->width;
    desc.chroma = chroma_of_video(f->chroma);
    desc.frames = e->in.kind == &png_kind && e->given->frames > 0;
    take_rate(&desc, &e->in);
    status = weft_fractal_encoder_create(&e->encoder, &desc);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

static int read_frame(encoding *e) {
    e->has_frame = 0;
    return e->all.frames < e->given->frames ? video_read(&e->in, e->samples, &e->has_frame)
                                            : EXIT_DONE;
}

/* An encoder takes eleven times the memory of a frame, which a header alone, of a pipe whose length
 * nobody knows, must not claim: the first frame is read before. */
static int open_encoding(encoding *e) {
    const arguments *a = e->given;
    int code = video_open(&e->in, a->input, a->height, a->width, a->max_pixels);

    if (code == EXIT_DONE) {
        code = check_sides(&e->in);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    e->length = input_left(&e->in.in);
    e->samples = allocate(video_frame_bytes(&e->in.format), 1);
    code = e->samples ? read_frame(e) : EXIT_MEMORY;
    if (code == EXIT_DONE) {
        code = make_encoder(e);
    }
    if (code == EXIT_DONE && !(e->bytes = allocate(weft_fractal_encoder_bound(e->encoder), 1))) {
        code = EXIT_MEMORY;
    }
    return code;
}

static void close_encoding(encoding *e) {
    video_close(&e->in);
    weft_fractal_encoder_destroy(e->encoder);
    free(e->samples);
    free(e->bytes);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* How much of the input was read; below 0 if its length is not known. */
static double fraction_of(encoding *e) {
    return e->length == SIZE_MAX || e->length == 0
               ? -1
               : 1 - (double)input_left(&e->in.in) / (double)e->length;
}

static void tell(encoding *e, const weft_fractal_frame *frame) {
    const double fraction = fraction_of(e), seconds = stopwatch_seconds(&e->since);
    char text[TOTALS_TEXT], left[CELL_SIZE], detail[DETAIL_SIZE];

    snprintf(detail, sizeof detail, "frame %zu, %s, %.3g frames/s%s%s%s", e->all.frames,
             totals_so_far(&e->all, text), (double)e->all.frames / seconds,
             fraction > 0 ? ", " : "",
             fraction > 0 ? time_cell(1e6 * seconds * (1 - fraction) / fraction, left) : "",
             fraction > 0 ? " left" : "");
    progress_step(fraction, detail);
    if (e->given->verbose) {
        progress_wipe();
        totals_print_frame(stderr, e->all.frames - 1, &e->in.format, frame);
    }
}

static int write_frame(encoding *e, output *out) {
    const weft_fractal_picture picture = picture_of_frame(&e->in.format, e->samples);
    weft_fractal_frame frame;
    size_t written;
    const weft_status status =
        weft_fractal_encode(e->encoder, &picture, e->bytes, &written, &frame);

    if (status != WEFT_OK) {
        return complain_status(status);
    }
    totals_add(&e->all, &e->in.format, &frame);
    tell(e, &frame);
    return output_write(out, e->bytes, written);
}

static int write_frames(encoding *e, output *out) {
    int code = EXIT_DONE;

    while (code == EXIT_DONE && e->has_frame) {
        code = write_frame(e, out);
        if (code == EXIT_DONE) {
            code = read_frame(e);
        }
    }
    return code;
}

static int write_stream(output *out, void *context) {
    encoding *e = context;
    size_t written;
    const weft_status status = weft_fractal_write_header(e->encoder, e->bytes, &written);
    int code = status == WEFT_OK ? output_write(out, e->bytes, written) : complain_status(status);

    e->since = stopwatch_start();
    progress_start("encoding");
    if (code == EXIT_DONE) {
        e->all.plane[QUALITY_OF_ALL].bytes += (double)written;
        code = write_frames(e, out);
    }
    progress_end();
    return code;
}

static void print_summary(const encoding *e) {
    const video_format *f = &e->in.format;
    FILE *to = json_file_beside(e->given->output);

    fprintf(to, "%zu frame%s of %zux%zu, %s; %s profile, search %s\n", e->all.frames,
            e->all.frames == 1 ? "" : "s", f->height, f->width,
            chroma_text(chroma_of_video(f->chroma)), profile_words[e->given->desc.profile],
            weft_fractal_encoder_search(e->encoder));
    totals_print(to, &e->all, f, stopwatch_seconds(&e->since));
}

int command_fractal_encode(int argc, char **argv) {
    arguments a = {.frames = SIZE_MAX, .max_pixels = DEFAULT_MAX_PIXELS};
    encoding e = {.given = &a};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = open_encoding(&e);
    }
    if (code == EXIT_DONE) {
        code = output_whole(a.output, write_stream, &e);
    }
    if (code == EXIT_DONE) {
        print_summary(&e);
    }
    close_encoding(&e);
    return code;
}
