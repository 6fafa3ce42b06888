/* SPDX-License-Identifier: MIT
 * weft fractal bench: frames in memory, coded by each search on some numbers of threads. All must
 * give the bytes of seq, which are canonical: equal bytes are equal codes. Then they are timed.
 */
#include <stdint.h>
#include <stdio.h>

#include "commands/fractal/bench.h"
#include "commands/fractal/coding_options.h"
#include "commands/fractal/commands.h"
#include "files/sequence.h"
#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/machine.h"
#include "shell/options.h"

enum {
    KEY_SIZE = 0x200,
    KEY_SEQUENCE,
    KEY_FRAMES,
    KEY_FILE_FRAMES,
    KEY_SEARCH,
    KEY_THREADS,
    KEY_REPEAT,
    KEY_JSON
};
enum { DEFAULT_HEIGHT = 288, DEFAULT_WIDTH = 352, DEFAULT_FRAMES = 3, DEFAULT_REPEAT = 3 };
enum { MOST_FRAMES = 10000, MOST_REPEAT = 1000 };

static const struct argp_option options[] = {
    {"size", KEY_SIZE, "HxW", 0, "Of the drawn frames; default 288x352", 0},
    {"sequence", KEY_SEQUENCE, "NAME", 0, "Which sequence of weft scene is drawn; default pan", 0},
    {"frames", KEY_FRAMES, "N", 0, "So many frames in memory; default 3", 0},
    {"file-frames", KEY_FILE_FRAMES, "N", 0,
     "So many in the file that is coded into another; default: as many as in memory", 0},
    {"search", KEY_SEARCH, "NAME", OPTION_MAY_REPEAT,
     "One of those below; may be given more than once; default: all", 0},
    {"threads", KEY_THREADS, "N", OPTION_MAY_REPEAT,
     "CPU threads; may be given more than once; default: 1, and all cores", 0},
    {"repeat", KEY_REPEAT, "N", 0,
     "Samples of each time; default 3; of a file that takes 20 s or more, one", 0},
    {"json", KEY_JSON, "FILE", 0, "Write a weft-fractal-bench/1 document; - is standard output", 0},
    {0}};

static void take_choice(struct argp_state *state, size_t *count, const char *text) {
    if (*count == MOST_CHOICES) {
        usage_error(state, "%s: more than %d of them", text, MOST_CHOICES);
    }
    ++*count;
}

static error_t parse_list(int key, char *text, struct argp_state *state) {
    bench_options *a = state->input;

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
    bench_options *a = state->input;

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
        a->frames = count_option(state, "frames", text, 1, MOST_FRAMES);
        break;
    case KEY_FILE_FRAMES:
        a->file_frames = count_option(state, "file-frames", text, 1, MOST_FRAMES);
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
    .args_doc = "[IN.y4m|PICTURE]",
    .doc =
        "Hold the searches against seq, then time them, on drawn frames or those of a file."
        "\vA search that gives other codes than seq is reported, not timed, and the exit code is "
        "1. "
        "Times are the least of all samples. terms: what a full search of the ranges that changed "
        "would compute, in thousands of millions; terms/s counts those that were computed. "
        "memory: frames a second from frames in memory to bytes in memory, PSNR included; file: "
        "from a "
        "Y4M file to an FVC1 file in a folder of their own, as encode does it. seq codes no "
        "file.\n\n"
        "With cuda, a frame of Y, 576x704, is searched and decoded on the GPU alone, timed by "
        "events. "
        "The bound is what two instructions a term take at the rate at which the GPU multiplies "
        "and "
        "adds, which is measured beside it.\n\n"
        "Examples:\n"
        "  weft fractal bench\n"
        "  weft fractal bench --threshold 80 --search cpu --json bench.json\n"
        "  weft fractal bench --frames 1 --file-frames 100 --threshold 80\n"
        "  weft fractal bench city.y4m --frames 10 --eliminate --search seq",
    .children = coding_options_child,
    .help_filter = help_with_searches};

static void fill_in(bench_options *a) {
    if (a->file_frames == 0) {
        a->file_frames = a->frames;
    }
    a->source.frames = a->frames > a->file_frames ? a->frames : a->file_frames;
    if (a->searches == 0) {
        for (int i = 0; i < MOST_CHOICES && weft_fractal_search_name(i) != NULL; i++) {
            a->search[a->searches++] = weft_fractal_search_name(i);
        }
    }
    if (a->thread_counts == 0) {
        a->threads[a->thread_counts++] = 1;
        if (machine_threads() > 1) {
            a->threads[a->thread_counts++] = (size_t)machine_threads();
        }
    }
}

int command_fractal_bench(int argc, char **argv) {
    bench_options a = {.source = {.height = DEFAULT_HEIGHT, .width = DEFAULT_WIDTH},
                       .frames = DEFAULT_FRAMES,
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
        code = fractal_bench_run(&b);
    }
    if (code == EXIT_DONE || code == EXIT_CHECK_FAILED) {
        written = fractal_bench_report(&b);
        code = code == EXIT_DONE ? written : code;
    }
    fractal_bench_close(&b);
    return code;
}
