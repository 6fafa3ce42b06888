/* SPDX-License-Identifier: MIT
 * weft reproduce: finds an experiment, reads its pictures, makes sure of the GPU where it needs
 * one, and runs it.
 */
#include "reproduce/reproduce.h"

#include <stdio.h>
#include <string.h>

#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/options.h"
#include "shell/parse.h"
#include "shell/try_strategy.h"

enum { KEY_QUICK = 0x200, KEY_FULL, KEY_NO_SEQ, KEY_IMAGE, KEY_VIDEO, KEY_MAX_PIXELS, KEY_JSON };
enum { DX11_MAX_PIXELS = 1 << 26 };
enum { MOST_IMAGES = 4, MOST_VIDEOS = 3, NAMES_SIZE = 100 };

typedef struct experiment {
    const char *name, *about;
    int needs_gpu;
    size_t images, videos; /* that may be given */
    /* NULL in a build without CUDA, where no GPU is found. */
    int (*run)(const reproduce_options *o);
} experiment;

static const experiment experiments[] = {
    {"dx11", "the DirectX 11 image FFT, two techniques", 1, 1, 0,
     WEFT_WITH_CUDA ? reproduce_dx11 : NULL},
    {"fractal", "fractal video compression, on CPU and GPU", 0, MOST_IMAGES, MOST_VIDEOS,
     reproduce_fractal},
    {"ladder", "from the report's program to today's, one idea a rung", 0, 0, 0, reproduce_ladder},
};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

typedef struct arguments {
    reproduce_options options;
    const experiment *chosen;
    const char *images[MOST_IMAGES], *videos[MOST_VIDEOS];
    size_t max_pixels;
} arguments;

static const struct argp_option options[] = {
    {"quick", KEY_QUICK, NULL, 0, "Small sizes only, a few seconds", 0},
    {"full", KEY_FULL, NULL, 0, "Everything at every size: dx11 a minute, fractal some", 0},
    {"no-seq", KEY_NO_SEQ, NULL, 0,
     "fractal: leave out the search seq, which takes longest: its times, and from where on fft is "
     "the faster",
     0},
    {"image", KEY_IMAGE, "FILE.png", OPTION_MAY_REPEAT,
     "Use this picture; default: the scene; fractal: up to 4", 0},
    {"video", KEY_VIDEO, "FILE.y4m", OPTION_MAY_REPEAT, "fractal: this film, too; up to 3", 0},
    {"max-pixels", KEY_MAX_PIXELS, "N", 0, "Refuse larger pictures; default 2^26", 0},
    {"json", KEY_JSON, "FILE", 0, "Write a document; - is standard output", 0},
    {0}};

static const char *experiment_names(void) {
    static char all[NAMES_SIZE];
    const char *names[EXPERIMENTS + 1] = {NULL};

    for (int i = 0; i < EXPERIMENTS; i++) {
        names[i] = experiments[i].name;
    }
    return join_words(all, sizeof all, names, " and ");
}

static void choose(struct argp_state *state, arguments *a, const char *name) {
    if (a->chosen != NULL) {
        usage_error(state, "%s: one experiment is enough", name);
    }
    for (int i = 0; i < EXPERIMENTS; i++) {
        if (strcmp(experiments[i].name, name) == 0) {
            a->chosen = &experiments[i];
            return;
        }
    }
    usage_error(state, "unknown experiment '%s'; there are %s", name, experiment_names());
}

static void check_complete(struct argp_state *state, const arguments *a) {
    if (a->chosen == NULL) {
        usage_error(state, "no experiment; there are %s", experiment_names());
    }
    if (a->options.quick && a->options.full) {
        usage_error(state, "--quick and --full: only one of them");
    }
    if (a->options.no_seq && a->chosen->run != reproduce_fractal) {
        usage_error(state, "%s: no option --no-seq, which is of fractal", a->chosen->name);
    }
    if (a->options.pictures > a->chosen->images || a->options.videos > a->chosen->videos) {
        usage_error(state, "%s: at most %zu of --image and %zu of --video", a->chosen->name,
                    a->chosen->images, a->chosen->videos);
    }
    for (size_t i = 0; i < a->options.pictures; i++) {
        check_apart(state, "--json", a->options.json, a->images[i], "");
    }
    for (size_t i = 0; i < a->options.videos; i++) {
        check_apart(state, "--json", a->options.json, a->videos[i], "");
    }
}

/* One more of at most so many paths. */
static void add_path(struct argp_state *state, const char *option, char *text, const char **paths,
                     size_t *count, size_t most) {
    if (*count == most) {
        usage_error(state, "%s %s: more than %zu of them", option, text, most);
    }
    paths[*count] = file_option(state, option, text);
    ++*count;
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
    case KEY_NO_SEQ:
        a->options.no_seq = 1;
        break;
    case KEY_IMAGE:
        add_path(state, "--image", text, a->images, &a->options.pictures, MOST_IMAGES);
        break;
    case KEY_VIDEO:
        add_path(state, "--video", text, a->videos, &a->options.videos, MOST_VIDEOS);
        break;
    case KEY_MAX_PIXELS:
        a->max_pixels = max_pixels_option(state, text);
        break;
    case KEY_JSON:
        a->options.json = json_option(state, text);
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
        "Run a published experiment again, and say which of its claims hold here."
        "\vdx11: a colour picture to its spectrum and back, by both techniques of the sample, "
        "with a table of weights and with computed ones, in several layouts of the colours; at "
        "512x512, then from 256x256 to 4096x4096. Weft's own transforms of the same picture "
        "stand beside them. A picture takes the place of 512x512 of the scene, at its own size, "
        "filled up to powers of two with zeros; the other sizes take its upper left part, zeros "
        "where it does not reach. --quick: 256x256 and 512x512 only, and a picture also at its own "
        "size. The document is weft-dx11/1. Needs an NVIDIA GPU; without one the exit code is "
        "6.\n\n"
        "fractal: Fig. 5 and Tables I to VII of the fractal video codec that weft fractal was "
        "built after, its value beside ours; \"lost\" where nobody knows it. Films are drawn, at "
        "144x176 (--quick), 288x352 or 576x704 (--full); pictures are the middle of those given. "
        "Where there is no GPU, or no search for it, its rows say so. The document is "
        "weft-fractal/1.\n\n"
        "ladder: complete small programs, each with one idea more than the one before; what each "
        "idea gains there, and what is lost when it alone is left out of the last one; at "
        "2048x2048 (--quick: 512x512). The document is weft-ladder/1.\n\n"
        "The exit code is 1 if a verification fails: a spectrum too far from the oracle's, a "
        "round trip below 100 dB, or bytes that are not those predicted. A claim about speed "
        "that does not hold is a finding: it is printed as FAIL, and the exit code stays 0.\n\n"
        "Examples:\n"
        "  weft reproduce dx11 --quick\n"
        "  weft reproduce dx11 --full --json dx11.json\n"
        "  weft reproduce fractal --image camera.png --video people.y4m",
    .help_filter = help};

/* The library's refusals are "what: why; advice", but its advice is for transforms. */
static int complain_no_gpu(const char *name) {
    const char *text = weft_last_error(), *colon = strstr(text, ": ");
    const char *why = colon != NULL ? colon + 2 : text;

    return complain(EXIT_GPU, "%s needs an NVIDIA GPU: %.*s; measured results are in docs/%s.md",
                    name, (int)strcspn(why, ";"), why, name);
}

static int make_sure_of_gpu(const experiment *chosen) {
    const weft_status status = chosen->needs_gpu ? try_strategy("cuda", 0) : WEFT_OK;

    return status == WEFT_OK          ? EXIT_DONE
           : status == WEFT_NO_DEVICE ? complain_no_gpu(chosen->name)
                                      : complain_status(status);
}

/* A wrong picture is refused before a GPU is looked for. */
static int run(arguments *a, image *pictures) {
    reproduce_options *o = &a->options;
    int code = EXIT_DONE;

    for (size_t i = 0; code == EXIT_DONE && i < o->pictures; i++) {
        code = image_read_png(&pictures[i], a->images[i], a->max_pixels);
    }
    if (code == EXIT_DONE) {
        code = make_sure_of_gpu(a->chosen);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    o->picture = o->pictures > 0 ? pictures : NULL;
    o->picture_paths = a->images;
    o->video_paths = a->videos;
    return a->chosen->run(o);
}

int command_reproduce(int argc, char **argv) {
    arguments a = {.max_pixels = DX11_MAX_PIXELS};
    image pictures[MOST_IMAGES] = {{0}};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = json_file_check(a.options.json);
    }
    if (code == EXIT_DONE) {
        code = run(&a, pictures);
    }
    for (int i = 0; i < MOST_IMAGES; i++) {
        image_free(&pictures[i]);
    }
    return code;
}
