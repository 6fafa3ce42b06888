/* SPDX-License-Identifier: MIT
 * Values of options: counts, sizes and words out of text, all of the text or not at all.
 */
#include "shell/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Digits at `text` into *count, the first character after them into *end. strtoull alone would take
 * signs and blanks. */
static int parse_digits(const char *text, char **end, size_t *count) {
    unsigned long long value;

    if (!isdigit((unsigned char)*text)) {
        return -1;
    }
    errno = 0;
    value = strtoull(text, end, 10);
    *count = (size_t)value;
    return errno == 0 ? 0 : -1;
}

int parse_size(const char *text, size_t *height, size_t *width) {
    char *end;

    if (parse_digits(text, &end, height) || (*end != 'x' && *end != 'X')) {
        return -1;
    }
    if (parse_digits(end + 1, &end, width) || *end) {
        return -1;
    }
    return *height > 0 && *width > 0 ? 0 : -1;
}

int parse_count(const char *text, size_t least, size_t most, size_t *count) {
    char *end;
    size_t value;

    if (parse_digits(text, &end, &value) || *end || value < least || value > most) {
        return -1;
    }
    *count = value;
    return 0;
}

int parse_word(const char *text, const char *const *words) {
    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            return i;
        }
    }
    return -1;
}

int has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), tail = strlen(suffix);

    return length >= tail && strcasecmp(path + length - tail, suffix) == 0;
}
