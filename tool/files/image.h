/* SPDX-License-Identifier: MIT
 * A picture in memory as the transforms want it: one plane per colour, samples as they are stored
 * in the file. Picture files in and out of it, whatever their format; image_formats.h has those.
 */
#ifndef WEFT_TOOL_FILES_IMAGE_H
#define WEFT_TOOL_FILES_IMAGE_H

#include <stddef.h>

#include "shell/input.h"
#include "shell/output.h"

typedef struct image {
    size_t height, width;
    size_t planes; /* 1 gray, 3 red, green, blue */
    int depth;     /* 8: samples are unsigned char, 0..255; 16: unsigned short, native, 0..65535;
                    * 32: float, any finite numbers */
    void *pixels;  /* [planes][H][W] */
    void *alpha;   /* [H][W], or NULL */
    struct image_extras *extras; /* what else the file said, see image_extras.h; or NULL */
} image;

/* All functions that return int give an exit code and have complained. */
int image_allocate(image *picture, size_t height, size_t width, size_t planes, int depth,
                   int has_alpha);
void image_free(image *picture); /* fine when zeroed, and twice */

size_t image_sample_bytes(const image *picture);    /* 1, 2 or 4 */
size_t image_plane_samples(const image *picture);   /* H * W */
unsigned image_largest(int depth);                  /* 255 or 65535 */
unsigned image_to_8_bits(unsigned value);           /* of 16 bits: the nearest one of 8 */
double image_value(const image *picture, size_t i); /* of pixels, planes one after the other */
/* The same of 8 and 16 bits only. */
unsigned image_sample(const image *picture, size_t i);
void image_set_sample(image *picture, size_t i, unsigned value);

/* One row between the planes and the order of most files: R G B A R G B A ... */
size_t image_channels(const image *picture);
void image_split_row(image *picture, size_t row, const void *interleaved);
void image_join_row(const image *picture, size_t row, void *interleaved);

/* Colour to luma, Y = 0.299 R + 0.587 G + 0.114 B, rounded but of floats; alpha stays, what else
 * the file said is dropped, as a profile would no longer fit. */
void image_to_gray(image *picture);

/* ---- files ----------------------------------------------------------------------------------- */

/* Of any format that this build reads, by the file's first bytes; "-" is standard input. What lies
 * in fewer bits is spread over 8 or 16, a palette becomes its colours, transparent colours alpha.
 * Refuses more than max_pixels before it allocates anything. */
int image_read(image *picture, const char *path, size_t max_pixels);
/* The same of this page, from 1 on, which --page names; 0 is the only one, and several are refused.
 */
int image_read_page(image *picture, const char *path, size_t page, size_t max_pixels);
/* Of an input of which nothing is read; the caller closes it. unknown: what is said where the file
 * is none of any known kind. */
int image_read_open(image *picture, input *in, size_t max_pixels, const char *unknown);

/* A file as a stack of pages, which are read one at a time; most files have one. */
typedef struct image_pages {
    input in;
    const struct image_format *format;
    void *stack, *rows; /* what the format has of its stacks and of its reader of rows, or NULL */
    size_t next, end;   /* the page that is read next, and the first one that is not; from 0 on */
    size_t max_pixels;  /* of a page */
} image_pages;
int image_pages_open(image_pages *p, const char *path, size_t max_pixels);
int image_pages_choose(image_pages *p, size_t page);  /* this one alone; from 1 on */
int image_pages_read(image_pages *p, image *picture); /* the next one, if next < end */
/* The same step by step, for those who begin with the first rows. The picture is as it is going to
 * be but for its rows, which come when they are asked for, or before. Any thread may ask, one at a
 * time. Unlike image_pages_read() this leaves it to the caller to free a picture that fails. */
int image_pages_begin(image_pages *p, image *picture);
int image_pages_rows(image_pages *p, size_t end); /* all before this one are there */
int image_pages_finish(image_pages *p);           /* after all rows: the file ends as it should */
int image_pages_rest(image_pages *p, const image *picture); /* all rows, and finish */
void image_pages_close(image_pages *p);                     /* fine when zeroed, and twice */
enum { IMAGE_MOST_PAGES = 65535 };                          /* of a file */

typedef struct image_options {
    int quality;  /* of JPEG, 1 to 100; 0: 92 */
    int is_small; /* smaller files in more time, where the format has the choice */
    int threads;  /* to compress with; 0: as OpenMP is set. The bytes do not depend on it. */
} image_options;

/* The format follows the ending of the output's name; PNG where it has none, and where an unknown
 * one is not that of a regular file. What the format cannot hold is refused, but for alpha, and 16
 * bits in JPEG: these are dropped or rounded, which is said. NULL: the default options. */
int image_write(const image *picture, output *out, const image_options *options);
/* The same step by step, of a picture whose rows are made meanwhile. */
typedef struct image_writing {
    const image *picture;
    output *out;
    const image_options *options;
    const struct image_format *format;
    void *rows; /* the writer's own */
} image_writing;
int image_write_begin(image_writing *w, const image *picture, output *out,
                      const image_options *options);
int image_write_rows(image_writing *w, size_t end); /* all before this one are made */
int image_write_finish(image_writing *w);           /* all are */
void image_write_end(image_writing *w);             /* also after a failure; fine when zeroed */
/* The same of a file of so many pages, each of which the source is asked for when its turn is, and
 * which it keeps until the next one. A format without pages refuses more than one. */
typedef int image_source(void *context, const image **page); /* an exit code, after a complaint */
int image_write_pages(size_t count, image_source *next, void *context, output *out,
                      const image_options *options);
/* Endings of all formats that this build writes, for check_suffix(); NULL at the end. */
extern const char *const image_suffixes[];

/* EXIT_USAGE, of a picture of floats into a file that by its name holds whole numbers. */
int image_check_floats(const image *picture, const char *path);
const char *image_compressor(void); /* that PNG files are written with, and its version */

/* The same of PNG alone, for what takes nothing else. */
int image_read_png(image *picture, const char *path, size_t max_pixels);
int image_write_png(const image *picture, output *out);

#endif
