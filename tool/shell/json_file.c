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

int json_file_check(const char *path) {
    return path != NULL ? output_check(path) : EXIT_DONE;
}

FILE *json_file_beside(const char *path) {
    return path != NULL && output_is_stdout(path) ? stderr : stdout;
}

int json_file_write(const char *path, const json_t *document) {
    char *text = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    output out;
    int code;

    if (!text) {
        return complain(EXIT_MEMORY, "%s: no JSON text could be made", path);
    }
    code = output_open(&out, path);
    if (code == EXIT_DONE) {
        code = output_write(&out, text, strlen(text));
    }
    if (code == EXIT_DONE) {
        code = output_write(&out, "\n", 1);
    }
    if (code == EXIT_DONE) {
        code = output_commit(&out);
    }
    output_abandon(&out);
    free(text);
    return code;
}
