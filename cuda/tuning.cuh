/* SPDX-License-Identifier: MIT
 * How the tuned strategies may cut their work. The numbers are data: tuning.def, or the table that
 * the build was given in its place.
 */
#ifndef WEFT_CUDA_TUNING_CUH
#define WEFT_CUDA_TUNING_CUH

#include "arith/real.h"

#ifndef WEFT_TUNING
#define WEFT_TUNING "tuning.def"
#endif

/* What a block does after a tile of columns, or after its lines of rows. It leaves; or it takes the
 * next one, which it has copied meanwhile: LATE, into the exchange, when the last stage has read
 * its values there; or EARLY, while it began with the one before, into a room of its own. */
enum stay { LEAVES, LATE, EARLY };

/* A block of columns holds a tile of so many complex columns, two real ones each. */
typedef struct cols_tuning {
    unsigned points; /* of a column in a thread: a multiple of every radix */
    unsigned tile;
    unsigned each; /* columns in a thread */
    enum stay stay;
    unsigned parts; /* blocks of a cluster that share a tile: it is too much for one */
} cols_tuning;

typedef struct rows_tuning {
    unsigned points; /* of a row in a thread */
    unsigned lines;  /* in a block */
    unsigned each;   /* in a thread */
    unsigned
        resident;   /* threads that a multiprocessor is to hold at once: bounds their registers */
    unsigned parts; /* blocks of a cluster that share its lines: they are too long for one */
    enum stay stay; /* not LATE */
} rows_tuning;

/* The ways to cut: for much and for little work of cuda.twopass; and for cuda.cooperative, whose
 * blocks have the same number of threads for columns and for rows. */
enum cut { MUCH, LITTLE, COOPERATIVE, CUTS };

/* A batch of up to so many pixels is little work, which has to be spread wider. Under cuemu, where
 * all images are small, fewer, so that both are run; clusters share short columns and rows too;
 * blocks stay; and no more threads are alive at once than ThreadSanitizer tells from one another.
 */
#if defined(WEFT_CUEMU)
enum { LITTLE_WORK = 1 << 13, PARTS_OF_256 = 2, LINES_OF_256 = 4 };
static const enum stay STAY_OF_SHORT = EARLY;
#else
enum { LITTLE_WORK = 1 << 21, PARTS_OF_256 = 1, LINES_OF_256 = 32 };
static const enum stay STAY_OF_SHORT = LEAVES;
#endif

typedef struct length_tuning {
    unsigned length;
    cols_tuning cols[CUTS];
    rows_tuning rows[CUTS];
} length_tuning;

enum { LEAST_LENGTH = 16, MOST_LENGTH = 16384 };

static WEFT_CONSTANT length_tuning tuning_of(unsigned length) {
    const length_tuning rows[] = {
#include WEFT_TUNING
    };
    int i = 0;
    while (rows[i].length != length) {
        i++;
    }
    return rows[i];
}

#endif
