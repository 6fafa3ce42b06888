/* SPDX-License-Identifier: MIT
 * The peer cuda.cufft: cuFFT's R2C and C2R (D2Z and Z2D) on one plan for the whole batch. Its work
 * area is the caller's `work` and the stream is the call's, so that a call can be captured into a
 * graph.
 */
#include <cufft.h>
#include <stdlib.h>

#include "base/device.h"
#include "bench/peers/cufft_multiply.h"
#include "bench/peers/peers.h"
#include "problem.h"

typedef struct cufft_state {
    cufftHandle forward, inverse;
    weft_precision precision;
    int has_work;       /* whether the plans want a work area */
    size_t bins, batch; /* bins: of one spectrum; 0 if spectra have gaps */
} cufft_state;

static weft_status check(cufftResult result, const char *call) {
    if (result == CUFFT_SUCCESS) {
        return WEFT_OK;
    }
    return weft_fail(result == CUFFT_ALLOC_FAILED ? WEFT_NO_MEMORY : WEFT_DEVICE_FAILED,
                     "cuda.cufft: %s: cufftResult %d", call, (int)result);
}

static weft_status supports(const problem *p) {
    weft_status status = peer_half_only("cuda.cufft", p);
    return status == WEFT_OK ? device_usable(p->device) : status;
}

static void destroy(void *state) {
    cufft_state *s = state;
    if (s != NULL) {
        cufftDestroy(s->forward);
        cufftDestroy(s->inverse);
        free(s);
    }
}

typedef struct extent {
    long long rows[2], stride;
} extent;

static weft_status make_plan(cufftHandle plan, const problem *p, extent from, extent to,
                             cufftType type, size_t *workspace) {
    long long size[2] = {(long long)p->height, (long long)p->width};
    size_t wanted = 0;
    weft_status status = check(cufftSetAutoAllocation(plan, 0), "cufftSetAutoAllocation");

    if (status == WEFT_OK) {
        status = check(cufftMakePlanMany64(plan, 2, size, from.rows, 1, from.stride, to.rows, 1,
                                           to.stride, type, (long long)p->batch, &wanted),
                       "cufftMakePlanMany64");
    }
    *workspace = wanted > *workspace ? wanted : *workspace;
    return status;
}

static weft_status make_plans(cufft_state *s, const problem *p, size_t *workspace) {
    const int narrow = p->precision == WEFT_F32;
    const extent image = {{(long long)p->height, (long long)p->image_pitch},
                          (long long)p->image_stride};
    const extent spectrum = {{(long long)p->height, (long long)p->spectrum_pitch},
                             (long long)p->spectrum_stride};
    weft_status status = check(cufftCreate(&s->forward), "cufftCreate");

    if (status == WEFT_OK) {
        status = check(cufftCreate(&s->inverse), "cufftCreate");
    }
    if (status == WEFT_OK) {
        status =
            make_plan(s->forward, p, image, spectrum, narrow ? CUFFT_R2C : CUFFT_D2Z, workspace);
    }
    if (status == WEFT_OK) {
        status =
            make_plan(s->inverse, p, spectrum, image, narrow ? CUFFT_C2R : CUFFT_Z2D, workspace);
    }
    return status;
}

static weft_status create(const problem *p, void **state, size_t *workspace) {
    cufft_state *made;
    weft_status status;
    CUDA_TRY(cudaSetDevice(p->device));
    made = malloc(sizeof *made);
    if (made == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
    }
    *made =
        (cufft_state){.forward = -1, .inverse = -1, .precision = p->precision, .batch = p->batch};
    if (peer_is_tight(p)) {
        made->bins = p->spectrum_stride;
    }
    *workspace = 0;
    status = make_plans(made, p, workspace);
    if (status != WEFT_OK) {
        destroy(made);
        return status;
    }
    made->has_work = *workspace > 0;
    *state = made;
    return WEFT_OK;
}

/* Plans that want no work area get none: a filter's would lie where the spectrum does. */
static weft_status prepare(const cufft_state *s, cufftHandle plan, void *work,
                           struct CUstream_st *stream) {
    weft_status status = check(cufftSetStream(plan, stream), "cufftSetStream");
    return status == WEFT_OK && s->has_work
               ? check(cufftSetWorkArea(plan, work), "cufftSetWorkArea")
               : status;
}

static weft_status forward(const void *state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream) {
    const cufft_state *s = state;
    void *from = (void *)(size_t)image;
    weft_status status = prepare(s, s->forward, work, stream);
    if (status != WEFT_OK) {
        return status;
    }
    return s->precision == WEFT_F32
               ? check(cufftExecR2C(s->forward, from, spectrum), "cufftExecR2C")
               : check(cufftExecD2Z(s->forward, from, spectrum), "cufftExecD2Z");
}

static weft_status inverse(const void *state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream) {
    const cufft_state *s = state;
    void *from = (void *)(size_t)spectrum;
    weft_status status = prepare(s, s->inverse, work, stream);
    if (status != WEFT_OK) {
        return status;
    }
    return s->precision == WEFT_F32 ? check(cufftExecC2R(s->inverse, from, image), "cufftExecC2R")
                                    : check(cufftExecZ2D(s->inverse, from, image), "cufftExecZ2D");
}

static weft_status multiply(const void *state, void *spectrum, const void *transfer,
                            weft_transfer kind, struct CUstream_st *stream) {
    const cufft_state *s = state;
    return s->bins != 0
               ? cufft_multiply(s->precision, spectrum, transfer, kind, s->bins, s->batch, stream)
               : weft_fail(WEFT_UNSUPPORTED, "cuda.cufft: filters spectra without gaps");
}

#define PEER_CUFFT                                                                                 \
    {                                                                                              \
        .name = "cuda.cufft", .about = "cuFFT's R2C and C2R; to filter, a kernel between them",    \
        .space = &device_memory, .supports = supports, .create = create, .destroy = destroy,       \
        .forward = forward, .inverse = inverse, .multiply = multiply                               \
    }
const strategy peer_cufft_f32 = PEER_CUFFT;
const strategy peer_cufft_f64 = PEER_CUFFT;
