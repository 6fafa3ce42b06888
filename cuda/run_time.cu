/* SPDX-License-Identifier: MIT
 * Two passes over lines of any length, for the sizes that cuda.twopass has no kernels of its own
 * for. They are a strategy in all but the name: cuda.twopass calls it.
 */
#include "run_time_plan.cuh"

extern "C" const strategy REAL_NAME(cuda_run_time);
const strategy REAL_NAME(cuda_run_time) =
    gpu_strategy_of<run_time_plan>("two passes of run-time radices, for cuda.twopass", nullptr);
