/* SPDX-License-Identifier: MIT
 * Claims of experiments: each is held against what was measured, and becomes a line that begins
 * with PASS, FAIL or SKIP. A claim is about ratios, orders and errors, never about times of one
 * machine; its name says whose it is.
 */
#ifndef WEFT_TOOL_REPRODUCE_CLAIMS_H
#define WEFT_TOOL_REPRODUCE_CLAIMS_H

#include <stddef.h>

#include "reproduce/page.h"

/* CLAIM_SKIP: nothing was measured that could tell. */
typedef enum claim_verdict { CLAIM_SKIP = -1, CLAIM_FAIL, CLAIM_PASS } claim_verdict;

enum { CLAIM_TEXT = 1000 };
typedef struct claim {
    const char *name;
    claim_verdict verdict;
    char text[CLAIM_TEXT]; /* what was looked at; of CLAIM_SKIP, why nothing */
} claim;

/* What was looked at, and whether it is as claimed: one that is not makes the claim fail. */
__attribute__((format(printf, 2, 3))) void claim_add(claim *c, const char *format, ...);
void claim_note(claim *c, int holds);

/* One claim of an experiment, which adds and notes what it finds. */
typedef struct claim_rule {
    const char *name;
    void (*judge)(const void *experiment, claim *c);
} claim_rule;

/* The list with what was found at its end, for a document; NULL where it is NULL or memory ran out.
 */
json_t *claims_append(json_t *list, const claim *c);
json_t *claims_judge(json_t *list, const claim_rule *rules, size_t count, const void *experiment);

/* Such a list, of a document; NULL has none. */
void claims_print(page *p, const json_t *claims);

#endif
