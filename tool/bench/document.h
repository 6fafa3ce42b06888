/* SPDX-License-Identifier: MIT
 * A bench as a weft-bench/1 document: one record for each contender and way of timing.
 */
#ifndef WEFT_TOOL_BENCH_DOCUMENT_H
#define WEFT_TOOL_BENCH_DOCUMENT_H

#include <jansson.h>

#include "bench/contender.h"

/* A new reference, or NULL when out of memory; takes over `machine`. A contender that failed its
 * verification has one record without samples; those that could not run are under "skipped". */
json_t *bench_json(const line_up *l, const bench_task *task, json_t *machine);

#endif
