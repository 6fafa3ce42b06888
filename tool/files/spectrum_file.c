/* SPDX-License-Identifier: MIT
 * Spectra to and from files. Every fact about a spectrum comes from the array's shape, from the
 * trailer or from the user; they must agree, and only what nobody says gets a default.
 */
#include "files/spectrum_file.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "files/npy.h"
#include "files/spectrum_reading.h"
#include "shell/complain.h"
#include "shell/input.h"
#include "shell/options.h"
#include "shell/output.h"
#include "shell/progress.h"

/* As in the file: npy.c asserts that this machine is little-endian. */
typedef struct trailer {
    char magic[8];
    uint32_t version, checksum;
    uint64_t height, width;
    uint32_t planes, depth, layout, norm, precision, zero;
    uint64_t alpha_bytes;
} trailer;
_Static_assert(sizeof(trailer) == 64, "the trailer has no padding");

enum { TRAILER_VERSION = 1 };
static const char trailer_magic[] = "WEFTSPEC";

static size_t alpha_bytes(const spectrum *s) {
    return s->height * s->width * (size_t)(s->depth / 8);
}

/* For zlib no bytes at NULL are a new beginning, not the end. */
static uint32_t checksum_of(const trailer *t, const void *alpha) {
    size_t start = offsetof(trailer, height);
    uLong checksum = crc32_z(0, (const Bytef *)t + start, sizeof *t - start);

    return (uint32_t)(alpha ? crc32_z(checksum, alpha, (size_t)t->alpha_bytes) : checksum);
}

/* Files without alpha that were written before 0.2.0 have a 0 instead. */
static int is_intact(const trailer *t, const void *alpha) {
    return t->checksum == checksum_of(t, alpha) || (t->checksum == 0 && !alpha);
}

static trailer trailer_of(const spectrum *s) {
    trailer t = {.version = TRAILER_VERSION,
                 .height = s->height,
                 .width = s->width,
                 .planes = (uint32_t)s->planes,
                 .depth = (uint32_t)s->depth,
                 .layout = s->layout,
                 .norm = s->norm,
                 .precision = s->precision,
                 .alpha_bytes = s->alpha ? alpha_bytes(s) : 0};

    memcpy(t.magic, trailer_magic, sizeof t.magic);
    t.checksum = checksum_of(&t, s->alpha);
    return t;
}

int spectrum_write(const spectrum *s, output *out) {
    npy_header array = npy_of_planes(s->precision, s->layout == WEFT_HALF, s->planes, s->height,
                                     spectrum_row_length(s));
    trailer t = trailer_of(s);
    int code = npy_write_header(out, &array);

    if (code == EXIT_DONE) {
        code = output_write(out, s->values, npy_bytes(&array));
    }
    if (code == EXIT_DONE) {
        code = output_write(out, &t, sizeof t);
    }
    if (code == EXIT_DONE) {
        code = output_write(out, s->alpha, (size_t)t.alpha_bytes);
    }
    return code;
}

/* What the array itself says; the width of a half spectrum only up to its parity. */
static int take_shape(spectrum *s, const char *path, const npy_header *array, size_t max_pixels) {
    const size_t *sides = array->shape + array->dimensions - 2;
    char text[NPY_SHAPE_TEXT];
    size_t columns;

    if (array->dimensions < 2 ||
        (array->dimensions == 3 && array->shape[0] != 1 && array->shape[0] != 3)) {
        return complain(
            EXIT_BAD_INPUT,
            "%s: bad shape %s: a spectrum is (rows, columns), or (1 or 3, rows, columns)", path,
            npy_shape_text(array, text));
    }
    columns = sides[1];
    s->planes = array->dimensions == 3 ? array->shape[0] : 1;
    s->height = sides[0];
    s->width = !array->is_complex ? columns : columns > 1 ? 2 * (columns - 1) : 1;
    s->precision = array->precision;
    s->layout = array->is_complex ? WEFT_HALF : WEFT_PACKED;
    if (s->width > max_pixels / s->height) {
        return complain(EXIT_BAD_INPUT,
                        "%s: shape %s is a picture of %zu pixels; --max-pixels is %zu", path,
                        npy_shape_text(array, text), s->height * s->width, max_pixels);
    }
    return EXIT_DONE;
}

static int read_values(spectrum *s, input *in, const npy_header *array) {
    size_t bytes = npy_bytes(array);
    int code = input_expect(in, bytes);

    if (code != EXIT_DONE) {
        return code;
    }
    s->values = allocate(bytes, 1);
    return s->values ? npy_read_values(in, array, s->values) : EXIT_MEMORY;
}

/* `parts` real numbers make a value. */
static int check_finite(const spectrum *s, const char *path, size_t parts) {
    size_t count = spectrum_reals(s), bad = 0;

    for (size_t i = 0; i < count; i += parts) {
        bad += !isfinite(spectrum_number(s, i)) || !isfinite(spectrum_number(s, i + parts - 1));
    }
    return bad == 0 ? EXIT_DONE
                    : complain(EXIT_BAD_INPUT,
                               "%s: no finite number in %zu of %zu values of the spectrum", path,
                               bad, count / parts);
}

/* `got` bytes were read of what numpy.load ignores. */
static int refuse_unknown(input *in, const void *start, size_t got) {
    static const char zeros[sizeof(trailer)];
    size_t left = input_left(in);
    char count[32];

    snprintf(count, sizeof count, left < SIZE_MAX ? "%zu" : "%zu or more",
             left < SIZE_MAX ? got + left : got);
    return complain(EXIT_BAD_INPUT,
                    "%s: the array is followed by %s bytes%s, not by a trailer of weft fft; save "
                    "the array alone",
                    in->path, count,
                    got >= NPY_MAGIC_SIZE && memcmp(start, npy_magic, NPY_MAGIC_SIZE) == 0
                        ? " that begin another array"
                    : memcmp(start, zeros, got) == 0 ? " that begin with zeros"
                                                     : "");
}

static int read_facts(input *in, trailer *t) {
    size_t got;
    int code = input_read_most(in, t, sizeof *t, &got);

    if (code != EXIT_DONE) {
        return code;
    }
    if (memcmp(t, trailer_magic, got < sizeof t->magic ? got : sizeof t->magic) != 0) {
        return refuse_unknown(in, t, got);
    }
    return got == sizeof *t
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT, "%s: truncated: %zu bytes of the trailer's %zu", in->path,
                          got, sizeof *t);
}

/* The trailer's facts against the array's: nothing of it is believed before. */
static int check_trailer(const trailer *t, const char *path, const spectrum *s) {
    size_t columns = spectrum_row_length(s);
    size_t facts_columns = t->layout == WEFT_HALF ? t->width / 2 + 1 : t->width;

    if (t->version != TRAILER_VERSION) {
        return complain(EXIT_BAD_INPUT, "%s: trailer version %u; this weft reads %d", path,
                        t->version, TRAILER_VERSION);
    }
    if (t->height != s->height || facts_columns != columns || t->planes != s->planes ||
        t->layout != s->layout || t->precision != s->precision || t->zero != 0 || t->width < 1 ||
        t->norm > WEFT_NORM_NONE || (t->depth != 8 && t->depth != 16 && t->depth != 32) ||
        (t->alpha_bytes != 0 && t->alpha_bytes != t->height * t->width * (t->depth / 8))) {
        return complain(EXIT_BAD_INPUT, "%s: damaged: the trailer does not fit the array before it",
                        path);
    }
    return EXIT_DONE;
}

static int read_alpha(spectrum *s, input *in, size_t bytes) {
    int code = bytes ? input_expect(in, bytes) : EXIT_DONE;

    if (code != EXIT_DONE || bytes == 0) {
        return code;
    }
    s->alpha = allocate(bytes, 1);
    return s->alpha ? input_read(in, s->alpha, bytes) : EXIT_MEMORY;
}

static int read_trailer(spectrum *s, input *in) {
    trailer t;
    int code = read_facts(in, &t);

    if (code == EXIT_DONE) {
        code = check_trailer(&t, in->path, s);
    }
    if (code == EXIT_DONE) {
        code = read_alpha(s, in, (size_t)t.alpha_bytes);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    if (!is_intact(&t, s->alpha) || !input_at_end(in)) {
        return complain(EXIT_BAD_INPUT, "%s: damaged: the trailer's checksum or length is wrong",
                        in->path);
    }
    s->width = (size_t)t.width;
    s->depth = (int)t.depth;
    s->norm = (weft_norm)t.norm;
    return EXIT_DONE;
}

/* `like` is the picture that the option's value was taken from, or NULL. */
static int disagree(const char *path, const char *option, const char *given, const char *like,
                    const char *own) {
    return complain(EXIT_USAGE, "%s: %s %s %s%s, but the file says %s", path, option, given,
                    like != NULL ? "of " : "asked for", like != NULL ? like : "", own);
}

static int check_numbers(const char *path, const char *option, size_t given, const char *like,
                         size_t own) {
    char given_text[32], own_text[32];

    if (given == own) {
        return EXIT_DONE;
    }
    snprintf(given_text, sizeof given_text, "%zu", given);
    snprintf(own_text, sizeof own_text, "%zu", own);
    return disagree(path, option, given_text, like, own_text);
}

/* The user may repeat what the file says, but not contradict it. */
static int check_facts(const spectrum *s, const char *path, const spectrum_facts *given) {
    int code = EXIT_DONE;

    if (given->width > 0) {
        code = check_numbers(path, "width", given->width, given->like, s->width);
    }
    if (code == EXIT_DONE && given->depth >= 0 && s->depth != 32) {
        code = check_numbers(path, "depth", (size_t)given->depth, given->like, (size_t)s->depth);
    }
    if (code == EXIT_DONE && given->norm >= 0 && given->norm != (int)s->norm) {
        code = disagree(path, "norm", norm_words[given->norm], NULL, norm_words[s->norm]);
    }
    return code;
}

/* ---- what a file without a trailer leaves open ----------------------------------------------- */

static void keep_half(spectrum *s) {
    size_t columns = spectrum_row_length(s), each = 2 * npy_real_bytes(s->precision);

    s->width = columns;
    for (size_t row = 0; row < s->planes * s->height; row++) {
        memmove((char *)s->values + row * spectrum_row_length(s) * each,
                (char *)s->values + row * columns * each, spectrum_row_length(s) * each);
    }
}

static int take_given_width(spectrum *s, const char *path, const spectrum_facts *given) {
    const size_t columns = spectrum_row_length(s);

    s->width = given->width;
    return spectrum_row_length(s) == columns
               ? EXIT_DONE
               : complain(EXIT_USAGE, "%s: width %zu%s%s needs %zu columns, the file has %zu", path,
                          s->width, given->like != NULL ? " of " : "",
                          given->like != NULL ? given->like : "", spectrum_row_length(s), columns);
}

static int assume_half(const spectrum *s, const char *path, spectrum_reading which) {
    const size_t columns = spectrum_row_length(s);
    char other[64] = "";

    if (columns == 1) {
        return complain(EXIT_BAD_INPUT,
                        "%s: of one column, the width 2 (C - 1) would be 0; say --width 1", path);
    }
    if (which == READ_HALF_OR_FULL) {
        snprintf(other, sizeof other, ", if all of an fft2, --width %zu", columns);
    }
    return complain(EXIT_DONE,
                    "%s: width %zu assumed of %zu columns; if it was odd, say --width %zu%s", path,
                    s->width, columns, s->width + 1, other);
}

static int take_full(spectrum *s, const char *path, int is_certain) {
    const size_t width_of_half = s->width;
    char other[64] = "";

    keep_half(s);
    if (!is_certain) {
        snprintf(other, sizeof other, "; if it is half a spectrum, say --width %zu", width_of_half);
    }
    return complain(EXIT_DONE, "%s: a full fft2, which is Hermitian: its picture is %zu wide%s",
                    path, s->width, other);
}

static int settle_width(spectrum *s, const char *path, const spectrum_facts *given) {
    const size_t columns = spectrum_row_length(s);
    const int may_be_full = given->width == 0 || given->width == columns;
    const spectrum_reading which =
        s->layout == WEFT_HALF && may_be_full ? spectrum_find_reading(s) : READ_HALF;

    if (which != READ_HALF && (given->width > 0 || which != READ_HALF_OR_FULL)) {
        return take_full(s, path, given->width > 0 || which == READ_FULL);
    }
    if (given->width > 0) {
        return take_given_width(s, path, given);
    }
    return s->layout == WEFT_HALF ? assume_half(s, path, which) : EXIT_DONE;
}

/* What the user says, or else what numpy.fft.irfft2 would take. */
static int take_facts(spectrum *s, const char *path, const spectrum_facts *given) {
    if (s->layout == WEFT_PACKED && given->layout < 0) {
        return complain(EXIT_BAD_INPUT,
                        "%s: real numbers: say --layout packed if they are a packed spectrum",
                        path);
    }
    if (s->layout == WEFT_HALF && spectrum_looks_shifted(s)) {
        complain(EXIT_DONE,
                 "%s: its largest value is in the middle, where numpy.fft.fftshift puts it; if so, "
                 "undo that with ifftshift",
                 path);
    }
    s->is_depth_assumed = given->depth < 0;
    s->depth = s->is_depth_assumed ? 8 : given->depth;
    s->norm = given->norm >= 0 ? (weft_norm)given->norm : WEFT_NORM_BACKWARD;
    return settle_width(s, path, given);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int read_all(spectrum *s, input *in, size_t max_pixels, const spectrum_facts *given) {
    npy_header array;
    int code = npy_read_header(in, &array);

    if (code == EXIT_DONE) {
        code = take_shape(s, in->path, &array, max_pixels);
    }
    if (code == EXIT_DONE && given->layout >= 0 && given->layout != (int)s->layout) {
        code = disagree(in->path, "layout", layout_words[given->layout], NULL,
                        layout_words[s->layout]);
    }
    if (code == EXIT_DONE) {
        code = read_values(s, in, &array);
    }
    if (code == EXIT_DONE) {
        code = check_finite(s, in->path, array.is_complex ? 2 : 1);
    }
    if (code == EXIT_DONE && input_at_end(in)) {
        return take_facts(s, in->path, given);
    }
    if (code == EXIT_DONE) {
        code = read_trailer(s, in);
    }
    if (code == EXIT_DONE) {
        code = check_facts(s, in->path, given);
    }
    if (code == EXIT_DONE && s->depth == 32 && given->depth >= 0 && s->alpha == NULL) {
        s->depth = given->depth; /* floats may be rounded to any depth */
    }
    return code;
}

int spectrum_read(spectrum *s, const char *path, size_t max_pixels, const spectrum_facts *given) {
    input in;
    int code = input_open(&in, path);

    *s = (spectrum){0};
    if (code == EXIT_DONE) {
        progress_start("reading");
        code = read_all(s, &in, max_pixels, given);
        progress_end();
    }
    input_close(&in);
    if (code != EXIT_DONE) {
        spectrum_free(s);
    }
    return code;
}

int spectrum_look(const char *path, int *is_spectrum) {
    unsigned char start[NPY_MAGIC_SIZE];
    input in;
    npy_header array;
    int code = input_open(&in, path);

    *is_spectrum = 0;
    if (code == EXIT_DONE && in.file != stdin && input_left(&in) != SIZE_MAX) {
        code = input_look(&in, start, sizeof start);
        if (code == EXIT_DONE && memcmp(start, npy_magic, sizeof start) == 0) {
            code = npy_read_any_header(&in, &array);
            *is_spectrum =
                code == EXIT_DONE && (array.is_complex || input_left(&in) > npy_bytes(&array));
        }
    }
    input_close(&in);
    return code;
}
