/* SPDX-License-Identifier: MIT
 * Times a GPU strategy with a gpu_timer, as plain launches or as a replayed graph. Cold executions
 * walk the ring of buffers within the sample.
 */
#include <stdlib.h>

#include "bench/gpu_timer.h"
#include "bench/sampler.h"

/* Long beside the start of a graph, which is counted: some microseconds. */
static const double sample_us = 2000;

typedef struct cuda_state {
    sampler base;
    timed_call call;
    size_t sets; /* in use: 1 when hot */
    gpu_timer *timer;
} cuda_state;

static weft_status enqueue(void *context, size_t i, struct CUstream_st *stream) {
    const cuda_state *s = context;
    return call_run(&s->call, i % s->sets, stream);
}

static weft_status sample(sampler *base, double *us) {
    cuda_state *s = (cuda_state *)base;
    weft_status status = call_refresh(&s->call, s->sets);
    return status == WEFT_OK ? gpu_timer_sample(s->timer, us) : status;
}

static void end(sampler *base) {
    gpu_timer_close(((cuda_state *)base)->timer);
    free(base);
}

static weft_status open(sampler **made, const sampler_request *request, int as_graph) {
    cuda_state *s = sampler_allocate(sizeof *s);
    gpu_work work = {.enqueue = enqueue,
                     .context = s,
                     .executions = executions_per_sample(request->of->run_us, sample_us),
                     .as_graph = as_graph};
    weft_status status;
    if (s == NULL) {
        return WEFT_NO_MEMORY;
    }
    *s = (cuda_state){.base = {sample, end},
                      .call = request->call,
                      .sets = request->cold ? request->call.ring->sets : 1};
    if (work.executions < s->sets) {
        work.executions = s->sets;
    }
    status = gpu_timer_open(&s->timer, &work);
    if (status != WEFT_OK) {
        end(&s->base);
        return status;
    }
    *made = &s->base;
    return WEFT_OK;
}

weft_status cuda_graph_sampler(sampler **made, const sampler_request *request) {
    return open(made, request, 1);
}

weft_status cuda_stream_sampler(sampler **made, const sampler_request *request) {
    return open(made, request, 0);
}
