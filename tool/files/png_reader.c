/* SPDX-License-Identifier: MIT
 * A PNG file -> planes. The file is untrusted: strict checksums, limits before memory, everything
 * that is not needed for the pixels discarded unread. All of libpng's jumps land in guarded();
 * state that must survive them lives in the struct.
 */
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/image_formats.h"
#include "files/png_extras.h"
#include "files/png_memory.h"
#include "shell/complain.h"
#include "shell/input.h"
#include "shell/progress.h"

enum { MOST_CHUNK_BYTES = 8 << 20, TEXT_SIZE = 200 };

typedef struct reader {
    input *in;
    png_structp png;
    png_infop info;
    image *picture;
    void *row;            /* interleaved samples */
    int out_of_memory;    /* see png_memory.h */
    int code;             /* of a failure that has been complained about */
    char hint[TEXT_SIZE]; /* libpng's last warning: it often names what the error does not */
    size_t max_pixels;
    size_t next, end; /* rows: the first one that is not there, and that is not wanted now */
} reader;

static int no_memory(const reader *r) {
    return complain(EXIT_MEMORY, "%s: out of memory for the PNG reader", r->in->path);
}

static void on_error(png_structp png, png_const_charp text) {
    reader *r = png_get_error_ptr(png);

    r->code = r->out_of_memory ? no_memory(r)
                               : complain(EXIT_BAD_INPUT, "%s: damaged PNG: %s%s%s%s", r->in->path,
                                          text, *r->hint ? " (" : "", r->hint, *r->hint ? ")" : "");
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    reader *r = png_get_error_ptr(png);

    snprintf(r->hint, sizeof r->hint, "%s", text);
}

static void on_read(png_structp png, png_bytep bytes, size_t count) {
    reader *r = png_get_io_ptr(png);

    r->code = input_read(r->in, bytes, count);
    if (r->code != EXIT_DONE) {
        png_longjmp(png, 1);
    }
}

static int check_signature(reader *r) {
    unsigned char start[IMAGE_START] = {0};
    size_t got = 0;
    int code = input_not_empty(r->in);

    if (code == EXIT_DONE) {
        code = input_read_most(r->in, start, sizeof start, &got);
    }
    if (code == EXIT_DONE && png_sig_cmp(start, 0, got) != 0) {
        code = complain(EXIT_BAD_INPUT, "%s: not a PNG file but %s; convert it to PNG first",
                        r->in->path, image_kind(start));
    } else if (code == EXIT_DONE && got < sizeof start) {
        code = complain(EXIT_BAD_INPUT, "%s: truncated: only %zu bytes", r->in->path, got);
    }
    return code;
}

/* A damaged checksum is an error in every chunk: a lost tRNS would change pixels in silence. */
static void be_strict(png_structp png) {
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* --max-pixels is the limit */
    png_set_chunk_malloc_max(png, MOST_CHUNK_BYTES);
    png_set_chunk_cache_max(png, 16);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL,
                                -1); /* and known ancillary ones, */
    png_extras_want(png);            /* but for these */
    png_set_benign_errors(png, 0);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
}

static int is_palette(const reader *r) {
    return png_get_color_type(r->png, r->info) == PNG_COLOR_TYPE_PALETTE;
}

/* The header, checked, and the memory it asks for. */
static int prepare(reader *r) {
    png_uint_32 width, height;
    size_t pixels;
    int depth, colour, code;

    png_read_info(r->png, r->info);
    png_get_IHDR(r->png, r->info, &width, &height, &depth, &colour, NULL, NULL, NULL);
    pixels = (size_t)width * height; /* sides have 31 bits */
    if (pixels > r->max_pixels) {
        return complain(EXIT_BAD_INPUT, "%s: %ux%u is %zu pixels; --max-pixels is %zu", r->in->path,
                        height, width, pixels, r->max_pixels);
    }
    if (is_palette(r)) {
        png_set_packing(r->png); /* one byte per index */
    } else {
        png_set_expand(r->png); /* gray to 8 bits at least, a transparent colour to alpha */
    }
    png_set_swap(r->png); /* 16-bit samples to this machine's order: npy.c asserts little-endian */
    png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);

    colour = png_get_color_type(r->png, r->info);
    depth = png_get_bit_depth(r->png, r->info);
    code = image_allocate(r->picture, height, width,
                          colour & PNG_COLOR_MASK_COLOR && !is_palette(r) ? 3 : 1, depth,
                          (colour & PNG_COLOR_MASK_ALPHA) != 0);
    if (code == EXIT_DONE) {
        code = png_extras_keep(r->png, r->info, r->picture);
    }
    if (code == EXIT_DONE && !(r->row = allocate(png_get_rowbytes(r->png, r->info), 1))) {
        code = EXIT_MEMORY;
    }
    return code;
}

static int is_interlaced(const reader *r) {
    return png_get_interlace_type(r->png, r->info) == PNG_INTERLACE_ADAM7;
}

static int read_rows(reader *r) {
    for (; r->next < r->end; r->next++) {
        png_read_row(r->png, r->row, NULL);
        image_split_row(r->picture, r->next, r->row);
    }
    return EXIT_DONE;
}

/* An interlaced file comes in several passes, each filling in pixels of rows that have been split
 * already: they are joined again first, so that no second copy of the whole picture is needed. */
static int read_passes(reader *r) {
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        for (size_t row = 0; row < r->picture->height; row++) {
            if (pass > 0) {
                image_join_row(r->picture, row, r->row);
            }
            png_read_row(r->png, r->row, NULL);
            image_split_row(r->picture, row, r->row);
        }
        progress_step((double)(pass + 1) / PNG_INTERLACE_ADAM7_PASSES, NULL);
    }
    return EXIT_DONE;
}

/* Indices to colours. libpng would do it row by row, but leave an index beyond the palette
 * undetected. */
static int expand_palette(reader *r) {
    image indices = *r->picture;
    png_colorp colours = NULL;
    png_bytep alphas = NULL;
    int count = 0, alpha_count = 0;
    size_t samples = image_plane_samples(&indices);
    int code;

    png_get_PLTE(r->png, r->info, &colours, &count);
    png_get_tRNS(r->png, r->info, &alphas, &alpha_count, NULL);
    code = image_allocate(r->picture, indices.height, indices.width, 3, 8, alpha_count > 0);
    r->picture->extras = indices.extras;
    indices.extras = NULL;
    for (size_t i = 0; i < samples && code == EXIT_DONE; i++) {
        int index = (int)image_sample(&indices, i);

        if (index >= count) {
            code = complain(EXIT_BAD_INPUT, "%s: damaged PNG: palette index %d, but %d colours",
                            r->in->path, index, count);
        } else {
            image_set_sample(r->picture, i, colours[index].red);
            image_set_sample(r->picture, samples + i, colours[index].green);
            image_set_sample(r->picture, 2 * samples + i, colours[index].blue);
            if (alpha_count > 0) {
                ((png_bytep)r->picture->alpha)[i] = index < alpha_count ? alphas[index] : 255;
            }
        }
    }
    image_free(&indices);
    return code;
}

static int start(reader *r) {
    png_set_read_fn(r->png, r, on_read);
    png_set_sig_bytes(r->png, IMAGE_START);
    be_strict(r->png);
    return prepare(r);
}

static int end_file(reader *r) {
    png_read_end(r->png, r->info);                      /* a missing end shows only here */
    return r->out_of_memory ? no_memory(r) : EXIT_DONE; /* libpng went on without a chunk */
}

static int guarded(reader *r, int (*step)(reader *)) {
    if (setjmp(png_jmpbuf(r->png))) {
        return r->code;
    }
    return step(r);
}

static int rows(void *state, size_t end) {
    reader *r = state;

    r->end = end;
    return guarded(r, read_rows);
}

static int finish(void *state) {
    return guarded(state, end_file);
}

static void release(void *state) {
    reader *r = state;

    png_destroy_read_struct(&r->png, &r->info, NULL);
    free(r->row);
    free(r);
}

/* What has its pixels, or its colours, only when all of its rows are there. */
static int is_whole(const reader *r) {
    return is_interlaced(r) || is_palette(r);
}

static int read_whole(reader *r) {
    int code = is_interlaced(r) ? guarded(r, read_passes) : rows(r, r->picture->height);

    if (code == EXIT_DONE) {
        code = finish(r);
    }
    return code == EXIT_DONE && is_palette(r) ? expand_palette(r) : code;
}

static int open_file(reader *r) {
    int code = check_signature(r);

    if (code != EXIT_DONE) {
        return code;
    }
    r->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r, on_error, on_warning,
                                      &r->out_of_memory, png_memory, NULL);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    return r->info ? guarded(r, start) : no_memory(r);
}

static int begin(void **state, image *picture, input *in, size_t max_pixels) {
    reader *r = allocate(1, sizeof *r);
    int code;

    *state = r;
    if (r == NULL) {
        return EXIT_MEMORY;
    }
    *r = (reader){.in = in, .picture = picture, .max_pixels = max_pixels};
    code = open_file(r);
    if (code == EXIT_DONE && is_whole(r)) {
        code = read_whole(r);
        release(r);
        *state = NULL;
    }
    return code;
}

const image_row_reader image_png_reader = {begin, rows, finish, release};
