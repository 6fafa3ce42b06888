/* SPDX-License-Identifier: MIT
 * A butterfly of vectors from memory to memory, done in pieces (arith/butterfly.h): values and
 * twiddles are loaded when a piece needs them, and outputs are stored as soon as they are complete,
 * since the registers cannot hold all of them together. columns.inc and rows.inc say from where and
 * to where.
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

/* The twiddles of a butterfly: none, since all are 1; those of its sub-line, the same for all
 * lanes, as twiddle.h has them; or different ones for every lane, number by number a vector of real
 * parts and one of imaginary parts. */
enum twiddles { NO_TWIDDLES, OF_SUB_LINE, OF_EACH_LANE };

static WEFT_HD cpx fetch_twiddle(const scalar *twiddles, enum twiddles kind, int k) {
    return kind == OF_EACH_LANE
               ? cpx_of(load_lanes(twiddles + 2 * k * LANES),
                        load_lanes(twiddles + (2 * k + 1) * LANES))
               : cpx_of(vector_of(twiddles[2 * k]), vector_of(twiddles[2 * k + 1]));
}

/* The most twiddles that a piece reads if the radix is a power of two. */
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

/* LOAD(k) is input k, and STORE(k, z) takes output k. */
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
