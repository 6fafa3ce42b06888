/* SPDX-License-Identifier: MIT
 * weft ifft: a spectrum in a .npy file -> the picture as a file of pixels (rounded to nearest,
 * clamped) or of floats, or as the real numbers themselves in a .npy file.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/overflow.h"
#include "commands/transform.h"
#include "files/npy.h"
#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/output.h"
#include "shell/parse.h"
#include "shell/progress.h"

enum { KEY_LAYOUT = 0x200, KEY_NORM, KEY_WIDTH, KEY_DEPTH, KEY_LIKE };

typedef struct arguments {
    transform_options shared;
    spectrum_facts facts;
    const char *like;
} arguments;

static const struct argp_option options[] = {
    {"width", KEY_WIDTH, "N", 0,
     "Columns of the picture; default 2 (C - 1), as numpy.fft.irfft2, for C > 1", 0},
    {"depth", KEY_DEPTH, "8|16|float", 0, "Of a pixel; default 8, of .pfm float", 0},
    {"like", KEY_LIKE, "FILE", 0, "Take width, depth and alpha from this picture", 0},
    {"layout", KEY_LAYOUT, "half|packed", 0, "packed: the array is real, a packed spectrum", 0},
    {"norm", KEY_NORM, "backward|ortho|forward|none", 0, "As in NumPy; default backward", 0},
    {0}};

static int parse_depth(struct argp_state *state, const char *text) {
    static const char *const depths[] = {"8", "16", "float", NULL};
    static const int values[] = {8, 16, 32};

    return values[word_option(state, "depth", text, depths)];
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->shared;
        break;
    case KEY_WIDTH:
        a->facts.width = count_option(state, "width", text, 1, INT32_MAX);
        break;
    case KEY_DEPTH:
        a->facts.depth = parse_depth(state, text);
        break;
    case KEY_LIKE:
        a->like = file_option(state, "--like", text);
        break;
    case KEY_LAYOUT:
        a->facts.layout = word_option(state, "layout", text, layout_words);
        break;
    case KEY_NORM:
        a->facts.norm = word_option(state, "norm", text, norm_words);
        break;
    case ARGP_KEY_SUCCESS:
        check_inputs_apart(state, "--like", a->like, a->shared.input);
        if (!a->shared.force) {
            check_apart(state, "-o", a->shared.output, a->like, force_allows);
        }
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
    .args_doc = "IN.npy -o OUT",
    .doc =
        "Transform a spectrum back into a picture."
        "\vA file of weft fft says itself what the picture was; options must not contradict it. An "
        "array that NumPy wrote is taken as numpy.fft.irfft2 would take it, colour planes first; "
        "the width that is assumed is said on standard error. All of a Hermitian spectrum, as of "
        "numpy.fft.fft2, is recognised. "
        "Values are rounded to the nearest pixel value and clamped; how many had to be clamped is "
        "said on standard error. -o OUT.npy keeps the real numbers as they are, .pfm as floats. "
        "The "
        "other endings are those of pictures that weft --version lists.\n\n"
        "Examples:\n"
        "  weft fft photo.png -o photo.npy && weft ifft photo.npy -o same.png\n"
        "  weft ifft filtered.npy --like photo.png -o filtered.png\n"
        "  weft ifft odd.npy --width 641 -o numbers.npy"};

/* What --like says; where the options say it too, they must agree. `like` keeps its alpha. */
static int take_likeness(arguments *a, image *like) {
    int code = image_read(like, a->like, a->shared.max_pixels);

    if (code != EXIT_DONE) {
        return code;
    }
    if (a->facts.width > 0 && a->facts.width != like->width) {
        return complain(EXIT_USAGE, "--width %zu, but %s has %zu columns", a->facts.width, a->like,
                        like->width);
    }
    if (a->facts.depth >= 0 && a->facts.depth != like->depth) {
        return complain(EXIT_USAGE, "--depth %d, but %s has %d bits", a->facts.depth, a->like,
                        like->depth);
    }
    a->facts.width = like->width;
    a->facts.depth = like->depth;
    a->facts.like = a->like;
    return EXIT_DONE;
}

/* Alpha of `like` moves to the spectrum, whose size must be the same. */
static int take_alpha(const arguments *a, spectrum *s, image *like) {
    if (like->height != s->height) {
        return complain(EXIT_USAGE, "%s: %zu rows, but %s has %zu", a->shared.input, s->height,
                        a->like, like->height);
    }
    if (like->alpha) {
        free(s->alpha);
        s->alpha = like->alpha;
        like->alpha = NULL;
    }
    return EXIT_DONE;
}

static int read_spectrum(arguments *a, spectrum *s) {
    image like = {0};
    int code = a->like ? take_likeness(a, &like) : EXIT_DONE;

    if (code == EXIT_DONE) {
        code = spectrum_read(s, a->shared.input, a->shared.max_pixels, &a->facts);
    }
    if (code == EXIT_DONE && a->like) {
        code = take_alpha(a, s, &like);
    }
    image_free(&like);
    if (code == EXIT_DONE && a->shared.precision == WEFT_F32) {
        code = check_spectrum_underflow(&a->shared, s);
    }
    if (code == EXIT_DONE && a->shared.precision >= 0) {
        code = spectrum_set_precision(s, (weft_precision)a->shared.precision);
    }
    if (code == EXIT_DONE) {
        code = check_spectrum_overflow(&a->shared, s);
    }
    /* weft fft --norm none scaled nothing, so that this way back carries the whole factor, unless
     * the user asks for the bare sum. */
    if (code == EXIT_DONE && s->norm == WEFT_NORM_NONE && a->facts.norm < 0) {
        s->norm = WEFT_NORM_BACKWARD;
    }
    return code;
}

/* Rounds as weft.h says of its pixels: to nearest, ties to even, NaN to 0. */
static unsigned to_pixel(double value, unsigned largest) {
    double rounded = nearbyint(value);

    return !(rounded >= 0) ? 0 : rounded > largest ? largest : (unsigned)rounded;
}

/* Values that became other ones, but for NaN, and those of them that 16 bits hold. */
typedef struct clamped {
    size_t all, of_16_bits;
} clamped;

/* Real numbers into the picture's samples. */
static clamped round_all(const void *real, weft_precision precision, image *picture) {
    size_t count = picture->planes * image_plane_samples(picture);
    unsigned largest = image_largest(picture->depth);
    clamped result = {0};

    for (size_t i = 0; i < count; i++) {
        double value = precision == WEFT_F64 ? ((const double *)real)[i] : ((const float *)real)[i];
        double rounded = nearbyint(value);

        result.all += rounded < 0 || rounded > largest;
        result.of_16_bits += rounded > largest && rounded <= image_largest(16);
        image_set_sample(picture, i, to_pixel(value, largest));
    }
    return result;
}

static void copy_all(const void *real, weft_precision precision, float *floats, size_t count) {
    for (size_t i = 0; i < count; i++) {
        floats[i] =
            precision == WEFT_F64 ? (float)((const double *)real)[i] : ((const float *)real)[i];
    }
}

static void tell_clamped(const clamped *count, size_t values, const spectrum *s) {
    if (count->all > 0) {
        complain(EXIT_DONE, "clamped to 0..%u: %zu of %zu values%s", image_largest(s->depth),
                 count->all, values,
                 s->is_depth_assumed && count->of_16_bits > values / 2
                     ? "; a picture of 16 bits needs --depth 16"
                     : "");
    }
}

typedef struct result {
    spectrum *s;
    const void *real; /* [planes][H][W] */
} result;

static int write_picture(output *out, void *context) {
    spectrum *s = ((result *)context)->s;
    const int depth = has_suffix(out->path, ".pfm") ? 32 : s->depth;
    image picture;
    clamped count;
    int code = image_allocate(&picture, s->height, s->width, s->planes, depth, 0);

    if (code != EXIT_DONE) {
        return code;
    }
    if (depth == s->depth) {
        picture.alpha = s->alpha;
        s->alpha = NULL;
    } else if (s->alpha) {
        complain(EXIT_DONE, "%s: its format has no alpha, which is left out", out->path);
    }
    if (depth == 32) {
        copy_all(((result *)context)->real, s->precision, picture.pixels,
                 s->planes * image_plane_samples(&picture));
    } else {
        count = round_all(((result *)context)->real, s->precision, &picture);
        tell_clamped(&count, s->planes * s->height * s->width, s);
    }
    code = image_write(&picture, out, NULL);
    image_free(&picture);
    return code;
}

static int write_numbers(output *out, void *context) {
    const result *r = context;
    npy_header array = npy_of_planes(r->s->precision, 0, r->s->planes, r->s->height, r->s->width);
    int code;

    progress_start("writing");
    code = npy_write_header(out, &array);
    if (code == EXIT_DONE) {
        code = output_write(out, r->real, npy_bytes(&array));
    }
    progress_end();
    return code;
}

int command_ifft(int argc, char **argv) {
    arguments a = {.shared = TRANSFORM_OPTIONS_DEFAULT(image_suffixes),
                   .facts = {.depth = -1, .layout = -1, .norm = -1}};
    spectrum s = {0};
    void *real = NULL;
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = read_spectrum(&a, &s);
    }
    if (code == EXIT_DONE) {
        code = transform_inverse(&a.shared, &s, &real);
    }
    if (code == EXIT_DONE) {
        code = output_whole(a.shared.output,
                            has_suffix(a.shared.output, ".npy") ? write_numbers : write_picture,
                            &(result){.s = &s, .real = real});
    }
    free(real);
    spectrum_free(&s);
    return code;
}
