/* SPDX-License-Identifier: MIT
 * Pictures as NumPy arrays: (rows, columns), colour planes first, as weft fft has them, or last, as
 * most programs have them; whole numbers of 8 and 16 bits, and floats, as they are stored.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/image_extras.h"
#include "files/image_formats.h"
#include "files/npy.h"
#include "shell/complain.h"

enum { TRAILER_MAGIC_SIZE = 8 };

/* Where a value of the picture lies in the array: its index is the sum of a step for each. */
typedef struct shape {
    size_t height, width, channels; /* the last of 4 is alpha */
    size_t row_step, column_step, channel_step;
} shape;

static int find_shape(const npy_header *array, const char *path, shape *s) {
    const size_t *n = array->shape;
    char text[NPY_SHAPE_TEXT];

    if (array->dimensions == 2) {
        *s = (shape){n[0], n[1], 1, n[1], 1, 0};
    } else if (array->dimensions == 3 && (n[0] == 3 || (n[0] == 1 && n[2] != 3 && n[2] != 4))) {
        *s = (shape){n[1], n[2], n[0], n[2], 1, n[1] * n[2]};
    } else if (array->dimensions == 3 && (n[2] == 1 || n[2] == 3 || n[2] == 4)) {
        *s = (shape){n[0], n[1], n[2], n[1] * n[2], n[2], 1};
    } else {
        return complain(EXIT_BAD_INPUT,
                        "%s: bad shape %s: a picture is (rows, columns), (3, rows, columns), or "
                        "(rows, columns, 3 or 4)",
                        path, npy_shape_text(array, text));
    }
    return EXIT_DONE;
}

static float float_at(const npy_header *array, const void *values, size_t i) {
    return array->precision == WEFT_F64 ? (float)((const double *)values)[i]
                                        : ((const float *)values)[i];
}

static void copy_value(const npy_header *array, const void *values, size_t from, void *to,
                       size_t at) {
    if (array->whole_bytes == 1) {
        ((uint8_t *)to)[at] = ((const uint8_t *)values)[from];
    } else if (array->whole_bytes == 2) {
        ((uint16_t *)to)[at] = ((const uint16_t *)values)[from];
    } else {
        ((float *)to)[at] = float_at(array, values, from);
    }
}

static void take_values(const npy_header *array, const shape *s, const void *values,
                        image *picture) {
    for (size_t channel = 0; channel < s->channels; channel++) {
        const int is_alpha = channel == picture->planes;
        size_t at = is_alpha ? 0 : channel * s->height * s->width;

        for (size_t row = 0; row < s->height; row++) {
            for (size_t column = 0; column < s->width; column++, at++) {
                copy_value(array, values,
                           row * s->row_step + column * s->column_step + channel * s->channel_step,
                           is_alpha ? picture->alpha : picture->pixels, at);
            }
        }
    }
}

/* What weft fft --layout packed writes is an array of floats, too. */
static int check_end(input *in) {
    char start[TRAILER_MAGIC_SIZE];
    size_t got;
    const int code = input_read_most(in, start, sizeof start, &got);

    return code != EXIT_DONE || got < sizeof start || memcmp(start, "WEFTSPEC", sizeof start) != 0
               ? code
               : complain(EXIT_BAD_INPUT,
                          "%s: a spectrum of weft fft, no picture; weft ifft makes one of it",
                          in->path);
}

static int read_values(image *picture, input *in, const npy_header *array, const shape *s) {
    void *values;
    int code = image_allocate(picture, s->height, s->width, s->channels == 1 ? 1 : 3,
                              array->whole_bytes != 0 ? 8 * (int)array->whole_bytes : 32,
                              s->channels == 4);

    if (code != EXIT_DONE) {
        return code;
    }
    values = allocate(npy_bytes(array), 1);
    code = values != NULL ? npy_read_values(in, array, values) : EXIT_MEMORY;
    if (code == EXIT_DONE) {
        take_values(array, s, values, picture);
    }
    free(values);
    return code;
}

int image_npy_read(image *picture, input *in, size_t max_pixels) {
    npy_header array;
    shape s = {0};
    int code = npy_read_picture_header(in, &array);

    if (code == EXIT_DONE) {
        code = find_shape(&array, in->path, &s);
    }
    if (code == EXIT_DONE) {
        code = image_check_size(in->path, s.height, s.width, max_pixels);
    }
    if (code == EXIT_DONE) {
        code = input_expect(in, npy_bytes(&array));
    }
    if (code == EXIT_DONE) {
        code = read_values(picture, in, &array, &s);
    }
    if (code == EXIT_DONE) {
        code = check_end(in);
    }
    return code == EXIT_DONE && picture->depth == 32 ? image_check_finite(picture, in->path) : code;
}

int image_npy_write(const image *picture, output *out, const image_options *options) {
    npy_header array = npy_of_planes(WEFT_F32, 0, picture->planes, picture->height, picture->width);
    int code;

    (void)options;
    array.whole_bytes = picture->depth == 32 ? 0 : image_sample_bytes(picture);
    image_say_no_alpha(picture, out->path);
    image_extras_say_no_profile(picture, out->path);
    code = npy_write_header(out, &array);
    return code == EXIT_DONE ? output_write(out, picture->pixels, npy_bytes(&array)) : code;
}
