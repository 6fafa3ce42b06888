/* SPDX-License-Identifier: MIT
 * Keys are numbers of devices and inodes, and names of what is not there yet; see file_key.h.
 */
#include "shell/file_key.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell/complain.h"
#include "shell/destination.h"

/* The key of a file or folder that is there, or of `rest`, which is not there yet, below it. */
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

/* The key of a file that is not there, nor perhaps the folders that it will be in: the last one
 * that is, and the names behind that. */
static char *key_of_name(const char *path) {
    char folder[FOLDER_SIZE], names[FOLDER_SIZE] = "", *rest = names + FOLDER_SIZE - 1;
    size_t end = strlen(path);
    struct stat about;

    for (;;) {
        size_t start = end;

        while (start > 0 && path[start - 1] != '/') {
            start--;
        }
        if (end > start && !(end == start + 1 && path[start] == '.')) {
            rest -= end - start + 1; /* a name and a slash fit for each of the path */
            rest[0] = '/';
            memcpy(rest + 1, path + start, end - start);
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

static int are_same(char *a, char *b) {
    const int same = a != NULL && b != NULL && strcmp(a, b) == 0;

    free(a);
    free(b);
    return same;
}

int is_input(const char *output, const char *input) {
    return are_same(output_key(output), input_key(input));
}

int are_one_output(const char *output, const char *other) {
    return are_same(output_key(output), output_key(other));
}
