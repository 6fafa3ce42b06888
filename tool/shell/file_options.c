/* SPDX-License-Identifier: MIT
 * Checks of file names before any file is opened; see file_options.h.
 */
#include "shell/file_options.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell/arguments.h"
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

static int is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* 1 if there is a regular file of this name. */
static int find_file(const char *path, int stream, struct stat *about) {
    return (strcmp(path, "-") == 0 ? fstat(stream, about) : stat(path, about)) == 0 &&
           S_ISREG(about->st_mode);
}

void check_apart(struct argp_state *state, const char *option, const char *output,
                 const char *input, const char *advice) {
    struct stat in, out;

    if (input != NULL && output != NULL && find_file(input, STDIN_FILENO, &in) &&
        find_file(output, STDOUT_FILENO, &out) && is_same_file(&in, &out)) {
        usage_error(state, "%s %s: is the input %s%s", option, output, input, advice);
    }
}

void check_inputs_apart(struct argp_state *state, const char *option, const char *other,
                        const char *input) {
    if (other != NULL && strcmp(other, "-") == 0 && strcmp(input, "-") == 0) {
        usage_error(state, "%s -: standard input is the input already", option);
    }
}

/* Of two names of files that are not there yet. */
static int is_same_name(const char *a, const char *b) {
    const char *slash_of_a = strrchr(a, '/'), *slash_of_b = strrchr(b, '/');
    char folder[FOLDER_SIZE];
    struct stat of_a, of_b;
    int are_there;

    destination_folder(folder, a);
    are_there = stat(folder, &of_a) == 0;
    destination_folder(folder, b);
    are_there = are_there && stat(folder, &of_b) == 0;
    return are_there && is_same_file(&of_a, &of_b) &&
           strcmp(slash_of_a ? slash_of_a + 1 : a, slash_of_b ? slash_of_b + 1 : b) == 0;
}

/* What is open already counts as the file that it is. 1 unless there is no such place. */
static int find_output(destination *d, const char *path) {
    if (strcmp(path, "-") == 0) {
        d->descriptor = STDOUT_FILENO;
    } else if (destination_find(d, path) != 0) {
        return 0;
    }
    if (d->descriptor >= 0) {
        d->is_there = fstat(d->descriptor, &d->about) == 0;
    }
    return d->is_there || d->descriptor < 0;
}

static int is_same_place(const destination *a, const destination *b) {
    const int are_open = a->descriptor >= 0 && b->descriptor >= 0;

    if (a->is_there != b->is_there) {
        return 0;
    }
    return a->is_there
               ? is_same_file(&a->about, &b->about) && (are_open || S_ISREG(a->about.st_mode))
               : is_same_name(a->name, b->name);
}

void check_outputs_apart(struct argp_state *state, const char *option, const char *output,
                         const char *other_option, const char *other) {
    destination a, b;

    if (output != NULL && other != NULL && find_output(&a, output) && find_output(&b, other) &&
        is_same_place(&a, &b)) {
        usage_error(state, "%s %s: is what %s names", option, output, other_option);
    }
}
