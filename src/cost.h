/* SPDX-License-Identifier: MIT
 * What transforms cost, roughly, from the radices of their lines and the table of cost.def, whose
 * column a strategy's memory_space.is_device chooses. good_size.c asks.
 */
#ifndef WEFT_COST_H
#define WEFT_COST_H

#include <stddef.h>

/* For each value of a line; and of an image whose sides have these costs together. */
unsigned line_cost(size_t length, int is_device);
double image_cost(size_t height, size_t width, unsigned sides, int is_device);

#endif
