/* SPDX-License-Identifier: MIT
 * The verdict on a result: held against the reference, within the gates. verify_plan does all of
 * it for verify and bench, on memory of its own; the tests judge what their rig has run.
 */
#ifndef WEFT_CHECK_JUDGE_H
#define WEFT_CHECK_JUDGE_H

#include "reference.h"
#include "trial.h"

/* The figures are the worst of the batch, each over the images that gates_pool() judges together.
 * rel_l2 is of all bins, but of those off DC for the spectra of U8 and U16 images, whose DC must be
 * exact. NaN where nothing is known. */
typedef struct verdict {
    int passed;
    double rel_l2, gate_l2, max_rms, gate_max;
    char why[240]; /* what failed, with values; "" when passed */
} verdict;

/* The larger of rel_l2 / gate_l2 and max_rms / gate_max: at most 1 when the gates hold. */
double verdict_ratio(const verdict *v);

/* Nothing is wrong yet. */
verdict verdict_begin(const weft_plan *plan, operation what, int has_worst_case_gates);

/* Holds the output's mirror against the reference, whose description is the plan's. A filter
 * without a transfer is a round trip, which must give the reference's images again. WEFT_OK even
 * when it fails; otherwise the reference could not be had. */
weft_status judge(const trial *t, reference *r, verdict *v);

/* What a peer is allowed: its inverse may spoil its input, and its gates are those of the theory's
 * worst case, since its accuracy is not Weft's to promise. All zero for Weft's own. */
typedef struct leniency {
    int input_may_change, worst_case_gates;
} leniency;

/* A trial on the reference's input, and the verdict on it; a filter with either kind of transfer.
 * WEFT_OK even when the verification fails; otherwise the plan could not be run at all. */
weft_status verify_plan(const weft_plan *plan, operation what, reference *r, leniency allowed,
                        verdict *v);

/* A copy is held against its input, byte by byte. */
weft_status verify_copy(const weft_plan *plan, verdict *v);

#endif
