/* SPDX-License-Identifier: MIT
 * Bytes -> codes. The bytes may be anything: whatever the writer would not have written of the
 * codes that come out is refused.
 */
#include <string.h>

#include "payload_parts.h"

typedef struct reader {
    const payload_format *format;
    bit_reader bits;
    huffman tables[TABLES];
    uint32_t counts[TABLES][MOST_SYMBOLS];
    weft_fractal_parts *parts;
    const char *wrong; /* NULL: nothing so far */
} reader;

static int fail(reader *r, const char *wrong) {
    r->wrong = r->bits.is_short ? "too short" : wrong;
    return 0;
}

/* Adds to a part what was read since `from`. */
static void account(const reader *r, size_t *part, size_t from) {
    *part += r->bits.bits - from;
}

static int get_symbol(reader *r, enum table table) {
    int symbol = huffman_get(&r->tables[table], &r->bits);
    if (symbol >= 0) {
        r->counts[table][symbol]++;
    }
    return symbol;
}

static weft_fractal_code code_with(const payload_format *f, int z) {
    return (weft_fractal_code){.z = (unsigned char)z,
                               .scale = (signed char)(is_flat(f, z) ? 0 : f->scale[z]),
                               .mode = WEFT_FRACTAL_CODED};
}

static int is_known(const payload_format *f, int z) {
    return z < f->scales || is_flat(f, z);
}

/* ---- Huffman codes -----------------------------------------------------------------------------
 */

static int get_tables(reader *r, enum plane_type type) {
    const int symbols[TABLES] = {RUN_SYMBOLS, RUN_SYMBOLS,
                                 repeat_symbol(r->format) + (type == TYPE_CHANGES), MEAN_SYMBOLS};
    size_t from = r->bits.bits;
    for (int table = first_table(type); table < TABLES; table++) {
        if (!huffman_get_table(&r->tables[table], &r->bits, symbols[table])) {
            return fail(r, "a table of no code");
        }
    }
    account(r, &r->parts->tables, from);
    return 1;
}

static int get_runs(reader *r, weft_fractal_code *codes) {
    size_t from = r->bits.bits, run;
    int is_changed = 0;
    for (size_t first = 0; first < r->format->ranges; first += run, is_changed = !is_changed) {
        int bits = get_symbol(r, is_changed ? TABLE_CHANGED : TABLE_UNCHANGED);
        run =
            bits > 1 ? (size_t)1 << (bits - 1) | bits_get(&r->bits, bits - 1) : (size_t)(bits > 0);
        if (bits < 0 || r->bits.is_short || run > r->format->ranges - first ||
            (run == 0 && first + (size_t)is_changed > 0)) {
            return fail(r, "a run of no length or too long");
        }
        for (size_t i = first; i < first + run; i++) {
            codes[i].mode = is_changed ? WEFT_FRACTAL_CODED : WEFT_FRACTAL_UNCHANGED;
        }
    }
    account(r, &r->parts->changes, from);
    return 1;
}

/* Truncated binary: no bits say a domain that there is not. */
static void get_domain(reader *r, weft_fractal_code *code) {
    size_t from = r->bits.bits, domains = r->format->domains;
    int bits = bits_of(domains - 1);
    size_t unused = ((size_t)1 << bits) - domains;
    uint32_t j = bits > 0 ? bits_get(&r->bits, bits - 1) : 0;
    if (j >= unused && bits > 0) {
        j = (uint32_t)((j << 1 | bits_get(&r->bits, 1)) - unused);
    }
    code->domain = j;
    account(r, &r->parts->domains, from);
}

static int get_mean(reader *r, int expected, weft_fractal_code *code) {
    size_t from = r->bits.bits;
    int bits = get_symbol(r, TABLE_MEANS);
    if (bits < 0) {
        return fail(r, "a mean of no code");
    }
    int value = (int)bits_get(&r->bits, bits), mean;
    mean = expected + (bits > 0 && value >> (bits - 1) == 0 ? value - (1 << bits) + 1 : value);
    code->mean = (unsigned char)mean;
    account(r, &r->parts->means, from);
    return (mean >= 0 && mean <= 255) || fail(r, "a mean beyond 0 to 255");
}

/* last: NULL in a reference. */
static int get_code(reader *r, int expected_mean, const weft_fractal_code *last,
                    weft_fractal_code *code) {
    size_t from = r->bits.bits;
    int z = get_symbol(r, TABLE_SCALES);
    account(r, &r->parts->scales, from);
    if (last != NULL && z == repeat_symbol(r->format)) {
        *code = *last;
        code->mode = WEFT_FRACTAL_REPEATED;
        return 1;
    }
    if (z < 0 || !is_known(r->format, z)) {
        return fail(r, "a scale that there is not");
    }
    *code = code_with(r->format, z);
    if (!is_flat(r->format, z)) {
        get_domain(r, code);
    }
    if (!get_mean(r, expected_mean, code)) {
        return 0;
    }
    return last == NULL || !is_same_code(*code, *last) ||
           fail(r, "a code like the last one of its range, not said so");
}

static int get_codes(reader *r, enum plane_type type, const weft_fractal_code *last,
                     weft_fractal_code *codes) {
    int before = FIRST_MEAN;
    for (size_t i = 0; i < r->format->ranges; i++) {
        if (type == TYPE_CHANGES && codes[i].mode == WEFT_FRACTAL_UNCHANGED) {
            codes[i] = last[i];
            codes[i].mode = WEFT_FRACTAL_UNCHANGED;
        } else if (!get_code(r, type == TYPE_CHANGES ? last[i].mean : before,
                             type == TYPE_CHANGES ? &last[i] : NULL, &codes[i])) {
            return 0;
        }
        before = codes[i].mean;
    }
    return 1;
}

/* Tables must be those of the symbols that were read by them. */
static int are_tables_right(reader *r, enum plane_type type) {
    for (int table = first_table(type); table < TABLES; table++) {
        huffman right;
        huffman_make(&right, r->counts[table]);
        if (memcmp(right.length, r->tables[table].length, sizeof right.length) != 0) {
            return fail(r, "a table for other codes than these");
        }
    }
    return 1;
}

static int read_huffman(reader *r, enum plane_type type, const weft_fractal_code *last,
                        weft_fractal_code *codes) {
    return get_tables(r, type) && (type == TYPE_REFERENCE || get_runs(r, codes)) &&
           get_codes(r, type, last, codes) && are_tables_right(r, type);
}

/* ---- codes of fixed length ---------------------------------------------------------------------
 */

static int get_padding(reader *r) {
    int count = (int)((8 - r->bits.bits % 8) % 8);
    r->parts->padding += (size_t)count;
    return bits_get(&r->bits, count) == 0 || fail(r, "bits that are not 0 before a whole byte");
}

static int get_bitmap(reader *r, weft_fractal_code *codes) {
    for (size_t i = 0; i < r->format->ranges; i++) {
        codes[i].mode = bits_get(&r->bits, 1) != 0 ? WEFT_FRACTAL_CODED : WEFT_FRACTAL_UNCHANGED;
    }
    account(r, &r->parts->changes, 0);
    return get_padding(r);
}

static int get_raw_code(reader *r, weft_fractal_code *code) {
    const payload_format *f = r->format;
    uint32_t domain = bits_get(&r->bits, f->domain_bits);
    int z = (int)bits_get(&r->bits, z_bits(f));
    r->parts->domains += (size_t)f->domain_bits;
    r->parts->scales += (size_t)z_bits(f);
    r->parts->means += MEAN_BITS;
    if (!is_known(f, z)) {
        return fail(r, "a scale that there is not");
    }
    *code = code_with(f, z);
    code->domain = domain;
    code->mean = (unsigned char)bits_get(&r->bits, MEAN_BITS);
    return domain < (is_flat(f, z) ? 1 : f->domains) || fail(r, "a domain that there is not");
}

static int read_raw(reader *r, enum plane_type type, const weft_fractal_code *last,
                    weft_fractal_code *codes) {
    if (type == TYPE_CHANGES && !get_bitmap(r, codes)) {
        return 0;
    }
    for (size_t i = 0; i < r->format->ranges; i++) {
        if (type == TYPE_CHANGES && codes[i].mode == WEFT_FRACTAL_UNCHANGED) {
            codes[i] = last[i];
            codes[i].mode = WEFT_FRACTAL_UNCHANGED;
        } else if (!get_raw_code(r, &codes[i])) {
            return 0;
        }
    }
    return 1;
}

weft_status payload_read(const payload_format *f, enum plane_type type, const uint8_t *bytes,
                         size_t count, const weft_fractal_code *last, weft_fractal_code *codes,
                         weft_fractal_parts *parts) {
    reader r = {.format = f, .bits = {.bytes = bytes, .size = 8 * count}, .parts = parts};
    if ((f->raw_codes ? read_raw(&r, type, last, codes) : read_huffman(&r, type, last, codes)) &&
        get_padding(&r)) {
        if (r.bits.is_short) {
            fail(&r, "");
        } else if (r.bits.bits != r.bits.size) {
            fail(&r, "bytes behind the last code");
        }
    }
    return r.wrong == NULL ? WEFT_OK
                           : weft_fail(WEFT_BAD_DATA, "payload, bit %zu: %s", r.bits.bits, r.wrong);
}
