/* SPDX-License-Identifier: MIT
 * What weft_filter() multiplies a spectrum by: a filter at the frequencies of one size.
 */
#ifndef WEFT_TOOL_FILTER_TRANSFER_H
#define WEFT_TOOL_FILTER_TRANSFER_H

#include "weft.h"

#include "filter/filter.h"

typedef struct transfer {
    weft_transfer kind; /* WEFT_TRANSFER_GAIN, or complex numbers; both [H][W/2 + 1] */
    weft_precision precision;
    size_t height, width;
    void *values;
} transfer;

/* height, width, precision, strategy and threads of desc count. An exit code, after a complaint. */
int transfer_make(transfer *t, const filter *f, const weft_desc *desc);
void transfer_free(transfer *t); /* fine when zeroed */

/* Of the wave with frequency (k, l), l <= W/2: its real part, and how much of the wave is left. */
double transfer_real(const transfer *t, size_t k, size_t l);
double transfer_magnitude(const transfer *t, size_t k, size_t l);

#endif
