/* SPDX-License-Identifier: MIT
 * How tuned kernels may cut their work. The numbers are data: tuning.def, or the table that the
 * build was given in its place, and limits.def. Both are found in the include path, where the
 * emulated build has its own first. line/cut.cuh makes of a row what a line wants to know.
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

/* The tunings of a length: for many and for few lines; and for blocks that do both columns and
 * rows, with the same number of threads. */
enum tuning { MANY_LINES, FEW_LINES, BOTH_AXES, TUNINGS };

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
    cols_tuning cols[TUNINGS];
    rows_tuning rows[TUNINGS];
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

#endif
