/* SPDX-License-Identifier: MIT
 * Frequencies as people say them. "40" and "40px" are the period of a wave in pixels, one bright
 * and one dark half; "0.1c/px" is in cycles per pixel; "0.3nyq" is a part of the highest frequency
 * of a row, half a cycle per pixel.
 */
#ifndef WEFT_TOOL_FILTER_FREQUENCY_H
#define WEFT_TOOL_FILTER_FREQUENCY_H

/* The functions return NULL, or what is wrong with the text. */

/* What a number without a unit is: a period, or in cycles per pixel, a part of the highest
 * frequency, or the size of a structure as ImageJ says it. */
typedef enum unit { UNIT_PERIOD, UNIT_CYCLES, UNIT_NYQUIST, UNIT_STRUCTURE } unit;

/* Cycles per pixel, above 0 and at most 0.5, the highest of rows and columns; or any. */
const char *parse_frequency(const char *text, unit bare, double *cycles);
const char *parse_any_frequency(const char *text, unit bare, double *cycles);
/* "A:B", in any order; *low < *high. */
const char *parse_band(const char *text, unit bare, double *low, double *high);
/* All of the text; finite, from `least` to `most`. `wrong` is returned for any other. */
const char *parse_number(const char *text, double least, double most, const char *wrong,
                         double *number);
/* "A" or "A,B" cut at the comma: rest is NULL, or what is behind it. The copy of A that fits in
 * `first`. */
enum { MOST_VALUE_TEXT = 64 };
const char *split_value(const char *text, char separator, char first[MOST_VALUE_TEXT],
                        const char **rest);

#endif
