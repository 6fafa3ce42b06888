/* SPDX-License-Identifier: MIT
 * What is too large, or too small, for its precision: counted and said, and with --strict a
 * failure. Inputs are finite numbers, so that whatever is not has overflowed.
 */
#ifndef WEFT_TOOL_COMMANDS_OVERFLOW_H
#define WEFT_TOOL_COMMANDS_OVERFLOW_H

#include "files/spectrum.h"
#include "shell/options.h"

/* EXIT_DONE, with a warning where any value has overflowed, or EXIT_CHECK_FAILED after a complaint.
 * `parts` real numbers make a value; what: "spectrum", "picture". */
int check_overflow(const transform_options *o, const char *what, const void *reals,
                   weft_precision precision, size_t values, size_t parts);
/* The same where `bad` of so many values are known to be none; too_large_for: as of overflow_of(),
 * "f64" and the like. */
int complain_overflow(const transform_options *o, const char *what, size_t bad, size_t values,
                      const char *too_large_for);
const char *overflow_of(weft_precision precision);
int check_spectrum_overflow(const transform_options *o, const spectrum *s);
/* The same of one that is to become f32, where nothing of it would be left. */
int check_spectrum_underflow(const transform_options *o, const spectrum *s);

#endif
