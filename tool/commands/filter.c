/* SPDX-License-Identifier: MIT
 * weft filter: what its options mean. The work is done in filter_files.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/filter_files.h"
#include "commands/picture_list.h"
#include "filter/frequency.h"
#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/output.h"
#include "shell/parse.h"

enum {
    KEY_DESCREEN = 0x200,
    KEY_LIKE,
    KEY_AUTOSCALE,
    KEY_SATURATE,
    KEY_KERNEL,
    KEY_CORRELATE,
    KEY_WIENER,
    KEY_BALANCE,
    KEY_GAIN,
    KEY_SHAPE,
    KEY_PAD,
    KEY_KEEP_MEAN,
    KEY_OFFSET,
    KEY_LINEAR,
    KEY_QUALITY,
    KEY_COMPRESS,
    KEY_PAGE,
    KEY_SHOW_MASK,
    KEY_DRY_RUN,
    KEY_OF_GAINS /* and their index in gain_kinds */
};
enum { NAMES_SIZE = 100 };
/* --help has its groups in this order. */
enum { GROUP_OF_GAINS = 1, GROUP_OF_FILES, GROUP_OF_RESULT, GROUP_OF_SHARED };

static const double default_balance = 0.01, most_balance = 1e6, most_offset = 1e6,
                    most_saturated = 90;
/* Standard deviation of a sampled bell, which takes time for each of its taps. */
static const double most_sampled = 1000;

typedef struct arguments {
    transform_options shared;
    filter filter;
    const char *kernel, *spread, *table; /* names of files, or NULL */
    const char *mask, *gain_texts[MOST_GAINS];
    size_t page;
    int program; /* of like_words, and its name; or NULL */
    int dry_run, has_balance, has_border, has_compress;
    const char *shape_text;
    gain_shape shape;
    unsigned order;
    image_options writing;
    char **inputs;
    size_t input_count;
    picture_list pictures;
} arguments;

static const struct argp_option other_options[] = {
    {"descreen", KEY_DESCREEN, NULL, 0,
     "Remove a printed screen: its waves are looked for in the spectrum, and said", GROUP_OF_GAINS},
    {NULL, 0, NULL, 0, "Filters out of files, at most one of them:", GROUP_OF_FILES},
    {"kernel", KEY_KERNEL, "FILE", 0,
     "Convolve with a kernel: rows of numbers as text, .npy, or a picture divided by its sum",
     GROUP_OF_FILES},
    {"correlate", KEY_CORRELATE, NULL, 0, "Lay the kernel over the picture as it is, not turned",
     GROUP_OF_FILES},
    {"wiener", KEY_WIENER, "FILE", 0, "Undo the blur of this kernel, which is divided by its sum",
     GROUP_OF_FILES},
    {"balance", KEY_BALANCE, "B", 0,
     "Of --wiener: more is smoother, less sharper and noisier; default 0.01", GROUP_OF_FILES},
    {"gain", KEY_GAIN, "FILE.npy", 0,
     "Multiply the spectrum by these numbers, (H, W/2 + 1) as of numpy.fft.rfft2", GROUP_OF_FILES},
    {NULL, 0, NULL, 0, "How, and what becomes of it:", GROUP_OF_RESULT},
    {"shape", KEY_SHAPE, "gaussian|butterworth[:ORDER]|ideal", 0,
     "How bands end; default gaussian; default order 2", GROUP_OF_RESULT},
    {"like", KEY_LIKE, "imagej|skimage|vips|opencv|imagemagick", 0,
     "Take over units, bands, border and rounding of this program", GROUP_OF_RESULT},
    {"pad", KEY_PAD, "reflect|reflect101|replicate|zero|wrap", 0,
     "What lies beyond the border; default reflect", GROUP_OF_RESULT},
    {"keep-mean", KEY_KEEP_MEAN, NULL, 0,
     "The mean brightness stays; default where a filter would make it 0 and pixels are integers",
     GROUP_OF_RESULT},
    {"offset", KEY_OFFSET, "X|mid", 0, "Add X, or half of the largest value, instead",
     GROUP_OF_RESULT},
    {"autoscale", KEY_AUTOSCALE, NULL, 0,
     "Spread the result: its least value becomes black, its largest white", GROUP_OF_RESULT},
    {"saturate", KEY_SATURATE, "PERCENT", 0,
     "Of --autoscale: so many of the values become black or white, half of them each",
     GROUP_OF_RESULT},
    {"linear", KEY_LINEAR, NULL, 0, "Filter light: undo the curve of sRGB before, and redo it",
     GROUP_OF_RESULT},
    {"quality", KEY_QUALITY, "N", 0, "Of JPEG files, 1 to 100; default 92", GROUP_OF_RESULT},
    {"compress", KEY_COMPRESS, "fast|small", 0, "Default fast", GROUP_OF_RESULT},
    {"page", KEY_PAGE, "N", 0, "Only this page of a stack, from 1 on; default all",
     GROUP_OF_RESULT},
    {"show-mask", KEY_SHOW_MASK, "FILE", 0,
     "Draw what is left of every wave, slow ones in the middle: white all, black nothing",
     GROUP_OF_RESULT},
    {"dry-run", KEY_DRY_RUN, NULL, 0, "Say what would be done, and write nothing but --show-mask",
     GROUP_OF_RESULT}};

/* All options: a heading, those of all kinds of gains, and these. */
enum { ALL_OPTIONS = 1 + GAIN_KINDS + sizeof other_options / sizeof *other_options + 1 };

/* ---- options ----------------------------------------------------------------------------------
 */

static void take_gain(struct argp_state *state, arguments *a, const gain_kind *kind,
                      const char *text) {
    if (a->filter.gain_count == MOST_GAINS) {
        usage_error(state, "--%s: %d filters in one command are enough", kind->name, MOST_GAINS);
    }
    a->gain_texts[a->filter.gain_count] = text;
    a->filter.gains[a->filter.gain_count++] = (gain){.kind = kind};
}

/* When all options are known, as --like says what their numbers mean. */
static void parse_gains(struct argp_state *state, arguments *a) {
    for (size_t i = 0; i < a->filter.gain_count; i++) {
        gain *g = &a->filter.gains[i];
        const char *wrong = g->kind->parse(a->gain_texts[i], g);

        if (wrong != NULL) {
            usage_error(state, "--%s %s: %s", g->kind->name, a->gain_texts[i], wrong);
        }
        if (g->bell != BELL_WHOLE && g->sigma > most_sampled) {
            usage_error(state, "--%s %s: with --like %s at most %g", g->kind->name,
                        a->gain_texts[i], a->filter.like_word, most_sampled);
        }
    }
}

static void take_offset(struct argp_state *state, filter *f, const char *text) {
    const char *wrong = NULL;

    f->has_offset = 1;
    f->offset = NAN;
    if (strcmp(text, "mid") != 0) {
        wrong = parse_number(text, -most_offset, most_offset,
                             "must be a number from -1000000 to 1000000, or \"mid\"", &f->offset);
    }
    if (wrong != NULL) {
        usage_error(state, "--offset %s: %s", text, wrong);
    }
}

static void take_balance(struct argp_state *state, arguments *a, const char *text) {
    const char *wrong = parse_number(text, 0, most_balance, "must be a number from 0 to 1000000",
                                     &a->filter.balance);

    if (wrong != NULL) {
        usage_error(state, "--balance %s: %s", text, wrong);
    }
    a->has_balance = 1;
}

static void take_saturation(struct argp_state *state, filter *f, const char *text) {
    const char *wrong =
        parse_number(text, 0, most_saturated, "must be a number from 0 to 90", &f->saturated);

    if (wrong != NULL) {
        usage_error(state, "--saturate %s: %s", text, wrong);
    }
}

static void take_shape(struct argp_state *state, arguments *a, const char *text) {
    const char *wrong = parse_shape(text, &a->shape, &a->order);

    if (wrong != NULL) {
        usage_error(state, "--shape %s: %s", text, wrong);
    }
    a->shape_text = text;
}

/* A program's filter is taken over alone: two of them, one after the other, would be rounded in
 * between. */
static void take_over(struct argp_state *state, arguments *a, int files) {
    filter *f = &a->filter;
    const char *name = f->like_word;
    gain *g = &f->gains[0];
    char has[NAMES_SIZE];

    if (files > 0 || f->descreens || f->gain_count != 1 ||
        (f->like = like_of(a->program, g->kind->name)) == NULL) {
        usage_error(state, "--like %s: is for one of %s, alone", name,
                    like_filters(a->program, has, sizeof has));
        return;
    }
    if (a->has_border || f->has_offset || f->keeps_mean || f->is_linear) {
        usage_error(state, "--like %s: leaves nothing to --%s", name,
                    a->has_border   ? "pad"
                    : f->has_offset ? "offset"
                    : f->is_linear  ? "linear"
                                    : "keep-mean");
    }
    if (a->shape_text == NULL && f->like->shapes == 1 << SHAPE_BUTTERWORTH) {
        a->shape = SHAPE_BUTTERWORTH;
        a->order = 2;
    }
    if (f->like->shapes != 0 && (f->like->shapes & 1U << a->shape) == 0) {
        usage_error(state, "--shape %s: is none of the shapes of --like %s --%s", a->shape_text,
                    name, g->kind->name);
    }
    g->unit = f->like->unit;
    g->bell = f->like->bell;
    f->border = f->like->border;
    f->keeps_mean = f->like->keeps_mean;
}

static void check_filter(struct argp_state *state, arguments *a) {
    const int files = (a->kernel != NULL) + (a->spread != NULL) + (a->table != NULL);
    int has_shape = 0;

    if (files == 0 && a->filter.gain_count == 0 && !a->filter.descreens) {
        usage_error(state, "no filter, such as --gaussian 3 or --highpass 40");
    }
    if (a->filter.is_spread && (a->filter.has_offset || a->filter.keeps_mean)) {
        usage_error(state, "--autoscale: settles the brightness; --%s cannot be had with it",
                    a->filter.has_offset ? "offset" : "keep-mean");
    }
    if (a->filter.saturated > 0 && !a->filter.is_spread) {
        usage_error(state, "--saturate: is for --autoscale");
    }
    if (a->filter.like_word != NULL) {
        take_over(state, a, files);
    }
    parse_gains(state, a);
    if (files > 1) {
        usage_error(state, "only one of --kernel, --wiener and --gain goes into one command");
    }
    for (size_t i = 0; i < a->filter.gain_count; i++) {
        gain *g = &a->filter.gains[i];
        if (g->kind->traits & HAS_SHAPE) {
            g->shape = a->shape;
            g->order = a->order;
            has_shape = 1;
        }
    }
    if (a->shape_text != NULL && !has_shape) {
        usage_error(state, "--shape: is for --lowpass, --highpass, --bandpass and --bandstop");
    }
    if (a->filter.correlates && a->kernel == NULL) {
        usage_error(state, "--correlate: is for --kernel");
    }
    if (a->has_balance && a->spread == NULL) {
        usage_error(state, "--balance: is for --wiener");
    }
    if (a->filter.has_offset && a->filter.keeps_mean) {
        usage_error(state, "--offset and --keep-mean: only one of them can be had");
    }
    if (a->table != NULL && a->has_border && a->filter.border != WRAP) {
        usage_error(state, "--gain: its frequencies are those of the picture as it is: --pad wrap "
                           "only");
    }
    if (a->table != NULL) {
        a->filter.border = WRAP;
    }
}

/* Every file that a command reads besides its pictures is opened before them. */
static void check_files(struct argp_state *state, const arguments *a) {
    const char *const names[] = {a->kernel, a->spread, a->table};
    static const char *const options[] = {"--kernel", "--wiener", "--gain"};

    for (int i = 0; i < 3; i++) {
        check_inputs_apart(state, options[i], names[i], a->inputs[0]);
        if (!a->shared.force) {
            check_apart(state, "--show-mask", a->mask, names[i], force_allows);
            for (size_t n = 0; n < a->pictures.count; n++) {
                check_apart(state, "-o", a->pictures.list[n].output, names[i], force_allows);
            }
        }
    }
}

/* It is drawn when the first picture is done: the others of a list are read later, so that no
 * --force allows to draw over them. */
static void check_mask(struct argp_state *state, const arguments *a) {
    const int is_one = a->pictures.count == 1;

    check_suffix(state, "--show-mask", a->mask, image_suffixes);
    if (a->dry_run && output_is_stdout(a->mask)) {
        usage_error(state, "--show-mask %s: --dry-run explains there; name a file", a->mask);
    }
    for (size_t i = 0; i < a->pictures.count; i++) {
        const picture_names *names = &a->pictures.list[i];

        check_outputs_apart(state, "--show-mask", a->mask, "-o", names->output);
        if (!a->shared.force || !is_one) {
            check_apart(state, "--show-mask", a->mask, names->input,
                        is_one ? force_allows : "; give another name");
        }
    }
}

static int ends_so(const char *path, const char *const *suffixes) {
    for (; *suffixes != NULL; suffixes++) {
        if (has_suffix(path, *suffixes)) {
            return 1;
        }
    }
    return 0;
}

/* Options of formats that none of the outputs has. */
static void check_formats(struct argp_state *state, const arguments *a) {
    static const char *const jpeg[] = {".jpg", ".jpeg", NULL};
    static const char *const plain[] = {".pgm", ".ppm", ".pnm", ".pfm", ".npy", NULL};
    size_t of_jpeg = 0, of_plain = 0;

    for (size_t i = 0; i < a->pictures.count; i++) {
        of_jpeg += ends_so(a->pictures.list[i].output, jpeg) != 0;
        of_plain += ends_so(a->pictures.list[i].output, plain) != 0;
    }
    if (a->writing.quality > 0 && of_jpeg == 0) {
        usage_error(state, "--quality: is for JPEG files, and none is written");
    }
    if (a->has_compress && of_plain == a->pictures.count) {
        usage_error(state, "--compress: what is written is not compressed");
    }
}

static char no_output[] = "-";

static void finish(struct argp_state *state, arguments *a) {
    check_filter(state, a);
    picture_list_make(&a->pictures, state, a->inputs, a->input_count,
                      a->shared.output != no_output ? a->shared.output : NULL, a->shared.force,
                      a->dry_run);
    check_files(state, a);
    if (a->mask != NULL) {
        check_mask(state, a);
    }
    if (!a->dry_run) {
        check_formats(state, a);
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->shared;
        break;
    case KEY_DESCREEN:
        a->filter.descreens = 1;
        break;
    case KEY_KERNEL:
        a->kernel = file_option(state, "--kernel", text);
        break;
    case KEY_CORRELATE:
        a->filter.correlates = 1;
        break;
    case KEY_WIENER:
        a->spread = file_option(state, "--wiener", text);
        break;
    case KEY_BALANCE:
        take_balance(state, a, text);
        break;
    case KEY_GAIN:
        a->table = file_option(state, "--gain", text);
        break;
    case KEY_SHAPE:
        take_shape(state, a, text);
        break;
    case KEY_LIKE:
        a->program = word_option(state, "like", text, like_words);
        a->filter.like_word = text;
        break;
    case KEY_PAD:
        a->filter.border = (border)word_option(state, "pad", text, border_words);
        a->has_border = 1;
        break;
    case KEY_KEEP_MEAN:
        a->filter.keeps_mean = 1;
        break;
    case KEY_OFFSET:
        take_offset(state, &a->filter, text);
        break;
    case KEY_AUTOSCALE:
        a->filter.is_spread = 1;
        break;
    case KEY_SATURATE:
        take_saturation(state, &a->filter, text);
        break;
    case KEY_LINEAR:
        a->filter.is_linear = 1;
        break;
    case KEY_QUALITY:
        a->writing.quality = (int)count_option(state, "quality", text, 1, 100);
        break;
    case KEY_COMPRESS: {
        static const char *const words[] = {"fast", "small", NULL};
        a->writing.is_small = word_option(state, "compress", text, words);
        a->has_compress = 1;
        break;
    }
    case KEY_PAGE:
        a->page = count_option(state, "page", text, 1, IMAGE_MOST_PAGES);
        break;
    case KEY_SHOW_MASK:
        a->mask = file_option(state, "--show-mask", text);
        break;
    case KEY_DRY_RUN: /* nothing is written, so no name is wanted */
        a->dry_run = 1;
        a->shared.output = a->shared.output != NULL ? a->shared.output : no_output;
        break;
    case ARGP_KEY_ARG:
        a->inputs[a->input_count++] = file_option(state, "input", text);
        a->shared.input = a->inputs[0];
        break;
    case ARGP_KEY_SUCCESS:
        finish(state, a);
        break;
    default:
        if (key < KEY_OF_GAINS || key >= KEY_OF_GAINS + GAIN_KINDS) {
            return ARGP_ERR_UNKNOWN;
        }
        take_gain(state, a, &gain_kinds[key - KEY_OF_GAINS], text);
    }
    return 0;
}

static const char doc[] =
    "Filter pictures: blur, sharpen, keep or remove waves."
    "\vA wave is one bright and one dark stripe; its period is the width of both together, in "
    "pixels. --lowpass 40 keeps what changes over more than 40 pixels, --highpass 40 what changes "
    "faster. A period may have a unit: 40px is the same as 40, 0.1c/px are cycles per pixel, "
    "0.3nyq is a part of the highest frequency, half a cycle per pixel. Angles are in degrees, "
    "counter-clockwise.\n\n"
    "Several filters in one command apply one after the other. Pixels are filtered as they are "
    "stored, colours each alone, alpha not at all; results of integers are rounded to the nearest "
    "and clamped, and how many had to be clamped is said on standard error. -o OUT.npy keeps real "
    "numbers, as float32, whatever the input has. --dry-run explains a filter.\n\n"
    "Several pictures, or a folder, need a folder as -o, in which files of the same names are "
    "replaced, and folders inside of an input are left out; a picture that fails is reported, and "
    "the others are done. Of a stack in TIFF each page is filtered by itself, and the result is a "
    "stack again. A colour profile (ICC) goes along between PNG, JPEG and TIFF; where one is lost, "
    "that is said.\n\n"
    "Examples:\n"
    "  weft filter photo.png -o soft.png --gaussian 3\n"
    "  weft filter photo.png -o crisp.png --sharpen 1.5,0.8\n"
    "  weft filter scan.png -o clean.png --notch 6 --show-mask mask.png\n"
    "  weft filter cells/ -o even/ --flatten 200\n"
    "  weft filter stack.tif -o smooth.tif --gaussian 1.5\n"
    "  weft filter photo.png --bandpass 4:40 --dry-run";

/* The options of all kinds of gains, then the others. */
static void make_options(struct argp_option to[ALL_OPTIONS]) {
    int count = 0;

    to[count++] = (struct argp_option){.doc = "Filters, each of which may be given several times:",
                                       .group = GROUP_OF_GAINS};
    for (int i = 0; i < GAIN_KINDS; i++) {
        to[count++] = (struct argp_option){.name = gain_kinds[i].name,
                                           .key = KEY_OF_GAINS + i,
                                           .arg = gain_kinds[i].argument,
                                           .flags = OPTION_MAY_REPEAT,
                                           .doc = gain_kinds[i].about,
                                           .group = GROUP_OF_GAINS};
    }
    memcpy(&to[count], other_options, sizeof other_options);
}

static int read_files(arguments *a) {
    filter *f = &a->filter;
    int code = a->kernel != NULL ? filter_read_kernel(f, a->kernel) : EXIT_DONE;

    if (code == EXIT_DONE && a->spread != NULL) {
        code = filter_read_spread(f, a->spread);
    }
    if (code == EXIT_DONE && a->table != NULL) {
        code = filter_read_table(f, a->table);
    }
    return code;
}

int command_filter(int argc, char **argv) {
    static struct argp_option options[ALL_OPTIONS];
    struct argp_child children[] = {transform_options_child[0], {0}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .children = children,
                              .args_doc = "IN... -o OUT",
                              .doc = doc};
    arguments a = {.shared = TRANSFORM_OPTIONS_DEFAULT(image_suffixes),
                   .filter = {.balance = default_balance}};
    int code;

    children[0].group = GROUP_OF_SHARED;
    a.inputs = allocate((size_t)argc, sizeof *a.inputs);
    if (a.inputs == NULL) {
        return EXIT_MEMORY;
    }
    make_options(options);
    code = options_parse(&argp, argc, argv, 0, &a);
    if (code == EXIT_DONE) {
        code = read_files(&a);
    }
    if (code == EXIT_DONE) {
        code = picture_list_make_folder(&a.pictures);
    }
    if (code == EXIT_DONE) {
        code = filter_files_do(&(filter_files){.filter = &a.filter,
                                               .options = &a.shared,
                                               .writing = &a.writing,
                                               .pictures = &a.pictures,
                                               .mask = a.mask,
                                               .page = a.page,
                                               .dry_run = a.dry_run});
    }
    filter_free(&a.filter);
    picture_list_free(&a.pictures);
    free(a.inputs);
    return code;
}
