/* SPDX-License-Identifier: MIT
 * Times a GPU strategy from host to host: pinned memory in, the transform, pinned memory out, on
 * one stream, by the host's clock. One execution a sample.
 */
#include <stdlib.h>
#include <string.h>

#include "base/device.h"
#include "bench/sampler.h"

typedef struct transfer_state {
    sampler base;
    timed_call call;
    size_t input_bytes, output_bytes;
    void *from, *to; /* pinned */
    cudaStream_t stream;
} transfer_state;

static weft_status transfer(transfer_state *s) {
    const buffer_ring *ring = s->call.ring;
    weft_status status;
    CUDA_TRY(cudaMemcpyAsync(ring_input(ring, 0), s->from, s->input_bytes, cudaMemcpyHostToDevice,
                             s->stream));
    if ((status = call_run(&s->call, 0, s->stream)) != WEFT_OK) {
        return status;
    }
    CUDA_TRY(cudaMemcpyAsync(s->to, ring_output(ring, 0), s->output_bytes, cudaMemcpyDeviceToHost,
                             s->stream));
    CUDA_TRY(cudaStreamSynchronize(s->stream));
    return WEFT_OK;
}

static weft_status sample(sampler *base, double *us) {
    transfer_state *s = (transfer_state *)base;
    double start = clock_us();
    weft_status status = transfer(s);
    *us = clock_us() - start;
    return status;
}

static void end(sampler *base) {
    transfer_state *s = (transfer_state *)base;
    cudaFreeHost(s->from);
    cudaFreeHost(s->to);
    if (s->stream != NULL) {
        cudaStreamDestroy(s->stream);
    }
    free(s);
}

static weft_status prepare(transfer_state *s) {
    CUDA_TRY(cudaStreamCreate(&s->stream));
    CUDA_TRY(cudaMallocHost(&s->from, s->input_bytes));
    CUDA_TRY(cudaMallocHost(&s->to, s->output_bytes));
    memcpy(s->from, s->call.ring->master, s->input_bytes);
    return transfer(s); /* warm-up */
}

weft_status transfer_sampler(sampler **made, const sampler_request *request) {
    const timed_call *call = &request->call;
    transfer_state *s = sampler_allocate(sizeof *s);
    weft_status status;
    if (s == NULL) {
        return WEFT_NO_MEMORY;
    }
    *s = (transfer_state){.base = {sample, end},
                          .call = *call,
                          .input_bytes = operation_input_bytes(call->what, call->plan),
                          .output_bytes = operation_output_bytes(call->what, call->plan)};
    status = prepare(s);
    if (status != WEFT_OK) {
        end(&s->base);
        return status;
    }
    *made = &s->base;
    return WEFT_OK;
}
