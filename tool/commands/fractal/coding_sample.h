/* SPDX-License-Identifier: MIT
 * What was measured while some frames were coded once, in seconds.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_CODING_SAMPLE_H
#define WEFT_TOOL_COMMANDS_FRACTAL_CODING_SAMPLE_H

#include "weft_fractal.h"

typedef struct coding_sample {
    double search, transfers, kernels; /* in the search, of these in transfers and in kernels */
    double whole;                      /* from frames in memory to bytes in memory */
} coding_sample;

static inline void coding_sample_add(coding_sample *sample, const weft_fractal_frame *frame) {
    sample->search += frame->search_seconds;
    sample->transfers += frame->transfer_seconds;
    sample->kernels += frame->kernel_seconds;
}

#endif
