/* SPDX-License-Identifier: MIT
 * Bits into bytes and back, the highest first. A reader behind the end reads zeros, and remembers
 * it, so that whoever reads need not ask each time.
 */
#ifndef WEFT_FRACTAL_BITS_H
#define WEFT_FRACTAL_BITS_H

#include <stddef.h>
#include <stdint.h>

typedef struct bit_writer {
    uint8_t *bytes; /* there is room for all of them */
    size_t bits;    /* that were written */
} bit_writer;

/* The lower `count` bits of a value, up to 32. */
static inline void bits_put(bit_writer *w, uint32_t value, int count) {
    if (count == 0) {
        return;
    }
    const int used = (int)(w->bits % 8);
    uint8_t *byte = w->bytes + w->bits / 8;
    uint64_t word = (uint64_t)value << (64 - count) >> used;
    *byte = (uint8_t)((used > 0 ? *byte : 0u) | (uint32_t)(word >> 56));
    for (int written = 8 - used; written < count; written += 8) {
        word <<= 8;
        *++byte = (uint8_t)(word >> 56);
    }
    w->bits += (size_t)count;
}

/* Zeros up to the next whole byte; the number of bytes. */
static inline size_t bits_end(const bit_writer *w) {
    return (w->bits + 7) / 8;
}

typedef struct bit_reader {
    const uint8_t *bytes;
    size_t size;  /* bits */
    size_t bits;  /* that were read */
    int is_short; /* more were wanted than there are */
} bit_reader;

/* Up to 32. */
static inline uint32_t bits_get(bit_reader *r, int count) {
    uint32_t value = 0;
    if ((size_t)count > r->size - r->bits) {
        r->is_short = 1;
        r->bits = r->size;
        return 0;
    }
    while (count > 0) {
        int used = (int)(r->bits % 8), more = 8 - used < count ? 8 - used : count;
        uint32_t part = (uint32_t)r->bytes[r->bits / 8] >> (8 - used - more) & ((1u << more) - 1);
        value = value << more | part;
        r->bits += (size_t)more;
        count -= more;
    }
    return value;
}

#endif
