/* SPDX-License-Identifier: MIT
 * weft spectrum: a picture of a picture's spectrum, to be looked at: the logarithm of |X| without
 * the steps at the edges, frequency 0 in the middle. The phase is not in it, or it is all there is.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/transform.h"
#include "pictures/bins.h"
#include "pictures/colormap.h"
#include "pictures/edges.h"
#include "pictures/magnitudes.h"
#include "pictures/profile.h"
#include "pictures/scale.h"
#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/output.h"
#include "shell/progress.h"

enum {
    KEY_DEPTH = 0x200,
    KEY_MAX,
    KEY_GRAY,
    KEY_EDGES,
    KEY_RANGE,
    KEY_GAMMA,
    KEY_POWER,
    KEY_PHASE,
    KEY_NO_SHIFT,
    KEY_FIT,
    KEY_COLORMAP,
    KEY_REFERENCE,
    KEY_PROFILE,
    KEY_WIDTH,
    KEY_PAGE
};

enum { EDGES_PERIODIC, EDGES_HANN, EDGES_NONE };
static const char *const edges_words[] = {"periodic", "hann", "none", NULL};

typedef struct arguments {
    transform_options shared;
    int depth, gray, edges, is_power, is_phase, is_shifted, map;
    size_t fit, width, page;
    double gamma;
    scale_end black, white;
    char *reference, *profile;
    const char *of_range, *of_magnitudes; /* options that were given, for messages */
} arguments;

static const struct argp_option options[] = {
    {"depth", KEY_DEPTH, "8|16", 0, "Bits of a pixel; default 8", 0},
    {"edges", KEY_EDGES, "periodic|hann|none", 0,
     "What is done about edges that do not fit; default periodic: their steps are taken away", 0},
    {"range", KEY_RANGE, "LO,HI", 0,
     "Percent of the bins that are black and that are not white, or =X, a magnitude; default "
     "25,99.9",
     0},
    {"max", KEY_MAX, "X", 0, "Draw magnitude X white, as =X in --range", 0},
    {"reference", KEY_REFERENCE, "FILE", 0, "Draw on the scale of this picture's spectrum", 0},
    {"gamma", KEY_GAMMA, "X", 0, "Above 1 makes what is dark brighter; default 1", 0},
    {"power", KEY_POWER, NULL, 0, "Draw |X|^2 instead of its logarithm", 0},
    {"phase", KEY_PHASE, NULL, 0, "Draw the angle of X: -pi black, 0 gray, pi white", 0},
    {"no-shift", KEY_NO_SHIFT, NULL, 0, "Frequency 0 in the corner, as the spectrum lies", 0},
    {"fit", KEY_FIT, "N", 0, "No side longer than N: the power of neighbours is averaged", 0},
    {"colormap", KEY_COLORMAP, "gray|viridis|inferno|twilight", 0,
     "Default gray; twilight is for phases; of colour pictures the luma", 0},
    {"gray", KEY_GRAY, NULL, 0, "The spectrum of the luma of a colour picture", 0},
    {"profile", KEY_PROFILE, "FILE.csv", 0, "Write the mean power of each frequency, too", 0},
    {"page", KEY_PAGE, "N", 0, "Of a stack in TIFF, from 1 on", 0},
    {"width", KEY_WIDTH, "N", 0, "Of the picture of a spectrum that does not say it", 0},
    {0}};

static const char *const csv_suffixes[] = {".csv", NULL};

/* A number above 0 behind `before` characters of the option's value; `end` is behind the number. */
static double positive_number(struct argp_state *state, const char *option, const char *text,
                              size_t before, char **end) {
    const double value = strtod(text + before, end);

    if (*end == text + before || !(value > 0) || isinf(value)) {
        usage_error(state, "--%s %s: must be a number above 0", option, text);
    }
    return value;
}

static double number_option(struct argp_state *state, const char *option, const char *text) {
    char *end;
    const double value = positive_number(state, option, text, 0, &end);

    if (*end) {
        usage_error(state, "--%s %s: must be a number above 0", option, text);
    }
    return value;
}

/* One end of the scale, at `from` in the text; the place behind it. */
static const char *parse_end(struct argp_state *state, const char *text, const char *from,
                             scale_end *found) {
    char *end;

    found->is_magnitude = *from == '=';
    if (found->is_magnitude) {
        found->value = positive_number(state, "range", text, (size_t)(from - text) + 1, &end);
        return end;
    }
    found->value = strtod(from, &end);
    if (end == from || !(found->value >= 0 && found->value <= 100)) {
        usage_error(state, "--range %s: must be two of 0 to 100, in percent, or of =X", text);
    }
    return end;
}

static void parse_range(struct argp_state *state, arguments *a, const char *text) {
    const char *behind = parse_end(state, text, text, &a->black);

    if (*behind != ',' || *parse_end(state, text, behind + 1, &a->white) != '\0') {
        usage_error(state, "--range %s: must be LO,HI, such as 25,99.9 or =10,=1e6", text);
    }
    if (a->black.is_magnitude == a->white.is_magnitude && a->black.value >= a->white.value) {
        usage_error(state, "--range %s: the first must be less than the second", text);
    }
    a->of_range = "--range";
}

/* What cannot be had together. */
static void check_together(struct argp_state *state, const arguments *a) {
    if (a->is_phase && a->of_magnitudes != NULL) {
        usage_error(state, "%s: is of magnitudes; --phase has none", a->of_magnitudes);
    }
    if (a->reference != NULL && a->black.is_magnitude && a->white.is_magnitude) {
        usage_error(state, "--reference: both ends of the scale are given as magnitudes already");
    }
}

static void check_files(struct argp_state *state, const arguments *a) {
    const transform_options *o = &a->shared;

    check_inputs_apart(state, "--reference", a->reference, o->input);
    if (a->profile != NULL) {
        check_suffix(state, "--profile", a->profile, csv_suffixes);
        check_outputs_apart(state, "--profile", a->profile, "-o", o->output);
    }
    if (!o->force) {
        check_apart(state, "-o", o->output, a->reference, force_allows);
        check_apart(state, "--profile", a->profile, o->input, force_allows);
        check_apart(state, "--profile", a->profile, a->reference, force_allows);
    }
}

/* Those that say how magnitudes are drawn. */
static error_t parse_magnitudes(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case KEY_MAX:
        if (a->of_range != NULL) {
            usage_error(state, "--max %s: --range says already what is white", text);
        }
        a->white = (scale_end){1, number_option(state, "max", text)};
        a->of_magnitudes = "--max";
        break;
    case KEY_RANGE:
        if (a->white.is_magnitude) {
            usage_error(state, "--range %s: --max says already what is white", text);
        }
        parse_range(state, a, text);
        a->of_magnitudes = "--range";
        break;
    case KEY_GAMMA:
        a->gamma = number_option(state, "gamma", text);
        a->of_magnitudes = "--gamma";
        break;
    case KEY_POWER:
        a->is_power = 1;
        a->of_magnitudes = "--power";
        break;
    case KEY_FIT:
        a->fit = count_option(state, "fit", text, 1, INT32_MAX);
        a->of_magnitudes = "--fit";
        break;
    case KEY_REFERENCE:
        a->reference = file_option(state, "--reference", text);
        a->of_magnitudes = "--reference";
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->shared;
        break;
    case KEY_DEPTH:
        a->depth = depth_option(state, text);
        break;
    case KEY_GRAY:
        a->gray = 1;
        break;
    case KEY_EDGES:
        a->edges = word_option(state, "edges", text, edges_words);
        break;
    case KEY_PHASE:
        a->is_phase = 1;
        break;
    case KEY_NO_SHIFT:
        a->is_shifted = 0;
        break;
    case KEY_COLORMAP:
        a->map = word_option(state, "colormap", text, colormap_words);
        break;
    case KEY_PROFILE:
        a->profile = file_option(state, "--profile", text);
        break;
    case KEY_PAGE:
        a->page = count_option(state, "page", text, 1, IMAGE_MOST_PAGES);
        break;
    case KEY_WIDTH:
        a->width = count_option(state, "width", text, 1, INT32_MAX);
        break;
    case ARGP_KEY_SUCCESS:
        check_together(state, a);
        check_files(state, a);
        break;
    default:
        return parse_magnitudes(key, text, state);
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = transform_options_child,
    .args_doc = "IN -o OUT",
    .doc =
        "Draw the spectrum of a picture."
        "\vIN is a picture, or a spectrum in a .npy file. "
        "The picture shows ln |X|, frequency 0 in the middle, row H/2 and column W/2, as bright as "
        "what is around it. Where opposite edges of a picture differ, their step would draw a "
        "cross; it is taken away. A quarter of the bins is black, a thousandth white; both "
        "magnitudes are printed. Colour pictures are drawn plane by plane on one scale; alpha is "
        "dropped.\n\n"
        "Examples:\n"
        "  weft spectrum photo.png -o spectrum.png\n"
        "  weft spectrum large.png -o small.png --fit 1024 --colormap inferno\n"
        "  weft spectrum blurred.png -o compare.png --reference photo.png\n"
        "  weft spectrum photo.png -o spectrum.png --gray --profile power.csv"};

/* ---- the spectrum ---------------------------------------------------------------------------- */

static int packed_to_half(spectrum *s) {
    const size_t bytes = s->precision == WEFT_F64 ? sizeof(double) : sizeof(float);
    spectrum half = *s;

    half.layout = WEFT_HALF;
    half.values = allocate(spectrum_reals(&half), bytes);
    if (half.values == NULL) {
        return EXIT_MEMORY;
    }
    for (size_t plane = 0; plane < s->planes; plane++) {
        const size_t from = plane * (spectrum_reals(s) / s->planes);
        const size_t to = plane * (spectrum_reals(&half) / s->planes);

        weft_packed_to_half(s->height, s->width, s->precision, (char *)s->values + from * bytes,
                            (char *)half.values + to * bytes);
    }
    free(s->values);
    *s = half;
    return EXIT_DONE;
}

/* The spectrum becomes that of the luma, as a transform is linear. */
static void to_gray(spectrum *s) {
    for (size_t k = 0; s->planes == 3 && k < s->height; k++) {
        for (size_t l = 0; l < spectrum_row_length(s); l++) {
            bin_store(s, 0, k, l,
                      0.299 * bin_stored(s, 0, k, l) + 0.587 * bin_stored(s, 1, k, l) +
                          0.114 * bin_stored(s, 2, k, l));
        }
    }
    s->planes = 1;
}

static int take_spectrum(const arguments *a, const char *path, spectrum *s) {
    const spectrum_facts facts = {.width = a->width, .depth = -1, .layout = -1, .norm = -1};
    int code = spectrum_read(s, path, a->shared.max_pixels, &facts);

    if (code == EXIT_DONE && s->layout == WEFT_PACKED) {
        code = packed_to_half(s);
    }
    if (code == EXIT_DONE && a->gray) {
        to_gray(s);
    }
    return code;
}

static int transform_picture(const arguments *a, const char *path, spectrum *s) {
    transform_options strict = a->shared;
    image picture;
    int code = image_read_page(&picture, path, a->page, a->shared.max_pixels);

    if (code == EXIT_DONE && a->width > 0 && a->width != picture.width) {
        code = complain(EXIT_USAGE, "--width %zu, but %s has %zu columns", a->width, path,
                        picture.width);
    }
    if (code == EXIT_DONE && a->gray) {
        image_to_gray(&picture);
    }
    if (code == EXIT_DONE) {
        strict.strict = 1; /* one value that is no number would spoil all others */
        code = transform_forward(&strict, &picture, WEFT_HALF, WEFT_NORM_BACKWARD, s);
    }
    image_free(&picture);
    return code;
}

/* Half a spectrum of what the file has, its edges treated. */
static int find_spectrum(const arguments *a, const char *path, spectrum *s) {
    int is_spectrum, code = spectrum_look(path, &is_spectrum);

    if (code == EXIT_DONE) {
        code = is_spectrum ? take_spectrum(a, path, s) : transform_picture(a, path, s);
    }
    if (code == EXIT_DONE && a->edges != EDGES_NONE) {
        code = a->edges == EDGES_HANN ? edges_apply_hann(s) : edges_take_away_steps(s);
    }
    return code;
}

/* ---- the picture of it ----------------------------------------------------------------------- */

/* A level of 0..1 as the pixel i, of all planes if these are the colours of a map. */
static void set_pixel(image *drawing, size_t i, double level, int map) {
    const double white = image_largest(drawing->depth);
    double color[3];

    if (map == 0) {
        image_set_sample(drawing, i, (unsigned)lrint(level * white));
        return;
    }
    colormap_color(map, level, color);
    for (size_t plane = 0; plane < 3; plane++) {
        image_set_sample(drawing, plane * image_plane_samples(drawing) + i,
                         (unsigned)lrint(color[plane] * white));
    }
}

static void draw_magnitudes(const arguments *a, const magnitudes *m, const scale *by,
                            image *drawing) {
    const size_t rows = m->planes * m->height;

    for (size_t row = 0; row < rows; row++) {
        for (size_t i = row * m->width; i < (row + 1) * m->width; i++) {
            const double logarithm = (double)m->logarithms[i];
            const double level =
                a->is_power ? scale_level_of_power(by, logarithm) : scale_level(by, logarithm);

            set_pixel(drawing, i, a->gamma == 1 ? level : pow(level, 1 / a->gamma), a->map);
        }
        progress_step((double)row / (double)rows, NULL);
    }
}

static void draw_phases(const arguments *a, const spectrum *s, image *drawing) {
    for (size_t i = 0; i < s->planes * s->height * s->width; i++) {
        const size_t row = i / s->width % s->height, column = i % s->width;
        const size_t k = a->is_shifted ? bin_from_middle(row, s->height) : row;
        const size_t l = a->is_shifted ? bin_from_middle(column, s->width) : column;
        const double angle = carg(bin_of(s, i / s->width / s->height, k, l));

        set_pixel(drawing, i, fmin(fmax((angle / M_PI + 1) / 2, 0), 1), a->map);
    }
}

typedef struct task {
    const arguments *a;
    const spectrum *s;   /* of which the phases are drawn, or NULL, */
    const magnitudes *m; /* and these are, */
    const scale *by;     /* on this scale */
} task;

static int write_drawing(output *out, void *context) {
    const task *t = context;
    const size_t height = t->m ? t->m->height : t->s->height;
    const size_t width = t->m ? t->m->width : t->s->width;
    const size_t planes = t->m ? t->m->planes : t->s->planes;
    image drawing;
    int code = image_allocate(&drawing, height, width, t->a->map > 0 ? 3 : planes, t->a->depth, 0);

    if (code == EXIT_DONE) {
        progress_start("drawing");
        if (t->m) {
            draw_magnitudes(t->a, t->m, t->by, &drawing);
        } else {
            draw_phases(t->a, t->s, &drawing);
        }
        progress_end();
        code = image_write(&drawing, out, &(image_options){.threads = (int)t->a->shared.threads});
    }
    image_free(&drawing);
    return code;
}

/* Which spectrum says what is black and what is white. */
static int find_scale(const arguments *a, const magnitudes *own, scale *by) {
    magnitudes other = {0};
    spectrum s = {0};
    int code;

    if (a->reference == NULL) {
        return scale_find(by, own, a->black, a->white);
    }
    code = find_spectrum(a, a->reference, &s);
    if (code == EXIT_DONE) {
        code = magnitudes_find(&other, &s, a->fit, 1);
    }
    spectrum_free(&s);
    if (code == EXIT_DONE) {
        code = scale_find(by, &other, a->black, a->white);
    }
    magnitudes_free(&other);
    return code;
}

/* What is written has standard output to itself. */
static FILE *beside(const arguments *a) {
    return output_is_stdout(a->shared.output) ||
                   (a->profile != NULL && output_is_stdout(a->profile))
               ? stderr
               : stdout;
}

static int write_magnitudes(const arguments *a, spectrum *s) {
    magnitudes m;
    scale by;
    int code = magnitudes_find(&m, s, a->fit, a->is_shifted);

    spectrum_free(s);
    if (code == EXIT_DONE) {
        code = find_scale(a, &m, &by);
    }
    if (code == EXIT_DONE) {
        code = output_whole(a->shared.output, write_drawing, &(task){.a = a, .m = &m, .by = &by});
    }
    if (code == EXIT_DONE) {
        fprintf(beside(a), "largest magnitude %.9g\nblack %.9g, white %.9g\n", m.largest,
                exp(by.black), exp(by.white));
    }
    magnitudes_free(&m);
    return code;
}

static int write_profile(output *out, void *context) {
    return profile_write(context, out);
}

static int write_power(const arguments *a, profile *p) {
    const double slope = profile_slope(p);
    const int code = output_whole(a->profile, write_profile, p);

    if (code == EXIT_DONE && isfinite(slope)) {
        fprintf(beside(a), "slope of power %.3g\n", slope);
    }
    return code;
}

int command_spectrum(int argc, char **argv) {
    arguments a = {.shared = TRANSFORM_OPTIONS_DEFAULT(image_suffixes),
                   .depth = 8,
                   .is_shifted = 1,
                   .gamma = 1,
                   .black = {0, 25},
                   .white = {0, 99.9}};
    spectrum s = {0};
    profile p = {0};
    int code = options_parse(&argp, argc, argv, 0, &a);

    a.gray |= a.map > 0; /* a map has one level for each pixel */
    if (code == EXIT_DONE) {
        code = find_spectrum(&a, a.shared.input, &s);
    }
    if (code == EXIT_DONE && a.profile) {
        code = profile_find(&p, &s);
    }
    if (code == EXIT_DONE) {
        code = a.is_phase ? output_whole(a.shared.output, write_drawing, &(task){.a = &a, .s = &s})
                          : write_magnitudes(&a, &s);
    }
    if (code == EXIT_DONE && a.profile) {
        code = write_power(&a, &p);
    }
    profile_free(&p);
    spectrum_free(&s);
    return code;
}
