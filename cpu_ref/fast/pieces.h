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

/* A complex number of vectors in a buffer. */
static WEFT_HD cpx load_buffer(const scalar *row) {
    return cpx_of(load_lanes(row), load_lanes(row + LANES));
}

static WEFT_HD void store_buffer(scalar *row, cpx z) {
    store_lanes(row, z.re);
    store_lanes(row + LANES, z.im);
}

/* call(r) with the radix as a constant. Where lines have lengths that are no powers of two,
 * WITH_ALL_RADICES is defined. */
#if defined(WITH_ALL_RADICES)
#define OTHER_RADICES(call)                                                                        \
    case 3:                                                                                        \
        call(3);                                                                                   \
        break;                                                                                     \
    case 5:                                                                                        \
        call(5);                                                                                   \
        break;                                                                                     \
    case 6:                                                                                        \
        call(6);                                                                                   \
        break;                                                                                     \
    case 7:                                                                                        \
        call(7);                                                                                   \
        break;                                                                                     \
    case 9:                                                                                        \
        call(9);                                                                                   \
        break;                                                                                     \
    case 10:                                                                                       \
        call(10);                                                                                  \
        break;                                                                                     \
    case 11:                                                                                       \
        call(11);                                                                                  \
        break;                                                                                     \
    case 12:                                                                                       \
        call(12);                                                                                  \
        break;                                                                                     \
    case 13:                                                                                       \
        call(13);                                                                                  \
        break;                                                                                     \
    case 15:                                                                                       \
        call(15);                                                                                  \
        break;
#else
#define OTHER_RADICES(call)
#endif
#define ANY_RADIX(radix, call)                                                                     \
    switch (radix) {                                                                               \
        OTHER_RADICES(call)                                                                        \
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

/* The most twiddles that a piece reads. */
#if defined(WITH_ALL_RADICES)
enum { MOST_OF_A_PIECE = 14 };
#else
enum { MOST_OF_A_PIECE = 3 };
#endif

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
