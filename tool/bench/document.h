/* SPDX-License-Identifier: MIT
 * A bench as a weft-bench/1 document: one record for each contender and way of timing. A sweep is a
 * weft-sweep/1 document, which has the records of many benches.
 */
#ifndef WEFT_TOOL_BENCH_DOCUMENT_H
#define WEFT_TOOL_BENCH_DOCUMENT_H

#include <jansson.h>

#include "bench/contender.h"

/* Adds the records of one bench to a document's two lists; not 0 when out of memory. */
int bench_records(json_t *results, json_t *skipped, const line_up *l, const bench_task *task);

/* A document of such lists, which it takes over, as it takes over `machine`; NULL when out of
 * memory. */
json_t *bench_document(const char *schema, json_t *machine, json_t *results, json_t *skipped);

/* A new reference, or NULL when out of memory; takes over `machine`. A contender that failed its
 * verification has one record without samples; those that could not run are under "skipped". */
json_t *bench_json(const line_up *l, const bench_task *task, json_t *machine);

#endif
