/* SPDX-License-Identifier: MIT
 * The names that strategies are asked for by: "cuda.slm", or with options after colons,
 * "cuda.slm:twiddle=compute:real=tangle". Which options there are is each strategy's own text,
 * strategy.options; what was chosen of them is problem.choice.
 */
#ifndef WEFT_STRATEGY_NAME_H
#define WEFT_STRATEGY_NAME_H

#include "strategy.h"

/* The characters of `name` before its options. */
size_t name_length(const char *name);

/* Whether `name`, its options aside, is `full`. */
int name_is(const char *name, const char *full);

/* What the options in `name` choose, and the defaults elsewhere. WEFT_BAD_ARGUMENT for an option or
 * a value that the strategy does not have, and for an option given twice. NULL for a name: all
 * defaults. */
weft_status name_choices(const char *name, const strategy *s, int choice[MOST_OPTIONS]);

/* The strategy's name with the options that are not at their defaults. */
enum { FULL_NAME_SIZE = 128 };
void name_write(char text[FULL_NAME_SIZE], const strategy *s, const int choice[MOST_OPTIONS]);

/* The index-th of all combinations of the strategy's options, all defaults first, as a name; 0 past
 * the last one. */
int name_combination(char text[FULL_NAME_SIZE], const strategy *s, int index);

#endif
