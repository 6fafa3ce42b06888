/* SPDX-License-Identifier: MIT
 * weft bench: verifies the strategies and the peers, then times them in turn; a table for people
 * and a weft-bench/1 document for programs.
 */
#include <stdio.h>
#include <string.h>

#include "bench/document.h"
#include "bench/input.h"
#include "bench/measure.h"
#include "bench/sweep.h"
#include "bench/table.h"
#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/machine.h"
#include "shell/options.h"

enum {
    KEY_SIZE = 0x200,
    KEY_SWEEP,
    KEY_IMAGE,
    KEY_STRATEGY,
    KEY_THREADS,
    KEY_PRECISION,
    KEY_PIXEL,
    KEY_LAYOUT,
    KEY_OPERATION,
    KEY_BATCH,
    KEY_REPEAT,
    KEY_MAX_PIXELS,
    KEY_FILE,
    KEY_JSON,
    KEY_VERBOSE
};
enum {
    DEFAULT_SIDE = 2048,
    DEFAULT_REPEAT = 15,
    FEWEST_BY_DEFAULT = 3,
    SWEEP_REPEAT = 5,
    MOST_REPEAT = 100000
};

static const struct argp_option options[] = {
    {"size", KEY_SIZE, "HxW", 0, "Rows and columns; default 2048x2048", 0},
    {"sweep", KEY_SWEEP, "FROM..TO[:STEP]|FILE", 0,
     "Many sizes, a row each: squares of these sides, or the sizes of a file", 0},
    {"image", KEY_IMAGE, "FILE.png", 0, "Take size and pixels from a picture, a plane an image", 0},
    {"strategy", KEY_STRATEGY, "NAME[,NAME...]", OPTION_MAY_REPEAT,
     "cpu, cuda, auto, or full names, options after colons; may be given more than once; default: "
     "all, and the peers",
     0},
    {"threads", KEY_THREADS, "N[,N...]", OPTION_MAY_REPEAT,
     "CPU threads, each number in turn, at most 32 of them; a later --threads replaces an earlier "
     "one; default: both 1 and all cores, of a sweep 1",
     0},
    {"precision", KEY_PRECISION, "f32|f64", 0, "Default f32", 0},
    {"pixel", KEY_PIXEL, "real|u8|u16", 0, "Element type of the image; default real", 0},
    {"layout", KEY_LAYOUT, "packed|half", 0, "Of the spectrum; default packed", 0},
    {"operation", KEY_OPERATION, "forward|inverse|filter", 0, "Default forward", 0},
    {"batch", KEY_BATCH, "N", 0, "Images per execution; default 1", 0},
    {"repeat", KEY_REPEAT, "N", 0,
     "Samples of each time; default 15, of what takes long fewer, but at least 3; of a sweep 5", 0},
    {"max-pixels", KEY_MAX_PIXELS, "N", 0, "Refuse a larger --image; default 2^30", 0},
    {"file", KEY_FILE, NULL, 0, "Also time from PNG file to PNG file", 0},
    {"json", KEY_JSON, "FILE", 0,
     "Write a weft-bench/1 document, of a sweep a weft-sweep/1 one; - is standard output", 0},
    {"verbose", KEY_VERBOSE, NULL, 0, "Say on standard error what each plan consists of", 0},
    {0}};

typedef struct arguments {
    bench_task task;
    candidate_list candidates;
    const char *sweep; /* NULL: one size */
    int has_size;
} arguments;

/* Each number once; a later --threads replaces an earlier one. Cuts the text at its commas. */
static void take_threads(struct argp_state *state, bench_task *t, char *text) {
    const size_t length = strlen(text);
    t->thread_counts = 0;
    if (length == 0 || text[0] == ',' || text[length - 1] == ',' || strstr(text, ",,") != NULL) {
        usage_error(state, "--threads \"%s\": must be numbers with single commas between them",
                    text);
    }
    for (char *one = text, *rest; one != NULL; one = rest) {
        rest = strchr(one, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        const size_t threads = count_option(state, "threads", one, 1, WEFT_MOST_THREADS);
        size_t known = 0;
        while (known < t->thread_counts && t->threads[known] != threads) {
            known++;
        }
        if (known == MOST_THREAD_COUNTS) {
            usage_error(state, "--threads: more than %d different numbers", MOST_THREAD_COUNTS);
        }
        t->threads[known] = threads;
        t->thread_counts += known == t->thread_counts;
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;
    bench_task *t = &a->task;

    switch (key) {
    case KEY_SIZE:
        size_option(state, text, &t->height, &t->width);
        a->has_size = 1;
        break;
    case KEY_SWEEP:
        a->sweep = file_option(state, "--sweep", text);
        break;
    case KEY_IMAGE:
        t->picture = file_option(state, "--image", text);
        break;
    case KEY_STRATEGY:
        candidates_option(&a->candidates, text);
        break;
    case KEY_THREADS:
        take_threads(state, t, text);
        break;
    case KEY_PRECISION:
        t->precision = (weft_precision)word_option(state, "precision", text, precision_words);
        break;
    case KEY_PIXEL:
        t->pixel = (weft_pixel)word_option(state, "pixel", text, pixel_words);
        break;
    case KEY_LAYOUT:
        t->layout = (weft_layout)word_option(state, "layout", text, layout_words);
        break;
    case KEY_OPERATION:
        t->what = (operation)word_option(state, "operation", text, operation_words);
        break;
    case KEY_BATCH:
        t->batch = count_option(state, "batch", text, 1, (size_t)1 << 30);
        break;
    case KEY_REPEAT:
        t->repeat = count_option(state, "repeat", text, 1, MOST_REPEAT);
        break;
    case KEY_MAX_PIXELS:
        t->max_pixels = max_pixels_option(state, text);
        break;
    case KEY_FILE:
        t->to_file = 1;
        break;
    case KEY_JSON:
        t->json = json_option(state, text);
        break;
    case KEY_VERBOSE:
        t->verbose = 1;
        break;
    case ARGP_KEY_ARG:
        usage_error(state, "%s: no arguments are taken; a picture is given with --image", text);
        break;
    case ARGP_KEY_SUCCESS:
        if (a->sweep != NULL && (a->has_size || t->picture != NULL || t->to_file)) {
            usage_error(state, "--sweep %s: has sizes of its own, and no file is timed", a->sweep);
        }
        if (t->repeat == 0) {
            t->repeat = a->sweep != NULL ? SWEEP_REPEAT : DEFAULT_REPEAT;
            t->fewest = FEWEST_BY_DEFAULT;
        }
        if (a->has_size && t->picture != NULL) {
            usage_error(state, "--size and --image: the picture has a size of its own");
        }
        check_apart(state, "--json", t->json, t->picture, "");
        check_apart(state, "--json", t->json, a->sweep, "");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc =
        "Verify the strategies against an oracle, an independent transform in higher precision, "
        "then time them."
        "\vReal pixels are verified on random numbers, integer pixels on the picture itself, where "
        "the relative error is that of all values but the mean. A strategy that fails is reported, "
        "not timed, and the exit code is 1. Peers only have to keep within theory's worst case.\n\n"
        "Hot: the same buffers again and again. Cold: buffers take turns through more than 200 MB. "
        "Runs longer than 100 ms on the CPU, or 20 ms on the GPU, and buffers of less than 24 KB "
        "are timed hot only. GPU times in the table are those of a replayed graph; the JSON "
        "document also has plain stream launches "
        "and, in both, the time from host to host over pinned memory. The peers, other people's "
        "FFTs (FFTW, cuFFT), transform to half "
        "spectra, whatever the layout asked for, and the document says so. 'copy' moves as many "
        "bytes as the transform must read and write, and nothing else.\n\n"
        "Columns: hot and cold are medians, min the least hot time. GB/s counts, hot, the bytes "
        "that must be read and written. % copy is the hot time of the fastest copy on no more "
        "threads, in percent of this one's. x NAME says how many times as fast as NAME this is: "
        "cpu.report on one thread or, where that is not timed, the first strategy on its fewest "
        "threads. rel L2 is the relative L2 error. Below the table are those whose "
        "median, hot or cold, is more than 1.5 times their least time.\n\n"
        "A sweep has a row for each size and strategy: its median time, cold where that is timed, "
        "beside those of the peer and of a copy, on as many threads, timed in the same way; "
        "Weft/peer below 1 is faster than the peer. Default: what would be chosen for the size on "
        "the CPU and on the GPU, and the peers. A file of sizes has one HxW a line; # begins a "
        "comment. scripts/draw-results --scatter draws the ratios of a weft-sweep/1 document.\n\n"
        "Examples:\n"
        "  weft bench\n"
        "  weft bench --size 1080x1920 --pixel u8 --threads 1\n"
        "  weft bench --strategy cpu.fast --threads 1,2,4\n"
        "  weft bench --sweep 100..120 --strategy cpu.fast,cpu.reference,copy\n"
        "  weft bench --strategy cpu.fast,copy --operation filter --json bench.json"};

/* ---- one size ------------------------------------------------------------------------------- */

/* Where there is no plan at all, the reason of each; once for all thread counts. */
static int check_any_runs(const line_up *l) {
    char reasons[1024] = "";
    size_t used = 0;
    int code;

    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        if (c->plan != NULL) {
            return EXIT_DONE;
        }
        if (used < sizeof reasons && (i == 0 || c->candidate != l->list[i - 1].candidate)) {
            used += (size_t)snprintf(reasons + used, sizeof reasons - used, "%s%s",
                                     used != 0 ? "; " : "", c->reason);
        }
    }
    code = bench_exit_code(l);
    return code != EXIT_DONE ? code
                             : complain(EXIT_USAGE, "nothing can run: %s%s", reasons,
                                        l->candidates.list[0].demanded ? omit_strategy : "");
}

static int report(const line_up *l, const bench_task *task, const bench_input *source) {
    json_t *machine, *document;
    int code = machine_json(&machine);

    if (code != EXIT_DONE) {
        return code;
    }
    bench_table(json_file_beside(task->json), l, task, source, machine);
    document = bench_json(l, task, machine);
    if (document == NULL) {
        return complain(EXIT_MEMORY, "out of memory for the document");
    }
    if (task->json != NULL) {
        code = json_file_write(task->json, document);
    }
    json_decref(document);
    return code;
}

/* The candidates are the line-up's from here on. */
static int run(bench_task *task, candidate_list candidates) {
    bench_input source = {0};
    line_up l = {.candidates = candidates};
    int code = l.candidates.count == 0 ? candidates_add(&l.candidates, NULL) : EXIT_DONE, written;

    if (code == EXIT_DONE) {
        code = bench_input_open(&source, task);
    }
    if (code == EXIT_DONE) {
        code = line_up_make(&l, task);
    }
    if (code == EXIT_DONE) {
        code = check_any_runs(&l);
    }
    if (code == EXIT_DONE) {
        code = bench_run(&l, task, &source);
    }
    if (code == EXIT_DONE) {
        written = report(&l, task, &source);
        code = bench_exit_code(&l);
        code = code == EXIT_DONE ? written : code;
    }
    line_up_free(&l);
    bench_input_close(&source);
    return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

int command_bench(int argc, char **argv) {
    arguments a = {
        .task = {.height = DEFAULT_SIDE, .width = DEFAULT_SIDE, .max_pixels = DEFAULT_MAX_PIXELS}};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = json_file_check(a.task.json);
    }
    if (code != EXIT_DONE) {
        candidates_free(&a.candidates);
        return code;
    }
    return a.sweep != NULL ? bench_sweep(&a.task, a.candidates, a.sweep)
                           : run(&a.task, a.candidates);
}
