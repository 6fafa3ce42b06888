/* SPDX-License-Identifier: MIT
 * What a plan on a GPU says of a launch, between describe_line() and describe_bytes() of
 * describe.h: "512 blocks of 256 threads, 68.0 KiB shared".
 */
#ifndef WEFT_CUDA_DESCRIBE_LAUNCH_CUH
#define WEFT_CUDA_DESCRIBE_LAUNCH_CUH

#include "base/kernel.cuh"
#include "describe.h"

/* For describe_list(), of lines whose stages are all of radix 2. */
static inline factor_list stages_of_two(size_t length) {
    factor_list list = {};
    for (; length > 1; length /= 2) {
        list.radix[list.count++] = 2;
    }
    return list;
}

static inline void describe_launch(text *to, const launch_shape &shape) {
    char bytes[BYTES_TEXT_SIZE];
    text_add(to, "%u block%s of %u threads", shape.blocks, shape.blocks == 1 ? "" : "s",
             shape.threads);
    if (shape.cluster > 1) {
        text_add(to, " in clusters of %u", shape.cluster);
    }
    if (shape.shared_bytes > 0) {
        text_add(to, ", %s shared", bytes_text(shape.shared_bytes, bytes));
    }
}

#endif
