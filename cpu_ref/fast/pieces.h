/* SPDX-License-Identifier: MIT
 * A butterfly of vectors from memory to memory, in pieces: values are loaded, and twiddles fetched,
 * when a piece wants them, and outputs stored as soon as they are there. There are not registers
 * for all of them at once.
 */
#ifndef WEFT_CPU_REF_FAST_PIECES_H
#define WEFT_CPU_REF_FAST_PIECES_H

#include "arith/butterfly.h"
#include "fast/shuffle.h"

/* call(r) with the radix as a constant. */
#define ANY_RADIX(radix, call)                                                                     \
    switch (radix) {                                                                               \
    case 2:                                                                                        \
        call(2);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        call(4);                                                                                   \
        break;                                                                                     \
    case 8:                                                                                        \
        call(8);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(16);                                                                                  \
    }

/* Whose twiddles a butterfly has: nobody's, all are 1; those of its sub-line, as twiddle.h has
 * them, for all lanes; or its own for every lane, number by number a vector of real parts and one
 * of imaginary ones. */
enum twiddles { NO_TWIDDLES, OF_SUB_LINE, OF_EACH_LANE };

static WEFT_HD cpx fetch_twiddle(const scalar *twiddles, enum twiddles kind, int k) {
    return kind == OF_EACH_LANE
               ? cpx_of(load_lanes(twiddles + 2 * k * LANES),
                        load_lanes(twiddles + (2 * k + 1) * LANES))
               : cpx_of(vector_of(twiddles[2 * k]), vector_of(twiddles[2 * k + 1]));
}

/* Twiddles, if the radix is a power of two. */
enum { MOST_OF_A_PIECE = 3 };

static WEFT_HD void any_piece(cpx *x, int radix, int piece, const scalar *twiddles,
                              enum twiddles kind) {
    if (kind == NO_TWIDDLES) {
        butterfly_piece(x, radix, piece);
        return;
    }
    cpx w[LARGEST_RADIX];
    int first = twiddles_before_piece(radix, piece);
    WEFT_UNROLL
    for (int i = 0; i < MOST_OF_A_PIECE; i++) {
        if (i < twiddles_of_piece(radix, piece)) {
            w[first + i] = fetch_twiddle(twiddles, kind, first + i);
        }
    }
    turned_piece(x, w, radix, piece);
}

/* Input k is LOAD(k), and STORE(k, z) takes output k. */
#define BUTTERFLY(radix, twiddles, kind, LOAD, STORE)                                              \
    do {                                                                                           \
        cpx x[LARGEST_RADIX];                                                                      \
        WEFT_UNROLL                                                                                \
        for (int piece = 0; piece < pieces_of(radix); piece++) {                                   \
            WEFT_UNROLL                                                                            \
            for (int k = 0; k < (radix); k++) {                                                    \
                if (piece_of_input(radix, k) == piece) {                                           \
                    x[k] = LOAD(k);                                                                \
                }                                                                                  \
            }                                                                                      \
            any_piece(x, radix, piece, twiddles, kind);                                            \
            WEFT_UNROLL                                                                            \
            for (int k = 0; k < (radix); k++) {                                                    \
                if (piece_of_output(radix, k) == piece) {                                          \
                    STORE(k, x[place_of_output(radix, k)]);                                        \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)

#endif
