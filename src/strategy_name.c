/* SPDX-License-Identifier: MIT
 * Options in the names of strategies; see strategy_name.h. A strategy writes
 * "twiddle=lut|compute real=zero|tangle"; a caller writes ":real=tangle".
 */
#include "strategy_name.h"

#include <stdio.h>
#include <string.h>

size_t name_length(const char *name) {
    return strcspn(name, ":");
}

int name_is(const char *name, const char *full) {
    return strlen(full) == name_length(name) && strncmp(name, full, name_length(name)) == 0;
}

/* A piece of a text, up to one of the characters that end it. */
typedef struct piece {
    const char *at;
    size_t length;
} piece;

static piece piece_of(const char *at, const char *ends) {
    return (piece){at, strcspn(at, ends)};
}

/* The piece behind this one's end, or a NULL one where the text ends. */
static piece next_piece(piece p, const char *ends) {
    const char *end = p.at + p.length;
    return *end == '\0' ? (piece){NULL, 0} : piece_of(end + 1, ends);
}

static int same(piece a, piece b) {
    return a.length == b.length && strncmp(a.at, b.at, a.length) == 0;
}

/* The values of an option such as "real=zero|tangle"; the first one. */
static piece first_value(piece option) {
    return piece_of(option.at + strcspn(option.at, "=") + 1, "| ");
}

static int value_index(piece option, piece value) {
    int index = 0;
    for (piece v = first_value(option);; v = next_piece(v, "| "), index++) {
        if (same(v, value)) {
            return index;
        }
        if (v.at[v.length] != '|') {
            return -1;
        }
    }
}

/* Which of the strategy's options this "option=value" is, its value into *chosen; -1 when the
 * strategy has no such thing. */
static int find(const strategy *s, piece asked, int *chosen) {
    piece asked_key = piece_of(asked.at, "=:,");
    if (s->options == NULL || asked_key.at[asked_key.length] != '=') {
        return -1;
    }
    piece value = next_piece(asked_key, ":,");
    int i = 0;
    for (piece o = piece_of(s->options, " "); o.at != NULL; o = next_piece(o, " "), i++) {
        if (same(asked_key, piece_of(o.at, "="))) {
            *chosen = value_index(o, value);
            return *chosen >= 0 ? i : -1;
        }
    }
    return -1;
}

static int quoted_length(piece asked) {
    return asked.length < 64 ? (int)asked.length : 64;
}

weft_status name_choices(const char *name, const strategy *s, int choice[MOST_OPTIONS]) {
    memset(choice, 0, MOST_OPTIONS * sizeof *choice);
    if (name == NULL || name[name_length(name)] == '\0') {
        return WEFT_OK;
    }
    piece asked = piece_of(name + name_length(name) + 1, ":,");
    int given[MOST_OPTIONS] = {0};
    for (; asked.at != NULL; asked = next_piece(asked, ":,")) {
        int chosen = 0, i = find(s, asked, &chosen);
        if (i < 0) {
            return weft_fail(WEFT_BAD_ARGUMENT, "%s: option \"%.*s\": unknown; %s%s", s->name,
                             quoted_length(asked), asked.at,
                             s->options ? "there are " : "it has no options",
                             s->options ? s->options : "");
        }
        if (given[i]++) {
            return weft_fail(WEFT_BAD_ARGUMENT, "%s: option \"%.*s\": given twice in one name",
                             s->name, quoted_length(asked), asked.at);
        }
        choice[i] = chosen;
    }
    return WEFT_OK;
}

void name_write(char text[FULL_NAME_SIZE], const strategy *s, const int choice[MOST_OPTIONS]) {
    size_t used = (size_t)snprintf(text, FULL_NAME_SIZE, "%s", s->name);
    int i = 0;
    if (s->options == NULL) {
        return;
    }
    for (piece o = piece_of(s->options, " "); o.at != NULL; o = next_piece(o, " "), i++) {
        if (choice[i] > 0 && used < FULL_NAME_SIZE) {
            piece key = piece_of(o.at, "="), value = first_value(o);
            for (int v = 0; v < choice[i]; v++) {
                value = next_piece(value, "| ");
            }
            used += (size_t)snprintf(text + used, FULL_NAME_SIZE - used, ":%.*s=%.*s",
                                     (int)key.length, key.at, (int)value.length, value.at);
        }
    }
}

static int value_count(piece option) {
    int count = 1;
    for (size_t i = 0; i < option.length; i++) {
        count += option.at[i] == '|';
    }
    return count;
}

int name_combination(char text[FULL_NAME_SIZE], const strategy *s, int index) {
    int choice[MOST_OPTIONS] = {0}, i = 0;
    piece o = s->options ? piece_of(s->options, " ") : (piece){NULL, 0};
    for (; o.at != NULL; o = next_piece(o, " ")) {
        choice[i++] = index % value_count(o);
        index /= value_count(o);
    }
    name_write(text, s, choice);
    return index == 0;
}
