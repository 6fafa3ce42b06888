/* SPDX-License-Identifier: MIT
 * The passes of sizes that have no kernels of their own: columns and rows of any length, by radices
 * at run time. run_time.cu has all of it, compiled by itself; here it is one part of a plan.
 */
#ifndef WEFT_CUDA_RUN_TIME_PASS_CUH
#define WEFT_CUDA_RUN_TIME_PASS_CUH

#include "arith/numbers.h"
#include "strategy.h"

extern "C" const strategy REAL_NAME(cuda_run_time);

namespace {

struct run_time_passes {
    void *state;
    size_t workspace;

    static const strategy &of() {
        return REAL_NAME(cuda_run_time);
    }

    weft_status prepare(const problem &p) {
        return of().create(&p, &state, &workspace);
    }

    void release() {
        of().destroy(state);
    }

    void describe(text *to) const {
        of().describe(state, to);
    }
};

} // namespace

#endif
