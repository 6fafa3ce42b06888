/* SPDX-License-Identifier: MIT
 * How the tuned strategies may cut their work. The numbers are data: tuning.def, or the table that
 * the build was given in its place, and limits.def. Both are found in the include path, where the
 * emulated build has its own first.
 */
#ifndef WEFT_CUDA_TUNING_CUH
#define WEFT_CUDA_TUNING_CUH

#include "arith/numbers.h"

#ifndef WEFT_TUNING
#define WEFT_TUNING <tuning.def>
#endif

/* Blocks of the column pass: a block transforms one tile and ends; or it is persistent and takes
 * tile after tile, each of which comes in TMA tiles while it works on the one before, see
 * passes/tma_tiles.cuh. */
enum column_blocks { ONE_TILE, PERSISTENT };

/* A block of columns holds a tile of so many complex columns, two real ones each. */
typedef struct cols_tuning {
    unsigned points; /* of a column in a thread: a multiple of every radix */
    unsigned tile;
    unsigned each; /* columns in a thread */
    enum column_blocks blocks;
    unsigned parts; /* blocks of a cluster that share a tile: it is too much for one */
} cols_tuning;

typedef struct rows_tuning {
    unsigned points; /* of a row in a thread */
    unsigned lines;  /* in a block */
    unsigned each;   /* in a thread */
    /* Threads that a multiprocessor is to hold concurrently: bounds their registers. */
    unsigned resident;
    unsigned parts; /* blocks of a cluster that share its lines: they are too long for one */
    /* Threads likewise where rows come and go in bulk, forward and inverse, and blocks are
     * persistent; 0 where they do not. */
    unsigned bulk_forward, bulk_inverse;
} rows_tuning;

/* The ways to cut: those of cuda.twopass for many and for few lines; and that of cuda.cooperative,
 * whose blocks have the same number of threads for columns and for rows. */
enum cut { MANY_LINES, FEW_LINES, COOPERATIVE, CUTS };

/* What the row pass of a cut is for: a CUT of templates is cut + CUTS * purpose. */
enum purpose {
    DIRECT,
    BULK_FORWARD,
    BULK_INVERSE,
    SPLIT_TRANSFORM,
    SPLIT_FILTER,
    PRODUCED_OR_CONSUMED,
    ON_CHIP
};

/* A block has a tile of columns of one class, see passes/split.cuh. */
typedef struct class_tuning {
    unsigned points, tile, each; /* as of columns */
    unsigned resident;           /* threads, as of rows */
} class_tuning;

/* Lines are many from so many complex columns of all images on, or from so many slots on; fewer
 * lines have to be spread wider. */
typedef struct many_tuning {
    unsigned columns, slots;
} many_tuning;

typedef struct length_tuning {
    unsigned length;
    many_tuning many;
    cols_tuning cols[CUTS];
    rows_tuning rows[CUTS];
    class_tuning classes = {}; /* none where columns are not split */
} length_tuning;

enum { LEAST_LENGTH = 16, MOST_LENGTH = 16384 };

enum {
#define LIMIT(name, number) name = number,
#include <limits.def>
#undef LIMIT
};

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

static WEFT_CONSTANT cols_tuning cols_of(unsigned length, int cut) {
    return tuning_of(length).cols[cut % CUTS];
}

static WEFT_CONSTANT rows_tuning rows_of(unsigned length, int cut) {
    rows_tuning rows = tuning_of(length).rows[cut % CUTS];
    int purpose = cut / CUTS;
    if (purpose == SPLIT_TRANSFORM || purpose == SPLIT_FILTER) {
        rows.resident = SPLIT_THREADS;
        rows.each = rows.parts = 1;
    } else if (purpose == PRODUCED_OR_CONSUMED || purpose == ON_CHIP) {
        rows.lines = rows.each = rows.parts = 1;
        if (purpose == ON_CHIP) {
            rows.resident = ONCHIP_THREADS;
        }
    } else if (purpose == BULK_FORWARD) {
        rows.resident = rows.bulk_forward;
    } else if (purpose == BULK_INVERSE) {
        rows.resident = rows.bulk_inverse;
    }
    return rows;
}

static WEFT_CONSTANT class_tuning classes_of(unsigned length) {
    return tuning_of(length).classes;
}

/* The cut of the row pass in a direction. */
static WEFT_CONSTANT int rows_cut(unsigned length, int cut, int is_inverse) {
    rows_tuning rows = rows_of(length, cut);
    return (is_inverse ? rows.bulk_inverse : rows.bulk_forward) == 0
               ? cut
               : cut + CUTS * (is_inverse ? BULK_INVERSE : BULK_FORWARD);
}

#endif
