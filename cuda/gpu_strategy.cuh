/* SPDX-License-Identifier: MIT
 * What every cuda.* strategy is around its kernels: its state is made, asked and run with the
 * plan's device current. A .cu file defines the state, a Plan, and gets the struct of strategy.h
 * from gpu_strategy_of<Plan>().
 */
#ifndef WEFT_CUDA_GPU_STRATEGY_CUH
#define WEFT_CUDA_GPU_STRATEGY_CUH

#include <stdlib.h>

#include "base/device.h"
#include "base/launch.cuh"
#include "describe_launch.cuh"
#include "passes/multiply.cuh"

namespace {

/* A Plan inherits from gpu_plan, is plain data that may begin as zeros, and has
 *   static constexpr const char *name      the strategy's; flags and sizes likewise
 *   weft_status outline()                  from p: what it derives from sizes and choices;
 *                                          WEFT_UNSUPPORTED and the reason if it cannot run them
 *   weft_status ask_device()               whether the device can run it
 *   weft_status prepare()                  takes what execution needs
 *   void release()                         gives it back, also when prepare() stopped half-way
 *   size_t workspace() const               bytes of `work`
 *   weft_status forward(image, spectrum, work, stream) const, and inverse likewise
 *   weft_status filter(image, transfer, kind, out, work, stream) const, if has_filter
 *   void describe(text *to) const          adds a line for each pass of a forward transform
 * All but outline(), workspace() and describe() are called with the device current. */
struct gpu_plan {
    problem p;
    static constexpr bool has_filter = false;
    static constexpr unsigned flags = 0;
    static constexpr strategy_sizes sizes = {1, 0, 0, 0}; /* powers of two */

    void describe(text *) const {}
};

template <class Plan> struct gpu_strategy {
    static const Plan *plan_of(const void *state) {
        return (const Plan *)state;
    }

    static weft_status supports(const problem *p) {
        Plan plan = {};
        plan.p = *p;
        TRY(device_usable(p->device));
        TRY(plan.outline());
        return on_device(p->device, [&]() { return plan.ask_device(); });
    }

    static void destroy(void *state) {
        Plan *plan = (Plan *)state;
        if (plan != NULL) {
            on_device(plan->p.device, [&]() {
                plan->release();
                return WEFT_OK;
            });
            free(plan);
        }
    }

    static weft_status create(const problem *p, void **state, size_t *workspace) {
        Plan *plan = (Plan *)calloc(1, sizeof *plan);
        if (plan == NULL) {
            return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
        }
        plan->p = *p;
        weft_status status = plan->outline();
        if (status == WEFT_OK) {
            status = on_device(p->device, [&]() {
                TRY(prepare_multiply());
                return plan->prepare();
            });
        }
        if (status != WEFT_OK) {
            destroy(plan);
            return status;
        }
        *workspace = plan->workspace();
        *state = plan;
        return WEFT_OK;
    }

    /* Calls run(plan) with the plan's device current. */
    template <class Run> static weft_status with_plan(const void *state, Run run) {
        const Plan *plan = plan_of(state);
        return on_device(plan->p.device, [&]() { return run(*plan); });
    }

    static weft_status forward(const void *state, const void *image, void *spectrum, void *work,
                               struct CUstream_st *stream) {
        return with_plan(
            state, [&](const Plan &plan) { return plan.forward(image, spectrum, work, stream); });
    }

    static weft_status inverse(const void *state, const void *spectrum, void *image, void *work,
                               struct CUstream_st *stream) {
        return with_plan(
            state, [&](const Plan &plan) { return plan.inverse(spectrum, image, work, stream); });
    }

    static weft_status filter(const void *state, const void *image, const void *transfer,
                              weft_transfer kind, void *out, void *work,
                              struct CUstream_st *stream) {
        return with_plan(state, [&](const Plan &plan) {
            return plan.filter(image, transfer, kind, out, work, stream);
        });
    }

    static void describe(const void *state, text *to) {
        plan_of(state)->describe(to);
    }

    static weft_status multiply(const void *state, void *spectrum, const void *transfer,
                                weft_transfer kind, struct CUstream_st *stream) {
        return with_plan(state, [&](const Plan &plan) {
            return launch_multiply(&plan.p, spectrum, transfer, kind, stream);
        });
    }
};

template <class Plan> constexpr strategy gpu_strategy_of(const char *about, const char *options) {
    typedef gpu_strategy<Plan> of;
    strategy s = {Plan::name,  about,       options,     &device_memory, of::supports, of::create,
                  of::destroy, of::forward, of::inverse, of::multiply,   nullptr,      of::describe,
                  nullptr,     Plan::flags, Plan::sizes, nullptr};
    if constexpr (Plan::has_filter) {
        s.filter = of::filter;
    }
    return s;
}

} // namespace

#endif
