/* SPDX-License-Identifier: MIT
 * The codes of a plane as bytes and back, as docs/fvc1.md says: of fixed length, or Huffman codes.
 * Both ways `last` are the last codes of all ranges, which codes of type TYPE_CHANGES build on.
 */
#ifndef WEFT_FRACTAL_PAYLOAD_H
#define WEFT_FRACTAL_PAYLOAD_H

#include <stdint.h>

#include "stream.h"

typedef struct payload_format {
    weft_fractal_profile profile;
    int scales;
    signed char scale[WEFT_FRACTAL_MOST_SCALES];
    int raw_codes, domain_bits; /* of codes of fixed length */
    size_t ranges, domains;
} payload_format;

payload_format payload_format_of(const weft_fractal_stream *s, int domain_bits,
                                 const plane_blocks *b);

/* More bytes than any payload has. */
size_t payload_bound(const payload_format *f);

/* The number of bytes. */
size_t payload_write(const payload_format *f, enum plane_type type, const weft_fractal_code *codes,
                     const weft_fractal_code *last, uint8_t *to);

/* Fills in the codes of all ranges, and the bits of all parts but the plane's header. */
weft_status payload_read(const payload_format *f, enum plane_type type, const uint8_t *bytes,
                         size_t count, const weft_fractal_code *last, weft_fractal_code *codes,
                         weft_fractal_parts *parts);

#endif
