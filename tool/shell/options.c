/* SPDX-License-Identifier: MIT
 * Parsing the options that the commands around a transform share.
 */
#include "shell/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/parse.h"
#include "shell/try_strategy.h"

const char *const precision_words[] = {"f32", "f64", NULL};
const char *const pixel_words[] = {"real", "u8", "u16", NULL};
const char *const layout_words[] = {"packed", "half", NULL};
const char *const norm_words[] = {"backward", "ortho", "forward", "none", NULL};

enum { MOST_DEVICES = 1024, NAMES_SIZE = 1000 };
enum {
    KEY_THREADS = 0x100,
    KEY_DEVICE,
    KEY_PRECISION,
    KEY_STRATEGY,
    KEY_MAX_PIXELS,
    KEY_STRICT,
    KEY_VERBOSE,
    KEY_FORCE
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Where the result goes; - is standard output", 0},
    {"strategy", KEY_STRATEGY, "NAME", 0,
     "cpu, cuda or a name of weft info, options after colons; default: the fastest that runs", 0},
    {"precision", KEY_PRECISION, "f32|f64", 0, "Of every number of the transform", 0},
    {"threads", KEY_THREADS, "N", 0, "For the cpu strategies; default: as OpenMP is set", 0},
    {"device", KEY_DEVICE, "N", 0, "For the cuda strategies: which GPU; default 0", 0},
    {"max-pixels", KEY_MAX_PIXELS, "N", 0, "Refuse larger pictures; default 2^30", 0},
    {"force", KEY_FORCE, NULL, 0, "Write even over an input", 0},
    {"strict", KEY_STRICT, NULL, 0, "Fail where values are too large for the precision", 0},
    {"verbose", KEY_VERBOSE, NULL, 0, "Say on standard error what the plan consists of", 0},
    {0}};

int word_option(struct argp_state *state, const char *option, const char *text,
                const char *const *words) {
    char all[NAMES_SIZE];
    int found = parse_word(text, words);

    if (found < 0) {
        usage_error(state, "--%s %s: must be one of %s", option, text,
                    join_words(all, sizeof all, words, ", "));
    }
    return found;
}

size_t count_option(struct argp_state *state, const char *option, const char *text, size_t least,
                    size_t most) {
    size_t count = least;

    if (parse_count(text, least, most, &count)) {
        usage_error(state, "--%s %s: must be a whole number from %zu to %zu", option, text, least,
                    most);
    }
    return count;
}

int depth_option(struct argp_state *state, const char *text) {
    static const char *const depths[] = {"8", "16", NULL};

    return word_option(state, "depth", text, depths) == 0 ? 8 : 16;
}

void size_option(struct argp_state *state, const char *text, size_t *height, size_t *width) {
    if (parse_size(text, height, width) != 0) {
        usage_error(state, "--size %s: must be HxW, both at least 1, such as 2048x2048", text);
    }
}

size_t max_pixels_option(struct argp_state *state, const char *text) {
    return count_option(state, "max-pixels", text, 1, (size_t)1 << 48);
}

char *help_with_list(const char *heading, list_name *name, const char *text) {
    char *list = NULL;
    const char *about;
    size_t size;
    FILE *to = open_memstream(&list, &size);

    if (!to) {
        return (char *)text;
    }
    fprintf(to, "%s\n", heading);
    for (int i = 0; name(i, &about); i++) {
        fprintf(to, "  %-10s %s\n", name(i, &about), about);
    }
    fprintf(to, "\n%s", text);
    fclose(to);
    return list;
}

static void check_complete(struct argp_state *state, const transform_options *o) {
    if (!o->input) {
        usage_error(state, "no input file");
    }
    if (!o->output) {
        usage_error(state, "no output file: say -o FILE");
    }
    check_suffix(state, "-o", o->output, o->suffixes);
    if (!o->force) {
        check_apart(state, "-o", o->output, o->input, force_allows);
    }
}

static void take_input(struct argp_state *state, transform_options *o, char *text) {
    if (o->input) {
        usage_error(state, "%s: one input file is enough", text);
    }
    o->input = file_option(state, "input", text);
}

/* A name that is wrong, or wants a GPU where there is none, is refused before any file is read. */
static void check_strategy(const transform_options *o) {
    weft_status status = o->strategy ? try_strategy(o->strategy, (int)o->device) : WEFT_OK;

    if (status != WEFT_OK && status != WEFT_UNSUPPORTED) {
        exit(complain_status(status));
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    transform_options *o = state->input;

    switch (key) {
    case 'o':
        o->output = file_option(state, "-o", text);
        break;
    case KEY_STRATEGY:
        o->strategy = text;
        break;
    case KEY_PRECISION:
        o->precision = word_option(state, "precision", text, precision_words);
        break;
    case KEY_THREADS:
        o->threads = count_option(state, "threads", text, 1, WEFT_MOST_THREADS);
        break;
    case KEY_DEVICE:
        o->device = count_option(state, "device", text, 0, MOST_DEVICES);
        break;
    case KEY_MAX_PIXELS:
        o->max_pixels = max_pixels_option(state, text);
        break;
    case KEY_STRICT:
        o->strict = 1;
        break;
    case KEY_VERBOSE:
        o->verbose = 1;
        break;
    case KEY_FORCE:
        o->force = 1;
        break;
    case ARGP_KEY_ARG:
        take_input(state, o, text);
        break;
    case ARGP_KEY_END:
        check_complete(state, o);
        check_strategy(o);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp transform_argp = {.options = options, .parser = parse};

const struct argp_child transform_options_child[] = {{&transform_argp, 0, "Shared options:", 1},
                                                     {0}};
