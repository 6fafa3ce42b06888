/* SPDX-License-Identifier: MIT
 * spectrum .* transfer, the middle of weft_filter, one bin at a time and in any order of bins.
 */
#ifndef WEFT_MULTIPLY_H
#define WEFT_MULTIPLY_H

#include "spectra.h"

/* What a spectrum is multiplied by: `gain` if not NULL (tight [H][W/2 + 1]), else `spectrum`. */
typedef struct REAL_NAME(transfer_view) {
    spectrum_view spectrum;
    const scalar *gain;
} transfer_view;

/* value times the transfer at (k, l), l <= W/2; in a self-paired column k <= mirror(k). */
static WEFT_HD cpx multiplied(cpx value, transfer_view transfer, size_t k, size_t l) {
    spectrum_view t = transfer.spectrum;
    if (transfer.gain != NULL) {
        return cpx_scale(value, transfer.gain[k * (t.width / 2 + 1) + l]);
    }
    return cpx_mul(value, l == mirror(l, t.width) ? get_self_paired(t, k, l) : get_paired(t, k, l));
}

/* Bin (k, l), 0 <= k < H, 0 <= l <= W/2. In a self-paired column the bin with the smaller row
 * stands for both partners, and the other call does nothing. */
static WEFT_HD void multiply_bin(spectrum_view s, transfer_view transfer, size_t k, size_t l) {
    int self_paired = l == mirror(l, s.width);
    cpx value;
    if (self_paired && k > mirror(k, s.height)) {
        return;
    }
    value = self_paired ? get_self_paired(s, k, l) : get_paired(s, k, l);
    value = multiplied(value, transfer, k, l);
    if (self_paired) {
        put_self_paired(s, k, l, value);
    } else {
        put_paired(s, k, l, value);
    }
}

static inline transfer_view transfer_of(const problem *p, const void *transfer,
                                        weft_transfer kind) {
    transfer_view t;
    t.spectrum = view_of(p, (void *)transfer, 0);
    t.spectrum.pitch = p->transfer_pitch;
    t.gain = kind == WEFT_TRANSFER_GAIN ? (const scalar *)transfer : NULL;
    return t;
}

/* All bins of all images, on the host; for the multiply of a cpu strategy. */
WEFT_C void REAL_NAME(multiply_on_host)(const problem *p, void *spectra, const void *transfer,
                                        weft_transfer kind);
#define multiply_on_host REAL_NAME(multiply_on_host)

#endif
