/* SPDX-License-Identifier: MIT
 * weft fractal decode: FVC1 to frames of Y4M, or to one as a PNG picture. On the way its iterations
 * can be looked at, and frames be held against their originals; enlarged frames stand beside what
 * bicubic interpolation makes of those that are not.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/fractal/commands.h"
#include "commands/fractal/frame_file.h"
#include "commands/fractal/planes.h"
#include "commands/fractal/quality.h"
#include "commands/fractal/stream_file.h"
#include "commands/fractal/trace_files.h"
#include "files/bicubic.h"
#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/options.h"
#include "shell/progress.h"

enum { KEY_FRAME = 0x200, KEY_TRACE, KEY_LIKE, KEY_SCALE, KEY_BICUBIC, KEY_START, KEY_ITERATIONS };
enum { KEY_FORCE = KEY_ITERATIONS + 1, MOST_ITERATIONS = 32, DETAIL_SIZE = 40, NAME_SIZE = 40 };

typedef struct arguments {
    weft_fractal_decoding how;
    char *input, *output;
    char *like, *prefix, *bicubic; /* NULL where not given */
    size_t frame;
    int has_frame, force;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where the frames go, .y4m, or one, .png; - is standard output, Y4M",
     0},
    {"frame", KEY_FRAME, "N", 0, "This frame alone; the first is 0", 0},
    {"like", KEY_LIKE, "FILE", 0, "Print the PSNR of the frames against these, Y4M or a picture",
     0},
    {"trace", KEY_TRACE, "PREFIX", 0,
     "Write what each iteration makes of the first frame, or of --frame, as PREFIX00.png and so "
     "on; with --like print its PSNR",
     0},
    {"scale", KEY_SCALE, "1|2|4", 0, "Decode at so many times the height and width", 0},
    {"bicubic", KEY_BICUBIC, "FILE", 0,
     "With --scale: write the frames here that bicubic interpolation enlarges", 0},
    {"start", KEY_START, "128|0|255|noise", 0, "What iterations begin with; default 128", 0},
    {"iterations", KEY_ITERATIONS, "N", 0, "1 to 32; default: what the stream says", 0},
    {"max-pixels", KEY_MOST_PIXELS, "N", 0, most_pixels_about, 0},
    {"max-work", KEY_MOST_WORK, "N", 0, most_work_about, 0},
    {"force", KEY_FORCE, NULL, 0, "Write even over an input", 0},
    {0}};

static void check_no_input(struct argp_state *state, const arguments *a, const char *option,
                           const char *path) {
    if (!a->force) {
        check_apart(state, option, path, a->input, force_allows);
        check_apart(state, option, path, a->like, force_allows);
    }
}

/* Each of the pictures that there may be. */
static void check_trace(struct argp_state *state, const arguments *a) {
    const int iterations = a->how.iterations > 0 ? a->how.iterations : MOST_ITERATIONS;
    char name[PATH_MAX];

    for (int i = 0; a->prefix && i <= iterations && trace_file_name(name, a->prefix, i) == 0; i++) {
        check_no_input(state, a, "--trace", name);
        check_outputs_apart(state, "--trace", name, "-o", a->output);
        check_outputs_apart(state, "--trace", name, "--bicubic", a->bicubic);
    }
}

static void check_outputs(struct argp_state *state, const arguments *a) {
    const char *const outputs[] = {a->output, a->bicubic};
    static const char *const names[] = {"-o", "--bicubic"};

    for (int i = 0; i < 2; i++) {
        if (outputs[i] != NULL) {
            check_suffix(state, names[i], outputs[i], frame_suffixes);
        }
        check_no_input(state, a, names[i], outputs[i]);
    }
    check_outputs_apart(state, "--bicubic", a->bicubic, "-o", a->output);
    check_trace(state, a);
}

static void check_complete(struct argp_state *state, const arguments *a) {
    if (!a->input) {
        usage_error(state, "no input file");
    }
    if (!a->output && !a->like && !a->prefix && !a->bicubic) {
        usage_error(state, "no output file: say -o FILE");
    }
    if (a->bicubic && a->how.scale <= 1) {
        usage_error(state, "--bicubic %s: there is nothing to enlarge without --scale 2 or 4",
                    a->bicubic);
    }
    check_inputs_apart(state, "--like", a->like, a->input);
    check_outputs(state, a);
}

static void take_input(struct argp_state *state, arguments *a, char *text) {
    if (a->input) {
        usage_error(state, "%s: one input file is enough", text);
    }
    a->input = file_option(state, "input", text);
}

/* How it is decoded. */
static error_t parse_how(int key, char *text, struct argp_state *state) {
    static const char *const scales[] = {"1", "2", "4", NULL};
    static const char *const starts[] = {"128", "0", "255", "noise", NULL}; /* as the enum */
    arguments *a = state->input;

    switch (key) {
    case KEY_SCALE:
        a->how.scale = 1 << word_option(state, "scale", text, scales);
        return 0;
    case KEY_START:
        a->how.start = (weft_fractal_start)word_option(state, "start", text, starts);
        return 0;
    case KEY_ITERATIONS:
        a->how.iterations = (int)count_option(state, "iterations", text, 1, MOST_ITERATIONS);
        return 0;
    case KEY_MOST_PIXELS:
        a->how.most_pixels = most_option(state, "max-pixels", text);
        return 0;
    case KEY_MOST_WORK:
        a->how.most_work = most_option(state, "max-work", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case 'o':
        a->output = file_option(state, "-o", text);
        break;
    case KEY_FRAME:
        a->frame = count_option(state, "frame", text, 0, UINT32_MAX);
        a->has_frame = 1;
        break;
    case KEY_LIKE:
        a->like = file_option(state, "--like", text);
        break;
    case KEY_TRACE:
        a->prefix = file_option(state, "--trace", text);
        break;
    case KEY_BICUBIC:
        a->bicubic = file_option(state, "--bicubic", text);
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
        return parse_how(key, text, state);
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "IN.fvc [-o OUT.y4m|OUT.png]",
    .doc =
        "Decode FVC1 to Y4M, with the colour samples of what was encoded, or one frame to PNG."
        "\vIn brackets behind a PSNR, which is that of the mean error of all frames, stands the "
        "mean of their PSNR; in that of all planes Y counts six times. A damaged stream leaves no "
        "file.\n\n"
        "Examples:\n"
        "  weft fractal decode city.fvc -o again.y4m --like city.y4m\n"
        "  weft fractal decode city.fvc -o last.png --frame 29\n"
        "  weft fractal decode photo.fvc --trace step --start noise --like photo.png\n"
        "  weft fractal decode photo.fvc -o large.png --scale 2 --bicubic beside.png"};

/* ---- before the first frame ------------------------------------------------------------------ */

/* Frames on their way out. */
typedef struct rendering {
    frame_file file;
    video_format format;
    uint8_t *samples;
    quality against;
} rendering;

/* The frames without enlargement, for what is interpolated. */
typedef struct original_size {
    weft_fractal_decoder *decoder;
    video_format format;
    uint8_t *samples;
} original_size;

typedef struct decoding {
    const arguments *given;
    stream_file in;
    rendering decoded, enlarged;
    original_size small;
    video original;
    uint8_t *original_samples;
    FILE *to;       /* where figures are printed */
    size_t written; /* frames */
    trace_files iterations;
    int trace_code; /* the exit code of writing them */
} decoding;

static void trace(void *of, int iteration, const weft_fractal_picture *picture);

static int open_original(decoding *d) {
    const video_format *f = &d->decoded.format, *g = &d->original.format;
    int code = video_open(&d->original, d->given->like, 0, 0, DEFAULT_MAX_PIXELS);

    if (code != EXIT_DONE) {
        return code;
    }
    if (f->height != g->height || f->width != g->width ||
        chroma_of_video(f->chroma) != chroma_of_video(g->chroma)) {
        return complain(EXIT_USAGE, "%s: %zux%zu, %s, but %s is decoded to %zux%zu, %s",
                        d->given->like, g->height, g->width,
                        chroma_text(chroma_of_video(g->chroma)), d->in.in.path, f->height, f->width,
                        chroma_text(chroma_of_video(f->chroma)));
    }
    d->original_samples = allocate(video_frame_bytes(g), 1);
    return d->original_samples ? EXIT_DONE : EXIT_MEMORY;
}

/* The header is still in the bytes of d->in. */
static int open_small(decoding *d) {
    const weft_fractal_stream *s = weft_fractal_decoder_stream(d->in.decoder);
    weft_fractal_decoding how = d->given->how;
    weft_status status;

    how.scale = 1;
    status = weft_fractal_decoder_create(&d->small.decoder, &how, d->in.bytes, d->in.count);
    if (status != WEFT_OK) {
        return complain_status(status);
    }
    d->small.format = video_of_stream(s, s->height, s->width);
    d->enlarged.format = d->decoded.format;
    d->small.samples = allocate(video_frame_bytes(&d->small.format), 1);
    d->enlarged.samples = allocate(video_frame_bytes(&d->enlarged.format), 1);
    return d->small.samples && d->enlarged.samples ? EXIT_DONE : EXIT_MEMORY;
}

static int open_stream(decoding *d) {
    weft_fractal_decoding how = d->given->how;
    int code = EXIT_DONE;

    if (d->given->prefix != NULL) {
        how.trace = trace;
        how.trace_of = d;
        code = trace_files_open(&d->iterations, d->given->prefix);
    }
    if (code == EXIT_DONE) {
        code = stream_file_open(&d->in, d->given->input, &how);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    d->decoded.format = video_of_stream(weft_fractal_decoder_stream(d->in.decoder),
                                        weft_fractal_decoder_height(d->in.decoder),
                                        weft_fractal_decoder_width(d->in.decoder));
    d->decoded.samples = allocate(video_frame_bytes(&d->decoded.format), 1);
    return d->decoded.samples ? EXIT_DONE : EXIT_MEMORY;
}

static int open_files(decoding *d) {
    int code = frame_file_open(&d->decoded.file, d->given->output, &d->decoded.format);

    return code == EXIT_DONE
               ? frame_file_open(&d->enlarged.file, d->given->bicubic, &d->enlarged.format)
               : code;
}

static int open_decoding(decoding *d) {
    int code = open_stream(d);

    if (code == EXIT_DONE && d->given->bicubic != NULL) {
        code = open_small(d);
    }
    if (code == EXIT_DONE && d->given->like != NULL) {
        code = open_original(d);
    }
    return code == EXIT_DONE ? open_files(d) : code;
}

static void close_decoding(decoding *d) {
    frame_file_abandon(&d->decoded.file);
    frame_file_abandon(&d->enlarged.file);
    trace_files_close(&d->iterations);
    stream_file_close(&d->in);
    weft_fractal_decoder_destroy(d->small.decoder);
    video_close(&d->original);
    free(d->decoded.samples);
    free(d->enlarged.samples);
    free(d->small.samples);
    free(d->original_samples);
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* Planes of the decoder are padded. */
static void take_planes(rendering *r, const weft_fractal_picture *picture) {
    for (int i = 0; i < planes_of_video(&r->format); i++) {
        const video_plane at = plane_of_video(&r->format, i);

        for (size_t row = 0; row < at.rows; row++) {
            memcpy(r->samples + at.start + row * at.columns,
                   picture->plane[i] + row * picture->pitch[i], at.columns);
        }
    }
}

/* The decoder calls it; a failure is kept for later. */
static void trace(void *of, int iteration, const weft_fractal_picture *picture) {
    decoding *d = of;
    char name[NAME_SIZE];
    quality one = {0};

    if (d->in.frames - 1 != d->given->frame || d->trace_code != EXIT_DONE) {
        return;
    }
    take_planes(&d->decoded, picture);
    d->trace_code = trace_files_write(&d->iterations, &d->decoded.format, d->decoded.samples);
    if (d->trace_code == EXIT_DONE && d->given->like != NULL) {
        snprintf(name, sizeof name, "iteration %d:", iteration);
        quality_compare(&one, &d->decoded.format, d->original_samples, d->decoded.samples);
        quality_print(d->to, name, &one);
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

static int finish_frame(decoding *d, rendering *r) {
    if (d->given->like != NULL) {
        quality_compare(&r->against, &r->format, d->original_samples, r->samples);
    }
    return frame_file_write(&r->file, r->samples);
}

static int enlarge(decoding *d, int is_wanted) {
    const weft_fractal_picture picture = picture_of_frame(&d->small.format, d->small.samples);
    const weft_status status =
        weft_fractal_decode(d->small.decoder, d->in.bytes, d->in.count, &picture);

    if (status != WEFT_OK) {
        return complain_status(status);
    }
    for (int i = 0; is_wanted && i < planes_of_video(&d->small.format); i++) {
        const video_plane from = plane_of_video(&d->small.format, i);
        const video_plane to = plane_of_video(&d->enlarged.format, i);

        bicubic_enlarge(d->small.samples + from.start, from.rows, from.columns,
                        (size_t)d->given->how.scale, d->enlarged.samples + to.start, to.rows,
                        to.columns);
    }
    return is_wanted ? finish_frame(d, &d->enlarged) : EXIT_DONE;
}

static int read_original(decoding *d) {
    int has_frame;
    const int code = video_read(&d->original, d->original_samples, &has_frame);

    return code == EXIT_DONE && !has_frame
               ? complain(EXIT_BAD_INPUT, "%s: ends after %zu frames; %s has more", d->given->like,
                          d->original.frames, d->in.in.path)
               : code;
}

static int writes_picture(const arguments *a) {
    return frame_file_is_picture(a->output) || frame_file_is_picture(a->bicubic);
}

static int check_picture(const decoding *d) {
    return writes_picture(d->given) && d->written > 0
               ? complain(EXIT_USAGE,
                          "%s: has more than one frame, and a picture one; say --frame N",
                          d->in.in.path)
               : EXIT_DONE;
}

static int take_frame(decoding *d) {
    const weft_fractal_picture picture = picture_of_frame(&d->decoded.format, d->decoded.samples);
    const int is_wanted = !d->given->has_frame || d->in.frames - 1 == d->given->frame;
    int code = is_wanted ? check_picture(d) : EXIT_DONE;

    if (code == EXIT_DONE && d->given->like != NULL) {
        code = read_original(d);
    }
    if (code == EXIT_DONE) {
        code = stream_file_decode(&d->in, &picture);
    }
    if (code == EXIT_DONE) {
        code = d->trace_code;
    }
    if (code == EXIT_DONE && is_wanted) {
        code = finish_frame(d, &d->decoded);
    }
    if (code == EXIT_DONE && d->given->bicubic != NULL) {
        code = enlarge(d, is_wanted);
    }
    d->written += is_wanted != 0;
    return code;
}

/* Up to the one that is asked for. */
static int take_frames(decoding *d) {
    int has_frame = 1, code = EXIT_DONE;

    progress_start("decoding");
    while (code == EXIT_DONE && has_frame && !(d->given->has_frame && d->written > 0)) {
        char detail[DETAIL_SIZE];

        code = stream_file_read(&d->in, &has_frame);
        if (code == EXIT_DONE && has_frame) {
            code = take_frame(d);
            snprintf(detail, sizeof detail, "frame %zu", d->in.frames);
            progress_step(stream_file_fraction(&d->in), detail);
        }
    }
    progress_end();
    return code;
}

/* That what was asked for was there. */
static int check_found(const decoding *d) {
    const arguments *a = d->given;
    const int wants_frame = a->has_frame || a->prefix != NULL || writes_picture(a);

    if (wants_frame && d->written == 0) {
        return complain(EXIT_USAGE, "%s: has %zu frames: there is no frame %zu", d->in.in.path,
                        d->in.frames, a->frame);
    }
    return a->prefix != NULL && d->iterations.count == 0
               ? complain(EXIT_USAGE, "%s: frame %zu is no reference, and so has no iterations",
                          d->in.in.path, a->frame)
               : EXIT_DONE;
}

static int commit(decoding *d) {
    int code = frame_file_commit(&d->decoded.file);

    if (code == EXIT_DONE) {
        code = frame_file_commit(&d->enlarged.file);
    }
    return code == EXIT_DONE ? trace_files_commit(&d->iterations) : code;
}

static void print_quality(const decoding *d) {
    if (d->given->like != NULL && d->written > 0) {
        quality_print(d->to, "decoded:", &d->decoded.against);
    }
    if (d->given->like != NULL && d->given->bicubic != NULL && d->written > 0) {
        quality_print(d->to, "bicubic:", &d->enlarged.against);
    }
}

int command_fractal_decode(int argc, char **argv) {
    arguments a = {0};
    decoding d = {.given = &a};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        d.to = json_file_beside(a.output);
        code = open_decoding(&d);
    }
    if (code == EXIT_DONE) {
        code = take_frames(&d);
    }
    if (code == EXIT_DONE) {
        code = check_found(&d);
    }
    if (code == EXIT_DONE) {
        code = commit(&d);
    }
    if (code == EXIT_DONE) {
        print_quality(&d);
    }
    close_decoding(&d);
    return code;
}
