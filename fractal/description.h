/* SPDX-License-Identifier: MIT
 * A caller's description of an encoder, checked and with all defaults filled in, and the header of
 * its stream.
 */
#ifndef WEFT_FRACTAL_DESCRIPTION_H
#define WEFT_FRACTAL_DESCRIPTION_H

#include "status.h"
#include "weft_fractal.h"

/* Checks `given`, and fills in what it leaves to the codec. */
weft_status description_fill(weft_fractal_desc *filled, const weft_fractal_desc *given);

/* domain_bits: see stream_write(). */
weft_fractal_stream description_stream(const weft_fractal_desc *filled, int *domain_bits);

#endif
