/* SPDX-License-Identifier: MIT
 * Checks of file names before any file is opened; see file_options.h.
 */
#include "shell/file_options.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/destination.h"
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

/* ---- which file a name stands for --------------------------------------------------------------
 */

/* Of a file or folder that is there, or of `rest`, which is not there yet, below it. */
static char *key_of(const struct stat *about, const char *rest) {
    char *key;

    if (asprintf(&key, "%ju:%ju%s", (uintmax_t)about->st_dev, (uintmax_t)about->st_ino, rest) < 0) {
        exit(complain(EXIT_MEMORY, "out of memory"));
    }
    return key;
}

char *input_key(const char *path) {
    struct stat about;

    return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &about) : stat(path, &about)) == 0 &&
                   S_ISREG(about.st_mode)
               ? key_of(&about, "")
               : NULL;
}

/* Of a file that is not there, nor perhaps the folders that it will be in: by the last one that is,
 * and by the names behind that. */
static char *key_of_name(const char *path) {
    char folder[FOLDER_SIZE], rest[FOLDER_SIZE] = "", longer[FOLDER_SIZE];
    size_t end = strlen(path);
    struct stat about;

    for (;;) {
        size_t start = end;

        while (start > 0 && path[start - 1] != '/') {
            start--;
        }
        if (end > start && !(end == start + 1 && path[start] == '.')) {
            snprintf(longer, sizeof longer, "/%.*s%s", (int)(end - start), path + start, rest);
            strcpy(rest, longer);
        }
        snprintf(folder, sizeof folder, "%.*s.", (int)start, path);
        if (stat(folder, &about) == 0) {
            return key_of(&about, rest);
        }
        if (start == 0) {
            return NULL;
        }
        end = start - 1;
    }
}

char *output_key(const char *path) {
    destination d = {.descriptor = STDOUT_FILENO};

    if (strcmp(path, "-") != 0 && destination_find(&d, path) != 0) {
        return NULL;
    }
    if (d.descriptor >= 0) { /* what is open already counts as the file that it is */
        return fstat(d.descriptor, &d.about) == 0 ? key_of(&d.about, "") : NULL;
    }
    if (!d.is_there) {
        return key_of_name(d.name);
    }
    return S_ISREG(d.about.st_mode) ? key_of(&d.about, "") : NULL;
}

/* Frees both. */
static int are_same(char *a, char *b) {
    const int same = a != NULL && b != NULL && strcmp(a, b) == 0;

    free(a);
    free(b);
    return same;
}

/* ---- files that must be different --------------------------------------------------------------
 */

void check_apart(struct argp_state *state, const char *option, const char *output,
                 const char *input, const char *advice) {
    if (input != NULL && output != NULL && are_same(input_key(input), output_key(output))) {
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
    if (output != NULL && other != NULL && are_same(output_key(output), output_key(other))) {
        usage_error(state, "%s %s: is what %s names", option, output, other_option);
    }
}
