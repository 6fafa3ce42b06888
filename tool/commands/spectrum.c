/* SPDX-License-Identifier: MIT
 * weft spectrum: a picture of a picture's spectrum, log(1 + |X|), with frequency 0 in the middle.
 * To be looked at: the phase is not in it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/transform.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/output.h"
#include "shell/progress.h"

enum { KEY_DEPTH = 0x200, KEY_MAX, KEY_GRAY };

typedef struct arguments {
    transform_options shared;
    int depth, gray;
    double max; /* the magnitude drawn white; 0: the largest there is */
} arguments;

static const struct argp_option options[] = {
    {"depth", KEY_DEPTH, "8|16", 0, "Bits of a pixel; default 8", 0},
    {"max", KEY_MAX, "X", 0, "Draw magnitude X white; default: the largest of this spectrum", 0},
    {"gray", KEY_GRAY, NULL, 0, "The spectrum of the luma of a colour picture", 0},
    {0}};

static double parse_max(struct argp_state *state, const char *text) {
    char *end;
    double max = strtod(text, &end);

    if (*end || end == text || !(max > 0) || isinf(max)) {
        argp_error(state, "--max %s: must be a number above 0", text);
    }
    return max;
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
    case KEY_MAX:
        a->max = parse_max(state, text);
        break;
    case KEY_GRAY:
        a->gray = 1;
        break;
    case ARGP_KEY_SUCCESS:
        check_png_output(state, a->shared.output);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = transform_options_child,
    .args_doc = "IN.png -o OUT.png",
    .doc =
        "Draw the spectrum of a picture."
        "\vThe picture shows log(1 + |X|), black for 0, frequency 0 in the middle, row H/2 and "
        "column "
        "W/2. Colour pictures are drawn plane by plane on one scale; alpha is dropped. The largest "
        "magnitude is printed, so that --max can draw several pictures on the same scale.\n\n"
        "Examples:\n"
        "  weft spectrum photo.png -o spectrum.png\n"
        "  weft spectrum blurred.png -o compare.png --max 33423360 --depth 16"};

/* |X[k][l]| of a half spectrum; columns beyond W/2 by symmetry. */
static double magnitude(const spectrum *s, size_t plane, size_t k, size_t l) {
    size_t columns = spectrum_row_length(s), i;

    if (l >= columns) {
        k = (s->height - k) % s->height;
        l = s->width - l;
    }
    i = 2 * ((plane * s->height + k) * columns + l);
    if (s->precision == WEFT_F64) {
        return hypot(((const double *)s->values)[i], ((const double *)s->values)[i + 1]);
    }
    return hypot((double)((const float *)s->values)[i], (double)((const float *)s->values)[i + 1]);
}

static double largest_magnitude(const spectrum *s) {
    double largest = 0;

    for (size_t plane = 0; plane < s->planes; plane++) {
        for (size_t k = 0; k < s->height; k++) {
            for (size_t l = 0; l < spectrum_row_length(s); l++) {
                largest = fmax(largest, magnitude(s, plane, k, l));
            }
        }
    }
    return largest;
}

/* One row of one plane. The frequency at row m is m - H/2 modulo H, and so for columns. */
static void draw_row(const spectrum *s, image *drawing, size_t plane, size_t row, double scale) {
    size_t height = s->height, width = s->width, k = (row + height - height / 2) % height;
    unsigned white = image_largest(drawing->depth);

    for (size_t column = 0; column < width; column++) {
        size_t l = (column + width - width / 2) % width;
        double level = fmin(log1p(magnitude(s, plane, k, l)) * scale, white);

        image_set_sample(drawing, (plane * height + row) * width + column, (unsigned)lrint(level));
    }
}

static void draw(const spectrum *s, double max, image *drawing) {
    double scale = max > 0 ? image_largest(drawing->depth) / log1p(max) : 0; /* a black picture */

    progress_start("drawing");
    for (size_t plane = 0; plane < s->planes; plane++) {
        for (size_t row = 0; row < s->height; row++) {
            draw_row(s, drawing, plane, row, scale);
            progress_step((double)(plane * s->height + row) / (double)(s->planes * s->height),
                          NULL);
        }
    }
    progress_end();
}

typedef struct task {
    const spectrum *s;
    const arguments *a;
    double largest;
} task;

static int write_drawing(output *out, void *context) {
    const task *t = context;
    image drawing;
    int code = image_allocate(&drawing, t->s->height, t->s->width, t->s->planes, t->a->depth, 0);

    if (code == EXIT_DONE) {
        draw(t->s, t->a->max > 0 ? t->a->max : t->largest, &drawing);
    }
    if (code == EXIT_DONE) {
        code = image_write_png(&drawing, out);
    }
    image_free(&drawing);
    return code;
}

static int write_all(const arguments *a, const spectrum *s) {
    task t = {.s = s, .a = a, .largest = largest_magnitude(s)};
    int code = output_whole(a->shared.output, write_drawing, &t);

    if (code == EXIT_DONE && !output_is_stdout(a->shared.output)) {
        printf("largest magnitude %.9g\n", t.largest);
    }
    return code;
}

int command_spectrum(int argc, char **argv) {
    arguments a = {.shared = TRANSFORM_OPTIONS_DEFAULT, .depth = 8};
    spectrum s = {0};
    image picture = {0};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = image_read_png(&picture, a.shared.input, a.shared.max_pixels);
    }
    if (code == EXIT_DONE && a.gray) {
        image_to_gray(&picture);
    }
    if (code == EXIT_DONE) {
        code = transform_forward(&a.shared, &picture, WEFT_HALF, WEFT_NORM_BACKWARD, &s);
    }
    image_free(&picture);
    if (code == EXIT_DONE) {
        code = write_all(&a, &s);
    }
    spectrum_free(&s);
    return code;
}
