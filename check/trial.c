/* SPDX-License-Identifier: MIT
 * Two runs of one plan: output and workspace are NaN before each, the input is written anew, and
 * afterwards the input must be as it was and both outputs the same bytes. Called by verify_case.c.
 */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

typedef struct room {
    const memory_space *space;
    int device;
    void *input, *output, *work, *transfer;
    void *poison, *back; /* host: all ones, which is NaN in every precision; what came back */
} room;

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static void room_close(room *m) {
    void *of_space[] = {m->input, m->output, m->work, m->transfer};
    for (size_t i = 0; i < sizeof of_space / sizeof *of_space; i++) {
        if (of_space[i] != NULL) {
            m->space->release(m->device, of_space[i]);
        }
    }
    free(m->poison);
    free(m->back);
}

static weft_status take(const room *m, size_t bytes, void **memory) {
    return m->space->allocate(m->device, larger(bytes, 1), memory);
}

static weft_status room_open(room *m, const trial *t) {
    const size_t work_bytes = weft_plan_workspace(t->plan);
    const size_t most = larger(larger(t->input_bytes, t->output_bytes), larger(work_bytes, 1));
    weft_status status;

    *m = (room){.space = plan_strategy(t->plan)->space, .device = plan_problem(t->plan)->device};
    m->poison = malloc(most);
    m->back = malloc(most);
    if (m->poison == NULL || m->back == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory to verify %s", weft_plan_strategy(t->plan));
    }
    memset(m->poison, 0xff, most);
    if ((status = take(m, t->input_bytes, &m->input)) != WEFT_OK ||
        (status = take(m, t->output_bytes, &m->output)) != WEFT_OK ||
        (status = take(m, work_bytes, &m->work)) != WEFT_OK ||
        (status = take(m, t->transfer_bytes, &m->transfer)) != WEFT_OK) {
        return status;
    }
    return WEFT_OK;
}

static weft_status fill(const room *m, const trial *t) {
    const memory_space *s = m->space;
    weft_status status;
    if ((status = s->copy_in(m->device, m->input, t->input, t->input_bytes)) != WEFT_OK ||
        (status = s->copy_in(m->device, m->output, m->poison, t->output_bytes)) != WEFT_OK ||
        (status = s->copy_in(m->device, m->work, m->poison, weft_plan_workspace(t->plan))) !=
            WEFT_OK) {
        return status;
    }
    return t->transfer == NULL ? WEFT_OK
                               : s->copy_in(m->device, m->transfer, t->transfer, t->transfer_bytes);
}

static weft_status execute(const room *m, const trial *t) {
    const operands o = {m->input, m->transfer, t->kind, m->output, m->work};
    weft_status status = operation_run(t->what, t->plan, &o, NULL);
    return status == WEFT_OK ? m->space->wait(m->device) : status;
}

/* Fills, runs, and fetches the output into `output`. *same_input: whether the input is as it was.
 */
static weft_status run_once(const room *m, const trial *t, void *output, int *same_input) {
    weft_status status;
    if ((status = fill(m, t)) != WEFT_OK || (status = execute(m, t)) != WEFT_OK ||
        (status = m->space->copy_out(m->device, m->back, m->input, t->input_bytes)) != WEFT_OK) {
        return status;
    }
    *same_input = t->input_may_change || memcmp(m->back, t->input, t->input_bytes) == 0;
    return m->space->copy_out(m->device, output, m->output, t->output_bytes);
}

weft_status trial_run(const trial *t, const char **complaint) {
    int same_first = 0, same_second = 0;
    room m;
    weft_status status = room_open(&m, t);

    *complaint = NULL;
    if (status == WEFT_OK && (status = run_once(&m, t, t->output, &same_first)) == WEFT_OK &&
        (status = run_once(&m, t, m.back, &same_second)) == WEFT_OK) {
        if (memcmp(t->output, m.back, t->output_bytes) != 0) {
            *complaint = "two runs on one plan gave different bytes";
        } else if (!same_first || !same_second) {
            *complaint = "the input was modified";
        }
    }
    room_close(&m);
    return status;
}
