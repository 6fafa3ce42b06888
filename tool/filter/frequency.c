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

/* The longest wave, in cycles per pixel, that can be told from none in any picture: squares of its
 * period, and powers of them, are finite. */
static const double least_cycles = 1e-10;

const char *parse_number(const char *text, double least, double most, const char *wrong,
                         double *number) {
    char *end;

    *number = strtod(text, &end);
    return end == text || *end != '\0' || !isfinite(*number) || *number < least || *number > most
               ? wrong
               : NULL;
}

/* ImageJ leaves 1/e of a wave whose half period is that size; ours are half of a wave there. */
static double cycles_of(double number, unit of) {
    switch (of) {
    case UNIT_PERIOD:
        return 1 / number;
    case UNIT_CYCLES:
        return number;
    case UNIT_NYQUIST:
        return number / 2;
    case UNIT_STRUCTURE:
        return sqrt(M_LN2) / (2 * number);
    }
    return NAN;
}

const char *parse_any_frequency(const char *text, unit bare, double *cycles) {
    char *suffix;
    const double number = strtod(text, &suffix);

    if (suffix == text || !isfinite(number) || !(number > 0)) {
        return is_no_frequency;
    }
    if (*suffix == '\0') {
        *cycles = cycles_of(number, bare);
    } else if (strcmp(suffix, "px") == 0) {
        *cycles = cycles_of(number, UNIT_PERIOD);
    } else if (strcmp(suffix, "c/px") == 0) {
        *cycles = cycles_of(number, UNIT_CYCLES);
    } else if (strcmp(suffix, "nyq") == 0) {
        *cycles = cycles_of(number, UNIT_NYQUIST);
    } else {
        return is_no_frequency;
    }
    return *cycles < least_cycles ? "a period has at most 1e10 pixels, which is 1e-10c/px"
           : isfinite(*cycles)    ? NULL
                                  : is_no_frequency;
}

const char *parse_frequency(const char *text, unit bare, double *cycles) {
    const char *wrong = parse_any_frequency(text, bare, cycles);

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

const char *parse_band(const char *text, unit bare, double *low, double *high) {
    char first[MOST_VALUE_TEXT];
    const char *rest, *wrong = split_value(text, ':', first, &rest);
    double a = 0, b = 0;

    if (wrong == NULL && rest == NULL) {
        return "must be two periods with a colon between them, such as 4:40";
    }
    if (wrong == NULL) {
        wrong = parse_frequency(first, bare, &a);
    }
    if (wrong == NULL) {
        wrong = parse_frequency(rest, bare, &b);
    }
    if (wrong == NULL && a == b) {
        return "nothing is between two equal periods";
    }
    *low = fmin(a, b);
    *high = fmax(a, b);
    return wrong;
}
