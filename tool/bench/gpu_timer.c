/* SPDX-License-Identifier: MIT
 * Capture, replay and events; see gpu_timer.h.
 */
#include "bench/gpu_timer.h"

#include <stdlib.h>

#include "base/device.h"

enum { WARM_UPS = 3 };

struct gpu_timer {
    gpu_work work;
    size_t kernels; /* in the graph */
    int warm;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaGraphExec_t graph;
};

static weft_status enqueue_all(gpu_timer *t) {
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < t->work.executions && status == WEFT_OK; i++) {
        status = t->work.enqueue(t->work.context, i, t->stream);
    }
    return status;
}

static weft_status run_batch(gpu_timer *t) {
    if (!t->work.as_graph) {
        return enqueue_all(t);
    }
    CUDA_TRY(cudaGraphLaunch(t->graph, t->stream));
    return WEFT_OK;
}

static weft_status warm_up(gpu_timer *t) {
    weft_status status = WEFT_OK;
    for (int i = 0; i < (t->warm ? 1 : WARM_UPS) && status == WEFT_OK; i++) {
        status = run_batch(t);
    }
    t->warm = 1;
    return status;
}

/* What is timed is enqueued behind the warm-up, while that still runs: an idle GPU would have to
 * wait for it. */
weft_status gpu_timer_sample(gpu_timer *t, double *us) {
    float milliseconds = 0;
    weft_status status = warm_up(t);

    if (status != WEFT_OK) {
        return status;
    }
    CUDA_TRY(cudaEventRecord(t->start, t->stream));
    if ((status = run_batch(t)) != WEFT_OK) {
        return status;
    }
    CUDA_TRY(cudaEventRecord(t->stop, t->stream));
    CUDA_TRY(cudaEventSynchronize(t->stop));
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, t->start, t->stop));
    *us = (double)milliseconds * 1e3 / (double)t->work.executions;
    return WEFT_OK;
}

void gpu_timer_close(gpu_timer *t) {
    if (t == NULL) {
        return;
    }
    if (t->graph != NULL) {
        cudaGraphExecDestroy(t->graph);
    }
    if (t->start != NULL) {
        cudaEventDestroy(t->start);
    }
    if (t->stop != NULL) {
        cudaEventDestroy(t->stop);
    }
    if (t->stream != NULL) {
        cudaStreamDestroy(t->stream);
    }
    free(t);
}

/* ---- the graph ------------------------------------------------------------------------------- */

static weft_status count_nodes(gpu_timer *t, const cudaGraphNode_t *nodes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        enum cudaGraphNodeType type;
        CUDA_TRY(cudaGraphNodeGetType(nodes[i], &type));
        t->kernels += type == cudaGraphNodeTypeKernel;
    }
    return WEFT_OK;
}

static weft_status count_kernels(gpu_timer *t, cudaGraph_t graph) {
    size_t count = 0;
    cudaGraphNode_t *nodes;
    weft_status status;

    CUDA_TRY(cudaGraphGetNodes(graph, NULL, &count));
    nodes = calloc(count + 1, sizeof *nodes);
    if (nodes == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for the %zu nodes of a graph", count);
    }
    cudaError_t error = cudaGraphGetNodes(graph, nodes, &count);
    status = error == cudaSuccess ? count_nodes(t, nodes, count)
                                  : device_failed(__FILE__, __LINE__, "cudaGraphGetNodes", error);
    free(nodes);
    return status;
}

static weft_status instantiate(gpu_timer *t, cudaGraph_t graph) {
    CUDA_TRY(cudaGraphInstantiate(&t->graph, graph, 0));
    return count_kernels(t, graph);
}

static weft_status capture(gpu_timer *t) {
    cudaGraph_t graph = NULL;
    weft_status status;

    CUDA_TRY(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeThreadLocal));
    status = enqueue_all(t);
    if (status != WEFT_OK) { /* keep the reason: ending a broken capture fails as well */
        cudaStreamEndCapture(t->stream, &graph);
    } else {
        CUDA_TRY(cudaStreamEndCapture(t->stream, &graph));
        status = instantiate(t, graph);
    }
    if (graph != NULL) {
        cudaGraphDestroy(graph);
    }
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

static weft_status prepare(gpu_timer *t) {
    CUDA_TRY(cudaStreamCreate(&t->stream));
    CUDA_TRY(cudaEventCreate(&t->start));
    CUDA_TRY(cudaEventCreate(&t->stop));
    return t->work.as_graph ? capture(t) : WEFT_OK;
}

weft_status gpu_timer_open(gpu_timer **made, const gpu_work *work) {
    gpu_timer *t = calloc(1, sizeof *t);
    weft_status status;

    *made = NULL;
    if (t == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a timer");
    }
    t->work = *work;
    status = prepare(t);
    if (status != WEFT_OK) {
        gpu_timer_close(t);
        return status;
    }
    *made = t;
    return WEFT_OK;
}

size_t gpu_timer_kernels(const gpu_timer *t) {
    return t->kernels / t->work.executions;
}
