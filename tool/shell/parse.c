/* SPDX-License-Identifier: MIT
 * Values of options: counts, sizes and words out of text, all of the text or not at all.
 */
#include "shell/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_WORD = 31 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

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

/* How many characters have to be inserted, removed, replaced, or exchanged with the next one. */
static size_t distance(const char *a, const char *b) {
    size_t steps[LONGEST_WORD + 1][LONGEST_WORD + 1];
    const size_t rows = strnlen(a, LONGEST_WORD), columns = strnlen(b, LONGEST_WORD);

    for (size_t i = 0; i <= rows; i++) {
        for (size_t j = 0; j <= columns; j++) {
            size_t least = i + j;
            if (i > 0 && j > 0) {
                least = steps[i - 1][j - 1] +
                        (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
                least = smaller(least, smaller(steps[i - 1][j], steps[i][j - 1]) + 1);
            }
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                least = smaller(least, steps[i - 2][j - 2] + 1);
            }
            steps[i][j] = least;
        }
    }
    return steps[rows][columns];
}

const char *nearest_word(const char *text, const char *const *words) {
    const size_t length = strnlen(text, LONGEST_WORD);
    size_t least = 2 + length / 6;
    const char *nearest = NULL;

    for (; *words != NULL; words++) {
        size_t apart =
            length > 1 && strncmp(text, *words, length) == 0 ? 0 : distance(text, *words);
        if (apart < least) {
            least = apart;
            nearest = *words;
        }
    }
    return nearest;
}

const char *join_words(char *text, size_t size, const char *const *words, const char *between) {
    size_t used = 0;

    *text = '\0';
    for (int i = 0; words[i] && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? between : "", words[i]);
    }
    return text;
}

int has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), tail = strlen(suffix);

    return length >= tail && strcasecmp(path + length - tail, suffix) == 0;
}
