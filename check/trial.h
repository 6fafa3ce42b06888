/* SPDX-License-Identifier: MIT
 * Runs a plan for verify_case.c: host arrays in and out, wherever the strategy's memory is.
 */
#ifndef WEFT_CHECK_TRIAL_H
#define WEFT_CHECK_TRIAL_H

#include "judge.h"

/* What runs, on what, and into what; all host memory. */
typedef struct trial {
    const weft_plan *plan;
    operation what;
    const void *input, *transfer; /* transfer: OPERATION_FILTER only */
    size_t input_bytes, transfer_bytes, output_bytes;
    weft_transfer kind;
    void *output; /* of the first run */
    int input_may_change;
} trial;

/* Two runs on poisoned memory. *complaint becomes NULL, or says how the runs betrayed themselves.
 */
weft_status trial_run(const trial *t, const char **complaint);

#endif
