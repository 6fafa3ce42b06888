/* SPDX-License-Identifier: MIT
 * Whether a search for fractal codes can be had on this machine.
 */
#ifndef WEFT_TOOL_SHELL_TRY_SEARCH_H
#define WEFT_TOOL_SHELL_TRY_SEARCH_H

#include "weft_fractal.h"

enum { FRACTAL_PROFILES = WEFT_FRACTAL_DENSE + 1 };

/* WEFT_OK if weft_fractal_desc.search can be this name and it runs here; else weft_last_error()
 * says why not. takes[i]: whether it does in this weft_fractal_profile. */
weft_status try_search(const char *name, int takes[FRACTAL_PROFILES]);

#endif
