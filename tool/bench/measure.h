/* SPDX-License-Identifier: MIT
 * Verifies a line-up, then times it: every way of timing in its turn, and within it the contenders
 * in turn, one sample each, until all have their samples. Exit codes, after a complaint.
 */
#ifndef WEFT_TOOL_BENCH_MEASURE_H
#define WEFT_TOOL_BENCH_MEASURE_H

#include <stddef.h>

#include "bench/contender.h"
#include "bench/input.h"

/* Failures of verification are kept in the verdicts. Where the task has no samples, nothing is
 * timed. */
int bench_run(line_up *l, const bench_task *task, const bench_input *source);

/* All of it on the scene: makes the line-up of its candidates, and runs it. */
int bench_scene(line_up *l, bench_task *task);

/* What a line-up that was run comes to: EXIT_CHECK_FAILED, or what kept one of it from its work. */
int bench_exit_code(const line_up *l);

/* The times of this scope and cache, on a GPU as a replayed graph where there are such; NULL: there
 * are none. */
const measurement *bench_find(const contender *c, const char *scope, const char *cache);

#endif
