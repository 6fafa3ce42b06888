/* SPDX-License-Identifier: MIT
 * cuda.report: the report's GPU program, one cooperative launch per image; powers of two. It is
 * there to reproduce the report's 0.12 s.
 */
#include "report.cuh"

#include <stdlib.h>

#include "device.h"
#include "launch.cuh"
#include "multiply.cuh"

namespace {

struct state {
    problem p;
    launch_shape forward_shape, inverse_shape;
};

weft_status forward(const void *any_state, const void *image, void *spectrum, void *work,
                    struct CUstream_st *stream) {
    const state *s = (const state *)any_state;
    return on_device(s->p.device, [&]() {
        weft_status status = WEFT_OK;
        for (size_t i = 0; i < s->p.batch && status == WEFT_OK; i++) {
            status =
                launch(report_forward, s->forward_shape, stream,
                       report_job_of(&s->p, (void *)image, view_of(&s->p, spectrum, i), work, i));
        }
        return status;
    });
}

weft_status inverse(const void *any_state, const void *spectrum, void *image, void *work,
                    struct CUstream_st *stream) {
    const state *s = (const state *)any_state;
    return on_device(s->p.device, [&]() {
        weft_status status = WEFT_OK;
        for (size_t i = 0; i < s->p.batch && status == WEFT_OK; i++) {
            status =
                launch(report_inverse, s->inverse_shape, stream,
                       report_job_of(&s->p, image, view_of(&s->p, (void *)spectrum, i), work, i));
        }
        return status;
    });
}

weft_status multiply(const void *any_state, void *spectrum, const void *transfer,
                     weft_transfer kind, struct CUstream_st *stream) {
    const state *s = (const state *)any_state;
    return on_device(s->p.device,
                     [&]() { return launch_multiply(&s->p, spectrum, transfer, kind, stream); });
}

weft_status supports(const problem *p) {
    weft_status status = device_usable(p->device);
    if (status != WEFT_OK || (status = report_supports("cuda.report", p)) != WEFT_OK) {
        return status;
    }
    return on_device(p->device, [&]() {
        weft_status here = device_can_cooperate("cuda.report");
        return here == WEFT_OK ? device_has_kernel((const void *)report_forward) : here;
    });
}

/* The grid is what this very kernel can have resident on this very device. */
weft_status shape_for(const problem *p, const void *kernel, launch_shape *shape) {
    int blocks = 0, processors = 0;
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, p->device));
    CUDA_TRY(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, REPORT_BLOCK_THREADS, 0));
    if (blocks == 0) {
        return weft_fail(WEFT_UNSUPPORTED,
                         "cuda.report: this GPU cannot hold one block of its kernel");
    }
    *shape = report_shape(p->height, p->width, (unsigned)(blocks * processors));
    return WEFT_OK;
}

weft_status create(const problem *p, void **made, size_t *workspace) {
    state *s = (state *)calloc(1, sizeof *s);
    if (s == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
    }
    s->p = *p;
    weft_status status = on_device(p->device, [&]() {
        weft_status here = shape_for(p, (const void *)report_forward, &s->forward_shape);
        if (here == WEFT_OK) {
            here = shape_for(p, (const void *)report_inverse, &s->inverse_shape);
        }
        return here == WEFT_OK ? prepare_multiply() : here;
    });
    if (status != WEFT_OK) {
        free(s);
        return status;
    }
    *workspace = report_workspace(p);
    *made = s;
    return WEFT_OK;
}

} // namespace

extern "C" const strategy REAL_NAME(cuda_report);
const strategy REAL_NAME(cuda_report) = {
    "cuda.report",
    "the report's GPU program: a thread per row pair, one cooperative launch; powers of two",
    nullptr,
    &device_memory,
    supports,
    create,
    free,
    forward,
    inverse,
    multiply,
    0,
};
