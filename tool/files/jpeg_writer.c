/* SPDX-License-Identifier: MIT
 * Planes -> a JPEG file, as libjpeg writes it by default, with what another JPEG file said about
 * this picture, or the colour profile from any. No times and no comments, so that equal pictures
 * give equal bytes.
 */
#include "files/jpeg.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/image_extras.h"
#include "files/image_formats.h"
#include "shell/complain.h"
#include "shell/progress.h"

enum { BUFFER_SIZE = 1 << 16, DEFAULT_QUALITY = 92 };

typedef struct writer {
    struct jpeg_compress_struct codec;
    struct jpeg_destination_mgr destination;
    jpeg_failure failure;
    const image *picture; /* of 8 or 16 bits */
    const image_options *options;
    output *out;
    void *row;    /* interleaved samples of the picture, */
    uint8_t *low; /* and of 8 bits */
    JOCTET buffer[BUFFER_SIZE];
} writer;

static void begin_buffer(j_compress_ptr codec) {
    writer *w = codec->client_data;

    w->destination.next_output_byte = w->buffer;
    w->destination.free_in_buffer = sizeof w->buffer;
}

static void write_bytes(writer *w, size_t count) {
    const int code = output_write(w->out, w->buffer, count);

    if (code != EXIT_DONE) {
        w->failure.code = code;
        longjmp(w->failure.back, 1);
    }
}

static boolean empty_buffer(j_compress_ptr codec) {
    write_bytes(codec->client_data, BUFFER_SIZE);
    begin_buffer(codec);
    return TRUE;
}

static void end_buffer(j_compress_ptr codec) {
    writer *w = codec->client_data;

    write_bytes(w, sizeof w->buffer - w->destination.free_in_buffer);
}

static void write_extras(writer *w) {
    const image_extras *extras = image_extras_of(w->picture, jpeg_format);
    const image_extra *profile = image_extras_profile(w->picture, jpeg_format, w->out->path);

    for (size_t i = 0; i < extras->count; i++) {
        const image_extra *e = &extras->list[i];

        if (strcmp(e->name, jpeg_exif) == 0) {
            jpeg_write_marker(&w->codec, JPEG_APP0 + 1, e->bytes, (unsigned)e->count);
        }
    }
    if (profile != NULL) {
        jpeg_write_icc_profile(&w->codec, profile->bytes, (unsigned)profile->count);
    }
}

/* They stand in the first marker, which libjpeg writes before all others. */
static void set_density(writer *w) {
    const image_extras *extras = image_extras_of(w->picture, jpeg_format);

    for (size_t i = 0; i < extras->count; i++) {
        const unsigned char *b = extras->list[i].bytes;

        if (strcmp(extras->list[i].name, jpeg_density) == 0) {
            w->codec.density_unit = b[0];
            w->codec.X_density = (UINT16)(b[1] << 8 | b[2]);
            w->codec.Y_density = (UINT16)(b[3] << 8 | b[4]);
        }
    }
}

static void write_rows(writer *w) {
    image colours = *w->picture; /* without alpha, which has no place in the file */
    const size_t samples = colours.width * colours.planes;
    JSAMPROW row = colours.depth == 16 ? w->low : w->row;

    colours.alpha = NULL;
    for (size_t k = 0; k < colours.height; k++) {
        image_join_row(&colours, k, w->row);
        for (size_t i = 0; colours.depth == 16 && i < samples; i++) {
            w->low[i] = (uint8_t)image_to_8_bits(((uint16_t *)w->row)[i]);
        }
        jpeg_write_scanlines(&w->codec, &row, 1);
        progress_step((double)k / (double)colours.height, NULL);
    }
}

static int encode(writer *w) {
    if (setjmp(w->failure.back)) {
        return w->failure.code;
    }
    jpeg_create_compress(&w->codec);
    w->codec.client_data = w;
    w->codec.dest = &w->destination;
    w->destination.init_destination = begin_buffer;
    w->destination.empty_output_buffer = empty_buffer;
    w->destination.term_destination = end_buffer;
    w->codec.image_width = (JDIMENSION)w->picture->width;
    w->codec.image_height = (JDIMENSION)w->picture->height;
    w->codec.input_components = (int)w->picture->planes;
    w->codec.in_color_space = w->picture->planes == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&w->codec);
    jpeg_set_quality(&w->codec, w->options->quality > 0 ? w->options->quality : DEFAULT_QUALITY,
                     TRUE);
    w->codec.optimize_coding = w->options->is_small ? TRUE : FALSE;
    set_density(w);
    jpeg_start_compress(&w->codec, TRUE);
    write_extras(w);
    write_rows(w);
    jpeg_finish_compress(&w->codec);
    return EXIT_DONE;
}

static int write_picture(writer *w) {
    const size_t samples = w->picture->width * w->picture->planes;
    int code = EXIT_MEMORY;

    w->row = allocate(samples, image_sample_bytes(w->picture));
    w->low = w->row != NULL ? allocate(samples, 1) : NULL;
    if (w->low != NULL) {
        code = encode(w);
        jpeg_destroy_compress(&w->codec);
    }
    free(w->low);
    free(w->row);
    return code;
}

int image_jpeg_write(const image *picture, output *out, const image_options *options) {
    writer *w;
    int code = image_check_floats(picture, out->path);

    if (code != EXIT_DONE) {
        return code;
    }
    if (picture->height > JPEG_MAX_DIMENSION || picture->width > JPEG_MAX_DIMENSION) {
        return complain(EXIT_USAGE, "%s: %zux%zu: the sides of a JPEG picture are at most %ld",
                        out->path, picture->height, picture->width, JPEG_MAX_DIMENSION);
    }
    w = allocate(1, sizeof *w);
    if (w == NULL) {
        return EXIT_MEMORY;
    }
    memset(w, 0, offsetof(writer, buffer));
    w->picture = picture;
    w->options = options;
    w->out = out;
    w->codec.err = jpeg_failing(&w->failure, out->path, "cannot write JPEG", EXIT_FILE);
    image_say_no_alpha(picture, out->path);
    if (picture->depth == 16) {
        complain(EXIT_DONE, "%s: JPEG has 8 bits; the picture's 16 are rounded", out->path);
    }
    code = write_picture(w);
    free(w);
    return code;
}
