/* SPDX-License-Identifier: MIT
 * Streams of the fractal codec: the input is a stream, tried as it is and once more with right
 * checksums, which no fuzzer finds. It is decoded in memory that ends where weft_fractal.h says;
 * and what a decoder takes, its writer must have been able to write: codes are written again as the
 * same bytes.
 */
#include <string.h>

#include "crc.h"
#include "fuzz.h"
#include "payload.h"

enum { MOST_PIXELS = 1 << 13, MOST_WORK = 1 << 16, MOST_FRAMES = 20 };

/* ---- checksums ---------------------------------------------------------------------------------
 */

static void set_crc(uint8_t *bytes, size_t size) {
    put_u32(bytes + size - CRC_BYTES, crc_of(bytes, size - CRC_BYTES));
}

/* Of the header, and of all frames that are whole. */
static void mend(uint8_t *bytes, size_t count) {
    size_t size;
    weft_fractal_decoder *d;
    if (weft_fractal_header_size(bytes, count, &size) != WEFT_OK || size > count) {
        return;
    }
    set_crc(bytes, size);
    const weft_fractal_decoding limits = {.most_pixels = MOST_PIXELS, .most_work = MOST_WORK};
    if (weft_fractal_decoder_create(&d, &limits, bytes, size) != WEFT_OK) {
        return;
    }
    for (bytes += size, count -= size;
         weft_fractal_frame_size(d, bytes, count, &size) == WEFT_OK && size <= count;
         bytes += size, count -= size) {
        set_crc(bytes, size);
        if (weft_fractal_decode(d, bytes, size, NULL) != WEFT_OK) {
            break;
        }
    }
    weft_fractal_decoder_destroy(d);
}

/* ---- what was taken ----------------------------------------------------------------------------
 */

typedef struct last_codes {
    weft_fractal_code *of_plane[WEFT_FRACTAL_PLANES];
} last_codes;

static void check_plane(const weft_fractal_decoder *d, int plane, int domain_bits,
                        const uint8_t *bytes, last_codes *last) {
    const weft_fractal_stream *s = weft_fractal_decoder_stream(d);
    const plane_blocks b = blocks_of_plane(s->height, s->width, s->chroma, s->profile, plane);
    const payload_format f = payload_format_of(s, domain_bits, &b);
    const weft_fractal_parts parts = weft_fractal_decoder_parts(d, plane);
    size_t count, size = get_u32(bytes + 1);
    const weft_fractal_code *codes = weft_fractal_decoder_codes(d, plane, &count);
    uint8_t *again = malloc(payload_bound(&f));
    must(count == b.ranges && again != NULL, "plane %d: %zu codes", plane, count);
    for (size_t i = 0; i < count; i++) {
        must(codes[i].domain < b.domains && codes[i].mode <= WEFT_FRACTAL_REPEATED,
             "plane %d, range %zu: domain %u", plane, i, codes[i].domain);
    }
    size_t written =
        payload_write(&f, (enum plane_type)bytes[0], codes, last->of_plane[plane], again);
    must(written == size && memcmp(again, bytes + PLANE_HEADER_BYTES, size) == 0,
         "plane %d: %zu bytes are written again as %zu others", plane, size, written);
    must(parts.header + parts.tables + parts.changes + parts.domains + parts.scales + parts.means +
                 parts.padding ==
             8 * (size + PLANE_HEADER_BYTES),
         "plane %d: the parts of %zu bytes", plane, size);
    free(again);
    free(last->of_plane[plane]);
    last->of_plane[plane] = malloc(count * sizeof *codes);
    must(last->of_plane[plane] != NULL, "no memory");
    memcpy(last->of_plane[plane], codes, count * sizeof *codes);
}

static void check_frame(const weft_fractal_decoder *d, int domain_bits, const uint8_t *bytes,
                        last_codes *last) {
    int planes = planes_of(weft_fractal_decoder_stream(d)->chroma);
    for (int i = 0; i < planes; i++) {
        check_plane(d, i, domain_bits, bytes, last);
        bytes += PLANE_HEADER_BYTES + get_u32(bytes + 1);
    }
}

static weft_fractal_picture new_picture(const weft_fractal_decoder *d) {
    weft_fractal_picture p = {{NULL}, {0}};
    weft_fractal_chroma chroma = weft_fractal_decoder_stream(d)->chroma;
    for (int i = 0; i < planes_of(chroma); i++) {
        p.plane[i] = malloc(weft_fractal_plane_height(weft_fractal_decoder_height(d), chroma, i) *
                            weft_fractal_plane_width(weft_fractal_decoder_width(d), chroma, i));
        must(p.plane[i] != NULL, "no memory");
    }
    return p;
}

static void decode_frames(weft_fractal_decoder *d, int domain_bits, const uint8_t *bytes,
                          size_t count) {
    weft_fractal_picture p = new_picture(d);
    last_codes last = {{NULL}};
    size_t size;
    for (int i = 0; i < MOST_FRAMES && weft_fractal_frame_size(d, bytes, count, &size) == WEFT_OK &&
                    size <= count;
         i++) {
        uint8_t *frame = malloc(size); /* so that AddressSanitizer sees what lies behind */
        must(frame != NULL, "no memory");
        memcpy(frame, bytes, size);
        weft_status status = weft_fractal_decode(d, frame, size, &p);
        if (status == WEFT_OK) {
            check_frame(d, domain_bits, frame, &last);
        }
        free(frame);
        if (status != WEFT_OK) {
            break;
        }
        bytes += size;
        count -= size;
    }
    for (int i = 0; i < WEFT_FRACTAL_PLANES; i++) {
        free(p.plane[i]);
        free(last.of_plane[i]);
    }
}

static void decode(const uint8_t *bytes, size_t count, int scale) {
    const weft_fractal_decoding how = {
        .most_pixels = MOST_PIXELS, .most_work = MOST_WORK, .scale = scale};
    weft_fractal_decoder *d;
    weft_fractal_stream s;
    uint8_t header[MOST_HEADER_BYTES];
    size_t size;
    int domain_bits;
    if (weft_fractal_header_size(bytes, count, &size) != WEFT_OK || size > count ||
        weft_fractal_decoder_create(&d, &how, bytes, size) != WEFT_OK) {
        return;
    }
    must(stream_read(&s, &domain_bits, bytes, size) == WEFT_OK &&
             stream_write(&s, domain_bits, header) == size && memcmp(header, bytes, size) == 0,
         "a header is written again as another");
    decode_frames(d, domain_bits, bytes + size, count - size);
    weft_fractal_decoder_destroy(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    uint8_t *copy = malloc(count + !count);
    must(copy != NULL, "no memory");
    memcpy(copy, bytes, count);
    decode(copy, count, 1);
    mend(copy, count);
    decode(copy, count, 1);
    decode(copy, count, 2);
    free(copy);
    return 0;
}
