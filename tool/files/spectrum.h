/* SPDX-License-Identifier: MIT
 * A picture's spectrum in memory: the spectra of its colour planes, one behind the other, and what
 * the way back to the picture needs besides. spectrum_file.h has it as a file.
 */
#ifndef WEFT_TOOL_FILES_SPECTRUM_H
#define WEFT_TOOL_FILES_SPECTRUM_H

#include "weft.h"

typedef struct spectrum {
    size_t height, width, planes; /* of the picture */
    int depth, is_depth_assumed;  /* because nothing says which it is */
    weft_precision precision;
    weft_layout layout;
    weft_norm norm;
    void *values; /* [planes] spectra, tight */
    void *alpha;  /* [H][W] samples of that depth, or NULL */
} spectrum;

/* Values in a row: W/2 + 1 complex ones, or W real ones. */
size_t spectrum_row_length(const spectrum *s);
size_t spectrum_reals(const spectrum *s);            /* real numbers in all */
double spectrum_number(const spectrum *s, size_t i); /* one of them */
void spectrum_free(spectrum *s);                     /* fine when zeroed, and twice */

/* Converts the values. Returns an exit code, after a complaint. */
int spectrum_set_precision(spectrum *s, weft_precision precision);

#endif
