/* SPDX-License-Identifier: MIT
 * The formats of picture files, a file for each. image_file.c chooses among them; nothing else
 * knows one, but for PNG.
 */
#ifndef WEFT_TOOL_FILES_IMAGE_FORMATS_H
#define WEFT_TOOL_FILES_IMAGE_FORMATS_H

#include "files/image.h"

/* A picture that is read is zeroed, and freed by the caller if reading fails. */
typedef int image_reader(image *picture, input *in, size_t max_pixels);
typedef int image_writer(const image *picture, output *out, const image_options *options);

image_reader image_pnm_read, image_npy_read;
image_writer image_pnm_write, image_npy_write, image_tiff_write;

/* The same of rows as they come, for those who use the first while the last are not there. Any
 * thread may call, one at a time. A state that is not NULL is released, even where begin() fails.
 */
typedef struct image_row_reader {
    /* The picture as it is going to be, all but its rows; no state where they are there, too. */
    int (*begin)(void **state, image *picture, input *in, size_t max_pixels);
    int (*rows)(void *state, size_t end); /* all before this one are in the picture */
    int (*finish)(void *state);           /* that the file ends as it should */
    void (*release)(void *state);
} image_row_reader;
typedef struct image_row_writer {
    int (*begin)(void **state, const image *picture, output *out, const image_options *options);
    int (*rows)(void *state, size_t end); /* all before this one, or what of them fills a block */
    int (*finish)(void *state);
    void (*release)(void *state);
} image_row_writer;

extern const image_row_reader image_png_reader, image_jpeg_reader;
extern const image_row_writer image_png_writer, image_jpeg_writer;

/* Of a format that has several pages in a file, in the place of a reader. open: all pages of
 * p->in, found but not read: p->end and p->stack; close comes after it even where it fails. */
typedef struct image_stacks {
    int (*open)(image_pages *p);
    int (*read)(image_pages *p, size_t page, image *picture);
    void (*close)(image_pages *p);
    int (*write)(size_t count, image_source *next, void *context, output *out,
                 const image_options *options);
} image_stacks;

extern const image_stacks image_tiff_stacks;
int image_tiff_write_pages(size_t count, image_source *next, void *context, output *out,
                           const image_options *options);

/* What a file is that begins so, for messages. */
enum { IMAGE_START = 8 };
const char *image_kind(const unsigned char start[IMAGE_START]);

/* What readers and writers share. Whether all samples are finite; else EXIT_BAD_INPUT. */
int image_check_finite(const image *picture, const char *path);
/* That alpha is lost, if there is one. */
void image_say_no_alpha(const image *picture, const char *path);
/* EXIT_BAD_INPUT if H * W is more than that, or a side is 0. */
int image_check_size(const char *path, size_t height, size_t width, size_t max_pixels);

#endif
