/* SPDX-License-Identifier: MIT
 * Rows of a picture as values of the plan's images, and rows of those as samples of the result:
 * shifted, as light or as they are stored, on one scale with all others, rounded where the result
 * is of integers.
 */
#ifndef WEFT_TOOL_FILTER_VALUES_H
#define WEFT_TOOL_FILTER_VALUES_H

#include "filter/light.h"
#include "filter/run.h"

/* Added to the values of a plane. Where single numbers are filtered, their mean goes before and
 * comes back behind, so that what is small beside it is as precise as it can be. */
typedef struct shift {
    double before, behind;
} shift;
enum { MOST_PLANES = 4 };

/* How many bytes a value of the plan's images has. */
size_t values_bytes(const weft_desc *desc);
/* Whether those of a result become the next integer below, not the nearest. */
int values_are_rounded_down(const filter_run *r, const image *picture);

/* Finds what is added to a plane; returns an exit code, after a complaint. */
int values_find_shift(const filter_run *r, const image *picture, const light *l, size_t plane,
                      shift *s);
/* Loads the row whose first sample has this number. */
void values_load_row(const filter_run *r, const image *picture, const light *l, size_t first,
                     double before, void *to);

/* Puts all colours on one scale; what is of one value only stays as it is. An exit code. */
int values_find_scale(filter_run *r, const char *planes, const shift shifts[], const light *l,
                      const image *picture);
/* Stores a row of the result where it belongs: first is the number of its first sample. */
void values_store_row(const filter_run *r, const void *row, double behind, const light *l,
                      image *result, size_t first, filter_losses *losses);

#endif
