/* SPDX-License-Identifier: MIT
 * Who takes part in a bench: Weft's strategies and the peers, one contender for each thread count,
 * with a plan or with the reason why there is none; later its verdict and its times.
 */
#ifndef WEFT_TOOL_BENCH_CONTENDER_H
#define WEFT_TOOL_BENCH_CONTENDER_H

#include "weft.h"

#include "bench/candidates.h"
#include "bench/samples.h"
#include "bench/task.h"

/* One way of timing. launch is NULL on the CPU, where nothing is launched. */
typedef struct bench_mode {
    const char *scope, *cache, *launch;
} bench_mode;

typedef struct measurement {
    const bench_mode *mode;
    double *samples_us;
    size_t count;
    sample_summary summary;
} measurement;

enum { MOST_MEASUREMENTS = 8, REASON_SIZE = 240 };

typedef struct contender {
    const candidate *candidate; /* who it is: its name, and its peer if it is one */
    const strategy *strategy;   /* in the task's precision */
    int threads;                /* 1 where they do not matter */
    weft_desc desc;             /* what it really runs: a peer's may differ from the task's */
    operation what;             /* likewise */
    weft_plan *plan;            /* NULL: see reason */
    weft_status status;
    char reason[REASON_SIZE];
    verdict verdict;
    double run_us; /* about how long one execution takes */
    measurement measurements[MOST_MEASUREMENTS];
    size_t measured;
} contender;

typedef struct line_up {
    candidate_list candidates;
    contender *list; /* one candidate's stand beside each other */
    size_t count;
} line_up;

/* The contenders of l->candidates. An exit code, after a complaint: for a GPU strategy asked for by
 * name where there is no GPU. */
int line_up_make(line_up *l, const bench_task *task);
void line_up_free(line_up *l);

/* An exit code, after a complaint if this machine lacks memory for any of them; that of a GPU,
 * which may do for the others, does not count. */
int line_up_check_memory(const line_up *l);

int contender_on_gpu(const contender *c);
int contender_is_copy(const contender *c);
int contender_ready(const contender *c); /* has a plan and passed its verification */

/* So slow that the cold caches and the warm-ups are left out: they would tell little and take long.
 */
int contender_is_slow(const contender *c);

/* Bytes that any way of doing the task must read and write. */
double contender_bytes(const contender *c);

/* NULL when there is none. */
const measurement *contender_find(const contender *c, const bench_mode *mode);

/* 100 * copy's median / this one's, the copy being the fastest of the same place and mode on at
 * most as many threads. NAN without a copy. */
double percent_of_copy(const line_up *l, const contender *c, const measurement *m);

#endif
