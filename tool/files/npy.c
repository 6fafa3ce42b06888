/* SPDX-License-Identifier: MIT
 * Headers of .npy files. Reading is strict: what is not understood is refused with the value in the
 * text. The header is a Python dictionary literal with exactly three keys, in any order:
 *     {'descr': '<c8', 'fortran_order': False, 'shape': (512, 257), }
 * Python 2 wrote u'descr' for its keys, and 512L for sizes.
 */
#include "files/npy.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/complain.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the tool writes values as they lie in memory");

/* Magic and version, before the text's length; the text of version 1.0; its values. */
enum { PRELUDE_SIZE = 8, TEXT_START = 10, DATA_ALIGNMENT = 64 };
enum { WORD_SIZE = 32, MOST_HEADER_BYTES = 1 << 20 };

const char npy_magic[] = "\x93NUMPY";

/* What NumPy calls a type. There may be an order of bytes before the code and the letter. */
enum { MOST_NAMES = 5 };
static const struct {
    const char *code, *letter, *names[MOST_NAMES];
    npy_header type;
} types[] = {
    {"f4", "f", {"float32", "single"}, {.precision = WEFT_F32}},
    {"f8", "d", {"float64", "double", "float", "float_"}, {.precision = WEFT_F64}},
    {"c8",
     "F",
     {"complex64", "csingle", "singlecomplex"},
     {.precision = WEFT_F32, .is_complex = 1}},
    {"c16",
     "D",
     {"complex128", "complex", "cdouble", "cfloat", "complex_"},
     {.precision = WEFT_F64, .is_complex = 1}},
    {"u1", "B", {"uint8", "ubyte"}, {.whole_bytes = 1}},
    {"u2", "H", {"uint16", "ushort"}, {.whole_bytes = 2}},
    {"u4", "I", {"uint32", "uintc"}, {.whole_bytes = 4}},
    {"u8", "L", {"uint64", "uint", "ulonglong"}, {.whole_bytes = 8}},
    {"i1", "b", {"int8", "byte"}, {.whole_bytes = 1, .is_signed = 1}},
    {"i2", "h", {"int16", "short"}, {.whole_bytes = 2, .is_signed = 1}},
    {"i4", "i", {"int32", "intc"}, {.whole_bytes = 4, .is_signed = 1}},
    {"i8", "l", {"int64", "int", "int_", "longlong"}, {.whole_bytes = 8, .is_signed = 1}},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

typedef enum types_read { OF_NUMBERS, OF_PICTURE, OF_KERNEL, OF_ANY } types_read;

/* What is still to be parsed, NUL-terminated, and what has been found. */
typedef struct parser {
    const char *path, *next;
    npy_header *header;
    types_read may; /* which types may follow */
    int have_type, have_order, have_shape;
} parser;

static int malformed(const parser *p, const char *wanted) {
    return complain(EXIT_BAD_INPUT, "%s: bad .npy header: %s expected at \"%.20s\"", p->path,
                    wanted, p->next);
}

static void skip_blanks(parser *p) {
    p->next += strspn(p->next, " \t\r\n\f");
}

/* Takes the character, after blanks, if it comes next. */
static int take(parser *p, char c) {
    skip_blanks(p);
    if (*p->next != c) {
        return 0;
    }
    p->next++;
    return 1;
}

static int take_string(parser *p, char word[WORD_SIZE]) {
    char quote;
    size_t length;

    skip_blanks(p);
    p->next += *p->next == 'u';
    quote = *p->next;
    if (quote != '\'' && quote != '"') {
        return -1;
    }
    length = strcspn(p->next + 1, quote == '"' ? "\"" : "'");
    if (length >= WORD_SIZE || p->next[1 + length] != quote) {
        return -1;
    }
    memcpy(word, p->next + 1, length);
    word[length] = '\0';
    p->next += length + 2;
    return 0;
}

static int is_type(int i, const char *name) {
    const char *code = name + (*name != '\0' && strchr("<>=|", *name) != NULL);
    int is_same = strcmp(code, types[i].code) == 0 || strcmp(code, types[i].letter) == 0;

    for (int k = 0; k < MOST_NAMES && types[i].names[k] && !is_same; k++) {
        is_same = strcmp(name, types[i].names[k]) == 0;
    }
    return is_same;
}

static int may_be(const parser *p, const npy_header *type) {
    const int is_of_picture = !type->is_signed && type->whole_bytes <= 2;

    return p->may == OF_KERNEL    ? !type->is_complex
           : p->may == OF_NUMBERS ? type->whole_bytes == 0
                                  : is_of_picture && (p->may == OF_ANY || !type->is_complex);
}

static int refuse_type(const parser *p, const char *name) {
    if (strchr(name, 'O')) {
        return complain(EXIT_BAD_INPUT, "%s: Python objects ('%s') are never read", p->path, name);
    }
    if (p->may == OF_PICTURE && strchr(name, 'c')) {
        return complain(EXIT_BAD_INPUT,
                        "%s: complex numbers ('%s') are no picture; weft ifft makes one of a "
                        "spectrum, and weft spectrum draws it from a file, not from a pipe",
                        p->path, name);
    }
    return complain(
        EXIT_BAD_INPUT, "%s: values of type '%s'; only %s are read", p->path, name,
        p->may == OF_PICTURE
            ? "uint8, uint16, float32 and float64 (u1, u2, f4, f8), as astype() makes them,"
        : p->may == OF_KERNEL ? "whole numbers, float32 and float64 (f4, f8)"
                              : "float32, float64, complex64 and complex128 (f4, f8, c8, c16)");
}

static int parse_type(parser *p) {
    char name[WORD_SIZE];

    if (take_string(p, name)) {
        return malformed(p, "a simple type such as '<c8'");
    }
    p->header->is_big_endian = *name == '>';
    for (int i = 0; i < TYPE_COUNT; i++) {
        if (is_type(i, name) && may_be(p, &types[i].type)) {
            p->header->precision = types[i].type.precision;
            p->header->is_complex = types[i].type.is_complex;
            p->header->whole_bytes = types[i].type.whole_bytes;
            p->header->is_signed = types[i].type.is_signed;
            return EXIT_DONE;
        }
    }
    return refuse_type(p, name);
}

static int parse_order(parser *p) {
    skip_blanks(p);
    p->header->is_fortran = strncmp(p->next, "True", 4) == 0;
    if (!p->header->is_fortran && strncmp(p->next, "False", 5) != 0) {
        return malformed(p, "True or False");
    }
    p->next += p->header->is_fortran ? 4 : 5;
    return EXIT_DONE;
}

static int parse_side(parser *p, size_t *side) {
    char *end;
    unsigned long long value;

    skip_blanks(p);
    if (!isdigit((unsigned char)*p->next)) {
        return malformed(p, "a size");
    }
    value = strtoull(p->next, &end, 10);
    end += *end == 'L';
    if (isalnum((unsigned char)*end) || *end == '_') {
        return malformed(p, "a size in decimal digits");
    }
    if (value < 1 || value > INT32_MAX) {
        return complain(EXIT_BAD_INPUT, "%s: bad shape: a side of %.*s must be 1 to %d", p->path,
                        (int)strspn(p->next, "0123456789"), p->next, INT32_MAX);
    }
    *side = (size_t)value;
    p->next = end;
    return EXIT_DONE;
}

static int parse_shape(parser *p) {
    npy_header *header = p->header;

    header->dimensions = 0;
    if (!take(p, '(')) {
        return malformed(p, "'('");
    }
    while (!take(p, ')')) {
        if (header->dimensions == NPY_MOST_DIMENSIONS) {
            return complain(EXIT_BAD_INPUT, "%s: bad shape: more than %d dimensions", p->path,
                            NPY_MOST_DIMENSIONS);
        }
        int code = parse_side(p, &header->shape[header->dimensions]);
        if (code != EXIT_DONE) {
            return code;
        }
        header->dimensions++;
        skip_blanks(p);
        if (!take(p, ',') && *p->next != ')') {
            return malformed(p, "',' or ')'");
        }
    }
    if (header->dimensions == 0) {
        return complain(EXIT_BAD_INPUT, "%s: bad shape (): a single number is no array", p->path);
    }
    return EXIT_DONE;
}

static int parse_entry(parser *p) {
    char key[WORD_SIZE];

    if (take_string(p, key) || !take(p, ':')) {
        return malformed(p, "a key and ':'");
    }
    if (strcmp(key, "descr") == 0) {
        p->have_type = 1;
        return parse_type(p);
    }
    if (strcmp(key, "fortran_order") == 0) {
        p->have_order = 1;
        return parse_order(p);
    }
    if (strcmp(key, "shape") == 0) {
        p->have_shape = 1;
        return parse_shape(p);
    }
    return complain(EXIT_BAD_INPUT, "%s: bad .npy header: key '%s' is unknown", p->path, key);
}

static int parse_dictionary(parser *p) {
    int more = 1;

    if (!take(p, '{')) {
        return malformed(p, "'{'");
    }
    while (!take(p, '}')) {
        int code = more ? parse_entry(p) : malformed(p, "',' or '}'");
        if (code != EXIT_DONE) {
            return code;
        }
        more = take(p, ',');
    }
    skip_blanks(p);
    if (*p->next) {
        return malformed(p, "nothing more");
    }
    if (!p->have_type || !p->have_order || !p->have_shape) {
        return malformed(p, "'descr', 'fortran_order' and 'shape'");
    }
    return EXIT_DONE;
}

npy_header npy_of_planes(weft_precision precision, int is_complex, size_t planes, size_t rows,
                         size_t columns) {
    npy_header header = {.precision = precision, .is_complex = is_complex};

    if (planes > 1) {
        header.shape[header.dimensions++] = planes;
    }
    header.shape[header.dimensions++] = rows;
    header.shape[header.dimensions++] = columns;
    return header;
}

size_t npy_real_bytes(weft_precision precision) {
    return precision == WEFT_F64 ? sizeof(double) : sizeof(float);
}

/* Of a number, of which a complex value has two. */
static size_t number_bytes(const npy_header *header) {
    return header->whole_bytes != 0 ? header->whole_bytes : npy_real_bytes(header->precision);
}

static size_t value_bytes(const npy_header *header) {
    return number_bytes(header) << header->is_complex;
}

/* The bytes of all values, or -1 when no size_t holds them. */
static int count_bytes(const npy_header *header, size_t *bytes) {
    *bytes = value_bytes(header);
    for (size_t i = 0; i < header->dimensions; i++) {
        if (__builtin_mul_overflow(*bytes, header->shape[i], bytes)) {
            return -1;
        }
    }
    return 0;
}

size_t npy_bytes(const npy_header *header) {
    size_t bytes;

    return count_bytes(header, &bytes) ? SIZE_MAX : bytes;
}

const char *npy_shape_text(const npy_header *header, char text[NPY_SHAPE_TEXT]) {
    size_t used = 0;

    for (size_t i = 0; i < header->dimensions; i++) {
        used += (size_t)snprintf(text + used, NPY_SHAPE_TEXT - used, "%s%zu", i ? ", " : "(",
                                 header->shape[i]);
    }
    snprintf(text + used, NPY_SHAPE_TEXT - used, header->dimensions == 1 ? ",)" : ")");
    return text;
}

static int parse_text(input *in, const char *text, types_read may, npy_header *header) {
    parser p = {.path = in->path, .next = text, .header = header, .may = may};
    char shape[NPY_SHAPE_TEXT];
    size_t bytes;
    int code = parse_dictionary(&p);

    if (code == EXIT_DONE && count_bytes(header, &bytes)) {
        code = complain(EXIT_BAD_INPUT, "%s: shape %s is larger than any memory", in->path,
                        npy_shape_text(header, shape));
    }
    return code;
}

/* The text's length follows in 2 bytes; from version 2.0 on in 4. */
static int read_length(input *in, int version, size_t *length) {
    unsigned char bytes[4] = {0};
    int code = input_read(in, bytes, version == 1 ? 2 : 4);

    *length =
        (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    if (code == EXIT_DONE && *length > MOST_HEADER_BYTES) {
        code = complain(EXIT_BAD_INPUT, "%s: bad .npy header: %zu bytes; at most %d are read",
                        in->path, *length, MOST_HEADER_BYTES);
    }
    return code;
}

static int read_header(input *in, types_read may, npy_header *header) {
    unsigned char prelude[PRELUDE_SIZE] = {0};
    size_t length, got = 0;
    char *text;
    int code = input_not_empty(in);

    *header = (npy_header){0};
    if (code == EXIT_DONE) {
        code = input_read_most(in, prelude, sizeof prelude, &got);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    if (memcmp(prelude, "\x89PNG", 4) == 0) {
        return complain(EXIT_BAD_INPUT,
                        "%s: a PNG picture; a picture of a spectrum cannot be transformed back, "
                        "only the .npy file that weft fft writes",
                        in->path);
    }
    if (memcmp(prelude, npy_magic, got < NPY_MAGIC_SIZE ? got : NPY_MAGIC_SIZE) != 0) {
        return complain(EXIT_BAD_INPUT, "%s: not a .npy file", in->path);
    }
    if (got < sizeof prelude) {
        return complain(EXIT_BAD_INPUT, "%s: truncated: only %zu bytes", in->path, got);
    }
    if (prelude[6] < 1 || prelude[6] > 3 || prelude[7] != 0) {
        return complain(EXIT_BAD_INPUT, "%s: .npy version %d.%d; only 1.0, 2.0 and 3.0 are read",
                        in->path, prelude[6], prelude[7]);
    }
    code = read_length(in, prelude[6], &length);
    if (code != EXIT_DONE) {
        return code;
    }
    text = allocate(length + 1, 1);
    if (!text) {
        return EXIT_MEMORY;
    }
    code = input_read(in, text, length);
    text[length] = '\0';
    if (code == EXIT_DONE && strlen(text) != length) {
        code = complain(EXIT_BAD_INPUT, "%s: bad .npy header: a zero byte in it", in->path);
    }
    if (code == EXIT_DONE) {
        code = parse_text(in, text, may, header);
    }
    free(text);
    return code;
}

int npy_read_header(input *in, npy_header *header) {
    return read_header(in, OF_NUMBERS, header);
}

int npy_read_picture_header(input *in, npy_header *header) {
    return read_header(in, OF_PICTURE, header);
}

int npy_read_kernel_header(input *in, npy_header *header) {
    return read_header(in, OF_KERNEL, header);
}

int npy_read_any_header(input *in, npy_header *header) {
    return read_header(in, OF_ANY, header);
}

/* Values with the first index fastest into C order, the last index fastest. */
static void reorder(const npy_header *header, const char *from, char *to) {
    const size_t *n = header->shape + header->dimensions - 2;
    const size_t planes = header->dimensions == 3 ? header->shape[0] : 1;
    const size_t each = value_bytes(header);

    for (size_t p = 0; p < planes; p++) {
        for (size_t row = 0; row < n[0]; row++) {
            for (size_t column = 0; column < n[1]; column++, to += each) {
                memcpy(to, from + (p + planes * (row + n[0] * column)) * each, each);
            }
        }
    }
}

/* Between big-endian and little-endian. */
static void swap_bytes(unsigned char *bytes, size_t count, size_t each) {
    for (unsigned char *value = bytes; value < bytes + count; value += each) {
        for (size_t i = 0; i < each / 2; i++) {
            unsigned char byte = value[i];

            value[i] = value[each - 1 - i];
            value[each - 1 - i] = byte;
        }
    }
}

static int read_in_c_order(input *in, const npy_header *header, void *values) {
    size_t bytes = npy_bytes(header);
    void *stored;
    int code;

    if (!header->is_fortran || header->dimensions < 2) {
        return input_read(in, values, bytes);
    }
    stored = allocate(bytes, 1);
    code = stored ? input_read(in, stored, bytes) : EXIT_MEMORY;
    if (code == EXIT_DONE) {
        reorder(header, stored, values);
    }
    free(stored);
    return code;
}

int npy_read_values(input *in, const npy_header *header, void *values) {
    int code = read_in_c_order(in, header, values);

    if (code == EXIT_DONE && header->is_big_endian) {
        swap_bytes(values, npy_bytes(header), number_bytes(header));
    }
    return code;
}

static const char *type_code(const npy_header *header) {
    int i = 0;

    while (types[i].type.precision != header->precision ||
           types[i].type.is_complex != header->is_complex ||
           types[i].type.whole_bytes != header->whole_bytes ||
           types[i].type.is_signed != header->is_signed) {
        i++;
    }
    return types[i].code;
}

/* Padded with blanks, and a line end, so that the values start at a multiple of 64 bytes. */
int npy_write_header(output *out, const npy_header *header) {
    char text[4 * DATA_ALIGNMENT], shape[NPY_SHAPE_TEXT];
    size_t used, length;

    memset(text, ' ', sizeof text);
    used = TEXT_START + (size_t)snprintf(text + TEXT_START, sizeof text - TEXT_START,
                                         "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }",
                                         header->whole_bytes == 1 ? '|' : '<', type_code(header),
                                         npy_shape_text(header, shape));
    text[used] = ' ';
    length = (used + 1 + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT;
    text[length - 1] = '\n';
    memcpy(text, npy_magic, NPY_MAGIC_SIZE);
    text[6] = 1;
    text[7] = 0;
    text[8] = (char)((length - TEXT_START) & 0xff);
    text[9] = (char)((length - TEXT_START) >> 8);
    return output_write(out, text, length);
}
