/* SPDX-License-Identifier: MIT
 * How the tuned strategies may cut their work. The numbers are data: tuning.def, or the table that
 * the build was given in its place.
 */
#ifndef WEFT_CUDA_TUNING_CUH
#define WEFT_CUDA_TUNING_CUH

#include "arith/numbers.h"

#ifndef WEFT_TUNING
#define WEFT_TUNING "tuning.def"
#endif

/* What a block does after a tile of columns. It leaves; or it stays and takes the next one, which
 * comes in boxes meanwhile, some of them LATE: see boxes.cuh. */
enum stay { LEAVES, LATE };

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
    /* The same number where rows come and go in bulk, forward and inverse, and blocks stay; 0 where
     * they do not. */
    unsigned bulk_forward, bulk_inverse;
} rows_tuning;

/* The ways to cut: for much and for little work of cuda.twopass; and for cuda.cooperative, whose
 * blocks have the same number of threads for columns and for rows. */
enum cut { MUCH, LITTLE, COOPERATIVE, CUTS };

/* What the row pass of a cut is for: a CUT of templates is cut + CUTS * purpose. */
enum purpose { DIRECT, BULK_FORWARD, BULK_INVERSE, SPLIT, SPLIT_FILTER, FLOW, ONCHIP };

/* Under cuemu, where all images are small, lines of up to so many complex values are little work
 * whatever the table says, so that both are run; clusters share short columns and rows too; blocks
 * stay; some boxes of a tile are late; and no more threads are alive at once than ThreadSanitizer
 * tells from one another.
 */
#if defined(WEFT_CUEMU)
enum {
    LITTLE_WORK = 1 << 12,
    PARTS_OF_ONCHIP_64 = 2,
    PARTS_OF_256 = 2,
    LINES_OF_256 = 4,
    BULK_OF_SHORT = 1,
    MOST_EARLY = 3
};
#else
enum {
    PARTS_OF_ONCHIP_64 = 1,
    PARTS_OF_256 = 1,
    LINES_OF_256 = 32,
    BULK_OF_SHORT = 0,
    MOST_EARLY = 64
};
#endif

/* A block has a tile of columns of one class, see split.cuh. */
typedef struct class_tuning {
    unsigned points, tile, each; /* as of columns */
    unsigned resident;           /* threads, as of rows */
} class_tuning;

/* From so many complex columns of all images on they are much work, and from so many slots on rows
 * are; fewer have to be spread wider. */
typedef struct much_tuning {
    unsigned columns, slots;
} much_tuning;

typedef struct length_tuning {
    unsigned length;
    much_tuning much;
    cols_tuning cols[CUTS];
    rows_tuning rows[CUTS];
    class_tuning classes = {}; /* none where columns are not split */
} length_tuning;

enum { LEAST_LENGTH = 16, MOST_LENGTH = 16384 };
/* Threads that are resident at once: chosen on an H200 on 2026-11-22, see docs/performance.md. */
enum { MOST_OF_SPLIT = 512, MOST_OF_ONCHIP = 512 };
/* The second tasks of a flow begin when this part of the cache has been written. Sooner, and they
 * wait; later, and it has forgotten: chosen on an H200 on 2026-11-22, see docs/performance.md. */
enum { PART_OF_FLOW = 5 };

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

static WEFT_CONSTANT much_tuning much_of(unsigned length) {
#if defined(WEFT_CUEMU)
    return {LITTLE_WORK / length + 1, LITTLE_WORK / length + 1};
#else
    return tuning_of(length).much;
#endif
}

static WEFT_CONSTANT cols_tuning cols_of(unsigned length, int cut) {
    return tuning_of(length).cols[cut % CUTS];
}

static WEFT_CONSTANT rows_tuning rows_of(unsigned length, int cut) {
    rows_tuning rows = tuning_of(length).rows[cut % CUTS];
    int purpose = cut / CUTS;
    if (purpose == SPLIT || purpose == SPLIT_FILTER) {
        rows.resident = MOST_OF_SPLIT;
        rows.each = rows.parts = 1;
    } else if (purpose == FLOW || purpose == ONCHIP) {
        rows.lines = rows.each = rows.parts = 1;
        if (purpose == ONCHIP) {
            rows.resident = MOST_OF_ONCHIP;
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
