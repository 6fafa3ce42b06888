/* SPDX-License-Identifier: MIT
 * weft reproduce: finds an experiment, reads its picture, makes sure of the GPU, and runs it.
 */
#include "reproduce/reproduce.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "shell/command.h"
#include "shell/complain.h"
#include "shell/json_file.h"
#include "shell/options.h"
#include "shell/try_strategy.h"

enum { KEY_QUICK = 0x200, KEY_FULL, KEY_IMAGE, KEY_MAX_PIXELS, KEY_JSON };
enum { DEFAULT_MAX_PIXELS = 1 << 26 };

typedef struct experiment {
    const char *name, *about;
    /* NULL in a build without CUDA, where no GPU is found. */
    int (*run)(const reproduce_options *o);
} experiment;

static const experiment experiments[] = {
    {"dx11", "the DirectX 11 image FFT, two techniques", WEFT_WITH_CUDA ? reproduce_dx11 : NULL},
};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

typedef struct arguments {
    reproduce_options options;
    const experiment *chosen;
    const char *path; /* of the picture, or NULL */
    size_t max_pixels;
} arguments;

static const struct argp_option options[] = {
    {"quick", KEY_QUICK, NULL, 0,
     "256x256 and 512x512 only, a few seconds; with --image also the picture at its own size", 0},
    {"full", KEY_FULL, NULL, 0, "Every combination at every size: about a minute", 0},
    {"image", KEY_IMAGE, "FILE.png", 0, "Use this picture; default: the scene", 0},
    {"max-pixels", KEY_MAX_PIXELS, "N", 0, "Refuse larger pictures; default 2^26", 0},
    {"json", KEY_JSON, "FILE", 0, "Write a document; - is standard output", 0},
    {0}};

static void choose(struct argp_state *state, arguments *a, const char *name) {
    if (a->chosen != NULL) {
        argp_error(state, "%s: one experiment is enough", name);
    }
    for (int i = 0; i < EXPERIMENTS; i++) {
        if (strcmp(experiments[i].name, name) == 0) {
            a->chosen = &experiments[i];
            return;
        }
    }
    argp_error(state, "unknown experiment '%s'", name);
}

static void check_complete(struct argp_state *state, const arguments *a) {
    if (a->chosen == NULL) {
        argp_error(state, "no experiment");
    }
    if (a->options.quick && a->options.full) {
        argp_error(state, "--quick and --full: only one of them");
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case KEY_QUICK:
        a->options.quick = 1;
        break;
    case KEY_FULL:
        a->options.full = 1;
        break;
    case KEY_IMAGE:
        a->path = image_option(state, a->path, text);
        break;
    case KEY_MAX_PIXELS:
        a->max_pixels = max_pixels_option(state, text);
        break;
    case KEY_JSON:
        a->options.json = file_option(state, "--json", text);
        break;
    case ARGP_KEY_ARG:
        choose(state, a, text);
        break;
    case ARGP_KEY_END:
        check_complete(state, a);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const char *experiment_at(int i, const char **about) {
    *about = i < EXPERIMENTS ? experiments[i].about : NULL;
    return i < EXPERIMENTS ? experiments[i].name : NULL;
}

static char *help(int key, const char *text, void *context) {
    (void)context;
    return key == ARGP_KEY_HELP_POST_DOC ? help_with_list("Experiments:", experiment_at, text)
                                         : (char *)text;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "EXPERIMENT",
    .doc =
        "Run a published experiment again, and say which of its claims hold here. Needs an NVIDIA "
        "GPU; without one the exit code is 6."
        "\vdx11: a colour picture to its spectrum and back, by both techniques of the sample, "
        "with a table of weights and with computed ones, in several layouts of the colours; at "
        "512x512, then from 256x256 to 4096x4096. Weft's own transforms of the same picture "
        "stand beside them. A picture takes the place of 512x512 of the scene, at its own size, "
        "filled up to powers of two with zeros; the other sizes take its upper left part, zeros "
        "where it does not reach. The document is weft-dx11/1.\n\n"
        "The exit code is 1 if a verification fails: a spectrum too far from the oracle's, a "
        "round trip below 100 dB, or bytes that are not those predicted. A claim about speed "
        "that does not hold is a finding: it is printed as FAIL, and the exit code stays 0.\n\n"
        "Examples:\n"
        "  weft reproduce dx11 --quick\n"
        "  weft reproduce dx11 --full --json dx11.json",
    .help_filter = help};

/* The library's refusals are "what: why; advice", but its advice is for transforms. */
static int complain_no_gpu(const char *name) {
    const char *text = weft_last_error(), *colon = strstr(text, ": ");
    const char *why = colon != NULL ? colon + 2 : text;

    return complain(EXIT_GPU, "%s needs an NVIDIA GPU: %.*s; measured results are in docs/%s.md",
                    name, (int)strcspn(why, ";"), why, name);
}

/* A wrong picture is refused before a GPU is looked for. */
static int run(arguments *a, image *picture) {
    int code = a->path != NULL ? image_read_png(picture, a->path, a->max_pixels) : EXIT_DONE;
    weft_status status;

    if (code != EXIT_DONE) {
        return code;
    }
    status = try_strategy("cuda", 0);
    if (status != WEFT_OK) {
        return status == WEFT_NO_DEVICE ? complain_no_gpu(a->chosen->name)
                                        : complain_status(status);
    }
    a->options.picture = a->path != NULL ? picture : NULL;
    return a->chosen->run(&a->options);
}

int command_reproduce(int argc, char **argv) {
    arguments a = {.max_pixels = DEFAULT_MAX_PIXELS};
    image picture = {0};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = json_file_check(a.options.json);
    }
    if (code == EXIT_DONE) {
        code = run(&a, &picture);
    }
    image_free(&picture);
    return code;
}
