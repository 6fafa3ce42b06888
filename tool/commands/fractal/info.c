/* SPDX-License-Identifier: MIT
 * weft fractal info: what a stream says of itself, and of each plane of each frame how its ranges
 * are coded and where its bits go. The JSON document and the text are made of the same figures.
 */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/fractal/commands.h"
#include "commands/fractal/planes.h"
#include "commands/fractal/stream_file.h"
#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/output.h"
#include "shell/progress.h"

enum { KEY_CODES = 0x200, KEY_JSON };

typedef struct arguments {
    char *input;
    const char *json;
    int codes;
    weft_fractal_decoding limits;
} arguments;

static const struct argp_option options[] = {
    {"codes", KEY_CODES, NULL, 0, "Show the code of every range too", 0},
    {"json", KEY_JSON, "FILE", 0,
     "Write a weft-fractal-info/1 document instead; - is standard output", 0},
    {"max-pixels", KEY_MOST_PIXELS, "N", 0, most_pixels_about, 0},
    {"max-work", KEY_MOST_WORK, "N", 0, most_work_about, 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case KEY_CODES:
        a->codes = 1;
        break;
    case KEY_JSON:
        a->json = json_option(state, text);
        break;
    case KEY_MOST_PIXELS:
        a->limits.most_pixels = most_option(state, "max-pixels", text);
        break;
    case KEY_MOST_WORK:
        a->limits.most_work = most_option(state, "max-work", text);
        break;
    case ARGP_KEY_ARG:
        if (a->input) {
            usage_error(state, "%s: one input file is enough", text);
        }
        a->input = file_option(state, "input", text);
        break;
    case ARGP_KEY_END:
        if (!a->input) {
            usage_error(state, "no input file");
        }
        check_apart(state, "--json", a->json, a->input, "");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "IN.fvc",
    .doc = "Show what an FVC1 stream consists of."
           "\vOf each plane of a frame: its bytes; how many of its ranges are unchanged, have a "
           "code, or have their last code again, and how many are coded by their mean alone; and "
           "how many bits go to headers, tables, saying what changed, domains, scales, means and "
           "filling bytes. A code is shown as range, domain, scale, mean.\n\n"
           "Examples:\n"
           "  weft fractal info city.fvc\n"
           "  weft fractal info city.fvc --codes --json city.json"};

/* ---- figures --------------------------------------------------------------------------------- */

enum { UNCHANGED, CODED, REPEATED, FLAT, MODES };
enum { PARTS = 7 };
static const char *const mode_words[MODES] = {"unchanged", "coded", "repeated", "flat"};
static const char *const part_words[PARTS] = {"header", "tables", "changes", "domains",
                                              "scales", "means",  "padding"};

/* These are of a plane, or of several. */
typedef struct figures {
    size_t ranges, mode[MODES]; /* flat ones are coded, too */
    size_t part[PARTS];         /* bits */
} figures;

static figures figures_of(const weft_fractal_decoder *decoder, int plane) {
    const weft_fractal_parts p = weft_fractal_decoder_parts(decoder, plane);
    figures f = {.part = {p.header, p.tables, p.changes, p.domains, p.scales, p.means, p.padding}};
    const weft_fractal_code *codes = weft_fractal_decoder_codes(decoder, plane, &f.ranges);

    for (size_t i = 0; i < f.ranges; i++) {
        f.mode[codes[i].mode]++;
        f.mode[FLAT] += codes[i].mode == WEFT_FRACTAL_CODED && codes[i].scale == 0;
    }
    return f;
}

static void add_figures(figures *sum, const figures *f) {
    sum->ranges += f->ranges;
    for (int i = 0; i < MODES; i++) {
        sum->mode[i] += f->mode[i];
    }
    for (int i = 0; i < PARTS; i++) {
        sum->part[i] += f->part[i];
    }
}

static size_t bits_of(const figures *f) {
    size_t bits = 0;

    for (int i = 0; i < PARTS; i++) {
        bits += f->part[i];
    }
    return bits;
}

/* ---- text ------------------------------------------------------------------------------------ */

static double percent(size_t part, size_t whole) {
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static int scale_denominator(const weft_fractal_stream *s) {
    return s->profile == WEFT_FRACTAL_DENSE ? 16 : 4;
}

static void print_header(const weft_fractal_stream *s) {
    printf("size        %zux%zu, %s\n", s->height, s->width, chroma_text(s->chroma));
    printf("profile     %s: blocks of %dx%d, a domain every %d pixels\n", profile_words[s->profile],
           s->block_size, s->block_size, s->domain_step);
    printf("scales     ");
    for (int i = 0; i < s->scales; i++) {
        printf(" %d", s->scale[i]);
    }
    printf(", all of them / %d\n", scale_denominator(s));
    printf("codes       %s\n", s->raw_codes ? "of fixed length" : "Huffman");
    printf("iterations  %d\n", s->iterations);
    if (s->fps_denominator > 0) {
        printf("rate        %u:%u frames a second\n", s->fps_numerator, s->fps_denominator);
    }
    if (s->frames > 0) {
        printf("frames      %u\n", s->frames);
    }
    printf("\n%-9s %-5s %9s", "frame", "plane", "bytes");
    for (int i = 0; i < MODES; i++) {
        printf(" %9s", mode_words[i]);
    }
    for (int i = 0; i < PARTS; i++) {
        printf(" %8s", part_words[i]);
    }
    putchar('\n');
}

/* Modes in percent of the ranges, parts in percent of the bits. */
static void print_figures(const char *name, const char *plane, const figures *f) {
    const size_t bits = bits_of(f);

    printf("%-9s %-5s %9zu", name, plane, bits / 8);
    for (int i = 0; i < MODES; i++) {
        printf(" %7.1f %%", percent(f->mode[i], f->ranges));
    }
    for (int i = 0; i < PARTS; i++) {
        printf(" %6.1f %%", percent(f->part[i], bits));
    }
    putchar('\n');
}

static void print_codes(const weft_fractal_decoder *decoder, int plane) {
    static const char *const words[] = {"unchanged", "coded", "repeated"};
    size_t count;
    const weft_fractal_code *codes = weft_fractal_decoder_codes(decoder, plane, &count);

    for (size_t i = 0; i < count; i++) {
        if (codes[i].mode != WEFT_FRACTAL_UNCHANGED) {
            printf("  %s range %zu: domain %u, scale %d/%d, mean %d, %s\n", plane_words[plane], i,
                   codes[i].domain, codes[i].scale,
                   scale_denominator(weft_fractal_decoder_stream(decoder)), codes[i].mean,
                   words[codes[i].mode]);
        }
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_of_header(const weft_fractal_stream *s) {
    json_t *scales = json_array();

    for (int i = 0; i < s->scales; i++) {
        scales = json_append(scales, json_integer(s->scale[i]));
    }
    return json_pack("{s:I, s:I, s:s, s:s, s:i, s:i, s:o, s:i, s:b, s:i, s:i, s:i, s:I}", "height",
                     (json_int_t)s->height, "width", (json_int_t)s->width, "chroma",
                     chroma_text(s->chroma), "profile", profile_words[s->profile], "block_size",
                     s->block_size, "domain_step", s->domain_step, "scales", scales,
                     "scale_denominator", scale_denominator(s), "raw_codes", s->raw_codes,
                     "iterations", s->iterations, "fps_numerator", (int)s->fps_numerator,
                     "fps_denominator", (int)s->fps_denominator, "frames", (json_int_t)s->frames);
}

static json_t *json_of_figures(const char *plane, const figures *f) {
    json_t *modes = json_object(), *parts = json_object();
    int failed = 0;

    for (int i = 0; i < MODES; i++) {
        failed |= json_object_set_new(modes, mode_words[i], json_integer((json_int_t)f->mode[i]));
    }
    for (int i = 0; i < PARTS; i++) {
        failed |= json_object_set_new(parts, part_words[i], json_integer((json_int_t)f->part[i]));
    }
    if (failed) {
        json_decref(modes);
        modes = NULL;
    }
    return json_pack("{s:s, s:I, s:I, s:o, s:o}", "plane", plane, "bytes",
                     (json_int_t)(bits_of(f) / 8), "ranges", (json_int_t)f->ranges, "modes", modes,
                     "bits", parts);
}

/* The document is written while the stream is read: a stream of small frames is described by many
 * times its own bytes, which memory may have no room for. */
typedef struct survey {
    const arguments *given;
    stream_file in;
    int planes;
    figures all[WEFT_FRACTAL_PLANES];
    size_t bytes; /* of all frames */
    output out;
    int code; /* tells how the document fares: after a failure nothing more is written */
} survey;

static void put_text(survey *s, const char *text) {
    if (s->code == EXIT_DONE) {
        s->code = output_write(&s->out, text, strlen(text));
    }
}

/* Whoever calls it writes what members follow, and the bracket that ends the object. */
static void put_open(survey *s, json_t *object) {
    if (s->code == EXIT_DONE) {
        s->code = json_file_put_open(&s->out, object);
    } else {
        json_decref(object);
    }
}

/* Every range has four numbers: domain, scale, mean and mode. */
static void put_codes(survey *s, int plane) {
    size_t count;
    const weft_fractal_code *codes = weft_fractal_decoder_codes(s->in.decoder, plane, &count);

    for (size_t i = 0; i < count; i++) {
        char text[64];

        snprintf(text, sizeof text, "%c[%u,%d,%d,%d]", i == 0 ? '[' : ',', codes[i].domain,
                 codes[i].scale, codes[i].mean, codes[i].mode);
        put_text(s, text);
    }
    put_text(s, count == 0 ? "[]" : "]");
}

/* It ends the object before. Codes are null where nobody wants them. */
static void put_planes(survey *s, const figures *each, int has_codes) {
    for (int i = 0; i < s->planes; i++) {
        put_text(s, i == 0 ? ",\"planes\":[" : ",");
        put_open(s, json_of_figures(plane_words[i], &each[i]));
        put_text(s, ",\"codes\":");
        if (has_codes) {
            put_codes(s, i);
        } else {
            put_text(s, "null");
        }
        put_text(s, "}");
    }
    put_text(s, "]}");
}

static void begin_document(survey *s) {
    const weft_fractal_stream *stream = weft_fractal_decoder_stream(s->in.decoder);

    s->code = output_open(&s->out, s->given->json);
    put_open(s, json_pack("{s:s, s:o}", "schema", "weft-fractal-info/1", "header",
                          json_of_header(stream)));
    put_text(s, ",\n\"frames\":[");
}

static void put_frame(survey *s, const figures *each) {
    put_text(s, s->in.frames == 1 ? "\n" : ",\n");
    put_open(s,
             json_pack("{s:b, s:I}", "reference", weft_fractal_decoder_is_reference(s->in.decoder),
                       "bytes", (json_int_t)s->in.count));
    put_planes(s, each, s->given->codes);
}

static void end_document(survey *s) {
    put_text(s, "\n],\n\"total\":");
    put_open(s, json_pack("{s:I, s:I}", "frames", (json_int_t)s->in.frames, "bytes",
                          (json_int_t)s->bytes));
    put_planes(s, s->all, 0);
    put_text(s, "}\n");
    if (s->code == EXIT_DONE) {
        s->code = output_commit(&s->out);
    }
}

/* ---- the stream ------------------------------------------------------------------------------ */

static void print_frame(const survey *s, int plane, const figures *f) {
    const weft_fractal_decoder *decoder = s->in.decoder;
    char name[32] = "";

    if (plane == 0) {
        snprintf(name, sizeof name, "%zu %s", s->in.frames - 1,
                 weft_fractal_decoder_is_reference(decoder) ? "ref" : "");
    }
    print_figures(name, plane_words[plane], f);
    if (s->given->codes) {
        print_codes(decoder, plane);
    }
}

static int take_frame(survey *s) {
    figures each[WEFT_FRACTAL_PLANES];

    s->bytes += s->in.count;
    for (int i = 0; i < s->planes; i++) {
        each[i] = figures_of(s->in.decoder, i);
        add_figures(&s->all[i], &each[i]);
        if (s->given->json == NULL) {
            print_frame(s, i, &each[i]);
        }
    }
    if (s->given->json != NULL) {
        put_frame(s, each);
    }
    return s->code;
}

static int take_frames(survey *s) {
    int has_frame = 1, code = EXIT_DONE;

    while (code == EXIT_DONE && has_frame) {
        code = stream_file_read(&s->in, &has_frame);
        if (code == EXIT_DONE && has_frame) {
            code = stream_file_decode(&s->in, NULL);
        }
        if (code == EXIT_DONE && has_frame) {
            code = take_frame(s);
            progress_step(stream_file_fraction(&s->in), NULL);
        }
    }
    return code;
}

static int show(survey *s) {
    const weft_fractal_stream *stream = weft_fractal_decoder_stream(s->in.decoder);
    int code;

    s->planes = stream->chroma == WEFT_FRACTAL_MONO ? 1 : WEFT_FRACTAL_PLANES;
    if (s->given->json == NULL) {
        print_header(stream);
    } else {
        begin_document(s);
        progress_start("reading");
    }
    code = s->code == EXIT_DONE ? take_frames(s) : s->code;
    progress_end();
    if (code == EXIT_DONE && s->given->json != NULL) {
        end_document(s);
        return s->code;
    }
    for (int i = 0; code == EXIT_DONE && i < s->planes; i++) {
        print_figures(i == 0 ? "all" : "", plane_words[i], &s->all[i]);
    }
    return code;
}

int command_fractal_info(int argc, char **argv) {
    arguments a = {0};
    survey s = {.given = &a};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = json_file_check(a.json);
    }
    if (code == EXIT_DONE) {
        code = stream_file_open(&s.in, a.input, &a.limits);
    }
    if (code == EXIT_DONE) {
        code = show(&s);
    }
    output_abandon(&s.out);
    stream_file_close(&s.in);
    return code;
}
