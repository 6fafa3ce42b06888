/* SPDX-License-Identifier: MIT
 * Times a CPU strategy: hot on set 0 after one untimed run, cold on one set after the other. Short
 * runs are repeated within a sample.
 */
#include <stdlib.h>

#include "bench/sampler.h"

/* Sixteen threads whose caches others had in between want several runs until each has its part
 * again: in samples of two runs an image that fits them takes a third longer than in a row. */
static const double sample_us = 2000;

typedef struct host_state {
    sampler base;
    timed_call call;
    int cold, warm_up;
    size_t inner, next;
} host_state;

static weft_status sample(sampler *base, double *us) {
    host_state *s = (host_state *)base;
    weft_status status = call_refresh(&s->call, s->cold ? s->call.ring->sets : 1);
    double start;

    if (status == WEFT_OK && s->warm_up) { /* the others in turn have pushed the buffers out */
        status = call_run(&s->call, 0, NULL);
    }
    start = clock_us();
    for (size_t i = 0; i < s->inner && status == WEFT_OK; i++) {
        status = call_run(&s->call, s->next, NULL);
        s->next = s->cold ? (s->next + 1) % s->call.ring->sets : 0;
    }
    *us = (clock_us() - start) / (double)s->inner;
    return status;
}

static void end(sampler *s) {
    free(s);
}

weft_status host_sampler(sampler **made, const sampler_request *request) {
    host_state *s = sampler_allocate(sizeof *s);
    if (s == NULL) {
        return WEFT_NO_MEMORY;
    }
    *s = (host_state){.base = {sample, end},
                      .call = request->call,
                      .cold = request->cold,
                      .warm_up = !request->cold && !contender_is_slow(request->of),
                      .inner = executions_per_sample(request->of->run_us, sample_us)};
    *made = &s->base;
    return WEFT_OK;
}
