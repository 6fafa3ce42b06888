/* SPDX-License-Identifier: MIT
 * What Weft is measured against: other libraries' transforms and plain copies, each in the struct
 * of strategy.h so that the very same code verifies and times them. Only the tool's bench sees
 * them.
 */
#ifndef WEFT_TOOL_BENCH_PEERS_PEERS_H
#define WEFT_TOOL_BENCH_PEERS_PEERS_H

#include "weft.h"

#include "strategy.h"

typedef struct peer {
    strategy_row row;
    int is_copy;   /* the roofline: moves bytes and transforms nothing */
    int half_only; /* runs unscaled on HALF spectra of REAL pixels, whatever Weft is asked for */
    int inverse_spoils; /* its inverse may overwrite the spectrum that it reads */
} peer;

extern const peer peer_table[];
extern const int peer_count;

/* For copies: weft_filter is made of this, and nobody asks them for it. */
weft_status peer_no_multiply(const void *state, void *spectrum, const void *transfer,
                             weft_transfer kind, struct CUstream_st *stream);

/* Whether spectra have no gaps, so that they can be multiplied as one row of numbers. */
int peer_is_tight(const problem *p);

/* WEFT_OK if image and spectrum are of one size, as a copy needs them. */
weft_status peer_copy_shape(const problem *p);

/* WEFT_OK for what half_only promises and sizes that fit an int, else WEFT_UNSUPPORTED with the
 * reason. */
weft_status peer_half_only(const char *name, const problem *p);

#endif
