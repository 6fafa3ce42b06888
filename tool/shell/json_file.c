/* SPDX-License-Identifier: MIT
 * A JSON document to a file, or to standard output, and back.
 */
#include "shell/json_file.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "shell/complain.h"
#include "shell/input.h"

json_t *json_finite(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_append(json_t *list, json_t *value) {
    if (json_array_append_new(list, value) == 0) {
        return list;
    }
    json_decref(list);
    return NULL;
}

void json_label(char *label, size_t size, const char *text) {
    size_t length = strnlen(text, size - 1);
    json_t *said;

    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
        length--;
    }
    snprintf(label, size, "%.*s", (int)length, text);
    make_printable(label);
    said = json_string(label);
    for (char *c = label; said == NULL && *c != '\0'; c++) {
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    }
    json_decref(said);
}

int json_file_check(const char *path) {
    return path != NULL ? output_check(path) : EXIT_DONE;
}

FILE *json_file_beside(const char *path) {
    return path != NULL && output_is_stdout(path) ? stderr : stdout;
}

/* json_dumps() drops keys for which it finds no memory; this way jansson has nothing to find. */
static int text_of(const char *path, const json_t *document, size_t layout, char **text,
                   size_t *length) {
    const size_t flags = layout | JSON_REAL_PRECISION(12);

    *length = json_dumpb(document, NULL, 0, flags);
    *text = allocate(*length + 1, 1);
    if (*text == NULL) {
        return EXIT_MEMORY;
    }
    if (*length == 0 || json_dumpb(document, *text, *length, flags) != *length) {
        free(*text);
        return complain(EXIT_MEMORY, "%s: no JSON text could be made", path);
    }
    (*text)[*length] = '\n';
    return EXIT_DONE;
}

int json_file_write(const char *path, const json_t *document) {
    char *text;
    size_t length;
    output out;
    int code = text_of(path, document, JSON_INDENT(2), &text, &length);

    if (code != EXIT_DONE) {
        return code;
    }
    code = output_open(&out, path);
    if (code == EXIT_DONE) {
        code = output_write(&out, text, length + 1);
    }
    if (code == EXIT_DONE) {
        code = output_commit(&out);
    }
    output_abandon(&out);
    free(text);
    return code;
}

int json_file_put_open(output *out, json_t *object) {
    char *text;
    size_t length;
    int code;

    if (object == NULL) {
        return complain(EXIT_MEMORY, "%s: out of memory", out->path);
    }
    code = text_of(out->path, object, JSON_COMPACT, &text, &length);
    json_decref(object);
    if (code == EXIT_DONE) {
        code = output_write(out, text, length - strlen("}"));
        free(text);
    }
    return code;
}

/* Where jansson's reader finds no memory for a text, it says that this is none, or leaves out a
 * character, or writes past its memory (2.14). So it is left there, and what it had is lost. */
static jmp_buf before_reading;

static void *malloc_or_leave(size_t bytes) {
    void *memory = malloc(bytes);

    if (memory == NULL) {
        longjmp(before_reading, 1);
    }
    return memory;
}

/* From a file, or from a text if that is NULL. */
static json_t *load(FILE *file, const char *text, size_t length, json_error_t *error,
                    int *ran_out) {
    json_t *volatile read = NULL;

    *ran_out = 1;
    if (setjmp(before_reading) == 0) {
        json_set_alloc_funcs(malloc_or_leave, free);
        read = file != NULL ? json_loadf(file, JSON_REJECT_DUPLICATES, error)
                            : json_loadb(text, length, JSON_REJECT_DUPLICATES, error);
        *ran_out = 0;
    }
    json_set_alloc_funcs(malloc, free);
    return read;
}

int json_as_written(json_t **document) {
    json_t *read = NULL;
    char *text;
    size_t length;
    json_error_t error;
    int ran_out, code = text_of("the document", *document, JSON_INDENT(2), &text, &length);

    if (code == EXIT_DONE) {
        read = load(NULL, text, length, &error, &ran_out);
        code = read != NULL ? EXIT_DONE : complain(EXIT_MEMORY, "out of memory for the document");
        free(text);
    }
    json_decref(*document);
    *document = read;
    return code;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int texts_are_printable(const json_t *value) {
    const char *key;
    json_t *each;
    size_t i;

    json_object_foreach((json_t *)value, key, each) {
        if (!texts_are_printable(each)) {
            return 0;
        }
    }
    json_array_foreach(value, i, each) {
        if (!texts_are_printable(each)) {
            return 0;
        }
    }
    return !json_is_string(value) || is_printable(json_string_value(value));
}

static int parse(input *in, json_t **document) {
    json_error_t error;
    int ran_out;

    *document = load(in->file, NULL, 0, &error, &ran_out);
    if (ran_out) {
        return complain(EXIT_MEMORY, "%s: out of memory", in->path);
    }
    if (*document != NULL) {
        return json_is_object(*document) && texts_are_printable(*document)
                   ? EXIT_DONE
                   : complain(EXIT_BAD_INPUT, "%s: no JSON object of printable texts", in->path);
    }
    return ferror(in->file)
               ? complain(code_of_errno(), "%s: cannot read: %s", in->path, strerror(errno))
               : complain(EXIT_BAD_INPUT, "%s: no JSON document: line %d: %s", in->path, error.line,
                          error.text);
}

int json_file_read(const char *path, json_t **document) {
    input in;
    int code = input_open(&in, path);

    *document = NULL;
    if (code == EXIT_DONE) {
        code = input_not_empty(&in);
    }
    if (code == EXIT_DONE) {
        code = parse(&in, document);
    }
    input_close(&in);
    if (code != EXIT_DONE) {
        json_decref(*document);
        *document = NULL;
    }
    return code;
}
