/* SPDX-License-Identifier: MIT
 * The three things a plan can do, as one call: what it reads, what it writes, and how to run it.
 * Shared by the trial and the bench's timers.
 */
#ifndef WEFT_CHECK_OPERATION_H
#define WEFT_CHECK_OPERATION_H

#include "plan.h"

typedef enum operation { OPERATION_FORWARD = 0, OPERATION_INVERSE, OPERATION_FILTER } operation;
extern const char *const operation_words[]; /* by operation; NULL at the end */

size_t operation_input_bytes(operation what, const weft_plan *plan);
size_t operation_output_bytes(operation what, const weft_plan *plan);

/* Memory of the strategy's space. transfer and kind: OPERATION_FILTER only. */
typedef struct operands {
    const void *input, *transfer;
    weft_transfer kind;
    void *output, *work;
} operands;
weft_status operation_run(operation what, const weft_plan *plan, const operands *o,
                          struct CUstream_st *stream);

#endif
