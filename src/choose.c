/* SPDX-License-Identifier: MIT
 * Choosing a strategy: the order of strategy.def is the order of preference, except for the
 * problems that choice.def names. The first one whose supports() accepts the problem is taken.
 */
#include "choose.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "strategy_name.h"

/* 1 if `name` asks for this strategy: NULL or "auto" for any, "cpu" or "cuda" for a kind, or the
 * full name, with or without options. */
static int is_asked_for(const strategy *s, const char *name) {
    return name == NULL || strcmp(name, "auto") == 0 || name_is(name, s->name) ||
           strcmp(name, s->space->name) == 0;
}

static weft_status unknown_name(const char *name) {
    char known[256] = "";
    if (!WEFT_WITH_CUDA && (strcmp(name, "cuda") == 0 || strncmp(name, "cuda.", 5) == 0)) {
        return weft_fail(WEFT_NO_DEVICE, "%s: this build of Weft has no CUDA", name);
    }
    for (int i = 0; i < strategy_count; i++) {
        strncat(known, ", ", sizeof known - strlen(known) - 1);
        strncat(known, weft_strategy_name(i), sizeof known - strlen(known) - 1);
    }
    return weft_fail(WEFT_BAD_ARGUMENT, "strategy \"%.64s\": unknown; there are auto, cpu, cuda%s",
                     name, known);
}

int choice_prefers(const char *name, const problem *p) {
    static const struct {
        const char *strategy;
        weft_precision precision;
        size_t height, width, least_batch, most_batch;
    } rows[] = {
#include "choice.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].strategy, name) == 0 && rows[i].precision == p->precision &&
            rows[i].height == p->height && rows[i].width == p->width &&
            rows[i].least_batch <= p->batch && p->batch <= rows[i].most_batch) {
            return 1;
        }
    }
    return 0;
}

/* If no strategy can run the problem, the refusal of the first one is reported, because that one
 * was wanted most. If one can, the refusals before it are forgotten, and the last error is what it
 * was. */
weft_status choose_strategy(const char *name, problem *p, const strategy **chosen) {
    weft_status refusal = WEFT_OK;
    char before[LAST_ERROR_SIZE], reason[LAST_ERROR_SIZE];
    snprintf(before, sizeof before, "%s", weft_last_error());
    for (int i = 0; i < 2 * strategy_count; i++) { /* twice: first those that choice.def prefers */
        const strategy *s = strategy_table[i % strategy_count].for_precision[p->precision];
        if (!is_asked_for(s, name) || choice_prefers(s->name, p) != (i < strategy_count)) {
            continue;
        }
        weft_status status = name_choices(name, s, p->choice);
        if (status == WEFT_OK) {
            status = s->supports(p);
        }
        if (status == WEFT_OK) {
            *chosen = s;
            return weft_fail(WEFT_OK, "%s", before);
        }
        if (refusal == WEFT_OK) {
            refusal = status;
            snprintf(reason, sizeof reason, "%s", weft_last_error());
        }
    }
    return refusal == WEFT_OK ? unknown_name(name) : weft_fail(refusal, "%s", reason);
}
