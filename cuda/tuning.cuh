/* SPDX-License-Identifier: MIT
 * Tuning is data: how the tuned strategies cut their work, a row per length and precision; the
 * story is in docs/performance.md. Rows of 256 to 4096 in single precision were chosen among six
 * on an H200 on 2026-11-21; every other row is set by analogy and waits to be measured.
 */
#ifndef WEFT_CUDA_TUNING_CUH
#define WEFT_CUDA_TUNING_CUH

#include "arith/real.h"

/* A block of columns holds a tile of so many complex columns, two real ones each. */
typedef struct cols_tuning {
    unsigned points; /* of a column in a thread: a multiple of every radix */
    unsigned tile;
    unsigned each;  /* columns in a thread */
    int runs_ahead; /* blocks stay and copy the next tile while they compute one */
    unsigned parts; /* blocks of a cluster that share a tile: its columns are too long for one */
} cols_tuning;

typedef struct rows_tuning {
    unsigned points; /* of a row in a thread */
    unsigned lines;  /* in a block */
    unsigned each;   /* in a thread */
    unsigned
        resident; /* threads that a multiprocessor is to hold at once: bounds their registers */
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

/* A row of more than this would not fit in shared memory. */
enum { LEAST_LENGTH = 16, MOST_HEIGHT = 16384, MOST_WIDTH = WEFT_REAL_BITS == 32 ? 16384 : 8192 };

static WEFT_CONSTANT length_tuning tuning_of(unsigned length) {
    const length_tuning rows[] = {
#if WEFT_REAL_BITS == 32
        {16, {{4, 8, 1, 0, 1}, {4, 8, 1, 0, 1}}, {{4, 32, 1, 1024}, {4, 32, 1, 1024}}},
        {32, {{8, 8, 1, 0, 1}, {8, 8, 1, 0, 1}}, {{8, 32, 1, 1024}, {8, 32, 1, 1024}}},
        {64, {{8, 8, 2, 1, 1}, {8, 8, 2, 1, 1}}, {{8, 16, 2, 512}, {8, 16, 2, 512}}},
        {128, {{16, 8, 2, 0, 1}, {16, 4, 1, 0, 1}}, {{16, 16, 2, 512}, {16, 4, 1, 896}}},
        {256,
         {{16, 8, 2, 0, 1},
          {16, 2 * PARTS_OF_256, 1, 0, PARTS_OF_256},
          {16, LINES_OF_256, 1, 0, 1}},
         {{16, 2, 1, 896}, {16, 2, 1, 896}, {16, LINES_OF_256, 1, 1024}}},
        {512,
         {{8, 8, 2, 0, 1}, {8, 4, 1, 0, 1}, {8, 16, 2, 1, 1}},
         {{8, 2, 1, 1024}, {8, 2, 1, 1024}, {8, 8, 1, 1024}}},
        {1024,
         {{16, 8, 2, 1, 1}, {16, 4, 1, 0, 1}, {16, 16, 2, 1, 1}},
         {{16, 2, 1, 768}, {16, 4, 1, 896}, {16, 8, 1, 512}}},
        {2048,
         {{16, 8, 2, 1, 1}, {16, 4, 2, 0, 1}, {16, 8, 2, 1, 1}},
         {{16, 1, 1, 768}, {16, 4, 1, 1024}, {16, 4, 1, 512}}},
        {4096,
         {{16, 4, 2, 1, 1}, {16, 4, 2, 0, 1}, {16, 4, 2, 1, 1}},
         {{16, 1, 1, 768}, {16, 1, 1, 768}, {16, 2, 1, 512}}},
        {8192, {{16, 8, 2, 0, 8}, {16, 8, 2, 0, 8}}, {{16, 1, 1, 1024}, {16, 1, 1, 1024}}},
        {16384, {{16, 8, 2, 0, 8}, {16, 8, 2, 0, 8}}, {{16, 1, 1, 1024}, {16, 1, 1, 1024}}},
#else
        {16, {{4, 8, 1, 0, 1}, {4, 8, 1, 0, 1}}, {{4, 32, 1, 1024}, {4, 32, 1, 1024}}},
        {32, {{8, 8, 1, 0, 1}, {8, 8, 1, 0, 1}}, {{8, 32, 1, 512}, {8, 32, 1, 512}}},
        {64, {{8, 8, 2, 1, 1}, {8, 8, 2, 1, 1}}, {{8, 16, 2, 512}, {8, 16, 2, 512}}},
        {128, {{16, 8, 1, 0, 1}, {16, 4, 1, 0, 1}}, {{16, 16, 1, 512}, {16, 4, 1, 512}}},
        {256,
         {{16, 8, 1, 0, 1},
          {16, 2 * PARTS_OF_256, 1, 0, PARTS_OF_256},
          {16, LINES_OF_256, 1, 1, 1}},
         {{16, 8, 1, 512}, {16, 2, 1, 512}, {16, LINES_OF_256, 1, 512}}},
        {512,
         {{8, 8, 1, 0, 1}, {8, 4, 1, 0, 1}, {8, 8, 1, 1, 1}},
         {{8, 4, 1, 512}, {8, 2, 1, 512}, {8, 8, 1, 512}}},
        {1024,
         {{16, 4, 1, 1, 1}, {16, 4, 1, 0, 1}, {16, 8, 1, 1, 1}},
         {{16, 2, 1, 512}, {16, 2, 1, 512}, {16, 8, 1, 512}}},
        {2048,
         {{16, 4, 1, 1, 1}, {16, 4, 1, 0, 1}, {16, 4, 1, 1, 1}},
         {{16, 1, 1, 512}, {16, 1, 1, 512}, {16, 4, 1, 512}}},
        {4096,
         {{16, 2, 1, 1, 1}, {16, 2, 1, 0, 1}, {16, 2, 1, 1, 1}},
         {{16, 1, 1, 512}, {16, 1, 1, 512}, {16, 2, 1, 512}}},
        {8192, {{16, 4, 1, 0, 8}, {16, 4, 1, 0, 8}}, {{16, 1, 1, 512}, {16, 1, 1, 512}}},
        {16384, {{16, 4, 1, 0, 8}, {16, 4, 1, 0, 8}}, {{16, 1, 1, 512}, {16, 1, 1, 512}}},
#endif
    };
    int i = 0;
    while (rows[i].length != length) {
        i++;
    }
    return rows[i];
}

#endif
