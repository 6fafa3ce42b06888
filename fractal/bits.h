/* SPDX-License-Identifier: MIT
 * Bits into bytes and back, the highest first. A reader behind the end reads zeros, and remembers
 * it, so that whoever reads need not ask each time.
 */
#ifndef WEFT_FRACTAL_BITS_H
#define WEFT_FRACTAL_BITS_H

#include <stddef.h>
#include <stdint.h>

typedef struct bit_writer {
    uint8_t *bytes;   /* there is space for all of them */
    size_t size;      /* that were written */
    uint64_t waiting; /* bits that make no four bytes yet, the last ones lowest */
    int count;        /* of these */
} bit_writer;

/* The lower `count` bits of a value, up to 32. */
static inline void bits_put(bit_writer *w, uint32_t value, int count) {
    w->waiting = w->waiting << count | (value & ((UINT64_C(1) << count) - 1));
    w->count += count;
    if (w->count >= 32) {
        uint8_t *to = w->bytes + w->size;
        w->count -= 32;
        uint32_t whole = (uint32_t)(w->waiting >> w->count);
        to[0] = (uint8_t)(whole >> 24);
        to[1] = (uint8_t)(whole >> 16);
        to[2] = (uint8_t)(whole >> 8);
        to[3] = (uint8_t)whole;
        w->size += 4;
    }
}

static inline size_t bits_written(const bit_writer *w) {
    return 8 * w->size + (size_t)w->count;
}

/* Zeros up to the next whole byte; the number of bytes. */
static inline size_t bits_end(bit_writer *w) {
    uint64_t left = w->waiting << (32 - w->count);
    for (; w->count > 0; w->count -= 8, left <<= 8) {
        w->bytes[w->size++] = (uint8_t)(left >> 24);
    }
    w->count = 0;
    return w->size;
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
