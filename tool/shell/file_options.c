/* SPDX-License-Identifier: MIT
 * Checks of file names before any file is opened; see file_options.h.
 */
#include "shell/file_options.h"

#include <string.h>
#include <sys/stat.h>

#include "shell/arguments.h"
#include "shell/file_key.h"
#include "shell/parse.h"

enum { NAMES_SIZE = 100 };

const char *const png_suffixes[] = {".png", NULL};
const char force_allows[] = "; say --force to write over it";

char *file_option(struct argp_state *state, const char *option, char *text) {
    if (*text == '\0') {
        usage_error(state, "%s: no file name", option);
    }
    return text;
}

char *json_option(struct argp_state *state, char *text) {
    static const char *const suffixes[] = {".json", NULL};

    check_suffix(state, "--json", file_option(state, "--json", text), suffixes);
    return text;
}

void check_suffix(struct argp_state *state, const char *option, const char *path,
                  const char *const *suffixes) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    char all[NAMES_SIZE];
    struct stat about;

    if (dot == NULL || dot == name || (stat(path, &about) == 0 && !S_ISREG(about.st_mode))) {
        return;
    }
    for (int i = 0; suffixes[i] != NULL; i++) {
        if (has_suffix(name, suffixes[i])) {
            return;
        }
    }
    usage_error(state, "%s %s: only %s is written", option, path,
                join_words(all, sizeof all, suffixes, " or "));
}

void check_apart(struct argp_state *state, const char *option, const char *output,
                 const char *input, const char *advice) {
    if (input != NULL && output != NULL && is_input(output, input)) {
        usage_error(state, "%s %s: is the input %s%s", option, output, input, advice);
    }
}

void check_inputs_apart(struct argp_state *state, const char *option, const char *other,
                        const char *input) {
    if (other != NULL && strcmp(other, "-") == 0 && strcmp(input, "-") == 0) {
        usage_error(state, "%s -: standard input is the input already", option);
    }
}

void check_outputs_apart(struct argp_state *state, const char *option, const char *output,
                         const char *other_option, const char *other) {
    if (output != NULL && other != NULL && are_one_output(output, other)) {
        usage_error(state, "%s %s: is what %s names", option, output, other_option);
    }
}
