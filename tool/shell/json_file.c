/* SPDX-License-Identifier: MIT
 * A JSON document to a file, or to standard output.
 */
#include "shell/json_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shell/complain.h"
#include "shell/output.h"

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
int json_file_write(const char *path, const json_t *document) {
    const size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(12);
    const size_t length = json_dumpb(document, NULL, 0, flags);
    char *text = allocate(length + 1, 1);
    output out;
    int code;

    if (!text) {
        return EXIT_MEMORY;
    }
    if (length == 0 || json_dumpb(document, text, length, flags) != length) {
        free(text);
        return complain(EXIT_MEMORY, "%s: no JSON text could be made", path);
    }
    text[length] = '\n';
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
