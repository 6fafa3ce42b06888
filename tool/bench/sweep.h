/* SPDX-License-Identifier: MIT
 * Many sizes, one after another: each is verified and timed as a bench of its own, and gives a row
 * of one table for each of Weft's strategies, beside the peer and the copy of the same place.
 */
#ifndef WEFT_TOOL_BENCH_SWEEP_H
#define WEFT_TOOL_BENCH_SWEEP_H

#include "bench/candidates.h"
#include "bench/task.h"

/* what: "FROM..TO[:STEP]" or a file. The candidates, which are the sweep's from here on, take part
 * at every size; if there are none, those that would be chosen for it, and the peers. An exit code,
 * after a complaint. */
int bench_sweep(bench_task *task, candidate_list candidates, const char *what);

#endif
