/* SPDX-License-Identifier: MIT
 * The header of a stream, and what lies around the payloads of a frame, as docs/fvc1.md says.
 */
#ifndef WEFT_FRACTAL_STREAM_H
#define WEFT_FRACTAL_STREAM_H

#include <stdint.h>

#include "blocks.h"
#include "status.h"

enum {
    RAW_DOMAIN_BITS = 14,   /* of codes of 25 bits */
    PLANE_HEADER_BYTES = 5, /* type, length of the payload */
    CRC_BYTES = 4,
    MOST_HEADER_BYTES = 64,
    MOST_ITERATIONS = 32
};

/* 2 and 3 belong to later versions. */
enum plane_type { TYPE_REFERENCE = 0, TYPE_CHANGES = 1, FIRST_UNKNOWN = 4 };

/* The bytes of the header, of which there are MOST_HEADER_BYTES at most. domain_bits: of codes of
 * fixed length, 0: as each plane needs. */
size_t stream_write(const weft_fractal_stream *s, int domain_bits, uint8_t *to);

/* How long a header is that begins with these bytes, at least. */
weft_status stream_size(const uint8_t *bytes, size_t count, size_t *size);

/* WEFT_BAD_DATA, or WEFT_UNSUPPORTED for another version. */
weft_status stream_read(weft_fractal_stream *s, int *domain_bits, const uint8_t *bytes,
                        size_t count);

static inline void put_u32(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
    }
}

static inline uint32_t get_u32(const uint8_t *from) {
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static inline void put_u16(uint8_t *to, unsigned value) {
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

static inline unsigned get_u16(const uint8_t *from) {
    return from[0] | (unsigned)from[1] << 8;
}

#endif
