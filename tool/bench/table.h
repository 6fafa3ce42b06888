/* SPDX-License-Identifier: MIT
 * A bench as a table to read: at most 100 columns, one line for each contender.
 */
#ifndef WEFT_TOOL_BENCH_TABLE_H
#define WEFT_TOOL_BENCH_TABLE_H

#include <jansson.h>
#include <stdio.h>

#include "bench/contender.h"
#include "bench/input.h"

void bench_table(FILE *to, const line_up *l, const bench_task *task, const bench_input *source,
                 const json_t *machine);

#endif
