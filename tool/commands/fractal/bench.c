/* SPDX-License-Identifier: MIT
 * weft fractal bench: frames in memory, coded by each search on some numbers of threads. All must
 * give the bytes of seq, which are canonical: equal bytes are equal codes. Then they are timed.
 */
#include <jansson.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/fractal/coding_options.h"
#include "commands/fractal/commands.h"
#include "commands/fractal/film.h"
#include "commands/fractal/planes.h"
#include "commands/fractal/stopwatch.h"
#include "files/sequence.h"
#include "shell/arguments.h"
#include "shell/cells.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/machine.h"
#include "shell/options.h"
#include "shell/progress.h"

enum { KEY_SIZE = 0x200, KEY_SEQUENCE, KEY_FRAMES, KEY_SEARCH, KEY_THREADS, KEY_REPEAT, KEY_JSON };
enum { DEFAULT_HEIGHT = 288, DEFAULT_WIDTH = 352, DEFAULT_FRAMES = 3, DEFAULT_REPEAT = 3 };
enum { MOST_FRAMES = 10000, MOST_REPEAT = 1000, MOST_CHOICES = 8 };

typedef struct arguments {
    weft_fractal_desc desc;
    film_source source;
    int is_drawn; /* an option was given that only drawn frames have */
    const char *search[MOST_CHOICES];
    size_t threads[MOST_CHOICES], searches, thread_counts, repeat;
    const char *json;
} arguments;

static const struct argp_option options[] = {
    {"size", KEY_SIZE, "HxW", 0, "Of the drawn frames; default 288x352", 0},
    {"sequence", KEY_SEQUENCE, "NAME", 0, "Which sequence of weft scene is drawn; default pan", 0},
    {"frames", KEY_FRAMES, "N", 0, "So many frames; default 3", 0},
    {"search", KEY_SEARCH, "NAME", OPTION_MAY_REPEAT,
     "One of those below; may be given more than once; default: all", 0},
    {"threads", KEY_THREADS, "N", OPTION_MAY_REPEAT,
     "CPU threads; may be given more than once; default: 1, and all cores", 0},
    {"repeat", KEY_REPEAT, "N", 0, "Samples of each time; default 3", 0},
    {"json", KEY_JSON, "FILE", 0, "Write a weft-fractal-bench/1 document; - is standard output", 0},
    {0}};

static void take_choice(struct argp_state *state, size_t *count, const char *text) {
    if (*count == MOST_CHOICES) {
        usage_error(state, "%s: more than %d of them", text, MOST_CHOICES);
    }
    ++*count;
}

static error_t parse_list(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case KEY_SEARCH:
        take_choice(state, &a->searches, text);
        a->search[a->searches - 1] = search_option(state, text);
        return 0;
    case KEY_THREADS:
        take_choice(state, &a->thread_counts, text);
        a->threads[a->thread_counts - 1] =
            count_option(state, "threads", text, 1, WEFT_MOST_THREADS);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->desc;
        break;
    case KEY_SIZE:
        size_option(state, text, &a->source.height, &a->source.width);
        a->is_drawn = 1;
        break;
    case KEY_SEQUENCE:
        a->source.sequence = word_option(state, "sequence", text, sequence_words);
        a->is_drawn = 1;
        break;
    case KEY_FRAMES:
        a->source.frames = count_option(state, "frames", text, 1, MOST_FRAMES);
        break;
    case KEY_REPEAT:
        a->repeat = count_option(state, "repeat", text, 1, MOST_REPEAT);
        break;
    case KEY_JSON:
        a->json = json_option(state, text);
        break;
    case ARGP_KEY_ARG:
        if (a->source.path) {
            usage_error(state, "%s: one input file is enough", text);
        }
        a->source.path = file_option(state, "input", text);
        break;
    case ARGP_KEY_END:
        if (a->source.path && a->is_drawn) {
            usage_error(state, "%s: has a size and frames of its own", a->source.path);
        }
        check_apart(state, "--json", a->json, a->source.path, "");
        break;
    default:
        return parse_list(key, text, state);
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[IN.y4m|IN.png]",
    .doc =
        "Hold the searches against seq, then time them, on drawn frames or those of a file."
        "\vA search that gives other codes than seq is reported, not timed, and the exit code is "
        "1. "
        "Times are the least of all samples. terms: what a full search of the ranges that changed "
        "would compute, in thousands of millions; terms/s counts those that were computed. "
        "frames/s: from frames in memory to bytes in memory, PSNR included.\n\n"
        "Examples:\n"
        "  weft fractal bench\n"
        "  weft fractal bench --size 576x704 --threshold 80 --search cpu --json bench.json\n"
        "  weft fractal bench city.y4m --frames 10 --eliminate --search seq",
    .children = coding_options_child,
    .help_filter = help_with_searches};

/* ---- one search ------------------------------------------------------------------------------ */

typedef struct result {
    const char *search;
    int threads;
    char reason[MOST_LINE]; /* "": it was timed */
    double decided, evaluated;
    double *search_seconds, *seconds; /* of each sample, whole film */
    size_t samples;
} result;

static double least(const double *values, size_t count) {
    double found = HUGE_VAL;

    for (size_t i = 0; i < count; i++) {
        found = values[i] < found ? values[i] : found;
    }
    return found;
}

/* Times one run over all frames; its bytes, into `bytes`, are the stream's. */
static int run_once(result *r, const film *f, weft_fractal_desc *desc, uint8_t *bytes,
                    size_t *count) {
    weft_fractal_encoder *encoder;
    weft_status status = weft_fractal_encoder_create(&encoder, desc);
    double search = 0;

    r->decided = r->evaluated = 0;
    *count = 0;
    if (status == WEFT_OK) {
        status = weft_fractal_write_header(encoder, bytes, count);
    }
    const stopwatch since = stopwatch_start();
    for (size_t i = 0; status == WEFT_OK && i < f->frames; i++) {
        const weft_fractal_picture picture = picture_of_frame(&f->format, film_frame(f, i));
        weft_fractal_frame frame;
        size_t written = 0;

        status = weft_fractal_encode(encoder, &picture, bytes + *count, &written, &frame);
        *count += written;
        for (int k = 0; status == WEFT_OK && k < frame.planes; k++) {
            r->decided += frame.plane[k].terms_decided;
            r->evaluated += frame.plane[k].terms_evaluated;
        }
        search += status == WEFT_OK ? frame.search_seconds : 0;
    }
    if (r->samples > 0) {
        r->seconds[r->samples - 1] = stopwatch_seconds(&since);
        r->search_seconds[r->samples - 1] = search;
    }
    weft_fractal_encoder_destroy(encoder);
    if (status == WEFT_UNSUPPORTED || status == WEFT_NO_DEVICE) {
        snprintf(r->reason, sizeof r->reason, "%s", text_of_status(status));
        return EXIT_DONE;
    }
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

/* The stream that all searches must give. */
typedef struct stream {
    uint8_t *bytes, *others; /* of seq; and of the search that is looked at */
    size_t count;
} stream;

static int run_search(result *r, const film *f, const arguments *a, const stream *right) {
    weft_fractal_desc desc = film_describe(f, &a->desc);
    char what[MOST_LINE];
    size_t count;
    int code;

    desc.search = r->search;
    desc.threads = r->threads;
    snprintf(what, sizeof what, "%s on %d threads", r->search, r->threads);
    progress_start(what);
    code = run_once(r, f, &desc, right->others, &count);
    if (code == EXIT_DONE && r->reason[0] == '\0' &&
        (count != right->count || memcmp(right->bytes, right->others, count) != 0)) {
        snprintf(r->reason, sizeof r->reason, "FAIL: other codes than seq");
        code = EXIT_CHECK_FAILED;
    }
    while (code == EXIT_DONE && r->reason[0] == '\0' && r->samples < a->repeat) {
        r->samples++;
        code = run_once(r, f, &desc, right->others, &count);
        progress_step((double)r->samples / (double)a->repeat, NULL);
    }
    progress_end();
    return code;
}

/* ---- decoding -------------------------------------------------------------------------------- */

typedef struct decode_times {
    double reference, later; /* seconds of a frame; not finite where there is none */
} decode_times;

static weft_status decode_once(const film *f, const stream *s, uint8_t *samples,
                               decode_times *times) {
    const weft_fractal_picture picture = picture_of_frame(&f->format, samples);
    weft_fractal_decoder *decoder = NULL;
    double sum[2] = {0, 0};
    size_t frames[2] = {0, 0}, at = 0, size;
    weft_status status = weft_fractal_header_size(s->bytes, s->count, &size);

    if (status == WEFT_OK) {
        status = weft_fractal_decoder_create(&decoder, NULL, s->bytes, size);
    }
    for (at = size; status == WEFT_OK && at < s->count; at += size) {
        status = weft_fractal_frame_size(decoder, s->bytes + at, s->count - at, &size);
        const stopwatch since = stopwatch_start();
        if (status == WEFT_OK) {
            status = weft_fractal_decode(decoder, s->bytes + at, size, &picture);
        }
        const int is_later = status == WEFT_OK && !weft_fractal_decoder_is_reference(decoder);
        sum[is_later] += stopwatch_seconds(&since);
        frames[is_later]++;
    }
    weft_fractal_decoder_destroy(decoder);
    *times = (decode_times){sum[0] / (double)frames[0], sum[1] / (double)frames[1]};
    return status;
}

static int time_decoder(const film *f, const arguments *a, const stream *s,
                        decode_times *least_of) {
    uint8_t *samples = allocate(video_frame_bytes(&f->format), 1);
    weft_status status = WEFT_OK;

    *least_of = (decode_times){HUGE_VAL, HUGE_VAL};
    if (samples == NULL) {
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i <= a->repeat && status == WEFT_OK; i++) {
        decode_times one;

        status = decode_once(f, s, samples, &one);
        least_of->reference = fmin(least_of->reference, one.reference);
        least_of->later = fmin(least_of->later, one.later);
    }
    free(samples);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

/* ---- all of them ----------------------------------------------------------------------------- */

enum { MOST_RESULTS = MOST_CHOICES * MOST_CHOICES };

typedef struct bench {
    const arguments *given;
    film seen;
    stream right;
    result list[MOST_RESULTS];
    size_t count;
    decode_times decode;
} bench;

static int add_result(bench *b, const char *search, size_t threads) {
    result *r = &b->list[b->count];

    *r = (result){.search = search, .threads = (int)threads};
    r->search_seconds = allocate(b->given->repeat, sizeof *r->search_seconds);
    r->seconds = allocate(b->given->repeat, sizeof *r->seconds);
    b->count++;
    return r->search_seconds && r->seconds ? EXIT_DONE : EXIT_MEMORY;
}

/* seq has one thread, whatever it is told. */
static int line_up(bench *b) {
    const arguments *a = b->given;
    int code = EXIT_DONE;

    for (size_t i = 0; i < a->searches; i++) {
        const size_t counts = strcmp(a->search[i], "seq") == 0 ? 1 : a->thread_counts;

        for (size_t k = 0; code == EXIT_DONE && k < counts; k++) {
            code = add_result(b, a->search[i], counts == 1 ? 1 : a->threads[k]);
        }
    }
    return code;
}

/* The description without what changes no code, which seq may refuse. */
static weft_fractal_desc describe_right(const bench *b) {
    weft_fractal_desc desc = film_describe(&b->seen, &b->given->desc);

    desc.search = "seq";
    desc.arith = WEFT_FRACTAL_FIXED;
    desc.codebook = WEFT_FRACTAL_HOST;
    desc.store_scaled = desc.no_reorder = desc.block = desc.unroll = 0;
    return desc;
}

static int encode_right(bench *b) {
    weft_fractal_desc desc = describe_right(b);
    weft_fractal_encoder *encoder;
    result one = {.search = "seq"};
    weft_status status;
    size_t most;
    int code;

    status = weft_fractal_encoder_create(&encoder, &desc);
    if (status != WEFT_OK) {
        return complain_status(status);
    }
    most = (b->seen.frames + 1) * weft_fractal_encoder_bound(encoder);
    weft_fractal_encoder_destroy(encoder);
    b->right.bytes = allocate(most, 1);
    b->right.others = allocate(most, 1);
    if (!b->right.bytes || !b->right.others) {
        return EXIT_MEMORY;
    }
    progress_start("seq, whose codes are right");
    code = run_once(&one, &b->seen, &desc, b->right.bytes, &b->right.count);
    progress_end();
    return code;
}

static int run_all(bench *b) {
    int code = encode_right(b), worst = EXIT_DONE;

    for (size_t i = 0; i < b->count && (code == EXIT_DONE || code == EXIT_CHECK_FAILED); i++) {
        code = run_search(&b->list[i], &b->seen, b->given, &b->right);
        worst = code != EXIT_DONE ? code : worst;
    }
    if (code == EXIT_DONE || code == EXIT_CHECK_FAILED) {
        code = time_decoder(&b->seen, b->given, &b->right, &b->decode);
    }
    return code == EXIT_DONE ? worst : code;
}

/* If there is none, why the first cannot. */
static int check_any_ran(const bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        if (b->list[i].samples > 0) {
            return EXIT_DONE;
        }
    }
    return complain(EXIT_USAGE, "nothing can run: %s", b->list[0].reason);
}

static void close_bench(bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        free(b->list[i].search_seconds);
        free(b->list[i].seconds);
    }
    free(b->right.bytes);
    free(b->right.others);
    film_close(&b->seen);
}

/* ---- results --------------------------------------------------------------------------------- */

/* Terms that a search decides in a second, on seq's one thread; not a number where it is not timed.
 */
static double rate_of_seq(const bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        if (strcmp(b->list[i].search, "seq") == 0 && b->list[i].samples > 0) {
            return b->list[i].decided / least(b->list[i].search_seconds, b->list[i].samples);
        }
    }
    return NAN;
}

static void print_result(FILE *to, const bench *b, const result *r) {
    char ms[CELL_SIZE], rate[CELL_SIZE], times[CELL_SIZE], frames[CELL_SIZE];
    const double search = least(r->search_seconds, r->samples);

    fprintf(to, "%-8s %7d", r->search, r->threads);
    if (r->reason[0] != '\0') {
        fprintf(to, "  %s\n", r->reason);
        return;
    }
    fprintf(to, " %10.3f %8.1f %% %10s %10s %8s %9s\n", r->decided / 1e9,
            r->decided > 0 ? 100 * r->evaluated / r->decided : 0,
            number_cell("%.3g", r->evaluated / search, rate),
            time_cell(1e6 * search / (double)b->seen.frames, ms),
            number_cell("%.2f", r->decided / search / rate_of_seq(b), times),
            number_cell("%.4g", (double)b->seen.frames / least(r->seconds, r->samples), frames));
}

static void print(FILE *to, const bench *b, const json_t *machine) {
    char reference[CELL_SIZE], later[CELL_SIZE];
    const film *f = &b->seen;

    fprintf(to, "%s, %d cores\n%zu frames of %zux%zu, %s, %s\n\n", machine_text(machine, "cpu"),
            omp_get_num_procs(), f->frames, f->format.height, f->format.width,
            chroma_text(chroma_of_video(f->format.chroma)), f->name);
    fprintf(to, "%-8s %7s %10s %10s %10s %10s %8s %9s\n", "search", "threads", "terms", "computed",
            "terms/s", "per frame", "x seq", "frames/s");
    for (size_t i = 0; i < b->count; i++) {
        print_result(to, b, &b->list[i]);
    }
    fprintf(to, "\ndecode, one thread: a reference %s, a frame after it %s\n",
            time_cell(1e6 * b->decode.reference, reference),
            time_cell(1e6 * b->decode.later, later));
}

static json_t *json_of_samples(const double *values, size_t count) {
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        list = json_append(list, json_finite(values[i]));
    }
    return list;
}

static json_t *json_of_result(const result *r) {
    return json_pack("{s:s, s:i, s:s?, s:f, s:f, s:o, s:o}", "search", r->search, "threads",
                     r->threads, "reason", r->reason[0] != '\0' ? r->reason : NULL, "terms_decided",
                     r->decided, "terms_evaluated", r->evaluated, "search_seconds",
                     json_of_samples(r->search_seconds, r->samples), "seconds",
                     json_of_samples(r->seconds, r->samples));
}

static json_t *json_of(const bench *b, json_t *machine) {
    const film *f = &b->seen;
    json_t *list = json_array();

    for (size_t i = 0; i < b->count; i++) {
        list = json_append(list, json_of_result(&b->list[i]));
    }
    return json_pack(
        "{s:s, s:O, s:{s:s, s:I, s:I, s:s, s:I, s:s, s:i}, s:I, s:o, s:{s:o, s:o}}", "schema",
        "weft-fractal-bench/1", "machine", machine, "input", "name", f->name, "height",
        (json_int_t)f->format.height, "width", (json_int_t)f->format.width, "chroma",
        chroma_text(chroma_of_video(f->format.chroma)), "frames", (json_int_t)f->frames, "profile",
        profile_words[b->given->desc.profile], "threshold", b->given->desc.pruning, "bytes",
        (json_int_t)b->right.count, "results", list, "decode", "reference_seconds",
        json_finite(b->decode.reference), "later_seconds", json_finite(b->decode.later));
}

static int report(const bench *b) {
    json_t *machine, *document;
    int code = machine_json(&machine);

    if (code != EXIT_DONE) {
        return code;
    }
    print(json_file_beside(b->given->json), b, machine);
    document = json_of(b, machine);
    json_decref(machine);
    if (document == NULL) {
        return complain(EXIT_MEMORY, "out of memory for the document");
    }
    if (b->given->json != NULL) {
        code = json_file_write(b->given->json, document);
    }
    json_decref(document);
    return code;
}

static void fill_in(arguments *a) {
    if (a->searches == 0) {
        for (int i = 0; i < MOST_CHOICES && weft_fractal_search_name(i) != NULL; i++) {
            a->search[a->searches++] = weft_fractal_search_name(i);
        }
    }
    if (a->thread_counts == 0) {
        a->threads[a->thread_counts++] = 1;
        if (omp_get_num_procs() > 1) {
            a->threads[a->thread_counts++] = (size_t)omp_get_num_procs();
        }
    }
}

int command_fractal_bench(int argc, char **argv) {
    arguments a = {
        .source = {.height = DEFAULT_HEIGHT, .width = DEFAULT_WIDTH, .frames = DEFAULT_FRAMES},
        .repeat = DEFAULT_REPEAT};
    bench b = {.given = &a};
    int code = options_parse(&argp, argc, argv, 0, &a), written;

    if (code == EXIT_DONE) {
        code = json_file_check(a.json);
    }
    if (code == EXIT_DONE) {
        fill_in(&a);
        code = film_open(&b.seen, &a.source);
    }
    if (code == EXIT_DONE) {
        code = line_up(&b);
    }
    if (code == EXIT_DONE) {
        code = run_all(&b);
    }
    if (code == EXIT_DONE) {
        code = check_any_ran(&b);
    }
    if (code == EXIT_DONE || code == EXIT_CHECK_FAILED) {
        written = report(&b);
        code = code == EXIT_DONE ? written : code;
    }
    close_bench(&b);
    return code;
}
