/* SPDX-License-Identifier: MIT
 * A JSON document to a file, or to standard output.
 */
#include "shell/json_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shell/complain.h"
#include "shell/output.h"

json_t *json_finite(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

/* What is no regular file is left alone: whoever reads a pipe would see it end. */
int json_file_check(const char *path) {
    struct stat about;
    output out;
    int code;

    if (!path || strcmp(path, "-") == 0 ||
        (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))) {
        return EXIT_DONE;
    }
    code = output_open(&out, path);
    output_abandon(&out);
    return code;
}

FILE *json_file_beside(const char *path) {
    return path != NULL && strcmp(path, "-") == 0 ? stderr : stdout;
}

int json_file_write(const char *path, const json_t *document) {
    char *text = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    output out;
    int code;

    if (!text) {
        return complain(EXIT_MEMORY, "%s: no JSON text could be made", path);
    }
    code = output_open(&out, path);
    if (code == EXIT_DONE && (fputs(text, out.file) == EOF || fputc('\n', out.file) == EOF)) {
        code = complain(EXIT_FILE, "%s: cannot write", path);
    }
    if (code == EXIT_DONE) {
        code = output_commit(&out);
    }
    output_abandon(&out);
    free(text);
    return code;
}
