/* SPDX-License-Identifier: MIT
 * A picture -> its spectrum and back, by the library, as the shared options say.
 */
#ifndef WEFT_TOOL_COMMANDS_TRANSFORM_H
#define WEFT_TOOL_COMMANDS_TRANSFORM_H

#include "weft.h"

#include "files/image.h"
#include "files/spectrum_file.h"
#include "shell/options.h"

/* Exit codes, after a complaint. Forward: the spectrum has no alpha. */
int transform_forward(const transform_options *o, const image *picture, weft_layout layout,
                      weft_norm norm, spectrum *s);
/* *real: [planes][H][W] in the precision of the spectrum, to be freed. */
int transform_inverse(const transform_options *o, const spectrum *s, void **real);

#endif
