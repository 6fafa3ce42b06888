/* SPDX-License-Identifier: MIT
 * The *_host calls take host pointers under any strategy: they allocate memory where the strategy
 * runs, copy in, execute, copy out and wait. Gaps between rows and images are neither read nor
 * written.
 */
#include <string.h>

#include "environment.h"
#include "plan.h"
#include "problem.h"

/* How one operand lies in memory: batch x rows x row_bytes, with distances in bytes. */
typedef struct extent {
    size_t batch, stride, rows, pitch, row_bytes, span;
} extent;

static extent image_extent(const problem *p) {
    size_t element = pixel_bytes(p);
    return (extent){p->batch,           p->image_stride * element,
                    p->height,          p->image_pitch * element,
                    p->width * element, image_batch_bytes(p)};
}

static extent spectrum_extent(const problem *p) {
    size_t element = spectrum_element_bytes(p);
    return (extent){p->batch,
                    p->spectrum_stride * element,
                    p->height,
                    p->spectrum_pitch * element,
                    spectrum_columns(p) * element,
                    spectrum_batch_bytes(p)};
}

static extent transfer_extent(const problem *p, weft_transfer kind) {
    extent g = spectrum_extent(p);
    if (kind == WEFT_TRANSFER_GAIN) {
        g.row_bytes = g.pitch = (p->width / 2 + 1) * real_bytes(p);
    }
    g.batch = 1;
    g.span = transfer_bytes(p, kind);
    return g;
}

static int has_gaps(extent g) {
    return g.span != g.batch * g.rows * g.row_bytes;
}

static void copy_rows(extent g, void *to, const void *from) {
    for (size_t image = 0; image < g.batch; image++) {
        for (size_t row = 0; row < g.rows; row++) {
            size_t offset = image * g.stride + row * g.pitch;
            memcpy((char *)to + offset, (const char *)from + offset, g.row_bytes);
        }
    }
}

/* Copies host memory into a new block of the strategy's memory; if from is NULL, it only allocates
 * the block. */
static weft_status bring_in(const weft_plan *plan, extent g, const void *from, void **block) {
    const memory_space *space = plan_strategy(plan)->space;
    int device = plan_problem(plan)->device;
    void *rows = NULL;
    weft_status status = space->allocate(device, g.span, block);
    if (status != WEFT_OK || from == NULL) {
        return status;
    }
    if (!has_gaps(g)) {
        return space->copy_in(device, *block, from, g.span);
    }
    if ((status = host_memory.allocate(0, g.span, &rows)) == WEFT_OK) {
        memset(rows, 0, g.span);
        copy_rows(g, rows, from);
        status = space->copy_in(device, *block, rows, g.span);
    }
    host_memory.release(0, rows);
    return status;
}

static weft_status bring_out(const weft_plan *plan, extent g, void *to, const void *block) {
    const memory_space *space = plan_strategy(plan)->space;
    int device = plan_problem(plan)->device;
    void *rows = NULL;
    weft_status status;
    if (!has_gaps(g)) {
        return space->copy_out(device, to, block, g.span);
    }
    if ((status = host_memory.allocate(0, g.span, &rows)) == WEFT_OK &&
        (status = space->copy_out(device, rows, block, g.span)) == WEFT_OK) {
        copy_rows(g, to, rows);
    }
    host_memory.release(0, rows);
    return status;
}

/* One execution: which call, its operands, and how they lie. */
typedef struct job {
    enum { FORWARD, INVERSE, FILTER } call;
    const void *input, *transfer;
    void *output;
    weft_transfer kind;
    extent input_extent, transfer_extent, output_extent;
} job;

static weft_status execute(const weft_plan *plan, const job *j, const void *input,
                           const void *transfer, void *output, void *work) {
    switch (j->call) {
    case FORWARD:
        return weft_forward(plan, input, output, work, NULL);
    case INVERSE:
        return weft_inverse(plan, input, output, work, NULL);
    case FILTER:
    default:
        return weft_filter(plan, input, transfer, j->kind, output, work, NULL);
    }
}

static weft_status run_with_copies(const weft_plan *plan, const job *j, void *work) {
    const memory_space *space = plan_strategy(plan)->space;
    int device = plan_problem(plan)->device;
    void *input = NULL, *transfer = NULL, *output = NULL;
    weft_status status;
    if ((status = bring_in(plan, j->input_extent, j->input, &input)) == WEFT_OK &&
        (j->call != FILTER ||
         (status = bring_in(plan, j->transfer_extent, j->transfer, &transfer)) == WEFT_OK) &&
        (status = bring_in(plan, j->output_extent, NULL, &output)) == WEFT_OK &&
        (status = execute(plan, j, input, transfer, output, work)) == WEFT_OK &&
        (status = space->wait(device)) == WEFT_OK) {
        status = bring_out(plan, j->output_extent, j->output, output);
    }
    space->release(device, output);
    space->release(device, transfer);
    space->release(device, input);
    return status;
}

static weft_status run_with_work(const weft_plan *plan, const job *j) {
    const memory_space *space = plan_strategy(plan)->space;
    int device = plan_problem(plan)->device;
    void *work = NULL;
    /* Nothing is allocated for 0 bytes: a failure would then report that no bytes were wanted. */
    size_t work_bytes = weft_plan_workspace(plan);
    weft_status status = work_bytes > 0 ? space->allocate(device, work_bytes, &work) : WEFT_OK;
    if (status == WEFT_OK) {
        status = space->is_device ? run_with_copies(plan, j, work)
                                  : execute(plan, j, j->input, j->transfer, j->output, work);
    }
    space->release(device, work);
    return status;
}

/* A device's memory is taken, filled and read back by CUDA. */
static weft_status run_on_device(const weft_plan *plan, const job *j) {
    fenv_t callers = take_whole_environment();
    weft_status status = run_with_work(plan, j);
    give_back_whole_environment(callers);
    return status;
}

static weft_status run(const weft_plan *plan, const job *j) {
    if (j->input == NULL || j->output == NULL || (j->call == FILTER && j->transfer == NULL)) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s is NULL",
                         j->input == NULL    ? "input"
                         : j->output == NULL ? "output"
                                             : "transfer");
    }
    if (j->call == FILTER && j->kind != WEFT_TRANSFER_SPECTRUM && j->kind != WEFT_TRANSFER_GAIN) {
        return weft_fail(WEFT_BAD_ARGUMENT, "kind %d: must be 0 or 1 (see weft_transfer)",
                         (int)j->kind);
    }
    return plan_strategy(plan)->space->is_device ? run_on_device(plan, j) : run_with_work(plan, j);
}

static weft_status plan_missing(void) {
    return weft_fail(WEFT_BAD_ARGUMENT, "plan is NULL");
}

weft_status weft_forward_host(const weft_plan *plan, const void *image, void *spectrum) {
    if (plan == NULL) {
        return plan_missing();
    }
    const problem *p = plan_problem(plan);
    job j = {.call = FORWARD,
             .input = image,
             .output = spectrum,
             .input_extent = image_extent(p),
             .output_extent = spectrum_extent(p)};
    return run(plan, &j);
}

weft_status weft_inverse_host(const weft_plan *plan, const void *spectrum, void *image) {
    if (plan == NULL) {
        return plan_missing();
    }
    const problem *p = plan_problem(plan);
    job j = {.call = INVERSE,
             .input = spectrum,
             .output = image,
             .input_extent = spectrum_extent(p),
             .output_extent = image_extent(p)};
    return run(plan, &j);
}

weft_status weft_filter_host(const weft_plan *plan, const void *image, const void *transfer,
                             weft_transfer kind, void *out) {
    if (plan == NULL) {
        return plan_missing();
    }
    const problem *p = plan_problem(plan);
    job j = {.call = FILTER,
             .input = image,
             .transfer = transfer,
             .output = out,
             .kind = kind,
             .input_extent = image_extent(p),
             .transfer_extent = transfer_extent(p, kind),
             .output_extent = image_extent(p)};
    return run(plan, &j);
}
