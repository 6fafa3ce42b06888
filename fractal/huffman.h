/* SPDX-License-Identifier: MIT
 * Canonical Huffman codes whose lengths follow from how often symbols occur, in one way only
 * (docs/fvc1.md), so that a reader can hold a table to the symbols that it read with it.
 */
#ifndef WEFT_FRACTAL_HUFFMAN_H
#define WEFT_FRACTAL_HUFFMAN_H

#include "bits.h"

enum { MOST_SYMBOLS = 32, MOST_LENGTH = 15, LENGTH_BITS = 4, LENGTHS_BITS = 6 };

typedef struct huffman {
    uint8_t length[MOST_SYMBOLS]; /* 0: the symbol does not occur */
    uint16_t code[MOST_SYMBOLS];
    /* For reading: of each length how many codes there are, and all symbols in the order of codes.
     */
    uint8_t of_length[MOST_LENGTH + 1], symbols[MOST_SYMBOLS];
} huffman;

/* From how often each symbol occurs, less than 2^31 times in all. */
void huffman_make(huffman *h, const uint32_t counts[MOST_SYMBOLS]);

void huffman_put_table(const huffman *h, bit_writer *w);
/* 0 if it is no table of symbols below `symbols`. */
int huffman_get_table(huffman *h, bit_reader *r, int symbols);

static inline void huffman_put(const huffman *h, bit_writer *w, int symbol) {
    bits_put(w, h->code[symbol], h->length[symbol]);
}

/* -1 if no symbol has this code. */
int huffman_get(const huffman *h, bit_reader *r);

#endif
