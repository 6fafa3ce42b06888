/* SPDX-License-Identifier: MIT
 * What the writer and the reader of payloads share, see payload.h and payload_parts.h.
 */
#include "payload.h"

#include <string.h>

#include "payload_parts.h"
#include "scales.h"

payload_format payload_format_of(const weft_fractal_stream *s, int domain_bits,
                                 const plane_blocks *b) {
    payload_format f = {
        .profile = s->profile,
        .scales = s->scales,
        .raw_codes = s->raw_codes,
        .domain_bits = domain_bits > 0 ? domain_bits : bits_of(b->domains - 1),
        .ranges = b->ranges,
        .domains = b->domains,
    };
    memcpy(f.scale, s->scale, sizeof f.scale);
    return f;
}

size_t payload_bound(const payload_format *f) {
    /* A range has one bit of the bitmap and its code; or a symbol and bits each for a run of its
     * own, for z and for the mean, and its domain. */
    size_t of_range = (size_t)(3 * MOST_LENGTH + 2 * MEAN_BITS + MOST_Z_BITS + f->domain_bits);
    size_t tables = TABLES * (LENGTHS_BITS + MOST_SYMBOLS * LENGTH_BITS);
    return (f->ranges * of_range + tables) / 8 + 2;
}
