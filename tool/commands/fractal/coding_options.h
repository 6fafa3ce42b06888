/* SPDX-License-Identifier: MIT
 * The options that say how frames are coded, of encode and bench. An argp child: list it in the
 * parent's `children` and set child_inputs[0] to a weft_fractal_desc.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_CODING_OPTIONS_H
#define WEFT_TOOL_COMMANDS_FRACTAL_CODING_OPTIONS_H

#include <argp.h>

#include "weft_fractal.h"

extern const struct argp_child coding_options_child[];

/* The name of a search, which lives as long as the library; any other is a usage error. */
const char *search_option(struct argp_state *state, const char *text);
/* For argp's help_filter: behind the options come the searches. */
char *help_with_searches(int key, const char *text, void *context);

#endif
