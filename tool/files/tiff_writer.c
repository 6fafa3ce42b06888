/* SPDX-License-Identifier: MIT
 * Planes -> a TIFF file, a page for each picture: gray or colour, with or without alpha, 8 or 16
 * bits or floats, in strips; not compressed, which every program reads, or by deflate where files
 * are to be small. No times, so that equal pictures give equal bytes.
 */
#include "files/tiff.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/image_formats.h"
#include "files/tiff_extras.h"
#include "shell/complain.h"
#include "shell/progress.h"

enum { STRIP_BYTES = 1 << 16, PREDICT_WHOLE = 2, PREDICT_FLOAT = 3 };
static const uint64_t most_of_classic = 4000000000; /* of pixels: offsets have 32 bits */

typedef struct writer {
    tiff_failure failure; /* the first, see tiff.h */
    output *out;
    off_t origin;
    const image *picture;
    size_t page, page_count;
    TIFF *tiff;
    void *row;
} writer;

/* Where the last page ends, before the next one is linked to it. */
static tmsize_t read_back(thandle_t file, void *bytes, tmsize_t count) {
    const writer *w = file;

    return (tmsize_t)fread(bytes, 1, (size_t)count, w->out->file);
}

static tmsize_t write_bytes(thandle_t file, void *bytes, tmsize_t count) {
    writer *w = file;

    if (w->failure.code == EXIT_DONE) {
        w->failure.code = output_write(w->out, bytes, (size_t)count);
    }
    return w->failure.code == EXIT_DONE ? count : -1;
}

static toff_t seek(thandle_t file, toff_t offset, int whence) {
    writer *w = file;
    const off_t from = whence == SEEK_SET ? w->origin : 0;

    if (fseeko(w->out->file, (off_t)offset + from, whence) != 0) {
        return (toff_t)-1;
    }
    return (toff_t)(ftello(w->out->file) - w->origin);
}

static int close_nothing(thandle_t file) {
    (void)file;
    return 0;
}

static toff_t no_size(thandle_t file) {
    (void)file;
    return 0;
}

static void set_tags(writer *w, int is_small) {
    const image *p = w->picture;
    const uint16_t kind[] = {EXTRASAMPLE_UNASSALPHA};
    const size_t row_bytes = p->width * image_channels(p) * image_sample_bytes(p);

    TIFFSetField(w->tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)p->width);
    TIFFSetField(w->tiff, TIFFTAG_IMAGELENGTH, (uint32_t)p->height);
    TIFFSetField(w->tiff, TIFFTAG_BITSPERSAMPLE, p->depth);
    TIFFSetField(w->tiff, TIFFTAG_SAMPLESPERPIXEL, (int)image_channels(p));
    TIFFSetField(w->tiff, TIFFTAG_SAMPLEFORMAT,
                 p->depth == 32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(w->tiff, TIFFTAG_PHOTOMETRIC,
                 p->planes == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(w->tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(w->tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    TIFFSetField(w->tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)(STRIP_BYTES / row_bytes + 1));
    TIFFSetField(w->tiff, TIFFTAG_COMPRESSION,
                 is_small ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE);
    if (is_small) {
        TIFFSetField(w->tiff, TIFFTAG_PREDICTOR, p->depth == 32 ? PREDICT_FLOAT : PREDICT_WHOLE);
    }
    if (p->alpha != NULL) {
        TIFFSetField(w->tiff, TIFFTAG_EXTRASAMPLES, 1, kind);
    }
    if (w->page_count > 1) {
        TIFFSetField(w->tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
        TIFFSetField(w->tiff, TIFFTAG_PAGENUMBER, (int)w->page, (int)w->page_count);
    }
    tiff_extras_write(w->tiff, p, w->out->path);
}

static void write_rows(writer *w) {
    for (size_t row = 0; row < w->picture->height; row++) {
        image_join_row(w->picture, row, w->row);
        if (TIFFWriteScanline(w->tiff, w->row, (uint32_t)row, 0) < 0) {
            return; /* it has said why */
        }
        progress_step((double)row / (double)w->picture->height, NULL);
    }
}

static size_t row_bytes_of(const image *picture) {
    return picture->width * image_channels(picture) * image_sample_bytes(picture);
}

static int outcome(const writer *w) {
    return tiff_outcome(&w->failure, EXIT_FILE, w->out->path, "cannot write TIFF");
}

/* All pages are taken to be as large as the first one. */
static int open_file(writer *w, const image *first) {
    const uint64_t bytes = (uint64_t)row_bytes_of(first) * first->height * w->page_count;

    tiff_begin(&w->failure);
    w->tiff = TIFFClientOpen(w->out->path, bytes > most_of_classic ? "w8" : "w", w, read_back,
                             write_bytes, seek, close_nothing, no_size, NULL, NULL);
    if (w->tiff == NULL && !w->failure.has_failed && w->failure.code == EXIT_DONE) {
        return complain(EXIT_MEMORY, "%s: out of memory for TIFF", w->out->path);
    }
    return outcome(w);
}

static int write_page(writer *w, int is_small) {
    w->row = allocate(row_bytes_of(w->picture), 1);
    if (w->row == NULL) {
        return EXIT_MEMORY;
    }
    set_tags(w, is_small);
    write_rows(w);
    TIFFWriteDirectory(w->tiff);
    free(w->row);
    return outcome(w);
}

int image_tiff_write_pages(size_t count, image_source *next, void *context, output *out,
                           const image_options *options) {
    writer w = {.out = out, .page_count = count, .origin = ftello(out->file)};
    struct stat about;
    int code = EXIT_DONE;

    if (w.origin < 0 || fstat(fileno(out->file), &about) != 0 || !S_ISREG(about.st_mode)) {
        return complain(EXIT_USAGE, "%s: TIFF goes into a file only, not into a pipe", out->path);
    }
    for (; code == EXIT_DONE && w.page < count; w.page++) {
        code = next(context, &w.picture);
        if (code == EXIT_DONE && w.tiff == NULL) {
            code = open_file(&w, w.picture);
        }
        if (code == EXIT_DONE) {
            code = write_page(&w, options->is_small);
        }
    }
    if (w.tiff != NULL) {
        TIFFClose(w.tiff);
    }
    return code == EXIT_DONE ? outcome(&w) : code;
}

static int same_again(void *context, const image **page) {
    *page = context;
    return EXIT_DONE;
}

int image_tiff_write(const image *picture, output *out, const image_options *options) {
    image page = *picture;

    return image_tiff_write_pages(1, same_again, &page, out, options);
}
