/* SPDX-License-Identifier: MIT
 * Streams that are not as the format says: cut anywhere, with any bit turned, and of many kinds
 * that have right checksums. Each is refused with a status and a text, and nothing is written.
 * Payloads are written bit by bit here: "6:8" is the number 8 in 6 bits, and "*7" repeats what is
 * before it.
 */
#include <stdio.h>
#include <string.h>

#include "bits.h"
#include "crc.h"
#include "expect.h"
#include "fractal_clips.h"
#include "stream.h"

enum { MOST_BYTES = 2000, GUARD = 0xa5 };

/* Decodes from memory of that very size into pixels that must be as before behind the frames that
 * are right. Returns the status. */
static weft_status decode_all(const uint8_t *bytes, size_t size, size_t each, int *frames) {
    uint8_t *copy = must_alloc(size), *pixels = must_alloc((MOST_FRAMES + 1) * each);
    memcpy(copy, bytes, size);
    memset(pixels, GUARD, (MOST_FRAMES + 1) * each);
    weft_status status = decode_stream(copy, size, NULL, pixels, MOST_FRAMES, frames);
    for (size_t i = (size_t)*frames * each; i < (MOST_FRAMES + 1) * each; i++) {
        check(pixels[i] == GUARD, "a frame that was refused was written");
    }
    free(copy);
    free(pixels);
    return status;
}

/* ---- cut, and with turned bits -----------------------------------------------------------------
 */

static const weft_fractal_desc clips[] = {
    {.height = 13, .width = 21, .chroma = WEFT_FRACTAL_420, .frames = 3, .search = "seq"},
    {.height = 13, .width = 21, .chroma = WEFT_FRACTAL_422, .search = "seq", .raw_codes = 1},
    {.height = 9, .width = 12, .search = "seq", .profile = WEFT_FRACTAL_DENSE}};

static int is_between_frames(const stream *s, size_t size) {
    for (int i = 0; i <= s->frames; i++) {
        if (s->begin[i] == size) {
            return 1;
        }
    }
    return 0;
}

static void cut_anywhere(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
        const weft_fractal_desc *d = &clips[i];
        stream s = encode_scene(d, SCENE_MOVING, 3);
        for (size_t size = 0; size <= s.size; size++) {
            int frames, is_right = d->frames > 0 ? size == s.size : is_between_frames(&s, size);
            weft_status status =
                decode_all(s.bytes, size, picture_bytes(d->height, d->width, d->chroma), &frames);
            check(status == (is_right ? WEFT_OK : WEFT_BAD_DATA), "clip %zu, %zu of %zu bytes: %d",
                  i, size, s.size, (int)status);
        }
        free(s.bytes);
    }
}

static void any_bit_turned(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
        const weft_fractal_desc *d = &clips[i];
        stream s = encode_scene(d, SCENE_MOVING, 3);
        for (size_t bit = 0; bit < 8 * s.size; bit++) {
            int frames;
            s.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            weft_status status =
                decode_all(s.bytes, s.size, picture_bytes(d->height, d->width, d->chroma), &frames);
            check(status == WEFT_BAD_DATA || status == WEFT_UNSUPPORTED, "clip %zu, bit %zu: %d", i,
                  bit, (int)status);
            s.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        free(s.bytes);
    }
}

/* ---- kinds with right checksums ----------------------------------------------------------------
 */

/* 8 rows of 24 pixels: 12 ranges, 3 domains. Of the header's bytes `count` from `at` on are others.
 */
typedef struct header_kind {
    const char *name;
    size_t at, count;
    uint32_t value;
    weft_status status;
    const char *text;
} header_kind;

static const weft_fractal_stream small = {.height = 8,
                                          .width = 24,
                                          .block_size = 4,
                                          .domain_step = 8,
                                          .scales = 3,
                                          .scale = {-2, 1, 4},
                                          .iterations = 5,
                                          .fps_numerator = 25,
                                          .fps_denominator = 1};

/* The checksum at the end of so many bytes. */
static void set_crc(uint8_t *bytes, size_t size) {
    put_u32(bytes + size - CRC_BYTES, crc_of(bytes, size - CRC_BYTES));
}

static const header_kind header_kinds[] = {
    {"another name", 0, 1, 'f', WEFT_BAD_DATA, "begins otherwise"},
    {"an end of the name", 3, 1, '2', WEFT_BAD_DATA, "begins otherwise"},
    {"version 0", 4, 1, 0, WEFT_UNSUPPORTED, "version 0"},
    {"version 2", 4, 1, 2, WEFT_UNSUPPORTED, "version 2"},
    {"flag 8", 5, 1, 9, WEFT_BAD_DATA, "flags 9"},
    {"flag 128", 5, 1, 129, WEFT_BAD_DATA, "flags 129"},
    {"least squares alone", 5, 1, 3, WEFT_BAD_DATA, "flags 3"},
    {"overlap alone", 5, 1, 5, WEFT_BAD_DATA, "flags 5"},
    {"dense with the seed's step", 5, 1, 7, WEFT_BAD_DATA, "domains every 8"},
    {"dense with scales", 5, 1, 7, WEFT_BAD_DATA, "must be 4 and 2"},
    {"no width", 6, 2, 0, WEFT_BAD_DATA, "8x0"},
    {"no height", 8, 2, 0, WEFT_BAD_DATA, "0x24"},
    {"chroma 4", 10, 1, 4, WEFT_BAD_DATA, "chroma 4"},
    {"chroma 255", 10, 1, 255, WEFT_BAD_DATA, "chroma 255"},
    {"no block", 11, 1, 0, WEFT_BAD_DATA, "blocks of 0"},
    {"blocks of 8", 11, 1, 8, WEFT_BAD_DATA, "blocks of 8"},
    {"no step", 12, 1, 0, WEFT_BAD_DATA, "every 0"},
    {"step 2", 12, 1, 2, WEFT_BAD_DATA, "every 2"},
    {"8 scales", 13, 1, 8, WEFT_BAD_DATA, "8 scales"},
    {"255 scales", 13, 1, 255, WEFT_BAD_DATA, "255 scales"},
    {"a scale of 0", 15, 1, 0, WEFT_BAD_DATA, "scale 1 is 0"},
    {"equal scales", 16, 1, 1, WEFT_BAD_DATA, "scale 2 is 1 like"},
    {"domains of 14 bits in Huffman codes", 17, 1, 14, WEFT_BAD_DATA, "14 bits"},
    {"domains of 1 bit", 17, 1, 1, WEFT_BAD_DATA, "1 bits"},
    {"no iteration", 18, 1, 0, WEFT_BAD_DATA, "0 iterations"},
    {"33 iterations", 18, 1, 33, WEFT_BAD_DATA, "33 iterations"},
    {"0/1 frames per second", 19, 2, 0, WEFT_BAD_DATA, "0/1 frames"},
    {"25/0 frames per second", 21, 2, 0, WEFT_BAD_DATA, "25/0 frames"},
};

static void headers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof header_kinds / sizeof *header_kinds; i++) {
        const header_kind *k = &header_kinds[i];
        weft_fractal_stream s = small;
        uint8_t bytes[MOST_HEADER_BYTES];
        int frames;
        size_t size = stream_write(&s, 0, bytes);
        for (size_t b = 0; b < k->count; b++) {
            bytes[k->at + b] = (uint8_t)(k->value >> (8 * b));
        }
        set_crc(bytes, size);
        weft_status status = decode_all(bytes, size, 8 * 24, &frames);
        check(status == k->status, "%s: status %d: %s", k->name, (int)status, weft_last_error());
        check(strstr(weft_last_error(), k->text) != NULL, "%s: \"%s\"", k->name, weft_last_error());
    }
}

/* A beginning is refused as soon as it is known to be no header, or one of a later version. */
static void beginnings_of_headers(void **state) {
    static const uint8_t other[] = {'F', 'V', 'D'}, later[] = {'F', 'V', 'C', '1', 2};
    size_t size = 0;
    (void)state;
    assert_int_equal(weft_fractal_header_size(other, 2, &size), WEFT_OK);
    assert_int_equal(weft_fractal_header_size(other, 3, &size), WEFT_BAD_DATA);
    assert_int_equal(weft_fractal_header_size(later, 4, &size), WEFT_OK);
    assert_int_equal(weft_fractal_header_size(later, 5, &size), WEFT_UNSUPPORTED);
    assert_non_null(strstr(weft_last_error(), "version 2"));
}

/* What other sizes of headers are. */
static void header_combinations(void **state) {
    weft_fractal_decoder *decoder;
    weft_fractal_stream s = small;
    uint8_t bytes[MOST_HEADER_BYTES];
    (void)state;
    s.scales = 0;
    size_t size = stream_write(&s, 0, bytes);
    assert_int_equal(weft_fractal_decoder_create(&decoder, NULL, bytes, size), WEFT_BAD_DATA);
    s = small;
    s.raw_codes = 1;
    s.width = 65535;
    s.height = 24;
    size = stream_write(&s, RAW_DOMAIN_BITS, bytes);
    assert_int_equal(weft_fractal_decoder_create(&decoder, NULL, bytes, size), WEFT_BAD_DATA);
    assert_non_null(strstr(weft_last_error(), "24576 domains"));
    assert_int_equal(weft_fractal_decoder_create(&decoder, NULL, bytes, size - 1), WEFT_BAD_DATA);
    assert_int_equal(weft_fractal_decoder_create(&decoder, NULL, bytes, size + 1), WEFT_BAD_DATA);
}

/* ---- frames ------------------------------------------------------------------------------------
 */

/* "6:8" and so on, see above. Returns the number of bytes. */
static size_t write_bits(const char *text, uint8_t *bytes) {
    bit_writer w = {.bytes = bytes};
    int count, times, used;
    unsigned value;
    while (sscanf(text, " %d:%u%n", &count, &value, &used) == 2) {
        text += used;
        times = 1;
        if (*text == '*') {
            sscanf(text, "*%d%n", &times, &used);
            text += used;
        }
        while (times-- > 0) {
            bits_put(&w, value, count);
        }
    }
    check(text[strspn(text, " ")] == '\0', "no bits: %s", text);
    return bits_end(&w);
}

/* All ranges flat, of 128: a right reference with Huffman codes, and with codes of fixed length;
 * and frames in which nothing changed. */
#define FLAT_TABLE "6:8 4:0*7 4:1 "
#define ZERO_TABLE "6:1 4:1 "
#define FLAT_CODES "2:0*12"
#define FLAT_REFERENCE FLAT_TABLE ZERO_TABLE FLAT_CODES
#define RAW_FLAT "14:0 3:7 8:128"
#define RAW_11 "25:1920*11 " /* eleven times RAW_FLAT: 7 * 256 + 128 */
#define RAW_REFERENCE RAW_11 RAW_FLAT
#define RUN_12 "6:5 4:0*4 4:1 " /* the table of a run of 8 to 15 */
#define NONE "6:0 "

typedef struct frame_kind {
    const char *name;
    int is_raw, type,
        type_of_first; /* of this frame; it follows a right one unless it is the first */
    const char *payload;
    int off; /* of the payload's size as it is said */
    weft_status status;
    const char *text;
} frame_kind;

enum { FIRST = 1, SECOND = 0 };

static const frame_kind frame_kinds[] = {
    /* What all others differ from. */
    {"right", 0, 0, FIRST, FLAT_REFERENCE, 0, WEFT_OK, ""},
    {"right again", 0, 0, SECOND, FLAT_REFERENCE, 0, WEFT_OK, ""},
    {"right, unchanged", 0, 1, SECOND, RUN_12 NONE NONE NONE "1:0 3:4", 0, WEFT_OK, ""},
    {"right, all repeated", 0, 1, SECOND, "6:1 4:1 " RUN_12 "6:9 4:0*8 4:1 " NONE "2:0 3:4 1:0*12",
     0, WEFT_OK, ""},
    {"right, raw", 1, 0, FIRST, RAW_REFERENCE, 0, WEFT_OK, ""},
    {"right, raw and unchanged", 1, 1, SECOND, "16:0", 0, WEFT_OK, ""},
    {"right, raw, one code", 1, 1, SECOND, "16:16 14:2 3:2 8:0", 0, WEFT_OK, ""},
    /* Around the payload. */
    {"changes first", 0, 1, FIRST, RUN_12 NONE NONE NONE "1:0 3:4", 0, WEFT_BAD_DATA,
     "no frame before"},
    {"type 2", 0, 2, SECOND, FLAT_REFERENCE, 0, WEFT_UNSUPPORTED, "type 2"},
    {"type 3", 0, 3, FIRST, FLAT_REFERENCE, 0, WEFT_UNSUPPORTED, "type 3"},
    {"type 4", 0, 4, FIRST, FLAT_REFERENCE, 0, WEFT_BAD_DATA, "type 4"},
    {"type 255", 0, 255, FIRST, FLAT_REFERENCE, 0, WEFT_BAD_DATA, "type 255"},
    {"a size too small", 0, 0, FIRST, FLAT_REFERENCE, -1, WEFT_BAD_DATA, ""},
    {"a size too large", 0, 0, FIRST, FLAT_REFERENCE, 1, WEFT_BAD_DATA, ""},
    {"a size far too large", 0, 0, FIRST, FLAT_REFERENCE, 1000000, WEFT_BAD_DATA, "at most"},
    {"no payload", 0, 0, FIRST, "", 0, WEFT_BAD_DATA, "too short"},
    {"no raw payload", 1, 0, FIRST, "", 0, WEFT_BAD_DATA, "too short"},
    /* Tables. */
    {"a symbol too many for z", 0, 0, FIRST, "6:9 4:0*8 4:1 " ZERO_TABLE FLAT_CODES, 0,
     WEFT_BAD_DATA, "table"},
    {"63 symbols", 0, 0, FIRST, "6:63 4:0*62 4:1 " ZERO_TABLE FLAT_CODES, 0, WEFT_BAD_DATA,
     "table"},
    {"a symbol too many for a mean", 0, 0, FIRST, FLAT_TABLE "6:10 4:1*2 4:0*7 4:0 " FLAT_CODES, 0,
     WEFT_BAD_DATA, "table"},
    {"a symbol too many for a run", 0, 1, SECOND, "6:31 4:0*30 4:1 " NONE NONE NONE "1:0 3:4", 0,
     WEFT_BAD_DATA, "table"},
    {"a last length of 0", 0, 0, FIRST, FLAT_TABLE "6:2 4:1 4:0 " FLAT_CODES, 0, WEFT_BAD_DATA,
     "table"},
    {"one symbol of 2 bits", 0, 0, FIRST,
     FLAT_TABLE "6:1 4:2 "
                "3:0*12",
     0, WEFT_BAD_DATA, "table"},
    {"codes too short", 0, 0, FIRST, FLAT_TABLE "6:3 4:1*3 " FLAT_CODES, 0, WEFT_BAD_DATA, "table"},
    {"codes that nobody has", 0, 0, FIRST, FLAT_TABLE "6:2 4:2*2 " FLAT_CODES, 0, WEFT_BAD_DATA,
     "table"},
    {"a symbol that does not occur", 0, 0, FIRST, FLAT_TABLE "6:2 4:1*2 " FLAT_CODES, 0,
     WEFT_BAD_DATA, "other codes"},
    {"lengths that do not fit counts", 0, 0, FIRST,
     FLAT_TABLE "6:3 4:2 4:2 4:1 1:0 2:3 1:1 1:0 1:0 2:3 3:2*10", 0, WEFT_BAD_DATA, "other codes"},
    {"no table of z", 0, 0, FIRST, NONE ZERO_TABLE FLAT_CODES, 0, WEFT_BAD_DATA, "scale"},
    {"no table of means", 0, 0, FIRST, FLAT_TABLE NONE FLAT_CODES, 0, WEFT_BAD_DATA, "mean"},
    {"no table of runs", 0, 1, SECOND, NONE NONE NONE NONE "1:0 3:4", 0, WEFT_BAD_DATA,
     "too short"},
    {"a code of one symbol that is 1", 0, 0, FIRST, FLAT_TABLE ZERO_TABLE "1:0 1:1 2:0*11", 0,
     WEFT_BAD_DATA, "mean"},
    /* Codes. */
    {"a scale that the header lacks", 0, 0, FIRST, "6:4 4:0*3 4:1 " ZERO_TABLE FLAT_CODES, 0,
     WEFT_BAD_DATA, "scale"},
    {"a mean above 255", 0, 0, FIRST,
     FLAT_TABLE "6:9 4:0*8 4:1 "
                "2:0 8:128",
     0, WEFT_BAD_DATA, "beyond"},
    {"a mean below 0", 0, 0, FIRST,
     FLAT_TABLE "6:9 4:0*8 4:1 "
                "2:0 8:0",
     0, WEFT_BAD_DATA, "beyond"},
    {"codes that end", 0, 0, FIRST, FLAT_TABLE ZERO_TABLE "2:0*6", 0, WEFT_BAD_DATA, "too short"},
    {"a byte behind", 0, 0, FIRST, FLAT_REFERENCE " 8:0", 0, WEFT_BAD_DATA, "behind"},
    {"a bit behind", 0, 0, FIRST, FLAT_TABLE "6:2 4:1*2 1:0 2:3 2:0*11 1:1", 0, WEFT_BAD_DATA,
     "not 0"},
    /* Runs. */
    {"a run too long", 0, 1, SECOND, RUN_12 NONE NONE NONE "1:0 3:5", 0, WEFT_BAD_DATA, "run"},
    {"a run of 2^28", 0, 1, SECOND, "6:30 4:0*29 4:1 " NONE NONE NONE "1:0 28:0", 0, WEFT_BAD_DATA,
     "run"},
    {"runs that end", 0, 1, SECOND, RUN_12 NONE NONE NONE "1:0 3:0", 0, WEFT_BAD_DATA, "too short"},
    {"a second run of 0", 0, 1, SECOND, RUN_12 "6:1 4:1 " NONE NONE "1:0 3:0 1:0", 0, WEFT_BAD_DATA,
     "run"},
    {"a third run of 0", 0, 1, SECOND, "6:1 4:1 " RUN_12 NONE NONE "1:0 1:0 3:0 1:0", 0,
     WEFT_BAD_DATA, "run"},
    {"the last code, not said so", 0, 1, SECOND,
     "6:1 4:1 " RUN_12 FLAT_TABLE ZERO_TABLE "2:0 3:4 2:0*12", 0, WEFT_BAD_DATA, "like the last"},
    {"again in a reference", 0, 0, SECOND, "6:9 4:0*8 4:1 " NONE "1:0*12", 0, WEFT_BAD_DATA,
     "table"},
    /* Codes of fixed length. */
    {"raw: a domain too many", 1, 0, FIRST, "14:3 3:0 8:128 " RAW_11, 0, WEFT_BAD_DATA, "domain"},
    {"raw: the last number of a domain", 1, 0, FIRST, RAW_11 "14:16383 3:1 8:128", 0, WEFT_BAD_DATA,
     "domain"},
    {"raw: a flat range with a domain", 1, 0, FIRST, "14:1 3:7 8:128 " RAW_11, 0, WEFT_BAD_DATA,
     "domain"},
    {"raw: a scale that the header lacks", 1, 0, FIRST, "14:0 3:3 8:128 " RAW_11, 0, WEFT_BAD_DATA,
     "scale"},
    {"raw: one code less", 1, 0, FIRST, RAW_11, 0, WEFT_BAD_DATA, "too short"},
    {"raw: one code more", 1, 0, FIRST, RAW_11 RAW_FLAT " " RAW_FLAT, 0, WEFT_BAD_DATA, "behind"},
    {"raw: a bit behind the bitmap", 1, 1, SECOND, "16:1", 0, WEFT_BAD_DATA, "not 0"},
    {"raw: a bit behind the codes", 1, 1, SECOND, "16:16 14:0 3:7 8:9 1:1", 0, WEFT_BAD_DATA,
     "not 0"},
    {"raw: no code for a bit", 1, 1, SECOND, "16:16", 0, WEFT_BAD_DATA, "too short"},
    {"raw: a code without a bit", 1, 1, SECOND, "16:0 14:0 3:7 8:9", 0, WEFT_BAD_DATA, "behind"},
    {"raw: half a bitmap", 1, 1, SECOND, "8:0", 0, WEFT_BAD_DATA, "too short"},
};

static size_t write_frame(int type, const char *payload, int off, uint8_t *to) {
    size_t size = write_bits(payload, to + PLANE_HEADER_BYTES);
    to[0] = (uint8_t)type;
    put_u32(to + 1, (uint32_t)((int)size + off));
    size += PLANE_HEADER_BYTES + CRC_BYTES;
    set_crc(to, size);
    return size;
}

static void frames_of_all_kinds(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof frame_kinds / sizeof *frame_kinds; i++) {
        const frame_kind *k = &frame_kinds[i];
        weft_fractal_stream s = small;
        uint8_t bytes[MOST_BYTES] = {0};
        int frames, before = 0;
        s.raw_codes = k->is_raw;
        size_t size = stream_write(&s, k->is_raw ? RAW_DOMAIN_BITS : 0, bytes);
        if (k->type_of_first == SECOND) {
            size += write_frame(0, k->is_raw ? RAW_REFERENCE : FLAT_REFERENCE, 0, bytes + size);
            before = 1;
        }
        size += write_frame(k->type, k->payload, k->off, bytes + size);
        weft_status status = decode_all(bytes, size, 8 * 24, &frames);
        check(status == k->status && frames == before + (status == WEFT_OK),
              "%s: status %d after %d frames: %s", k->name, (int)status, frames, weft_last_error());
        check(status == WEFT_OK || strstr(weft_last_error(), k->text) != NULL, "%s: \"%s\"",
              k->name, weft_last_error());
    }
}

static void numbers_of_frames(void **state) {
    (void)state;
    for (unsigned said = 1; said <= 3; said++) {
        weft_fractal_stream s = small;
        uint8_t bytes[MOST_BYTES];
        int frames;
        s.frames = said;
        size_t size = stream_write(&s, 0, bytes);
        size += write_frame(0, FLAT_REFERENCE, 0, bytes + size);
        size += write_frame(0, FLAT_REFERENCE, 0, bytes + size);
        assert_int_equal(decode_all(bytes, size, 8 * 24, &frames),
                         said == 2 ? WEFT_OK : WEFT_BAD_DATA);
        assert_non_null(strstr(weft_last_error(), said == 1   ? "behind the last of 1 frames"
                                                  : said == 2 ? ""
                                                              : "2 of 3 frames"));
    }
}

/* Planes of two types in a frame. */
static void mixed_types(void **state) {
    const weft_fractal_desc d = {
        .height = 8, .width = 8, .chroma = WEFT_FRACTAL_444, .search = "seq"};
    int frames;
    (void)state;
    stream s = encode_scene(&d, SCENE_FLAT, 2);
    uint8_t *second = s.bytes + s.begin[1];
    size_t at = PLANE_HEADER_BYTES + get_u32(second + 1);
    assert_int_equal(second[at], TYPE_CHANGES);
    second[at] = TYPE_REFERENCE;
    set_crc(second, s.begin[2] - s.begin[1]);
    assert_int_equal(decode_all(s.bytes, s.size, 3 * 64, &frames), WEFT_BAD_DATA);
    assert_non_null(strstr(weft_last_error(), "of type 0 behind a plane of type 1"));
    free(s.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(any_bit_turned),
        cmocka_unit_test(headers),
        cmocka_unit_test(beginnings_of_headers),
        cmocka_unit_test(header_combinations),
        cmocka_unit_test(frames_of_all_kinds),
        cmocka_unit_test(numbers_of_frames),
        cmocka_unit_test(mixed_types),
    };
    return cmocka_run_group_tests_name("fractal, hostile streams", tests, NULL, NULL);
}
