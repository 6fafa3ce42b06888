/* SPDX-License-Identifier: MIT
 * Numbers of the payload that its writer and its reader share: tables, symbols, and what is written
 * of a domain, a mean and a run.
 */
#ifndef WEFT_FRACTAL_PAYLOAD_PARTS_H
#define WEFT_FRACTAL_PAYLOAD_PARTS_H

#include "huffman.h"
#include "payload.h"
#include "scales.h"

enum table { TABLE_UNCHANGED, TABLE_CHANGED, TABLE_SCALES, TABLE_MEANS, TABLES };

enum {
    MEAN_BITS = 8,
    MOST_Z_BITS = 5,
    FIRST_MEAN = 128, /* what stands for the mean before the first range's */
    MEAN_SYMBOLS = MEAN_BITS + 1,
    RUN_SYMBOLS = 30 /* a run has 29 bits at most, of 16384 x 16384 ranges */
};

static inline int first_table(enum plane_type type) {
    return type == TYPE_CHANGES ? TABLE_UNCHANGED : TABLE_SCALES;
}

/* Of z; and the symbol that stands for the last code. */
static inline int z_bits(const payload_format *f) {
    return f->profile == WEFT_FRACTAL_DENSE ? MOST_Z_BITS : 3;
}

static inline int repeat_symbol(const payload_format *f) {
    return f->profile == WEFT_FRACTAL_DENSE ? DENSE_SCALES : SEED_FLAT + 1;
}

static inline int is_flat(const payload_format *f, int z) {
    return z == flat_of(f->profile);
}

static inline int is_same_code(weft_fractal_code a, weft_fractal_code b) {
    return a.domain == b.domain && a.z == b.z && a.mean == b.mean;
}

#endif
