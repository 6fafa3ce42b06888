/* SPDX-License-Identifier: MIT
 * A sampler is one contender made ready to be timed in one way; measure.c asks samplers in
 * turn for one sample each, so that what slows the machine down for a while slows all of them.
 */
#ifndef WEFT_TOOL_BENCH_SAMPLER_H
#define WEFT_TOOL_BENCH_SAMPLER_H

#include "weft.h"

#include "bench/call.h"
#include "bench/contender.h"
#include "bench/input.h"
#include "bench/samples.h"

typedef struct sampler sampler;
struct sampler {
    weft_status (*sample)(sampler *s, double *us); /* time of one execution */
    void (*close)(sampler *s);
};

/* What samplers are made from. */
typedef struct sampler_request {
    timed_call call;
    const contender *of;
    const bench_task *task;
    const bench_input *input;
    int cold;
} sampler_request;

typedef weft_status sampler_open(sampler **made, const sampler_request *request);

/* timer_host.c: on this machine's clock. */
sampler_open host_sampler;
/* timer_cuda.c: by CUDA events, as a replayed graph of many executions or as plain launches. */
sampler_open cuda_graph_sampler, cuda_stream_sampler;
/* timer_transfer.c: from host to host over pinned memory. */
sampler_open transfer_sampler;
/* timer_file.c: PNG to PNG. */
sampler_open file_sampler;

/* A zeroed state behind a sampler as its first member, or NULL after weft_fail. */
void *sampler_allocate(size_t bytes);

#endif
