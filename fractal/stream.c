/* SPDX-License-Identifier: MIT
 * The header of a stream, see stream.h.
 */
#include "stream.h"

#include <string.h>

#include "crc.h"
#include "scales.h"

enum {
    VERSION = 1,
    HUFFMAN = 1,
    LEAST_SQUARES = 2,
    OVERLAPPING = 4,
    DENSE = LEAST_SQUARES | OVERLAPPING
};

/* Where the bytes of the header lie; those behind the scales are counted from their end. */
enum {
    AT_VERSION = 4,
    AT_FLAGS = 5,
    AT_WIDTH = 6,
    AT_HEIGHT = 8,
    AT_CHROMA = 10,
    AT_SIDE = 11,
    AT_STEP = 12,
    AT_COUNT = 13,
    AT_SCALES = 14,
    AT_DOMAIN_BITS = 0,
    AT_ITERATIONS = 1,
    AT_NUMERATOR = 2,
    AT_DENOMINATOR = 4,
    AT_FRAMES = 6,
    AT_CRC = 10,
    END = 14
};

static const uint8_t magic[AT_VERSION] = {'F', 'V', 'C', '1'};

static int scales_written(const weft_fractal_stream *s) {
    return s->profile == WEFT_FRACTAL_DENSE ? 0 : s->scales;
}

size_t stream_write(const weft_fractal_stream *s, int domain_bits, uint8_t *to) {
    uint8_t *then = to + AT_SCALES + scales_written(s);
    memcpy(to, magic, sizeof magic);
    to[AT_VERSION] = VERSION;
    to[AT_FLAGS] =
        (uint8_t)((s->raw_codes ? 0 : HUFFMAN) | (s->profile == WEFT_FRACTAL_DENSE ? DENSE : 0));
    put_u16(to + AT_WIDTH, (unsigned)s->width);
    put_u16(to + AT_HEIGHT, (unsigned)s->height);
    to[AT_CHROMA] = (uint8_t)s->chroma;
    to[AT_SIDE] = (uint8_t)s->block_size;
    to[AT_STEP] = (uint8_t)s->domain_step;
    to[AT_COUNT] = (uint8_t)scales_written(s);
    memcpy(to + AT_SCALES, s->scale, (size_t)scales_written(s));
    then[AT_DOMAIN_BITS] = (uint8_t)domain_bits;
    then[AT_ITERATIONS] = (uint8_t)s->iterations;
    put_u16(then + AT_NUMERATOR, s->fps_numerator);
    put_u16(then + AT_DENOMINATOR, s->fps_denominator);
    put_u32(then + AT_FRAMES, s->frames);
    put_u32(then + AT_CRC, crc_of(to, (size_t)(then - to) + AT_CRC));
    return (size_t)(then - to) + END;
}

weft_status stream_size(const uint8_t *bytes, size_t count, size_t *size) {
    if (memcmp(bytes, magic, count < sizeof magic ? count : sizeof magic) != 0) {
        return weft_fail(WEFT_BAD_DATA, "no FVC1 stream: it begins otherwise");
    }
    if (count > AT_VERSION && bytes[AT_VERSION] != VERSION) {
        return weft_fail(WEFT_UNSUPPORTED, "FVC1 of version %d: only version %d is known",
                         bytes[AT_VERSION], VERSION);
    }
    *size = AT_SCALES + END;
    if (count > AT_COUNT) {
        if (bytes[AT_COUNT] > SEED_SCALES) {
            return weft_fail(WEFT_BAD_DATA, "header: %d scales: at most %d", bytes[AT_COUNT],
                             SEED_SCALES);
        }
        *size += bytes[AT_COUNT];
    }
    return WEFT_OK;
}

/* ---- what a header must be ---------------------------------------------------------------------
 */

static weft_status read_flags(weft_fractal_stream *s, const uint8_t *bytes) {
    int flags = bytes[AT_FLAGS];
    if ((flags & ~(HUFFMAN | DENSE)) != 0 || ((flags & DENSE) != 0 && (flags & DENSE) != DENSE)) {
        return weft_fail(WEFT_BAD_DATA, "header: flags %d mean nothing", flags);
    }
    s->raw_codes = (flags & HUFFMAN) == 0;
    s->profile = (flags & DENSE) != 0 ? WEFT_FRACTAL_DENSE : WEFT_FRACTAL_SEED;
    return WEFT_OK;
}

static weft_status read_blocks(weft_fractal_stream *s, const uint8_t *bytes) {
    int step = s->profile == WEFT_FRACTAL_DENSE ? DENSE_STEP : SEED_STEP;
    s->width = get_u16(bytes + AT_WIDTH);
    s->height = get_u16(bytes + AT_HEIGHT);
    s->block_size = bytes[AT_SIDE];
    s->domain_step = bytes[AT_STEP];
    if (s->height == 0 || s->width == 0) {
        return weft_fail(WEFT_BAD_DATA, "header: a picture of %zux%zu", s->height, s->width);
    }
    if (bytes[AT_CHROMA] > WEFT_FRACTAL_444) {
        return weft_fail(WEFT_BAD_DATA, "header: chroma %d: 0 to %d", bytes[AT_CHROMA],
                         WEFT_FRACTAL_444);
    }
    s->chroma = (weft_fractal_chroma)bytes[AT_CHROMA];
    return s->block_size == BLOCK_SIDE && s->domain_step == step
               ? WEFT_OK
               : weft_fail(WEFT_BAD_DATA,
                           "header: blocks of %d, domains every %d: must be %d and %d",
                           s->block_size, s->domain_step, BLOCK_SIDE, step);
}

static weft_status read_scales(weft_fractal_stream *s, const uint8_t *bytes) {
    s->scales = bytes[AT_COUNT];
    if ((s->profile == WEFT_FRACTAL_DENSE) != (s->scales == 0)) {
        return weft_fail(WEFT_BAD_DATA, "header: %d scales in the %s profile", s->scales,
                         s->scales == 0 ? "seed" : "dense");
    }
    memcpy(s->scale, bytes + AT_SCALES, (size_t)s->scales);
    for (int i = 0; i < s->scales; i++) {
        if (s->scale[i] == 0 || memchr(s->scale, s->scale[i], (size_t)i) != NULL) {
            return weft_fail(WEFT_BAD_DATA, "header: scale %d is %d%s", i, s->scale[i],
                             s->scale[i] == 0 ? "" : " like one before");
        }
    }
    if (s->profile == WEFT_FRACTAL_DENSE) {
        s->scales = DENSE_SCALES;
        for (int i = 0; i < DENSE_SCALES; i++) {
            s->scale[i] = (signed char)(i - DENSE_FLAT);
        }
    }
    return WEFT_OK;
}

static weft_status read_rest(weft_fractal_stream *s, int *domain_bits, const uint8_t *then) {
    *domain_bits = then[AT_DOMAIN_BITS];
    s->iterations = then[AT_ITERATIONS];
    s->fps_numerator = get_u16(then + AT_NUMERATOR);
    s->fps_denominator = get_u16(then + AT_DENOMINATOR);
    s->frames = get_u32(then + AT_FRAMES);
    if (*domain_bits != 0 && (!s->raw_codes || *domain_bits != RAW_DOMAIN_BITS)) {
        return weft_fail(WEFT_BAD_DATA, "header: domains of %d bits", *domain_bits);
    }
    if (s->iterations < 1 || s->iterations > MOST_ITERATIONS) {
        return weft_fail(WEFT_BAD_DATA, "header: %d iterations: must be 1 to %d", s->iterations,
                         MOST_ITERATIONS);
    }
    return (s->fps_numerator == 0) == (s->fps_denominator == 0)
               ? WEFT_OK
               : weft_fail(WEFT_BAD_DATA, "header: %u/%u frames per second", s->fps_numerator,
                           s->fps_denominator);
}

weft_status stream_read(weft_fractal_stream *s, int *domain_bits, const uint8_t *bytes,
                        size_t count) {
    size_t size;
    weft_status status = stream_size(bytes, count, &size);
    memset(s, 0, sizeof *s);
    if (status != WEFT_OK) {
        return status;
    }
    if (count != size) {
        return weft_fail(WEFT_BAD_DATA, "header: has %zu bytes, not %zu", size, count);
    }
    const uint8_t *then = bytes + size - END;
    if (get_u32(then + AT_CRC) != crc_of(bytes, size - CRC_BYTES)) {
        return weft_fail(WEFT_BAD_DATA, "header: damaged: its checksum is another");
    }
    if ((status = read_flags(s, bytes)) != WEFT_OK || (status = read_blocks(s, bytes)) != WEFT_OK ||
        (status = read_scales(s, bytes)) != WEFT_OK) {
        return status;
    }
    return read_rest(s, domain_bits, then);
}
