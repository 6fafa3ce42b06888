/* SPDX-License-Identifier: MIT
 * Programs of a bench as findings; see programs.h.
 */
#include "reproduce/programs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/measure.h"

const contender *program_find(const line_up *l, const char *name, int threads) {
    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];

        if (strcmp(c->candidate->name, name) == 0 &&
            (contender_on_gpu(c) || c->threads == threads)) {
            return c;
        }
    }
    return NULL;
}

double program_median(const contender *c, const char *scope, const char *cache) {
    const measurement *m = c != NULL ? bench_find(c, scope, cache) : NULL;

    return m != NULL ? m->summary.median_us : (double)NAN;
}

void program_note(finding_row *row, const contender *c, const char *name) {
    if (c == NULL) {
        snprintf(row->reason, sizeof row->reason, "this build has no %s", name);
    } else if (c->plan == NULL) {
        snprintf(row->reason, sizeof row->reason, "%s", c->reason);
    } else if (!c->verdict.passed) {
        snprintf(row->error, sizeof row->error, "%s", c->verdict.why);
    }
}
