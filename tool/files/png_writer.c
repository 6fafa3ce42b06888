/* SPDX-License-Identifier: MIT
 * Planes -> a PNG file: gray or colour, with or without alpha, 8 or 16 bits. No times and no
 * comments, so that equal pictures give equal bytes.
 */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

#include "files/image_formats.h"
#include "files/png_memory.h"
#include "shell/complain.h"
#include "shell/output.h"
#include "shell/progress.h"

/* Photographs come out within a percent of the size that zlib's default, 6, gives in two to three
 * times the time, which is nearly all that a command takes. */
enum { COMPRESSION_LEVEL = 4 };

typedef struct writer {
    const image *picture;
    output *out;
    png_structp png;
    png_infop info;
    void *row;         /* interleaved samples */
    int out_of_memory; /* see png_memory.h */
    int code;          /* of a failure that has been complained about */
} writer;

static int no_memory(const writer *w) {
    return complain(EXIT_MEMORY, "%s: out of memory for the PNG writer", w->out->path);
}

static void on_error(png_structp png, png_const_charp text) {
    writer *w = png_get_error_ptr(png);

    w->code = w->out_of_memory
                  ? no_memory(w)
                  : complain(EXIT_FILE, "%s: cannot write PNG: %s", w->out->path, text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void on_write(png_structp png, png_bytep bytes, size_t count) {
    writer *w = png_get_io_ptr(png);

    w->code = output_write(w->out, bytes, count);
    if (w->code != EXIT_DONE) {
        png_longjmp(png, 1);
    }
}

static void on_flush(png_structp png) {
    (void)png; /* output_commit flushes */
}

static void write_header(writer *w) {
    int colour = (w->picture->planes == 3 ? PNG_COLOR_MASK_COLOR : 0) |
                 (w->picture->alpha ? PNG_COLOR_MASK_ALPHA : 0);

    png_set_IHDR(w->png, w->info, (png_uint_32)w->picture->width, (png_uint_32)w->picture->height,
                 w->picture->depth, colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(w->png, COMPRESSION_LEVEL);
    png_write_info(w->png, w->info);
    if (w->picture->depth == 16) {
        png_set_swap(w->png); /* PNG is big-endian */
    }
}

static void write_rows(writer *w) {
    for (size_t row = 0; row < w->picture->height; row++) {
        image_join_row(w->picture, row, w->row);
        png_write_row(w->png, w->row);
        progress_step((double)row / (double)w->picture->height, NULL);
    }
}

static int encode(writer *w) {
    if (setjmp(png_jmpbuf(w->png))) {
        return w->code;
    }
    png_set_write_fn(w->png, w, on_write, on_flush);
    png_set_user_limits(w->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    write_header(w);
    write_rows(w);
    png_write_end(w->png, NULL);
    if (w->out_of_memory) { /* libpng went on without something */
        w->code = no_memory(w);
    }
    return w->code;
}

int image_png_write(const image *picture, output *out, const image_options *options) {
    writer w = {.picture = picture, .out = out, .code = EXIT_DONE};

    w.row = allocate(picture->width, image_channels(picture) * image_sample_bytes(picture));
    (void)options;
    if (picture->depth == 32) {
        free(w.row);
        return image_refuse_floats(out->path);
    }
    if (!w.row) {
        return EXIT_MEMORY;
    }
    w.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &w, on_error, on_warning,
                                      &w.out_of_memory, png_memory, NULL);
    w.info = w.png ? png_create_info_struct(w.png) : NULL;
    w.code = w.info ? encode(&w) : no_memory(&w);
    png_destroy_write_struct(&w.png, &w.info);
    free(w.row);
    return w.code;
}

int image_write_png(const image *picture, output *out) {
    static const image_options options;
    int code;

    progress_start("writing");
    code = image_png_write(picture, out, &options);
    progress_end();
    return code;
}
