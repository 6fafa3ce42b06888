/* SPDX-License-Identifier: MIT
 * Which format a picture file has: by its first bytes when it is read, by the ending of its name
 * when it is written.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "files/image_formats.h"
#include "shell/complain.h"
#include "shell/parse.h"
#include "shell/progress.h"

enum { MOST_SUFFIXES = 4, MOST_STARTS = 6, ENDINGS_SIZE = 100, ROWS_OF_A_STEP = 1024 };

typedef struct image_format {
    const char *starts[MOST_STARTS]; /* what a file may begin with; NULL behind the last */
    const char *suffixes[MOST_SUFFIXES];
    /* One of these reads, one writes: a whole picture; rows as they come; several pages. */
    image_reader *read;
    image_writer *write;
    const image_row_reader *reader;
    const image_row_writer *writer;
    const image_stacks *stacks;
} format;

static const format formats[] = {
    {{"\x89PNG"}, {".png"}, .reader = &image_png_reader, .writer = &image_png_writer},
#if WEFT_JPEG
    {{"\xff\xd8\xff"},
     {".jpg", ".jpeg"},
     .reader = &image_jpeg_reader,
     .writer = &image_jpeg_writer},
#endif
#if WEFT_TIFF
    {{"II*", "II+", "MM"},
     {".tif", ".tiff"},
     .write = image_tiff_write,
     .stacks = &image_tiff_stacks},
#endif
    {{"P2", "P3", "P5", "P6", "Pf", "PF"},
     {".pgm", ".ppm", ".pnm", ".pfm"},
     .read = image_pnm_read,
     .write = image_pnm_write},
    {{"\x93NUMPY"}, {".npy"}, .read = image_npy_read, .write = image_npy_write},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* clang-format off */
const char *const image_suffixes[] = {
    ".png",
#if WEFT_JPEG
    ".jpg", ".jpeg",
#endif
#if WEFT_TIFF
    ".tif", ".tiff",
#endif
    ".pgm", ".ppm", ".pnm", ".pfm", ".npy", NULL};
/* clang-format on */

int image_check_finite(const image *picture, const char *path) {
    const float *values = picture->pixels, *alpha = picture->alpha;
    const size_t count = image_plane_samples(picture);
    size_t bad = 0;

    for (size_t i = 0; i < picture->planes * count; i++) {
        bad += isfinite(values[i]) ? 0 : 1;
    }
    for (size_t i = 0; alpha != NULL && i < count; i++) {
        bad += isfinite(alpha[i]) ? 0 : 1;
    }
    return bad == 0
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT, "%s: no finite number in %zu of its samples", path, bad);
}

int image_check_floats(const image *picture, const char *path) {
    static const char *const of_floats[] = {".npy", ".pfm", ".tif", ".tiff"};
    int holds = picture->depth != 32;

    for (size_t i = 0; i < sizeof of_floats / sizeof *of_floats; i++) {
        holds |= has_suffix(path, of_floats[i]);
    }
    return holds ? EXIT_DONE
                 : complain(EXIT_USAGE,
                            "%s: holds no floats, which this picture has; .npy, .pfm and .tif do",
                            path);
}

void image_say_no_alpha(const image *picture, const char *path) {
    if (picture->alpha != NULL) {
        complain(EXIT_DONE, "%s: its format has no alpha, which is left out", path);
    }
}

int image_check_size(const char *path, size_t height, size_t width, size_t max_pixels) {
    if (height == 0 || width == 0) {
        return complain(EXIT_BAD_INPUT, "%s: %zux%zu: a picture without pixels", path, height,
                        width);
    }
    return width <= max_pixels / height
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT, "%s: %zux%zu is %zu pixels; --max-pixels is %zu", path,
                          height, width, height * width, max_pixels);
}

static const char unknown_kind[] = "something else";

const char *image_kind(const unsigned char start[IMAGE_START]) {
    static const struct {
        const char *start, *kind;
    } known[] = {{"\xff\xd8\xff", "a JPEG picture"},
                 {"GIF8", "a GIF picture"},
                 {"RIFF", "a RIFF (WebP?) file"},
                 {"II*", "a TIFF picture"},
                 {"II+", "a TIFF picture"},
                 {"MM", "a TIFF picture"},
                 {"BM", "a BMP picture"},
                 {"\x93NUMPY", "a NumPy array"},
                 {"P1", "a PBM picture"},
                 {"P2", "a PGM picture"},
                 {"P3", "a PPM picture"},
                 {"P4", "a PBM picture"},
                 {"P5", "a PGM picture"},
                 {"P6", "a PPM picture"},
                 {"P7", "a PAM picture"},
                 {"Pf", "a PFM picture"},
                 {"PF", "a PFM picture"},
                 {"SIMPLE", "a FITS file"},
                 {"%PDF", "a PDF document"},
                 {"<svg", "an SVG drawing"},
                 {"\x76\x2f\x31\x01", "an OpenEXR picture"},
                 {"\x89PNG", "a PNG file with mangled line ends"}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (memcmp(start, known[i].start, strlen(known[i].start)) == 0) {
            return known[i].kind;
        }
    }
    return memcmp(start + 4, "ftyp", 4) == 0 ? "a HEIF or AVIF picture" : unknown_kind;
}

/* A file that ends before the format is certain is the first's that it may be of. */
static const format *format_of_start(const unsigned char start[IMAGE_START], size_t got) {
    for (size_t i = 0; i < FORMATS; i++) {
        for (size_t k = 0; k < MOST_STARTS && formats[i].starts[k] != NULL; k++) {
            const size_t length = strlen(formats[i].starts[k]);

            if (memcmp(start, formats[i].starts[k], got < length ? got : length) == 0) {
                return &formats[i];
            }
        }
    }
    return NULL;
}

/* unknown: what is said of what begins like no picture; NULL: which ones are read. */
static int refuse(const char *path, const char *kind, const char *unknown) {
    const int is_left_out = strstr(kind, "JPEG") != NULL || strstr(kind, "TIFF") != NULL;
    char all[ENDINGS_SIZE];

    if (kind == unknown_kind && unknown != NULL) {
        return complain(EXIT_BAD_INPUT, "%s: %s", path, unknown);
    }
    return kind == unknown_kind
               ? complain(EXIT_BAD_INPUT, "%s: no picture but %s; read are %s", path, kind,
                          join_words(all, sizeof all, image_suffixes, ", "))
               : complain(EXIT_BAD_INPUT,
                          "%s: %s, which %s not read; convert it first: convert %s picture.png",
                          path, kind,
                          is_left_out ? "this build, made without its library, does" : "is", path);
}

/* The pages of an open input. */
static int find_pages(image_pages *p, const char *unknown) {
    unsigned char start[IMAGE_START] = {0};
    int code = input_look(&p->in, start, sizeof start);

    if (code == EXIT_DONE) {
        code = input_not_empty(&p->in);
    }
    if (code == EXIT_DONE) {
        p->format = format_of_start(start, p->in.ahead);
        code = p->format == NULL           ? refuse(p->in.path, image_kind(start), unknown)
               : p->format->stacks != NULL ? p->format->stacks->open(p)
                                           : EXIT_DONE;
    }
    return code;
}

int image_pages_open(image_pages *p, const char *path, size_t max_pixels) {
    int code;

    *p = (image_pages){.end = 1, .max_pixels = max_pixels};
    progress_start("reading"); /* a pipe may be waited for */
    code = input_open(&p->in, path);
    if (code == EXIT_DONE) {
        code = find_pages(p, NULL);
    }
    progress_end();
    if (code != EXIT_DONE) {
        image_pages_close(p);
    }
    return code;
}

int image_pages_begin(image_pages *p, image *picture) {
    const size_t page = p->next++;
    int code;

    *picture = (image){0};
    progress_start("reading");
    code = p->format->stacks != NULL ? p->format->stacks->read(p, page, picture)
           : p->format->reader != NULL
               ? p->format->reader->begin(&p->rows, picture, &p->in, p->max_pixels)
               : p->format->read(picture, &p->in, p->max_pixels);
    progress_end();
    return code;
}

int image_pages_rows(image_pages *p, size_t end) {
    return p->rows != NULL ? p->format->reader->rows(p->rows, end) : EXIT_DONE;
}

static void release_rows(image_pages *p) {
    if (p->rows != NULL) {
        p->format->reader->release(p->rows);
        p->rows = NULL;
    }
}

int image_pages_finish(image_pages *p) {
    const int code = p->rows != NULL ? p->format->reader->finish(p->rows) : EXIT_DONE;

    release_rows(p);
    return code;
}

/* Some at a time, so that there are steps to show. */
int image_pages_rest(image_pages *p, const image *picture) {
    const size_t height = picture->height;
    int code = EXIT_DONE;

    progress_start("reading");
    for (size_t row = 0; row < height && code == EXIT_DONE;) {
        row = height - row < ROWS_OF_A_STEP ? height : row + ROWS_OF_A_STEP;
        code = image_pages_rows(p, row);
        progress_step((double)row / (double)height, NULL);
    }
    progress_end();
    return code == EXIT_DONE ? image_pages_finish(p) : code;
}

int image_pages_read(image_pages *p, image *picture) {
    int code = image_pages_begin(p, picture);

    if (code == EXIT_DONE) {
        code = image_pages_rest(p, picture);
    }
    release_rows(p);
    if (code != EXIT_DONE) {
        image_free(picture);
    }
    return code;
}

static void close_stack(image_pages *p) {
    if (p->format != NULL && p->format->stacks != NULL) {
        p->format->stacks->close(p);
    }
}

void image_pages_close(image_pages *p) {
    release_rows(p);
    close_stack(p);
    input_close(&p->in);
    *p = (image_pages){0};
}

int image_pages_choose(image_pages *p, size_t page) {
    if (page > p->end) {
        return complain(EXIT_BAD_INPUT, "%s: no page %zu; there %s %zu", p->in.path, page,
                        p->end == 1 ? "is" : "are", p->end);
    }
    p->next = page - 1;
    p->end = page;
    return EXIT_DONE;
}

/* The advice says what to do about a stack. */
static int read_page(image *picture, const char *path, size_t page, size_t max_pixels,
                     const char *advice) {
    image_pages p;
    int code = image_pages_open(&p, path, max_pixels);

    *picture = (image){0};
    if (code == EXIT_DONE && page > 0) {
        code = image_pages_choose(&p, page);
    } else if (code == EXIT_DONE && p.end > 1) {
        code = complain(EXIT_BAD_INPUT, "%s: a stack of %zu pages, of which one is wanted; %s",
                        p.in.path, p.end, advice);
    }
    if (code == EXIT_DONE) {
        code = image_pages_read(&p, picture);
    }
    image_pages_close(&p);
    return code;
}

int image_read_page(image *picture, const char *path, size_t page, size_t max_pixels) {
    return read_page(picture, path, page, max_pixels, "say --page 1, or 2 and so on");
}

int image_read(image *picture, const char *path, size_t max_pixels) {
    return read_page(picture, path, 0, max_pixels, "give a file that has it alone");
}

int image_read_open(image *picture, input *in, size_t max_pixels, const char *unknown) {
    image_pages p = {.in = *in, .end = 1, .max_pixels = max_pixels};
    int code;

    *picture = (image){0};
    progress_start("reading");
    code = find_pages(&p, unknown);
    if (code == EXIT_DONE && p.end > 1) {
        code =
            complain(EXIT_BAD_INPUT, "%s: a stack of %zu pages; one is wanted", p.in.path, p.end);
    }
    if (code == EXIT_DONE) {
        code = image_pages_read(&p, picture);
    }
    progress_end();
    close_stack(&p);
    *in = p.in;
    return code;
}

/* The ending of a name with its dot, or "". */
static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return dot == NULL || dot == name ? "" : dot;
}

static const format *format_of_ending(const char *ending) {
    for (size_t i = 0; i < FORMATS; i++) {
        for (size_t k = 0; k < MOST_SUFFIXES && formats[i].suffixes[k] != NULL; k++) {
            if (has_suffix(ending, formats[i].suffixes[k])) {
                return &formats[i];
            }
        }
    }
    return NULL;
}

static int is_regular(output *out) {
    struct stat about;

    return fstat(fileno(out->file), &about) == 0 && S_ISREG(about.st_mode);
}

static const format *choose_format(output *out, int *code) {
    const char *const ending = ending_of(out->path);
    const format *chosen = format_of_ending(ending);
    char all[ENDINGS_SIZE];

    *code = chosen == NULL && *ending != '\0' && is_regular(out)
                ? complain(EXIT_USAGE, "%s: no such pictures are written; the name must end in %s",
                           out->path, join_words(all, sizeof all, image_suffixes, ", "))
                : EXIT_DONE;
    return chosen != NULL ? chosen : &formats[0];
}

static const image_options default_options;

static int begin_writing(image_writing *w, const format *chosen, const image *picture, output *out,
                         const image_options *options) {
    *w = (image_writing){.picture = picture,
                         .out = out,
                         .options = options != NULL ? options : &default_options,
                         .format = chosen};
    return chosen->writer != NULL ? chosen->writer->begin(&w->rows, picture, out, w->options)
                                  : EXIT_DONE;
}

int image_write_begin(image_writing *w, const image *picture, output *out,
                      const image_options *options) {
    int code;
    const format *chosen = choose_format(out, &code);

    *w = (image_writing){0};
    return code == EXIT_DONE ? begin_writing(w, chosen, picture, out, options) : code;
}

int image_write_rows(image_writing *w, size_t end) {
    return w->rows != NULL ? w->format->writer->rows(w->rows, end) : EXIT_DONE;
}

int image_write_finish(image_writing *w) {
    return w->rows != NULL ? w->format->writer->finish(w->rows)
                           : w->format->write(w->picture, w->out, w->options);
}

void image_write_end(image_writing *w) {
    if (w->rows != NULL) {
        w->format->writer->release(w->rows);
    }
    *w = (image_writing){0};
}

static int write_as(const format *chosen, const image *picture, output *out,
                    const image_options *options) {
    image_writing w;
    int code;

    progress_start("writing");
    code = begin_writing(&w, chosen, picture, out, options);
    if (code == EXIT_DONE) {
        code = image_write_rows(&w, picture->height);
    }
    if (code == EXIT_DONE) {
        code = image_write_finish(&w);
    }
    image_write_end(&w);
    progress_end();
    return code;
}

int image_write(const image *picture, output *out, const image_options *options) {
    int code;
    const format *chosen = choose_format(out, &code);

    return code == EXIT_DONE ? write_as(chosen, picture, out, options) : code;
}

int image_write_pages(size_t count, image_source *next, void *context, output *out,
                      const image_options *options) {
    int code;
    const format *chosen = choose_format(out, &code);
    const image *page;

    if (code == EXIT_DONE && chosen->stacks != NULL) {
        return chosen->stacks->write(count, next, context, out,
                                     options != NULL ? options : &default_options);
    }
    if (code == EXIT_DONE && count > 1) {
        code = complain(EXIT_USAGE,
                        "%s: holds one picture, not a stack of %zu pages; .tif does, or --page 1 "
                        "takes one of them",
                        out->path, count);
    }
    if (code == EXIT_DONE) {
        code = next(context, &page);
    }
    return code == EXIT_DONE ? image_write(page, out, options) : code;
}

/* ---- PNG alone ------------------------------------------------------------------------------- */

int image_read_png(image *picture, const char *path, size_t max_pixels) {
    image_pages p = {.format = &formats[0], .end = 1, .max_pixels = max_pixels};
    int code = input_open(&p.in, path);

    *picture = (image){0};
    if (code == EXIT_DONE) {
        code = image_pages_read(&p, picture);
    }
    image_pages_close(&p);
    return code;
}

int image_write_png(const image *picture, output *out) {
    return write_as(&formats[0], picture, out, NULL);
}
