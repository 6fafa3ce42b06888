/* SPDX-License-Identifier: MIT
 * Codes -> bytes. Huffman codes take two turns over all codes: one counts symbols, one writes.
 */
#include <stdlib.h>

#include "payload_parts.h"

typedef struct writer {
    const payload_format *format;
    int is_counting;
    uint32_t counts[TABLES][MOST_SYMBOLS];
    huffman tables[TABLES];
} writer;

static void put_symbol(writer *w, bit_writer *to, enum table table, int symbol) {
    if (w->is_counting) {
        w->counts[table][symbol]++;
    } else {
        huffman_put(&w->tables[table], to, symbol);
    }
}

static void put_bits(const writer *w, bit_writer *to, uint32_t value, int count) {
    if (!w->is_counting) {
        bits_put(to, value, count);
    }
}

/* ---- Huffman codes -----------------------------------------------------------------------------
 */

static void put_runs(writer *w, bit_writer *to, const weft_fractal_code *codes) {
    size_t ranges = w->format->ranges, end;
    int is_changed = 0;
    for (size_t first = 0; first < ranges; first = end, is_changed = !is_changed) {
        for (end = first; end < ranges && (codes[end].mode != WEFT_FRACTAL_UNCHANGED) == is_changed;
             end++) {
        }
        int bits = bits_of(end - first);
        put_symbol(w, to, is_changed ? TABLE_CHANGED : TABLE_UNCHANGED, bits);
        if (bits > 1) {
            put_bits(w, to, (uint32_t)(end - first), bits - 1); /* without the highest bit */
        }
    }
}

/* Truncated binary. */
static void put_domain(writer *w, bit_writer *to, unsigned domain) {
    int bits = bits_of(w->format->domains - 1);
    size_t unused = ((size_t)1 << bits) - w->format->domains;
    if (domain < unused) {
        put_bits(w, to, domain, bits - 1);
    } else {
        put_bits(w, to, (uint32_t)(domain + unused), bits);
    }
}

static void put_mean(writer *w, bit_writer *to, int mean, int expected) {
    int difference = mean - expected, bits = bits_of((size_t)abs(difference));
    put_symbol(w, to, TABLE_MEANS, bits);
    put_bits(w, to, (uint32_t)(difference < 0 ? difference + (1 << bits) - 1 : difference), bits);
}

static void put_code(writer *w, bit_writer *to, weft_fractal_code code, int expected_mean) {
    if (code.mode == WEFT_FRACTAL_REPEATED) {
        put_symbol(w, to, TABLE_SCALES, repeat_symbol(w->format));
        return;
    }
    put_symbol(w, to, TABLE_SCALES, code.z);
    if (!is_flat(w->format, code.z)) {
        put_domain(w, to, code.domain);
    }
    put_mean(w, to, code.mean, expected_mean);
}

/* The writer of bits is a copy of the caller's, which no byte that is stored can be a part of: so
 * compilers keep it in registers. */
static void put_all(writer *w, bit_writer *bits, enum plane_type type,
                    const weft_fractal_code *codes, const weft_fractal_code *last) {
    bit_writer own = *bits, *to = &own;
    int before = FIRST_MEAN;
    if (type == TYPE_CHANGES) {
        put_runs(w, to, codes);
    }
    for (size_t i = 0; i < w->format->ranges; i++) {
        if (codes[i].mode != WEFT_FRACTAL_UNCHANGED) {
            put_code(w, to, codes[i], type == TYPE_CHANGES ? last[i].mean : before);
            before = codes[i].mean;
        }
    }
    *bits = own;
}

static void write_huffman(writer *w, bit_writer *to, enum plane_type type,
                          const weft_fractal_code *codes, const weft_fractal_code *last) {
    w->is_counting = 1;
    put_all(w, to, type, codes, last);
    w->is_counting = 0;
    for (int table = first_table(type); table < TABLES; table++) {
        huffman_make(&w->tables[table], w->counts[table]);
        huffman_put_table(&w->tables[table], to);
    }
    put_all(w, to, type, codes, last);
}

/* ---- codes of fixed length ---------------------------------------------------------------------
 */

static void write_raw(const payload_format *f, bit_writer *to, enum plane_type type,
                      const weft_fractal_code *codes) {
    if (type == TYPE_CHANGES) {
        for (size_t i = 0; i < f->ranges; i++) {
            bits_put(to, codes[i].mode != WEFT_FRACTAL_UNCHANGED, 1);
        }
        bits_end(to);
    }
    for (size_t i = 0; i < f->ranges; i++) {
        if (codes[i].mode != WEFT_FRACTAL_UNCHANGED) {
            bits_put(to, codes[i].domain, f->domain_bits);
            bits_put(to, codes[i].z, z_bits(f));
            bits_put(to, codes[i].mean, MEAN_BITS);
        }
    }
}

size_t payload_write(const payload_format *f, enum plane_type type, const weft_fractal_code *codes,
                     const weft_fractal_code *last, uint8_t *to) {
    bit_writer bits = {.bytes = to};
    if (f->raw_codes) {
        write_raw(f, &bits, type, codes);
    } else {
        writer w = {.format = f};
        write_huffman(&w, &bits, type, codes, last);
    }
    return bits_end(&bits);
}
