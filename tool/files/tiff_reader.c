/* SPDX-License-Identifier: MIT
 * Pages of a TIFF file -> planes: gray, colours or a palette of 8 bits, 16 bits, floats; in strips
 * or tiles, channels together or apart. All pages are found when the file is opened, and read one
 * at a time. The file is untrusted: all that is taken is listed here, and whatever libtiff
 * complains about is a failure.
 */
#include "files/tiff.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/exif.h"
#include "files/image_formats.h"
#include "files/tiff_extras.h"
#include "shell/complain.h"
#include "shell/progress.h"

enum {
    COPY_SIZE = 1 << 16,
    MOST_TILE_BYTES = 64 << 20,
    COLOURS = 256,
    MOST_VALUE_BYTES = 8,
    NAME_SIZE = 4096 + 32
};

typedef struct reader {
    tiff_failure failure; /* the first, see tiff.h */
    input *in;
    FILE *file;   /* the input's, or a copy of a pipe's bytes */
    off_t origin; /* where the picture file begins in it */
    TIFF *tiff;
    uint64_t *pages; /* where the directory of each lies */
    size_t page_count;
    char name[NAME_SIZE]; /* of the page that is read, for messages */
    image *picture;
    size_t max_pixels, value_bytes; /* of a sample in the file */
    uint16_t photometric, samples;  /* of a pixel */
    int are_apart, orientation;     /* channels in planes of their own */
    void *buffer;                   /* of a row or a tile */
    size_t buffer_bytes;
} reader;

/* ---- the file, as libtiff wants it ----------------------------------------------------------- */

static tmsize_t read_bytes(thandle_t file, void *bytes, tmsize_t count) {
    reader *r = file;
    const size_t got = fread(bytes, 1, (size_t)count, r->file);

    if (got < (size_t)count && ferror(r->file) && r->failure.code == EXIT_DONE) {
        r->failure.code =
            complain(code_of_errno(), "%s: cannot read: %s", r->in->path, strerror(errno));
    }
    return (tmsize_t)got;
}

static tmsize_t write_nothing(thandle_t file, void *bytes, tmsize_t count) {
    (void)file;
    (void)bytes;
    (void)count;
    return -1;
}

static toff_t seek(thandle_t file, toff_t offset, int whence) {
    reader *r = file;
    const off_t from = whence == SEEK_SET ? r->origin : 0;

    if (offset > INT64_MAX / 2 || fseeko(r->file, (off_t)offset + from, whence) != 0) {
        return (toff_t)-1;
    }
    return (toff_t)(ftello(r->file) - r->origin);
}

static int close_nothing(thandle_t file) {
    (void)file;
    return 0;
}

static toff_t size_of(thandle_t file) {
    reader *r = file;
    const off_t at = ftello(r->file);
    toff_t size = 0;

    if (at >= 0 && fseeko(r->file, 0, SEEK_END) == 0) {
        size = (toff_t)(ftello(r->file) - r->origin);
        fseeko(r->file, at, SEEK_SET);
    }
    return size;
}

/* Of a pipe, in which nothing can be found by its offset. It goes when it is closed. */
static int copy_pipe(reader *r) {
    unsigned char bytes[COPY_SIZE];
    size_t got = sizeof bytes, all = 0;
    const size_t most = r->max_pixels > SIZE_MAX / 64 ? SIZE_MAX : 32 * r->max_pixels + (1 << 20);
    int code = EXIT_DONE;

    r->file = tmpfile();
    if (r->file == NULL) {
        return complain(code_of_errno(), "%s: no room for a copy of a TIFF file: %s", r->in->path,
                        strerror(errno));
    }
    while (code == EXIT_DONE && got == sizeof bytes) {
        code = input_read_most(r->in, bytes, sizeof bytes, &got);
        all += got;
        if (code == EXIT_DONE && all > most) {
            code = complain(EXIT_BAD_INPUT,
                            "%s: more bytes than pictures within --max-pixels, %zu, need",
                            r->in->path, r->max_pixels);
        } else if (code == EXIT_DONE && fwrite(bytes, 1, got, r->file) != got) {
            code = complain(code_of_errno(), "%s: no room for a copy of a TIFF file: %s",
                            r->in->path, strerror(errno));
        }
    }
    if (code == EXIT_DONE && fseeko(r->file, 0, SEEK_SET) != 0) {
        code = complain(EXIT_FILE, "%s: cannot be copied: %s", r->in->path, strerror(errno));
    }
    return code;
}

static int find_file(reader *r) {
    const off_t at = ftello(r->in->file);

    if (at < 0 || input_left(r->in) == SIZE_MAX) {
        return copy_pipe(r);
    }
    r->file = r->in->file;
    r->origin = at - (off_t)(r->in->ahead - r->in->at);
    return fseeko(r->file, r->origin, SEEK_SET) == 0
               ? EXIT_DONE
               : complain(EXIT_FILE, "%s: cannot be read again: %s", r->in->path, strerror(errno));
}

/* ---- what kind of picture it is -------------------------------------------------------------- */

static int refuse(const reader *r, const char *what) {
    return complain(EXIT_BAD_INPUT,
                    "%s: a TIFF picture %s, which is not read; convert it first: convert %s "
                    "picture.png",
                    r->name, what, r->in->path);
}

static uint16_t number_of(const reader *r, uint32_t tag) {
    uint16_t number = 0;

    TIFFGetFieldDefaulted(r->tiff, tag, &number);
    return number;
}

static int is_known_compression(uint16_t compression) {
    static const uint16_t known[] = {
        COMPRESSION_NONE,     COMPRESSION_LZW,  COMPRESSION_DEFLATE, COMPRESSION_ADOBE_DEFLATE,
        COMPRESSION_PACKBITS, COMPRESSION_JPEG, COMPRESSION_ZSTD};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i] == compression) {
            return TIFFIsCODECConfigured(compression);
        }
    }
    return 0;
}

/* Bits of the picture's samples, or 0 if they are of another kind. */
static int find_depth(const reader *r) {
    const uint16_t bits = number_of(r, TIFFTAG_BITSPERSAMPLE);
    const uint16_t kind = number_of(r, TIFFTAG_SAMPLEFORMAT);

    if (kind == SAMPLEFORMAT_IEEEFP) {
        return bits == 32 || bits == 64 ? 32 : 0;
    }
    return (kind == SAMPLEFORMAT_UINT || kind == SAMPLEFORMAT_VOID) && (bits == 8 || bits == 16)
               ? bits
               : 0;
}

/* Of the channels behind the colours: 1 if there is one and it is alpha, 0 if there is none, else
 * -1. What is not said of a fourth one is that it is alpha. */
static int find_alpha(const reader *r, size_t planes) {
    uint16_t count = 0, *kinds = NULL;

    if (r->samples == planes) {
        return 0;
    }
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    return r->samples == planes + 1 && count == 1 &&
                   (kinds[0] == EXTRASAMPLE_UNASSALPHA ||
                    (kinds[0] == EXTRASAMPLE_UNSPECIFIED && planes == 3))
               ? 1
               : -1;
}

static int is_known_colour(const reader *r, int depth) {
    switch (r->photometric) {
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_RGB:
        return 1;
    case PHOTOMETRIC_MINISWHITE:
        return depth != 32;
    case PHOTOMETRIC_PALETTE:
        return depth == 8 && r->samples == 1;
    case PHOTOMETRIC_YCBCR: /* libtiff turns these into colours */
        return number_of(r, TIFFTAG_COMPRESSION) == COMPRESSION_JPEG && depth == 8;
    default:
        return 0;
    }
}

/* The header, checked, and the memory that it asks for. */
static int prepare(reader *r) {
    uint32_t height = 0, width = 0;
    int depth, alpha, code;
    size_t planes;

    TIFFGetField(r->tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetField(r->tiff, TIFFTAG_IMAGEWIDTH, &width);
    code = image_check_size(r->name, height, width, r->max_pixels);
    if (code != EXIT_DONE) {
        return code;
    }
    depth = find_depth(r);
    r->samples = number_of(r, TIFFTAG_SAMPLESPERPIXEL);
    r->are_apart = number_of(r, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
    r->orientation = number_of(r, TIFFTAG_ORIENTATION);
    r->value_bytes = number_of(r, TIFFTAG_BITSPERSAMPLE) / 8;
    if (!TIFFGetField(r->tiff, TIFFTAG_PHOTOMETRIC, &r->photometric)) {
        r->photometric = r->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    }
    if (!is_known_compression(number_of(r, TIFFTAG_COMPRESSION))) {
        return refuse(r, "in another compression than LZW, deflate, PackBits, JPEG and ZSTD");
    }
    if (depth == 0) {
        return refuse(r, "of other samples than 8 or 16 bits, or floats of 32 or 64");
    }
    if (!is_known_colour(r, depth)) {
        return refuse(r, "in other colours than gray, RGB and a palette");
    }
    planes = r->photometric == PHOTOMETRIC_RGB || r->photometric == PHOTOMETRIC_YCBCR ? 3 : 1;
    alpha = find_alpha(r, planes);
    if (alpha < 0) {
        return refuse(r, "with other channels than colours and an alpha that is not multiplied in");
    }
    if (r->photometric == PHOTOMETRIC_YCBCR) {
        TIFFSetField(r->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    }
    return image_allocate(r->picture, height, width, planes, depth, alpha);
}

/* ---- pixels ---------------------------------------------------------------------------------- */

static void put_value(const reader *r, void *to, size_t at, const void *from, size_t i) {
    const int is_inverse = r->photometric == PHOTOMETRIC_MINISWHITE;

    if (r->picture->depth == 8) {
        const uint8_t value = ((const uint8_t *)from)[i];

        ((uint8_t *)to)[at] = is_inverse ? (uint8_t)~value : value;
    } else if (r->picture->depth == 16) {
        const uint16_t value = ((const uint16_t *)from)[i];

        ((uint16_t *)to)[at] = is_inverse ? (uint16_t)~value : value;
    } else {
        ((float *)to)[at] = r->value_bytes == sizeof(double) ? (float)((const double *)from)[i]
                                                             : ((const float *)from)[i];
    }
}

/* `count` pixels of all channels, or of one, into a row. */
static void put(const reader *r, size_t channel, size_t row, size_t column, size_t count,
                const char *from) {
    const size_t channels = r->are_apart ? 1 : r->samples, plane = image_plane_samples(r->picture);

    if (!r->are_apart && count == r->picture->width && r->photometric != PHOTOMETRIC_MINISWHITE &&
        r->value_bytes == image_sample_bytes(r->picture)) {
        image_split_row(r->picture, row, from);
        return;
    }
    for (size_t c = 0; c < channels; c++) {
        const int is_alpha = channel + c == r->picture->planes;
        size_t at = (is_alpha ? 0 : (channel + c) * plane) + row * r->picture->width + column;

        for (size_t i = 0; i < count; i++) {
            put_value(r, is_alpha ? r->picture->alpha : r->picture->pixels, at + i, from,
                      i * channels + c);
        }
    }
}

/* A buffer of so many bytes, which libtiff must agree with. */
static int make_buffer(reader *r, size_t bytes, tmsize_t its) {
    if (its <= 0 || (size_t)its != bytes) {
        return complain(EXIT_BAD_INPUT, "%s: damaged TIFF: parts of %zu bytes should have %zu",
                        r->name, its > 0 ? (size_t)its : 0, bytes);
    }
    r->buffer = allocate(bytes, 1);
    r->buffer_bytes = bytes;
    return r->buffer != NULL ? EXIT_DONE : EXIT_MEMORY;
}

static size_t pixel_bytes(const reader *r) {
    return r->value_bytes * (r->are_apart ? 1 : r->samples);
}

static int read_strips(reader *r) {
    const size_t passes = r->are_apart ? r->samples : 1, height = r->picture->height;
    const int code = make_buffer(r, r->picture->width * pixel_bytes(r), TIFFScanlineSize(r->tiff));

    for (size_t channel = 0; code == EXIT_DONE && channel < passes; channel++) {
        for (size_t row = 0; row < height; row++) {
            if (TIFFReadScanline(r->tiff, r->buffer, (uint32_t)row, (uint16_t)channel) < 0) {
                return EXIT_DONE; /* libtiff has said why */
            }
            put(r, channel, row, 0, r->picture->width, r->buffer);
            progress_step((double)(channel * height + row) / (double)(passes * height), NULL);
        }
    }
    return code;
}

static void put_tile(const reader *r, size_t channel, size_t row, size_t column, size_t tile_height,
                     size_t tile_width) {
    const image *p = r->picture;
    const size_t rows = p->height - row < tile_height ? p->height - row : tile_height;
    const size_t columns = p->width - column < tile_width ? p->width - column : tile_width;

    for (size_t k = 0; k < rows; k++) {
        put(r, channel, row + k, column, columns,
            (const char *)r->buffer + k * tile_width * pixel_bytes(r));
    }
}

static int read_tiles(reader *r) {
    const size_t passes = r->are_apart ? r->samples : 1;
    uint32_t height = 0, width = 0;
    int code;

    TIFFGetField(r->tiff, TIFFTAG_TILELENGTH, &height);
    TIFFGetField(r->tiff, TIFFTAG_TILEWIDTH, &width);
    if (height == 0 || width == 0 || height > MOST_TILE_BYTES / MOST_VALUE_BYTES / 4 / width) {
        return complain(EXIT_BAD_INPUT, "%s: damaged TIFF: tiles of %ux%u", r->name, height, width);
    }
    code = make_buffer(r, (size_t)height * width * pixel_bytes(r), TIFFTileSize(r->tiff));
    for (size_t channel = 0; code == EXIT_DONE && channel < passes; channel++) {
        for (size_t row = 0; row < r->picture->height; row += height) {
            for (size_t column = 0; column < r->picture->width; column += width) {
                if (TIFFReadTile(r->tiff, r->buffer, (uint32_t)column, (uint32_t)row, 0,
                                 (uint16_t)channel) < 0) {
                    return EXIT_DONE; /* libtiff has said why */
                }
                put_tile(r, channel, row, column, height, width);
            }
        }
    }
    return code;
}

/* Colours of 16 bits; some programs write 8 bits there. */
static int expand_palette(reader *r) {
    image indices = *r->picture;
    const size_t samples = image_plane_samples(&indices);
    uint16_t *maps[3];
    unsigned largest = 0;
    int code;

    if (!TIFFGetField(r->tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2])) {
        return complain(EXIT_BAD_INPUT, "%s: damaged TIFF: a palette without colours", r->name);
    }
    for (size_t i = 0; i < 3 * (size_t)COLOURS; i++) {
        const unsigned level = maps[i / COLOURS][i % COLOURS];

        largest = level > largest ? level : largest;
    }
    code = image_allocate(r->picture, indices.height, indices.width, 3, 8, 0);
    for (size_t i = 0; code == EXIT_DONE && i < 3 * samples; i++) {
        const unsigned level = maps[i / samples][image_sample(&indices, i % samples)];

        image_set_sample(r->picture, i, largest > UINT8_MAX ? level >> 8 : level);
    }
    image_free(&indices);
    return code;
}

static int outcome(const reader *r) {
    return tiff_outcome(&r->failure, EXIT_BAD_INPUT, r->name, "damaged TIFF");
}

static int decode(reader *r) {
    int code = outcome(r); /* without all tags others would seem to be missing */

    if (code == EXIT_DONE) {
        code = prepare(r);
    }
    if (code == EXIT_DONE) {
        code = TIFFIsTiled(r->tiff) ? read_tiles(r) : read_strips(r);
    }
    if (code == EXIT_DONE) {
        code = outcome(r);
    }
    if (code == EXIT_DONE && r->photometric == PHOTOMETRIC_PALETTE) {
        code = expand_palette(r);
    }
    if (code == EXIT_DONE) {
        code = tiff_extras_keep(r->tiff, r->picture);
    }
    if (code == EXIT_DONE) {
        code = image_turn_upright(r->picture, r->orientation);
    }
    return code == EXIT_DONE && r->picture->depth == 32 ? image_check_finite(r->picture, r->name)
                                                        : code;
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* ImageJ writes stacks of more than 4 GB as one page, whose text says how many lie behind it. */
static int check_hidden_pages(const reader *r) {
    const char *text = NULL, *images;

    if (!TIFFGetField(r->tiff, TIFFTAG_IMAGEDESCRIPTION, &text) || text == NULL ||
        strncmp(text, tiff_of_imagej, strlen(tiff_of_imagej)) != 0) {
        return EXIT_DONE;
    }
    images = strstr(text, "\nimages=");
    return images == NULL || strtoul(images + strlen("\nimages="), NULL, 10) <= r->page_count
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT,
                          "%s: a stack that ImageJ wrote as one page of TIFF, of which others "
                          "cannot be found; save it from there as an image sequence",
                          r->name);
}

static uint32_t kind_of_page(const reader *r) {
    uint32_t kind = 0;

    TIFFGetField(r->tiff, TIFFTAG_SUBFILETYPE, &kind);
    return kind;
}

/* Small copies of a page and masks of one are none. */
static int is_page(const reader *r) {
    return (kind_of_page(r) & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0;
}

/* NEF, ARW, DNG: the first page is a small copy, below which the sensor's values lie. */
static int check_raw(const reader *r) {
    uint16_t count = 0;
    uint64_t *below;

    return (kind_of_page(r) & FILETYPE_REDUCEDIMAGE) != 0 &&
                   TIFFGetField(r->tiff, TIFFTAG_SUBIFD, &count, &below)
               ? complain(EXIT_BAD_INPUT,
                          "%s: a camera's RAW file, which is not read; develop it first: "
                          "darktable-cli %s picture.tif",
                          r->name, r->in->path)
               : EXIT_DONE;
}

static int keep_page(reader *r, size_t *capacity) {
    if (r->page_count == *capacity) {
        const size_t more = *capacity > 0 ? 2 * *capacity : 16;
        uint64_t *pages = realloc(r->pages, more * sizeof *pages);

        if (pages == NULL) {
            return complain(EXIT_MEMORY, "%s: out of memory for TIFF", r->name);
        }
        r->pages = pages;
        *capacity = more;
    }
    r->pages[r->page_count++] = TIFFCurrentDirOffset(r->tiff);
    return EXIT_DONE;
}

/* The first is one whatever it says of itself, but of RAW files. libtiff looks for loops, in a time
 * that grows as the square of their number. */
static int find_pages(reader *r) {
    size_t capacity = 0, count = 0;
    int code = check_raw(r);

    if (code != EXIT_DONE) {
        return code;
    }
    do {
        code = count == 0 || is_page(r) ? keep_page(r, &capacity) : EXIT_DONE;
        if (code == EXIT_DONE && ++count > IMAGE_MOST_PAGES) {
            code = complain(EXIT_BAD_INPUT, "%s: more than %d pages", r->name, IMAGE_MOST_PAGES);
        }
    } while (code == EXIT_DONE && TIFFReadDirectory(r->tiff));
    if (code == EXIT_DONE) {
        code = outcome(r);
    }
    if (code == EXIT_DONE && !TIFFLastDirectory(r->tiff)) {
        code =
            complain(EXIT_BAD_INPUT, "%s: damaged TIFF: its pages go round in a circle", r->name);
    }
    if (code == EXIT_DONE && TIFFSetSubDirectory(r->tiff, r->pages[0])) {
        code = check_hidden_pages(r);
    }
    return code == EXIT_DONE ? outcome(r) : code;
}

static int open_pages(image_pages *p) {
    reader *r = allocate(1, sizeof *r);
    int code;

    if (r == NULL) {
        return EXIT_MEMORY;
    }
    *r = (reader){.in = &p->in, .max_pixels = p->max_pixels};
    p->stack = r;
    snprintf(r->name, sizeof r->name, "%s", p->in.path);
    code = find_file(r);
    tiff_begin(&r->failure);
    if (code == EXIT_DONE) {
        r->tiff = TIFFClientOpen(p->in.path, "rm", r, read_bytes, write_nothing, seek,
                                 close_nothing, size_of, NULL, NULL);
        code = r->tiff != NULL ? find_pages(r) : outcome(r);
    }
    if (r->tiff == NULL && code == EXIT_DONE) {
        code = complain(EXIT_MEMORY, "%s: out of memory for TIFF", r->name);
    }
    p->end = r->page_count;
    return code;
}

static int read_page(image_pages *p, size_t page, image *picture) {
    reader *r = p->stack;
    int code;

    if (r->page_count > 1) {
        snprintf(r->name, sizeof r->name, "%s, page %zu", r->in->path, page + 1);
    }
    r->picture = picture;
    TIFFSetSubDirectory(r->tiff, r->pages[page]);
    code = decode(r);
    free(r->buffer);
    r->buffer = NULL;
    return code;
}

static void close_pages(image_pages *p) {
    reader *r = p->stack;

    if (r == NULL) {
        return;
    }
    if (r->tiff != NULL) {
        TIFFClose(r->tiff);
    }
    if (r->file != NULL && r->file != p->in.file) {
        fclose(r->file);
    }
    free(r->pages);
    free(r);
}

const image_stacks image_tiff_stacks = {open_pages, read_page, close_pages, image_tiff_write_pages};
