/* SPDX-License-Identifier: MIT
 * A JSON document to a file, or to standard output.
 */
#include "json_file.h"

#include <stdlib.h>

#include "cli.h"

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
