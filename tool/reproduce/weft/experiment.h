/* SPDX-License-Identifier: MIT
 * weft reproduce weft in parts: what Weft is to reach, each size a bench of its own, whose numbers
 * become rows of tables; and the promise of equal bits. The source beside which they stand is the
 * aim.
 */
#ifndef WEFT_TOOL_REPRODUCE_WEFT_EXPERIMENT_H
#define WEFT_TOOL_REPRODUCE_WEFT_EXPERIMENT_H

#include "reproduce/claims.h"
#include "reproduce/findings.h"
#include "reproduce/programs.h"
#include "reproduce/reproduce.h"

typedef enum effort { QUICK, USUAL, FULL } effort;

/* Tables, in the order in which they are printed; of each bench one is the first that it fills. */
typedef enum table_number {
    GPU_REACH,
    GPU_KEEP,
    GPU_ROOFLINE,
    CPU_POWERS,
    CPU_PICTURES,
    CPU_ROOFLINE,
    SIZES,
    L2_F32,
    MAX_F32,
    L2_F64,
    MAX_F64,
    BITS,
    TABLES
} table_number;

/* One bench; the ratios are NULL where there is no aim. */
typedef struct aim {
    table_number table;
    bench_task task;
    effort least; /* that measures it */
    const char *ratios[2], *ratios_h200[2];
} aim;

extern const aim aims[];
extern const size_t aim_count;

/* What was compared with a peer at many sizes, on the CPU and on a GPU. */
enum { MOST_SIZES = 64, PLACES = 2, ON_CPU = 0, ON_GPU = 1 };
typedef struct compared {
    size_t count, height[MOST_SIZES], width[MOST_SIZES];
    double ratio[MOST_SIZES]; /* Weft's time over the peer's */
    size_t missing;           /* sizes at which the two could not be compared */
    char slower_aim[MOST_WORDS];
} compared;

typedef struct own_experiment {
    effort chosen;
    size_t samples;
    int has_two_cores, is_h200, has_peer[PLACES];
    char no_gpu[REASON_SIZE]; /* why there is none; "" */
    findings found;
    finding_table *tables[TABLES]; /* NULL: there is nothing to fill it with */
    compared sizes[PLACES];
    json_t *results, *skipped;
} own_experiment;

/* Exit codes, after a complaint; a wrong number is kept in the findings. */
int own_find_times(own_experiment *e); /* every table but the last */
int own_find_bits(own_experiment *e);

int own_is_of_gpu(const aim *a);
int own_is_of_errors(const aim *a); /* verified, and not timed */
int own_is_wanted(const own_experiment *e, const aim *a);
/* "f64 filter 2048x2048 (3)" without what is as usual. */
void own_label(const bench_task *task, char label[MOST_WORDS]);

/* Those that something will fill. */
void own_add_tables(own_experiment *e);
/* How many columns a table of errors has for the sizes before this one, and their names. */
size_t own_columns_of_errors(const own_experiment *e, table_number table, const aim *until,
                             char labels[MOST_COLUMNS][MOST_WORDS]);

/* The rows of a bench; one that could not run; when all sizes were compared, that of a place. */
void own_add_rows(own_experiment *e, const aim *a, const line_up *l);
void own_add_reason(own_experiment *e, const aim *a, const char *reason);
void own_add_compared(own_experiment *e, int place);

/* The peers, by their names. */
extern const char *const own_peers[PLACES];

/* Columns that claims look at. */
enum { FLOOR_CELL = 4, CUFFT_CELL, TWO_THREADS_CELL = 2, FFTW_CELL = 4 };
enum { LIMIT_ROW = 0 };             /* of tables of errors */
extern const char largest_slower[]; /* Weft's time over that of the peer, at any size */
enum { ONE_SLOWER_IN = 15 };        /* sizes */

/* A list for the document, NULL where memory ran out. */
json_t *own_claims(const own_experiment *e);

#endif
