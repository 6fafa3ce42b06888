/* SPDX-License-Identifier: MIT
 * Frequencies and other numbers out of text; see frequency.h.
 */
#include "filter/frequency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char is_no_frequency[] =
    "must be the period of a wave in pixels, such as 40 or 40px, or a frequency, such as 0.1c/px "
    "or 0.3nyq";

const char *parse_number(const char *text, double least, double most, const char *wrong,
                         double *number) {
    char *end;

    *number = strtod(text, &end);
    return end == text || *end != '\0' || !isfinite(*number) || *number < least || *number > most
               ? wrong
               : NULL;
}

const char *parse_any_frequency(const char *text, double *cycles) {
    char *unit;
    const double number = strtod(text, &unit);

    if (unit == text || !isfinite(number) || !(number > 0)) {
        return is_no_frequency;
    }
    if (*unit == '\0' || strcmp(unit, "px") == 0) {
        *cycles = 1 / number;
    } else if (strcmp(unit, "c/px") == 0) {
        *cycles = number;
    } else if (strcmp(unit, "nyq") == 0) {
        *cycles = number / 2;
    } else {
        return is_no_frequency;
    }
    return *cycles > 0 && isfinite(*cycles) ? NULL : is_no_frequency;
}

const char *parse_frequency(const char *text, double *cycles) {
    const char *wrong = parse_any_frequency(text, cycles);

    return wrong == NULL && *cycles > 0.5
               ? "the shortest wave that is taken has a period of 2 pixels, which is 0.5c/px or "
                 "1nyq"
               : wrong;
}

const char *split_value(const char *text, char separator, char first[MOST_VALUE_TEXT],
                        const char **rest) {
    const char *end = strchr(text, separator);
    const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);

    *rest = end != NULL ? end + 1 : NULL;
    if (length >= MOST_VALUE_TEXT) {
        return "is too long";
    }
    memcpy(first, text, length);
    first[length] = '\0';
    return NULL;
}

const char *parse_band(const char *text, double *low, double *high) {
    char first[MOST_VALUE_TEXT];
    const char *rest, *wrong = split_value(text, ':', first, &rest);
    double a = 0, b = 0;

    if (wrong == NULL && rest == NULL) {
        return "must be two periods with a colon between them, such as 4:40";
    }
    if (wrong == NULL) {
        wrong = parse_frequency(first, &a);
    }
    if (wrong == NULL) {
        wrong = parse_frequency(rest, &b);
    }
    if (wrong == NULL && a == b) {
        return "nothing is between two equal periods";
    }
    *low = fmin(a, b);
    *high = fmax(a, b);
    return wrong;
}
