/* SPDX-License-Identifier: MIT
 * Times a GPU strategy by CUDA events around many executions on one stream: launched one by one, or
 * captured into a graph and replayed, which takes the launches' cost on the CPU out of the picture.
 * Cold executions walk the ring of buffers within the sample.
 */
#include <stdlib.h>

#include "bench_sampler.h"
#include "device.h"

static const double sample_us = 500;
enum { WARM_UPS = 3 };

typedef struct cuda_state {
    sampler base;
    timed_call call;
    size_t inner, sets; /* sets in use: 1 when hot */
    int as_graph, warm;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaGraphExec_t graph;
} cuda_state;

static weft_status launch_all(cuda_state *s) {
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < s->inner && status == WEFT_OK; i++) {
        status = call_run(&s->call, i % s->sets, s->stream);
    }
    return status;
}

static weft_status run_batch(cuda_state *s) {
    if (!s->as_graph) {
        return launch_all(s);
    }
    CUDA_TRY(cudaGraphLaunch(s->graph, s->stream));
    return WEFT_OK;
}

static weft_status warm_up(cuda_state *s) {
    weft_status status = WEFT_OK;
    for (int i = 0; i < (s->warm ? 1 : WARM_UPS) && status == WEFT_OK; i++) {
        status = run_batch(s);
    }
    s->warm = 1;
    return status;
}

static weft_status sample(sampler *base, double *us) {
    cuda_state *s = (cuda_state *)base;
    float milliseconds = 0;
    weft_status status = call_refresh(&s->call, s->sets);

    if (status == WEFT_OK) {
        status = warm_up(s);
    }
    if (status != WEFT_OK) {
        return status;
    }
    CUDA_TRY(cudaStreamSynchronize(s->stream));
    CUDA_TRY(cudaEventRecord(s->start, s->stream));
    if ((status = run_batch(s)) != WEFT_OK) {
        return status;
    }
    CUDA_TRY(cudaEventRecord(s->stop, s->stream));
    CUDA_TRY(cudaEventSynchronize(s->stop));
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, s->start, s->stop));
    *us = (double)milliseconds * 1e3 / (double)s->inner;
    return WEFT_OK;
}

static void end(sampler *base) {
    cuda_state *s = (cuda_state *)base;
    if (s->graph != NULL) {
        cudaGraphExecDestroy(s->graph);
    }
    if (s->start != NULL) {
        cudaEventDestroy(s->start);
    }
    if (s->stop != NULL) {
        cudaEventDestroy(s->stop);
    }
    if (s->stream != NULL) {
        cudaStreamDestroy(s->stream);
    }
    free(s);
}

static weft_status capture(cuda_state *s) {
    cudaGraph_t graph = NULL;
    weft_status status;

    CUDA_TRY(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal));
    status = launch_all(s);
    if (status != WEFT_OK) { /* keep the reason: ending a broken capture fails as well */
        cudaStreamEndCapture(s->stream, &graph);
    } else {
        CUDA_TRY(cudaStreamEndCapture(s->stream, &graph));
        cudaError_t error = cudaGraphInstantiate(&s->graph, graph, 0);
        if (error != cudaSuccess) {
            status = device_failed(__FILE__, __LINE__, "cudaGraphInstantiate", error);
        }
    }
    if (graph != NULL) {
        cudaGraphDestroy(graph);
    }
    return status;
}

static weft_status prepare(cuda_state *s) {
    CUDA_TRY(cudaStreamCreate(&s->stream));
    CUDA_TRY(cudaEventCreate(&s->start));
    CUDA_TRY(cudaEventCreate(&s->stop));
    return s->as_graph ? capture(s) : WEFT_OK;
}

static weft_status open(sampler **made, const sampler_request *request, int as_graph) {
    cuda_state *s = sampler_allocate(sizeof *s);
    weft_status status;
    if (s == NULL) {
        return WEFT_NO_MEMORY;
    }
    *s = (cuda_state){.base = {sample, end},
                      .call = request->call,
                      .inner = executions_per_sample(request->of->run_us, sample_us),
                      .sets = request->cold ? request->call.ring->sets : 1,
                      .as_graph = as_graph};
    if (request->cold && s->inner < s->sets) {
        s->inner = s->sets;
    }
    status = prepare(s);
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
