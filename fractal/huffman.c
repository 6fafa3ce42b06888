/* SPDX-License-Identifier: MIT
 * Huffman codes, see huffman.h.
 */
#include "huffman.h"

#include <string.h>

/* ---- lengths from counts -----------------------------------------------------------------------
 */

enum { MOST_NODES = 2 * MOST_SYMBOLS };

typedef struct tree {
    int nodes; /* leaves, then inner ones in the order in which they were made */
    uint32_t weight[MOST_NODES];
    int parent[MOST_NODES]; /* 0: none yet, for node 0 is a leaf */
} tree;

/* The first of the nodes without a parent that have the least weight, but not `other`; -1 if there
 * is none. */
static int least_of(const tree *t, int other) {
    int least = -1;
    for (int i = 0; i < t->nodes; i++) {
        if (i != other && t->parent[i] == 0 && (least < 0 || t->weight[i] < t->weight[least])) {
            least = i;
        }
    }
    return least;
}

static void grow(tree *t) {
    for (;;) {
        int first = least_of(t, -1), second = least_of(t, first);
        if (second < 0) {
            return;
        }
        t->parent[first] = t->parent[second] = t->nodes;
        t->weight[t->nodes] = t->weight[first] + t->weight[second];
        t->parent[t->nodes++] = 0;
    }
}

/* The longest length. */
static int set_lengths(huffman *h, const uint32_t counts[MOST_SYMBOLS]) {
    tree t = {0};
    int longest = 0, leaf = 0;
    for (int i = 0; i < MOST_SYMBOLS; i++) {
        if (counts[i] > 0) {
            t.weight[t.nodes++] = counts[i];
        }
    }
    int leaves = t.nodes;
    grow(&t);
    for (int i = 0; i < MOST_SYMBOLS; i++) {
        int length = 0;
        if (counts[i] > 0) {
            for (int node = leaf++; t.parent[node] != 0; node = t.parent[node]) {
                length++;
            }
            length += leaves == 1;
        }
        h->length[i] = (uint8_t)length;
        longest = longest > length ? longest : length;
    }
    return longest;
}

/* ---- codes from lengths ------------------------------------------------------------------------
 */

/* 0 unless the lengths use all codes, or are those of no symbol or of one. */
static int set_codes(huffman *h) {
    uint32_t code = 0;
    int count = 0;
    memset(h->of_length, 0, sizeof h->of_length);
    for (int length = 1; length <= MOST_LENGTH; length++) {
        code <<= 1;
        for (int i = 0; i < MOST_SYMBOLS; i++) {
            if (h->length[i] == length) {
                h->code[i] = (uint16_t)code++;
                h->symbols[count++] = (uint8_t)i;
                h->of_length[length]++;
            }
        }
        if (code > 1u << length) {
            return 0;
        }
    }
    return count == 0 || (count == 1 && h->of_length[1] == 1) || code == 1u << MOST_LENGTH;
}

void huffman_make(huffman *h, const uint32_t counts[MOST_SYMBOLS]) {
    uint32_t c[MOST_SYMBOLS];
    memset(h, 0, sizeof *h);
    memcpy(c, counts, sizeof c);
    while (set_lengths(h, c) > MOST_LENGTH) {
        for (int i = 0; i < MOST_SYMBOLS; i++) {
            c[i] = c[i] / 2 + c[i] % 2;
        }
    }
    set_codes(h);
}

/* ---- in the stream -----------------------------------------------------------------------------
 */

void huffman_put_table(const huffman *h, bit_writer *w) {
    int count = MOST_SYMBOLS;
    while (count > 0 && h->length[count - 1] == 0) {
        count--;
    }
    bits_put(w, (uint32_t)count, LENGTHS_BITS);
    for (int i = 0; i < count; i++) {
        bits_put(w, h->length[i], LENGTH_BITS);
    }
}

int huffman_get_table(huffman *h, bit_reader *r, int symbols) {
    memset(h, 0, sizeof *h);
    int count = (int)bits_get(r, LENGTHS_BITS);
    if (count > symbols) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        h->length[i] = (uint8_t)bits_get(r, LENGTH_BITS);
    }
    return !r->is_short && (count == 0 || h->length[count - 1] != 0) && set_codes(h);
}

int huffman_get(const huffman *h, bit_reader *r) {
    int code = 0, first = 0, before = 0; /* of the length so far: its first code, and symbols */
    for (int length = 1; length <= MOST_LENGTH; length++) {
        code = code << 1 | (int)bits_get(r, 1);
        int count = h->of_length[length];
        if (code - first < count) {
            return r->is_short ? -1 : h->symbols[before + code - first];
        }
        before += count;
        first = (first + count) << 1;
    }
    return -1;
}
