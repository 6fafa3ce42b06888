/* SPDX-License-Identifier: MIT
 * weft diff: how much two pictures differ, in numbers and as a picture; whether that is more than
 * allowed is the exit code.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures/likeness.h"
#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/options.h"
#include "shell/output.h"

enum { KEY_TOLERANCE = 0x200, KEY_PEAK, KEY_JSON, KEY_MAX_PIXELS, KEY_FORCE, KEY_PAGE };

typedef struct arguments {
    char *inputs[2];
    char *output, *json;
    double tolerance, peak;  /* peak 0: that of the depth */
    size_t max_pixels, page; /* 0: the only one */
    int force;
} arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "A picture of the differences, the largest of them white", 0},
    {"tolerance", KEY_TOLERANCE, "X", 0, "Differences up to this are none; default 0", 0},
    {"peak", KEY_PEAK, "X", 0, "White, for PSNR and SSIM; default 255, 65535, or 1 of floats", 0},
    {"json", KEY_JSON, "FILE", 0, "Write the results as JSON; - is standard output", 0},
    {"page", KEY_PAGE, "N", 0, "Of two stacks in TIFF, from 1 on", 0},
    {"max-pixels", KEY_MAX_PIXELS, "N", 0, "Refuse larger pictures; default 2^30", 0},
    {"force", KEY_FORCE, NULL, 0, "Write even over an input", 0},
    {0}};

/* Squares of what is white, and hundredths of them, are neither infinite nor 0. */
static const double least_peak = 1e-30, most_peak = 1e30;

static double number_option(struct argp_state *state, const char *option, const char *text,
                            double least, double most, const char *wanted) {
    char *end;
    const double value = strtod(text, &end);

    if (*end || end == text || !(value >= least && value <= most)) {
        usage_error(state, "--%s %s: must be a number %s", option, text, wanted);
    }
    return value;
}

static void take_input(struct argp_state *state, arguments *a, char *text) {
    if (a->inputs[1] != NULL) {
        usage_error(state, "%s: two pictures are enough", text);
    }
    a->inputs[a->inputs[0] != NULL] = file_option(state, "input", text);
}

static void check_files(struct argp_state *state, const arguments *a) {
    if (a->inputs[1] == NULL) {
        usage_error(state, "two pictures are compared; %s",
                    a->inputs[0] == NULL ? "there is none" : "there is one");
    }
    check_inputs_apart(state, "input", a->inputs[1], a->inputs[0]);
    if (a->output != NULL) {
        check_suffix(state, "-o", a->output, image_suffixes);
        check_outputs_apart(state, "-o", a->output, "--json", a->json);
    }
    for (int i = 0; i < 2; i++) {
        if (!a->force && a->output != NULL) {
            check_apart(state, "-o", a->output, a->inputs[i], force_allows);
        }
        check_apart(state, "--json", a->json, a->inputs[i], "");
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case 'o':
        a->output = file_option(state, "-o", text);
        break;
    case KEY_TOLERANCE:
        a->tolerance = number_option(state, "tolerance", text, 0, DBL_MAX, "of at least 0");
        break;
    case KEY_PEAK:
        a->peak = number_option(state, "peak", text, least_peak, most_peak, "from 1e-30 to 1e30");
        break;
    case KEY_JSON:
        a->json = json_option(state, text);
        break;
    case KEY_PAGE:
        a->page = count_option(state, "page", text, 1, IMAGE_MOST_PAGES);
        break;
    case KEY_MAX_PIXELS:
        a->max_pixels = max_pixels_option(state, text);
        break;
    case KEY_FORCE:
        a->force = 1;
        break;
    case ARGP_KEY_ARG:
        take_input(state, a, text);
        break;
    case ARGP_KEY_SUCCESS:
        check_files(state, a);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "A B",
    .doc =
        "Compare two pictures of the same size and number of colours."
        "\vPrints PSNR, SSIM (Gaussian windows of 11 x 11 pixels, sigma 1.5, that lie within the "
        "picture; the mean of the colours), and the largest difference of two values. Alpha counts "
        "for the differences only; where one picture has none it counts as opaque. 8 bits are "
        "spread over 16 beside a picture of 16; floats count as they are. The exit code is 1 if "
        "they differ by more than --tolerance.\n\n"
        "Examples:\n"
        "  weft diff photo.png compressed.png\n"
        "  weft diff expected.png made.png --tolerance 1 -o difference.png"};

static int check_alike(const arguments *a, const image *pictures) {
    const image *first = &pictures[0], *second = &pictures[1];

    if (first->height != second->height || first->width != second->width) {
        return complain(EXIT_BAD_INPUT, "%s is %zux%zu, but %s is %zux%zu", a->inputs[0],
                        first->height, first->width, a->inputs[1], second->height, second->width);
    }
    if (first->planes != second->planes) {
        return complain(EXIT_BAD_INPUT, "%s is in colour, but %s is not",
                        a->inputs[first->planes < second->planes],
                        a->inputs[first->planes > second->planes]);
    }
    return EXIT_DONE;
}

/* ---- pictures of two depths ------------------------------------------------------------------ */

/* The value of white: of whole numbers the larger depth's, of floats alone 1. */
static double white_of(const image *pictures) {
    const int a = pictures[0].depth, b = pictures[1].depth;

    return a == 32 && b == 32 ? 1 : image_largest(a == 16 || b == 16 ? 16 : 8);
}

static void take_values(float *to, const image *from, size_t count, double factor) {
    for (size_t i = 0; i < count; i++) {
        to[i] = (float)(factor * image_value(from, i));
    }
}

/* The picture as floats; where it has no alpha, but is to, it is opaque. */
static int to_floats(image *picture, double factor, int has_alpha, double opaque) {
    const image alpha = {.depth = picture->depth, .pixels = picture->alpha};
    const size_t count = image_plane_samples(picture);
    image floats;
    int code =
        image_allocate(&floats, picture->height, picture->width, picture->planes, 32, has_alpha);

    if (code != EXIT_DONE) {
        return code;
    }
    take_values(floats.pixels, picture, picture->planes * count, factor);
    if (picture->alpha != NULL) {
        take_values(floats.alpha, &alpha, count, factor);
    }
    for (size_t i = 0; has_alpha && picture->alpha == NULL && i < count; i++) {
        ((float *)floats.alpha)[i] = (float)opaque;
    }
    image_free(picture);
    *picture = floats;
    return EXIT_DONE;
}

/* 8 bits are spread over 16; floats are on the scale of the whole numbers beside them, as those are
 * that weft filter writes. */
static int make_depths_equal(image *pictures, double white) {
    const int has_alpha = pictures[0].alpha != NULL || pictures[1].alpha != NULL;
    int code = EXIT_DONE;

    if (pictures[0].depth == pictures[1].depth) {
        return EXIT_DONE;
    }
    for (int i = 0; code == EXIT_DONE && i < 2; i++) {
        const int depth = pictures[i].depth;

        code = to_floats(&pictures[i], depth == 32 ? 1 : white / image_largest(depth), has_alpha,
                         white);
    }
    return code;
}

static double largest_value(const image *picture) {
    double most = 0;

    for (size_t i = 0; i < picture->planes * image_plane_samples(picture); i++) {
        most = fmax(most, image_value(picture, i));
    }
    return most;
}

/* ---- results --------------------------------------------------------------------------------- */

static void print(FILE *to, const likeness *l, const image *picture, double peak) {
    static const char *const planes[] = {"red", "green", "blue", "alpha"};
    const size_t samples = image_plane_samples(picture), plane = l->at / samples;
    const char *name = planes[plane < picture->planes ? plane : 3];

    fprintf(to, "PSNR %.2f dB, white %.9g\n", l->psnr, peak);
    if (isfinite(l->ssim)) {
        fprintf(to, "SSIM %.6f\n", l->ssim);
    } else {
        fprintf(to, "SSIM needs 11x11 pixels\n");
    }
    fprintf(to, "largest difference %.9g", l->largest);
    if (l->differing > 0) {
        fprintf(to, " at row %zu, column %zu%s%s", l->at % samples / picture->width,
                l->at % samples % picture->width, picture->planes == 1 && plane == 0 ? "" : ", ",
                picture->planes == 1 && plane == 0 ? "" : name);
    }
    fprintf(to, "\n%zu of %zu values differ%s\n", l->differing, l->samples,
            l->differing == 1 ? "s" : "");
}

static int write_json(const arguments *a, const likeness *l, double peak) {
    json_t *document =
        json_pack("{s:s, s:o, s:o, s:f, s:f, s:I, s:I, s:f}", "schema", "weft-diff/1", "psnr_db",
                  json_finite(l->psnr), "ssim", json_finite(l->ssim), "peak", peak,
                  "largest_difference", l->largest, "differing", (json_int_t)l->differing, "values",
                  (json_int_t)l->samples, "tolerance", a->tolerance);
    const int code = document != NULL ? json_file_write(a->json, document)
                                      : complain(EXIT_MEMORY, "out of memory for the document");

    json_decref(document);
    return code;
}

static int write_drawing(output *out, void *context) {
    const image *pictures = context;
    image drawing;
    int code = likeness_draw(&drawing, &pictures[0], &pictures[1]);

    if (code == EXIT_DONE) {
        code = image_write(&drawing, out, NULL);
    }
    image_free(&drawing);
    return code;
}

static int compare(const arguments *a, image *pictures) {
    const double white = white_of(pictures), peak = a->peak > 0 ? a->peak : white;
    likeness l;
    int code = make_depths_equal(pictures, white);

    if (code == EXIT_DONE) {
        code = likeness_find(&l, &pictures[0], &pictures[1], peak);
    }
    if (code == EXIT_DONE && a->peak == 0 && white == 1 && largest_value(&pictures[0]) > 1) {
        complain(
            EXIT_DONE,
            "%s: values up to %.6g, but white of floats is 1; say --peak 255, or what is white "
            "in them",
            a->inputs[0], largest_value(&pictures[0]));
    }
    if (code == EXIT_DONE && a->output != NULL) {
        code = output_whole(a->output, write_drawing, pictures);
    }
    if (code == EXIT_DONE && a->json != NULL) {
        code = write_json(a, &l, peak);
    }
    if (code == EXIT_DONE) {
        print(a->output != NULL && output_is_stdout(a->output) ? stderr : json_file_beside(a->json),
              &l, &pictures[0], peak);
    }
    if (code == EXIT_DONE && !(l.largest <= a->tolerance)) {
        code = complain(EXIT_CHECK_FAILED, "%s and %s differ by %.9g; --tolerance is %.9g",
                        a->inputs[0], a->inputs[1], l.largest, a->tolerance);
    }
    return code;
}

int command_diff(int argc, char **argv) {
    arguments a = {.max_pixels = DEFAULT_MAX_PIXELS};
    image pictures[2] = {{0}, {0}};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = json_file_check(a.json);
    }
    for (int i = 0; code == EXIT_DONE && i < 2; i++) {
        code = image_read_page(&pictures[i], a.inputs[i], a.page, a.max_pixels);
    }
    if (code == EXIT_DONE) {
        code = check_alike(&a, pictures);
    }
    if (code == EXIT_DONE) {
        code = compare(&a, pictures);
    }
    image_free(&pictures[0]);
    image_free(&pictures[1]);
    return code;
}
