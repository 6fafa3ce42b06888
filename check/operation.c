/* SPDX-License-Identifier: MIT
 * weft_forward, weft_inverse and weft_filter behind one call; see operation.h.
 */
#include "operation.h"

const char *const operation_words[] = {"forward", "inverse", "filter", NULL};

size_t operation_input_bytes(operation what, const weft_plan *plan) {
    return what == OPERATION_INVERSE ? plan_spectrum_bytes(plan) : plan_image_bytes(plan);
}

size_t operation_output_bytes(operation what, const weft_plan *plan) {
    return what == OPERATION_FORWARD ? plan_spectrum_bytes(plan) : plan_image_bytes(plan);
}

weft_status operation_run(operation what, const weft_plan *plan, const operands *o,
                          struct CUstream_st *stream) {
    switch (what) {
    case OPERATION_FORWARD:
        return weft_forward(plan, o->input, o->output, o->work, stream);
    case OPERATION_INVERSE:
        return weft_inverse(plan, o->input, o->output, o->work, stream);
    case OPERATION_FILTER:
    default:
        return weft_filter(plan, o->input, o->transfer, o->kind, o->output, o->work, stream);
    }
}
