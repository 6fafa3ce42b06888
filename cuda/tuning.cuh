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

/* A block of columns holds a tile of so many complex columns, two real ones each. */
typedef struct cols_tuning {
    unsigned points; /* of a column in a thread: a multiple of every radix */
    unsigned tile;
    unsigned each;  /* columns in a thread */
    int runs_ahead; /* blocks stay and copy the next tile while they compute one */
    unsigned parts; /* blocks of a cluster that share a tile: it is too much for one */
} cols_tuning;

typedef struct rows_tuning {
    unsigned points; /* of a row in a thread */
    unsigned lines;  /* in a block */
    unsigned each;   /* in a thread */
    unsigned
        resident;   /* threads that a multiprocessor is to hold at once: bounds their registers */
    unsigned parts; /* blocks of a cluster that share its lines: they are too long for one */
} rows_tuning;

/* The ways to cut: for much and for little work of cuda.twopass; and for cuda.cooperative, whose
 * blocks have the same number of threads for columns and for rows. */
enum cut { MUCH, LITTLE, COOPERATIVE, CUTS };

/* A batch of up to so many pixels is little work, which has to be spread wider. Under cuemu, where
 * all images are small, fewer, so that both are run; a cluster shares columns even if they are
 * short; and no more threads are alive at once than ThreadSanitizer tells from one another. */
#if defined(WEFT_CUEMU)
enum { LITTLE_WORK = 1 << 13, PARTS_OF_256 = 2, LINES_OF_256 = 4 };
#else
enum { LITTLE_WORK = 1 << 21, PARTS_OF_256 = 1, LINES_OF_256 = 32 };
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
