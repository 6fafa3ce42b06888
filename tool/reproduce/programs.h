/* SPDX-License-Identifier: MIT
 * What a bench found of a program, for the tables of experiments: who it was, how long it took, and
 * why there is nothing or how it is wrong.
 */
#ifndef WEFT_TOOL_REPRODUCE_PROGRAMS_H
#define WEFT_TOOL_REPRODUCE_PROGRAMS_H

#include "bench/contender.h"
#include "reproduce/findings.h"

/* Whether it ran or not; threads do not count on a GPU. NULL: it took no part. */
const contender *program_find(const line_up *l, const char *name, int threads);

/* us, on a GPU as a replayed graph where there are such; NAN for NULL and for what was not timed.
 */
double program_median(const contender *c, const char *scope, const char *cache);

void program_note(finding_row *row, const contender *c, const char *name);

#endif
