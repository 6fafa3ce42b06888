/* SPDX-License-Identifier: MIT
 * One plan held against the oracle, before it is timed (bench) or for its own sake (verify):
 * outputs and workspace poisoned with NaN, run twice on one plan, equal bytes, input untouched,
 * errors within the gates.
 */
#ifndef WEFT_CHECK_JUDGE_H
#define WEFT_CHECK_JUDGE_H

#include "operation.h"
#include "reference.h"

/* The figures of the worst image of the batch. rel_l2 is what its gate judges: the error of all
 * bins, but of those off DC for the spectra of U8 and U16 images, whose DC must be exact. NaN where
 * nothing is known. */
typedef struct verdict {
    int passed;
    double rel_l2, gate_l2, max_rms, gate_max;
    char why[240]; /* what failed, with values; "" when passed */
} verdict;

/* The larger of rel_l2 / gate_l2 and max_rms / gate_max: at most 1 when the gates hold. */
double verdict_ratio(const verdict *v);

/* What a peer is allowed: its inverse may spoil its input, and its gates are those of the theory's
 * worst case, since its accuracy is not Weft's to promise. All zero for Weft's own. */
typedef struct leniency {
    int input_may_change, worst_case_gates;
} leniency;

/* Fills *v. WEFT_OK even when the verification fails; otherwise the plan could not be run at all.
 */
weft_status verify_plan(const weft_plan *plan, operation what, reference *r, leniency allowed,
                        verdict *v);

/* A copy is held against its input, byte by byte. */
weft_status verify_copy(const weft_plan *plan, verdict *v);

#endif
