/* SPDX-License-Identifier: MIT
 * weft reproduce: has one experiment or all of them measure, and prints and writes the document; or
 * prints documents from files.
 */
#include "reproduce/reproduce.h"

#include <stdio.h>
#include <string.h>

#include "reproduce/present.h"
#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/machine.h"
#include "shell/options.h"
#include "shell/parse.h"
#include "shell/progress.h"
#include "shell/try_strategy.h"

enum {
    KEY_QUICK = 0x200,
    KEY_FULL,
    KEY_NO_SEQ,
    KEY_DEVICE,
    KEY_IMAGE,
    KEY_VIDEO,
    KEY_MAX_PIXELS,
    KEY_FROM,
    KEY_JSON
};
enum { DX11_MAX_PIXELS = 1 << 26 };
enum { MOST_DOCUMENTS = 64, TEXT_SIZE = 200 };

typedef struct arguments {
    reproduce_options options;
    const char *json;
    const reproduction *chosen; /* NULL: all, or none */
    int all;
    const char *images[MOST_IMAGES], *videos[MOST_VIDEOS], *from[MOST_DOCUMENTS];
    size_t documents, max_pixels; /* max_pixels: 0 where not given */
} arguments;

static const char *const devices[] = {"cpu", "gpu", NULL};

static const struct argp_option options[] = {
    {"quick", KEY_QUICK, NULL, 0, "Small sizes only, a few seconds", 0},
    {"full", KEY_FULL, NULL, 0, "Everything at every size: dx11 a minute, fractal and weft some",
     0},
    {"no-seq", KEY_NO_SEQ, NULL, 0,
     "fractal: leave out the search seq, which takes longest: its times, and from where on fft is "
     "the faster",
     0},
    {"device", KEY_DEVICE, "cpu|gpu", 0, "ladder: the rungs of one of them only; default: of both",
     0},
    {"image", KEY_IMAGE, "FILE.png", OPTION_MAY_REPEAT,
     "Use this picture; default: the scene; fractal: up to 4", 0},
    {"video", KEY_VIDEO, "FILE.y4m", OPTION_MAY_REPEAT, "fractal: this film, too; up to 3", 0},
    {"max-pixels", KEY_MAX_PIXELS, "N", 0, "Refuse larger pictures; default 2^26", 0},
    {"from", KEY_FROM, "FILE.json", OPTION_MAY_REPEAT,
     "Print what was measured before, out of documents; other arguments are such, too", 0},
    {"json", KEY_JSON, "FILE", 0, "Write a document; - is standard output", 0},
    {0}};

/* ---- arguments ------------------------------------------------------------------------------- */

static const char *experiment_names(void) {
    static char all[TEXT_SIZE];
    const char *names[MOST_EXPERIMENTS + 2] = {NULL};

    for (size_t i = 0; i < reproduction_count; i++) {
        names[i] = reproductions[i].name;
    }
    names[reproduction_count] = "all";
    return join_words(all, sizeof all, names, ", ");
}

static void choose(struct argp_state *state, arguments *a, const char *name) {
    if (a->chosen != NULL || a->all) {
        usage_error(state, "%s: one experiment is enough, or all", name);
    }
    a->all = strcmp(name, "all") == 0;
    for (size_t i = 0; i < reproduction_count; i++) {
        if (strcmp(reproductions[i].name, name) == 0) {
            a->chosen = &reproductions[i];
        }
    }
    if (a->chosen == NULL && !a->all) {
        usage_error(state, "unknown experiment '%s'; there are %s", name, experiment_names());
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

static void check_from(struct argp_state *state, const arguments *a) {
    const reproduce_options *o = &a->options;

    if (a->chosen != NULL || a->all || o->quick || o->full || o->no_seq || o->device != NULL ||
        o->pictures > 0 || o->videos > 0 || a->max_pixels > 0 || a->json != NULL) {
        usage_error(
            state, "--from %s: nothing is measured: no experiment and no other option goes with it",
            a->from[0]);
    }
}

static void check_experiment(struct argp_state *state, const arguments *a) {
    const reproduce_options *o = &a->options;
    const char *name = a->all ? "all" : a->chosen != NULL ? a->chosen->name : NULL;
    const size_t images = a->all ? 0 : a->chosen != NULL ? a->chosen->images : 0;
    const size_t videos = a->all ? 0 : a->chosen != NULL ? a->chosen->videos : 0;

    if (name == NULL) {
        usage_error(state, "no experiment; there are %s", experiment_names());
    }
    if (o->quick && o->full) {
        usage_error(state, "--quick and --full: only one of them");
    }
    if (o->no_seq && !a->all && a->chosen->measure != fractal_measure) {
        usage_error(state, "%s: no option --no-seq, which is of fractal", name);
    }
    if (o->device != NULL && !a->all && a->chosen->measure != ladder_measure) {
        usage_error(state, "%s: no option --device, which is of ladder", name);
    }
    if (a->max_pixels > 0 && o->pictures == 0) {
        usage_error(state, "--max-pixels %zu: is for --image, and there is none", a->max_pixels);
    }
    if (o->pictures > images || o->videos > videos) {
        usage_error(state, "%s: at most %zu of --image and %zu of --video", name, images, videos);
    }
    for (size_t i = 0; i < o->pictures; i++) {
        check_apart(state, "--json", a->json, a->images[i], "");
    }
    for (size_t i = 0; i < o->videos; i++) {
        check_apart(state, "--json", a->json, a->videos[i], "");
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
    case KEY_NO_SEQ:
        a->options.no_seq = 1;
        break;
    case KEY_DEVICE:
        a->options.device = devices[word_option(state, "device", text, devices)];
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
    case KEY_FROM:
        add_path(state, "--from", text, a->from, &a->documents, MOST_DOCUMENTS);
        break;
    case KEY_JSON:
        a->json = json_option(state, text);
        break;
    case ARGP_KEY_ARG:
        if (a->documents > 0) {
            add_path(state, "--from", text, a->from, &a->documents, MOST_DOCUMENTS);
        } else {
            choose(state, a, text);
        }
        break;
    case ARGP_KEY_END:
        if (a->documents > 0) {
            check_from(state, a);
        } else {
            check_experiment(state, a);
        }
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const char *experiment_at(int i, const char **about) {
    const int is_one = (size_t)i < reproduction_count;

    *about = is_one ? reproductions[i].about : "each in its turn; what cannot run is left out";
    return is_one ? reproductions[i].name : (size_t)i == reproduction_count ? "all" : NULL;
}

static char *help(int key, const char *text, void *context) {
    (void)context;
    return key == ARGP_KEY_HELP_POST_DOC ? help_with_list("Experiments:", experiment_at, text)
                                         : (char *)text;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "EXPERIMENT\n--from FILE.json...",
    .doc =
        "Run a published experiment again, and say which of its claims hold here."
        "\vreport: the program that Weft began from, 2048x2048 (--quick: 512x512), on a thread, on "
        "all, and on a GPU, beside the report's times; whatever else can run, on the same image; "
        "its sines and cosines beside tables; what it says of the transform, and the errata of its "
        "text, as printed and as corrected. Where there is no GPU its rows say so. The document is "
        "weft-report/1.\n\n"
        "dx11: a colour picture to its spectrum and back, by both techniques of the sample, "
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
        "weft: what Weft itself is to reach, the aim in [ ] beside what is measured: its times "
        "beside "
        "those of FFTW, cuFFT and a copy, where this build has these peers; two threads beside "
        "one; "
        "many sizes, and how many are slower than a peer; errors of all strategies beside their "
        "limits; equal bits on several numbers of threads, with every instruction set, and on a "
        "GPU; "
        "bytes and operations a second. --quick: up to 2048x2048, on the CPU a few small ones; "
        "--full: everything, up to 16384x16384, some minutes. The document is weft-weft/1.\n\n"
        "The exit code is 1 if a verification fails: a spectrum too far from the oracle's, a "
        "round trip below 100 dB, bytes that are not those predicted, or bits that are not equal. "
        "A "
        "claim "
        "that does not hold is a finding: it is printed as FAIL, and the exit code stays 0.\n\n"
        "all: every experiment, without pictures and films of yours; one that needs a GPU where "
        "there is none is a line that begins with SKIP. The document is weft-reproduce/1, which "
        "has those of all.\n\n"
        "--from prints such documents again, as they were printed when they were measured, and "
        "measures nothing.\n\n"
        "Examples:\n"
        "  weft reproduce report --json report.json\n"
        "  weft reproduce dx11 --quick\n"
        "  weft reproduce weft --quick\n"
        "  weft reproduce all --full --json all.json\n"
        "  weft reproduce fractal --image camera.png --video people.y4m\n"
        "  weft reproduce --from all.json",
    .help_filter = help};

/* ---- measuring ------------------------------------------------------------------------------- */

/* Why it cannot run here; "" where it can. */
static int reason_of(const reproduction *of, const reproduce_options *o, char reason[TEXT_SIZE]) {
    static const char needs[] = "needs an NVIDIA GPU: ";
    char why[TEXT_SIZE - sizeof needs] = "";
    const int is_of_gpu = of->needs_gpu || (of->measure == ladder_measure && o->device != NULL &&
                                            strcmp(o->device, "gpu") == 0);
    const int code = is_of_gpu ? look_for_gpu(why, sizeof why) : EXIT_DONE;

    snprintf(reason, TEXT_SIZE, "%s%s", why[0] != '\0' ? needs : "", why);
    return code;
}

static unsigned seconds_of(const reproduction *of, const reproduce_options *o) {
    return o->quick ? of->quick : o->full ? of->full : of->usual;
}

/* Of a few seconds nobody has to be told. */
static void announce(const char *name, unsigned seconds) {
    enum { A_FEW = 10, MINUTE = 60 };

    if (seconds < A_FEW) {
        return;
    }
    if (seconds < 2 * MINUTE) {
        complain(EXIT_DONE, "reproduce %s: about %u seconds", name, seconds);
    } else {
        complain(EXIT_DONE, "reproduce %s: about %u minutes", name,
                 (seconds + MINUTE - 1) / MINUTE);
    }
}

/* A document as who reads it from a file gets it: what is printed is the same then. */
static int measure(const reproduction *of, const reproduce_options *o, json_t *machine,
                   json_t **document) {
    const int code = of->measure(o, machine, document);

    if (code == EXIT_DONE && *document == NULL) {
        return complain(EXIT_MEMORY, "out of memory for the document");
    }
    return code == EXIT_DONE ? json_as_written(document) : code;
}

/* A document says itself what is wrong in it; that is no reason not to keep it. */
static int is_made(int code) {
    return code == EXIT_DONE || code == EXIT_CHECK_FAILED;
}

static int run_one(const arguments *a, json_t *machine, json_t **document) {
    char reason[TEXT_SIZE];
    int code = reason_of(a->chosen, &a->options, reason);

    if (code != EXIT_DONE || reason[0] != '\0') {
        return code != EXIT_DONE ? code
                                 : complain(EXIT_GPU, "%s %s; measured results are in docs/%s.md",
                                            a->chosen->name, reason, a->chosen->name);
    }
    announce(a->chosen->name, seconds_of(a->chosen, &a->options));
    code = measure(a->chosen, &a->options, machine, document);
    return code == EXIT_DONE ? present(json_file_beside(a->json), "the document", *document) : code;
}

/* Printed as soon as it is there. */
static int run_part(const arguments *a, size_t number, const char *reason, json_t *machine,
                    json_t *parts) {
    const reproduction *of = &reproductions[number];
    json_t *document = NULL, *part;
    char whole[TEXT_SIZE];
    int code = EXIT_DONE;

    snprintf(whole, sizeof whole, "%s, %zu of %zu: ", of->name, number + 1, reproduction_count);
    progress_within(whole);
    if (reason[0] == '\0') {
        code = measure(of, &a->options, machine, &document);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    part = json_pack("{s:s, s:s?, s:o?}", "name", of->name, "reason",
                     reason[0] != '\0' ? reason : NULL, "document", document);
    if (json_array_append(parts, part) != 0) {
        json_decref(part);
        return complain(EXIT_MEMORY, "out of memory for the document");
    }
    code = present_part(json_file_beside(a->json), part, number);
    json_decref(part);
    return code;
}

static int run_parts(const arguments *a, json_t *machine, json_t *parts) {
    char reasons[MOST_EXPERIMENTS][TEXT_SIZE];
    unsigned seconds = 0;
    int code = EXIT_DONE, first = EXIT_DONE;

    for (size_t i = 0; code == EXIT_DONE && i < reproduction_count; i++) {
        code = reason_of(&reproductions[i], &a->options, reasons[i]);
        seconds += reasons[i][0] == '\0' ? seconds_of(&reproductions[i], &a->options) : 0;
    }
    if (code != EXIT_DONE) {
        return code;
    }
    announce("all", seconds);
    for (size_t i = 0; is_made(code) && i < reproduction_count; i++) {
        code = run_part(a, i, reasons[i], machine, parts);
        first = first == EXIT_DONE || !is_made(code) ? code : first;
    }
    return first;
}

static int run_all(const arguments *a, json_t *machine, json_t **document) {
    json_t *parts = json_array();

    *document = json_pack("{s:s, s:O, s:o}", "schema", all_schema, "machine", machine,
                          "experiments", parts);
    return *document != NULL ? run_parts(a, machine, parts)
                             : complain(EXIT_MEMORY, "out of memory for the document");
}

static int run_and_write(const arguments *a) {
    json_t *machine, *document = NULL;
    int code = machine_json(&machine);

    if (code != EXIT_DONE) {
        return code;
    }
    code = a->all ? run_all(a, machine, &document) : run_one(a, machine, &document);
    if (is_made(code) && a->json != NULL) {
        const int written = json_file_write(a->json, document);

        code = written != EXIT_DONE ? written : code;
    }
    json_decref(document);
    json_decref(machine);
    return code;
}

/* A wrong picture is refused before a GPU is looked for. */
static int run(arguments *a) {
    const size_t max_pixels = a->max_pixels > 0 ? a->max_pixels : DX11_MAX_PIXELS;
    image pictures[MOST_IMAGES] = {{0}};
    reproduce_options *o = &a->options;
    int code = json_file_check(a->json);

    for (size_t i = 0; code == EXIT_DONE && i < o->pictures; i++) {
        code = image_read_png(&pictures[i], a->images[i], max_pixels);
    }
    o->picture = o->pictures > 0 ? pictures : NULL;
    o->picture_paths = a->images;
    o->video_paths = a->videos;
    code = code == EXIT_DONE ? run_and_write(a) : code;
    for (int i = 0; i < MOST_IMAGES; i++) {
        image_free(&pictures[i]);
    }
    return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int print_documents(const arguments *a) {
    int code = EXIT_DONE, first = EXIT_DONE;

    for (size_t i = 0; is_made(code) && i < a->documents; i++) {
        json_t *document;

        code = json_file_read(a->from[i], &document);
        if (code == EXIT_DONE) {
            fputs(i > 0 ? "\n" : "", stdout);
            code = present(stdout, a->from[i], document);
            json_decref(document);
        }
        first = first == EXIT_DONE || !is_made(code) ? code : first;
    }
    return first;
}

int command_reproduce(int argc, char **argv) {
    arguments a = {0};
    const int code = options_parse(&argp, argc, argv, 0, &a);

    return code != EXIT_DONE ? code : a.documents > 0 ? print_documents(&a) : run(&a);
}
