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
    size_t end;   /* of the rows that are wanted now */
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

static int write_rows(writer *w) {
    image colours = *w->picture; /* without alpha, which has no place in the file */
    const size_t samples = colours.width * colours.planes;
    JSAMPROW row = colours.depth == 16 ? w->low : w->row;

    colours.alpha = NULL;
    while (w->codec.next_scanline < w->end) {
        image_join_row(&colours, w->codec.next_scanline, w->row);
        for (size_t i = 0; colours.depth == 16 && i < samples; i++) {
            w->low[i] = (uint8_t)image_to_8_bits(((uint16_t *)w->row)[i]);
        }
        jpeg_write_scanlines(&w->codec, &row, 1);
        progress_step((double)w->codec.next_scanline / (double)colours.height, NULL);
    }
    return EXIT_DONE;
}

static int start(writer *w) {
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
    return EXIT_DONE;
}

static int end_file(writer *w) {
    jpeg_finish_compress(&w->codec);
    return EXIT_DONE;
}

/* Where libjpeg's jumps land. */
static int guarded(writer *w, int (*step)(writer *)) {
    if (setjmp(w->failure.back)) {
        return w->failure.code;
    }
    return step(w);
}

static int rows(void *state, size_t end) {
    writer *w = state;

    w->end = end;
    return guarded(w, write_rows);
}

static int finish(void *state) {
    return guarded(state, end_file);
}

static int check_size(const image *picture, const char *path) {
    return picture->height <= JPEG_MAX_DIMENSION && picture->width <= JPEG_MAX_DIMENSION
               ? EXIT_DONE
               : complain(EXIT_USAGE, "%s: %zux%zu: the sides of a JPEG picture are at most %ld",
                          path, picture->height, picture->width, JPEG_MAX_DIMENSION);
}

static int begin(void **state, const image *picture, output *out, const image_options *options) {
    const size_t samples = picture->width * picture->planes;
    writer *w;
    int code = image_check_floats(picture, out->path);

    if (code == EXIT_DONE) {
        code = check_size(picture, out->path);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    *state = w = allocate(1, sizeof *w);
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
    w->row = allocate(samples, image_sample_bytes(picture));
    w->low = w->row != NULL ? allocate(samples, 1) : NULL;
    return w->low != NULL ? guarded(w, start) : EXIT_MEMORY;
}

static void release(void *state) {
    writer *w = state;

    jpeg_destroy_compress(&w->codec);
    free(w->low);
    free(w->row);
    free(w);
}

const image_row_writer image_jpeg_writer = {begin, rows, finish, release};
