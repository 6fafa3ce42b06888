/* SPDX-License-Identifier: MIT
 * The formats of netpbm, and their kin for floats: PGM (gray) and PPM (colour), as bytes or as
 * text, and PFM. A header of a letter and a few numbers, then the samples; those of PFM from the
 * lowest row to the highest.
 */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/image_extras.h"
#include "files/image_formats.h"
#include "files/npy.h" /* asserts that this machine is little-endian */
#include "shell/complain.h"
#include "shell/parse.h"
#include "shell/progress.h"

enum { WORD_SIZE = 32, CHUNK_SIZE = 1 << 16, MOST_SIDE = INT32_MAX };

typedef struct reader {
    input *in;
    image *picture;
    char kind; /* the letter or digit after P */
    int is_big_endian;
    unsigned largest; /* the value that is white */
    void *row;        /* interleaved samples; NULL: the header is read */
    size_t rows;      /* read so far */
    size_t at, count; /* of the bytes below: the next one, and how many there are */
    unsigned char bytes[CHUNK_SIZE];
} reader;

static int truncated(const reader *r) {
    return r->row == NULL
               ? complain(EXIT_BAD_INPUT, "%s: truncated: it ends in its first lines", r->in->path)
               : complain(EXIT_BAD_INPUT, "%s: truncated: it ends in row %zu of %zu", r->in->path,
                          r->rows + 1, r->picture->height);
}

static int damaged(const reader *r, const char *what) {
    return complain(EXIT_BAD_INPUT, "%s: damaged P%c file: %s", r->in->path, r->kind, what);
}

/* The next byte, or EOF; what fails besides is in *code. */
static int next_byte(reader *r, int *code) {
    if (r->at == r->count) {
        r->at = 0;
        *code = input_read_most(r->in, r->bytes, sizeof r->bytes, &r->count);
        if (*code != EXIT_DONE || r->count == 0) {
            r->count = 0;
            return EOF;
        }
    }
    return r->bytes[r->at++];
}

static int read_bytes(reader *r, void *bytes, size_t count) {
    const size_t here = r->count - r->at < count ? r->count - r->at : count;
    size_t got;
    int code;

    memcpy(bytes, r->bytes + r->at, here);
    r->at += here;
    code = input_read_most(r->in, (char *)bytes + here, count - here, &got);
    return code == EXIT_DONE && got < count - here ? truncated(r) : code;
}

/* The next word after white space and comments, and the one byte of white space behind it. */
static int next_word(reader *r, char word[WORD_SIZE]) {
    int code = EXIT_DONE, byte, in_comment = 0;
    size_t length = 0;

    while ((byte = next_byte(r, &code)) != EOF) {
        in_comment = (in_comment || (byte == '#' && length == 0)) && byte != '\n';
        if (in_comment || (isspace(byte) && length == 0)) {
            continue;
        }
        if (isspace(byte)) {
            break;
        }
        if (length == WORD_SIZE - 1) {
            return damaged(r, "a number of more than 31 digits");
        }
        word[length++] = (char)byte;
    }
    word[length] = '\0';
    return code != EXIT_DONE || length > 0 ? code : truncated(r);
}

static int next_number(reader *r, size_t least, size_t most, size_t *number) {
    char word[WORD_SIZE], text[2 * WORD_SIZE + 64];
    int code = next_word(r, word);

    if (code == EXIT_DONE && parse_count(word, least, most, number) != 0) {
        snprintf(text, sizeof text, "'%s', which should be %zu to %zu", word, least, most);
        code = damaged(r, text);
    }
    return code;
}

static int is_float(const reader *r) {
    return r->kind == 'f' || r->kind == 'F';
}

/* Of PFM: a number whose sign is the order of bytes. Its size is a unit of light, and samples stay
 * as they are stored. */
static int read_scale(reader *r) {
    char word[WORD_SIZE], *end;
    int code = next_word(r, word);
    double scale = code == EXIT_DONE ? strtod(word, &end) : 1;

    if (code == EXIT_DONE && (*end != '\0' || !isfinite(scale) || scale == 0)) {
        code = damaged(r, "its scale is no number but 0");
    }
    r->is_big_endian = scale > 0;
    return code;
}

static int read_header(reader *r, size_t max_pixels) {
    const int is_colour = r->kind == '3' || r->kind == '6' || r->kind == 'F';
    char magic[WORD_SIZE];
    size_t height = 0, width = 0, largest = 0;
    int code = next_word(r, magic);

    if (code == EXIT_DONE && magic[2] != '\0') {
        code = damaged(r, "no white space after the first two letters");
    }
    if (code == EXIT_DONE) {
        code = next_number(r, 1, MOST_SIDE, &width);
    }
    if (code == EXIT_DONE) {
        code = next_number(r, 1, MOST_SIDE, &height);
    }
    if (code == EXIT_DONE) {
        code = is_float(r) ? read_scale(r) : next_number(r, 1, UINT16_MAX, &largest);
    }
    if (code == EXIT_DONE) {
        code = image_check_size(r->in->path, height, width, max_pixels);
    }
    r->largest = (unsigned)largest;
    if (code == EXIT_DONE) {
        code = image_allocate(r->picture, height, width, is_colour ? 3 : 1,
                              is_float(r)           ? 32
                              : largest > UINT8_MAX ? 16
                                                    : 8,
                              0);
    }
    if (code == EXIT_DONE &&
        !(r->row = allocate(width, r->picture->planes * image_sample_bytes(r->picture)))) {
        code = EXIT_MEMORY;
    }
    return code;
}

/* Text: a number each. */
static int read_text_row(reader *r, size_t samples) {
    for (size_t i = 0; i < samples; i++) {
        size_t number;
        const int code = next_number(r, 0, r->largest, &number);

        if (code != EXIT_DONE) {
            return code;
        }
        if (r->picture->depth == 8) {
            ((uint8_t *)r->row)[i] = (uint8_t)number;
        } else {
            ((uint16_t *)r->row)[i] = (uint16_t)number;
        }
    }
    return EXIT_DONE;
}

/* Samples as this machine has them. */
static void order_bytes(const reader *r, size_t samples) {
    uint16_t *words = r->row;
    uint32_t *floats = r->row;

    for (size_t i = 0; r->picture->depth == 16 && i < samples; i++) {
        words[i] = __builtin_bswap16(words[i]);
    }
    for (size_t i = 0; r->picture->depth == 32 && r->is_big_endian && i < samples; i++) {
        floats[i] = __builtin_bswap32(floats[i]);
    }
}

/* Values up to `largest` spread over all that the depth has. */
static int spread(const reader *r, size_t samples) {
    const unsigned white = image_largest(r->picture->depth);

    for (size_t i = 0; i < samples; i++) {
        const unsigned value =
            r->picture->depth == 8 ? ((uint8_t *)r->row)[i] : ((uint16_t *)r->row)[i];
        const unsigned level = (value * white + r->largest / 2) / r->largest;

        if (value > r->largest) {
            return damaged(r, "a sample is larger than the largest that it names");
        }
        if (r->picture->depth == 8) {
            ((uint8_t *)r->row)[i] = (uint8_t)level;
        } else {
            ((uint16_t *)r->row)[i] = (uint16_t)level;
        }
    }
    return EXIT_DONE;
}

static int read_row(reader *r) {
    const size_t samples = r->picture->width * r->picture->planes;
    int code;

    if (r->kind == '2' || r->kind == '3') {
        code = read_text_row(r, samples);
    } else {
        code = read_bytes(r, r->row, samples * image_sample_bytes(r->picture));
        order_bytes(r, samples);
    }
    if (code == EXIT_DONE && !is_float(r) && r->largest != image_largest(r->picture->depth)) {
        code = spread(r, samples);
    }
    return code;
}

static int read_rows(reader *r) {
    const size_t height = r->picture->height;
    int code = EXIT_DONE;

    for (size_t row = 0; row < height && code == EXIT_DONE; row++) {
        code = read_row(r);
        if (code == EXIT_DONE) {
            image_split_row(r->picture, is_float(r) ? height - 1 - row : row, r->row);
        }
        r->rows++;
        progress_step((double)row / (double)height, NULL);
    }
    return code;
}

/* The formats allow one picture behind the other; white space at the end is no picture. */
static int check_end(reader *r) {
    int code = EXIT_DONE, byte = next_byte(r, &code);

    while (byte != EOF && isspace(byte)) {
        byte = next_byte(r, &code);
    }
    return code != EXIT_DONE || byte == EOF
               ? code
               : complain(EXIT_BAD_INPUT,
                          "%s: more bytes follow the picture, perhaps another one; pamsplit of "
                          "netpbm makes a file of each",
                          r->in->path);
}

int image_pnm_read(image *picture, input *in, size_t max_pixels) {
    reader *r = allocate(1, sizeof *r);
    int code;

    if (r == NULL) {
        return EXIT_MEMORY;
    }
    r->in = in;
    r->picture = picture;
    r->row = NULL;
    r->rows = r->at = 0;
    code = input_read_most(in, r->bytes, sizeof r->bytes, &r->count);
    r->kind = (char)(r->count > 1 ? r->bytes[1] : '?');
    if (code == EXIT_DONE) {
        code = read_header(r, max_pixels);
    }
    if (code == EXIT_DONE) {
        code = read_rows(r);
    }
    if (code == EXIT_DONE) {
        code = check_end(r);
    }
    if (code == EXIT_DONE && picture->depth == 32) {
        code = image_check_finite(picture, in->path);
    }
    free(r->row);
    free(r);
    return code;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void to_floats(const image *picture, const void *row, float *floats) {
    const size_t samples = picture->width * picture->planes;

    for (size_t i = 0; i < samples; i++) {
        floats[i] = picture->depth == 8    ? ((const uint8_t *)row)[i]
                    : picture->depth == 16 ? ((const uint16_t *)row)[i]
                                           : ((const float *)row)[i];
    }
}

static int write_row(const image *picture, output *out, void *row, float *floats) {
    const size_t samples = picture->width * picture->planes;

    if (floats != NULL) {
        to_floats(picture, row, floats);
        return output_write(out, floats, samples * sizeof *floats);
    }
    for (size_t i = 0; picture->depth == 16 && i < samples; i++) {
        ((uint16_t *)row)[i] = __builtin_bswap16(((uint16_t *)row)[i]);
    }
    return output_write(out, row, samples * image_sample_bytes(picture));
}

static int write_rows(const image *picture, output *out, void *row, float *floats) {
    image colours = *picture; /* without alpha, which has no place in the file */
    int code = EXIT_DONE;

    colours.alpha = NULL;
    for (size_t k = 0; k < picture->height && code == EXIT_DONE; k++) {
        image_join_row(&colours, floats != NULL ? picture->height - 1 - k : k, row);
        code = write_row(&colours, out, row, floats);
        progress_step((double)k / (double)picture->height, NULL);
    }
    return code;
}

static int write_with_header(const image *picture, output *out, int as_floats) {
    const size_t samples = picture->width * picture->planes;
    char header[3 * WORD_SIZE];
    void *row = allocate(samples, image_sample_bytes(picture));
    float *floats = row != NULL && as_floats ? allocate(samples, sizeof *floats) : NULL;
    int code = row != NULL && (floats != NULL || !as_floats) ? EXIT_DONE : EXIT_MEMORY;

    if (as_floats) {
        snprintf(header, sizeof header, "P%c\n%zu %zu\n-1.0\n", picture->planes == 3 ? 'F' : 'f',
                 picture->width, picture->height);
    } else {
        snprintf(header, sizeof header, "P%c\n%zu %zu\n%u\n", picture->planes == 3 ? '6' : '5',
                 picture->width, picture->height, image_largest(picture->depth));
    }
    if (code == EXIT_DONE) {
        code = output_write(out, header, strlen(header));
    }
    if (code == EXIT_DONE) {
        code = write_rows(picture, out, row, floats);
    }
    free(floats);
    free(row);
    return code;
}

int image_pnm_write(const image *picture, output *out, const image_options *options) {
    const int as_floats = has_suffix(out->path, ".pfm");
    const int code = image_check_floats(picture, out->path);

    (void)options;
    if (code != EXIT_DONE) {
        return code;
    }
    if (has_suffix(out->path, ".pgm") && picture->planes != 1) {
        return complain(EXIT_USAGE, "%s: a PGM file is gray, this picture is not; name it .ppm",
                        out->path);
    }
    if (has_suffix(out->path, ".ppm") && picture->planes != 3) {
        return complain(EXIT_USAGE,
                        "%s: a PPM file has colours, this picture is gray; name it .pgm",
                        out->path);
    }
    image_say_no_alpha(picture, out->path);
    image_extras_say_no_profile(picture, out->path);
    return write_with_header(picture, out, as_floats);
}
