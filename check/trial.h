/* SPDX-License-Identifier: MIT
 * The trial of one execution of a plan: it is run twice over different poison, and must give the
 * same bits, leave its input as it was and write nothing but its output and its workspace. In: a
 * plan and guarded buffers; out: the result in the output's mirror, or what was wrong. The tests'
 * rig and the judge of verify and bench run everything through it.
 */
#ifndef WEFT_CHECK_TRIAL_H
#define WEFT_CHECK_TRIAL_H

#include "buffer.h"
#include "operation.h"

/* What runs, on what, and into what. The mirrors of input and transfer say what they hold. */
typedef struct trial {
    const weft_plan *plan;
    operation what;
    const buffer *input, *output, *work, *transfer; /* transfer: OPERATION_FILTER only */
    weft_transfer kind;
    int input_may_change;
} trial;

/* What was wrong with a trial, with values; "" when nothing was. */
typedef struct complaint {
    char text[200];
} complaint;

/* WEFT_OK even when there is a complaint; otherwise the plan could not be run at all. */
weft_status trial_run(const trial *t, complaint *c);

/* After trial_run: once more, with the input's own memory for the output. It must become what the
 * output's mirror holds. */
weft_status trial_run_in_place(const trial *t, complaint *c);

#endif
