/* SPDX-License-Identifier: MIT
 * weft fft: a picture -> its spectrum as a .npy file, one transform per colour plane. Pixels
 * are transformed as they are stored; alpha goes along untransformed.
 */
#include "commands/transform.h"
#include "shell/arguments.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/output.h"
#include "shell/progress.h"

enum { KEY_LAYOUT = 0x200, KEY_NORM, KEY_GRAY, KEY_PAGE };

typedef struct arguments {
    transform_options shared;
    weft_layout layout;
    weft_norm norm;
    int gray;
    size_t page; /* 0: the only one */
} arguments;

static const struct argp_option options[] = {
    {"layout", KEY_LAYOUT, "half|packed", 0,
     "half (default): complex (H, W/2 + 1), as numpy.fft.rfft2; packed: real (H, W)", 0},
    {"norm", KEY_NORM, "backward|ortho|forward|none", 0, "As in NumPy; default backward", 0},
    {"gray", KEY_GRAY, NULL, 0,
     "Transform the luma of a colour picture: 0.299 R + 0.587 G + 0.114 B, rounded", 0},
    {"page", KEY_PAGE, "N", 0, "Of a stack in TIFF, from 1 on", 0},
    {0}};

static const char *const suffixes[] = {".npy", NULL};

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->shared;
        break;
    case KEY_LAYOUT:
        a->layout = (weft_layout)word_option(state, "layout", text, layout_words);
        break;
    case KEY_NORM:
        a->norm = (weft_norm)word_option(state, "norm", text, norm_words);
        break;
    case KEY_GRAY:
        a->gray = 1;
        break;
    case KEY_PAGE:
        a->page = count_option(state, "page", text, 1, IMAGE_MOST_PAGES);
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
    .args_doc = "IN -o OUT.npy",
    .doc =
        "Transform a picture; write its spectrum as a NumPy array."
        "\vPixels count as stored: 0..255, or 0..65535 in 16-bit files; gray of 1, 2 and 4 bits is "
        "spread over 0..255, floats are any numbers. A picture is PNG, JPEG (turned upright), TIFF "
        "of one page, PGM, PPM, PFM or a NumPy array; weft --version lists what this build has. A "
        "colour picture gives an array of shape (3, H, W/2 + 1): red, green, blue. weft ifft turns "
        "the file back into the same picture.\n\n"
        "Examples:\n"
        "  weft fft photo.png -o photo.npy\n"
        "  weft fft photo.jpg -o photo.npy --precision f64 --strategy cpu\n"
        "  python3 -c 'import numpy; print(numpy.load(\"photo.npy\").shape)'"};

static int write_spectrum(output *out, void *context) {
    int code;

    progress_start("writing");
    code = spectrum_write(context, out);
    progress_end();
    return code;
}

int command_fft(int argc, char **argv) {
    arguments a = {.shared = TRANSFORM_OPTIONS_DEFAULT(suffixes), .layout = WEFT_HALF};
    spectrum s = {0};
    image picture = {0};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = image_read_page(&picture, a.shared.input, a.page, a.shared.max_pixels);
    }
    if (code == EXIT_DONE && a.gray) {
        image_to_gray(&picture);
    }
    if (code == EXIT_DONE) {
        code = transform_forward(&a.shared, &picture, a.layout, a.norm, &s);
    }
    s.alpha = picture.alpha;
    picture.alpha = NULL;
    if (code == EXIT_DONE) {
        code = output_whole(a.shared.output, write_spectrum, &s);
    }
    image_free(&picture);
    spectrum_free(&s);
    return code;
}
