/* SPDX-License-Identifier: MIT
 * The spectra of a problem's batch as views that layout.h reads and writes, for every strategy.
 */
#ifndef WEFT_SPECTRA_H
#define WEFT_SPECTRA_H

#include "layout.h"
#include "strategy.h"

/* Reals from one spectrum of the batch to the next. */
static inline size_t spectrum_reals(const problem *p) {
    return p->spectrum_stride * (p->layout == WEFT_HALF ? 2 : 1);
}

/* Spectrum `index` of the batch. */
static inline spectrum_view view_of(const problem *p, void *spectra, size_t index) {
    spectrum_view s;
    s.values = (scalar *)spectra + index * spectrum_reals(p);
    s.height = p->height;
    s.width = p->width;
    s.pitch = p->spectrum_pitch;
    s.half = p->layout == WEFT_HALF;
    return s;
}

#endif
