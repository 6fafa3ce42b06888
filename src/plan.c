/* SPDX-License-Identifier: MIT
 * A plan: a problem, the strategy that runs it, and that strategy's state. Every execution checks
 * its pointers here, once for all strategies, and calls the strategy in the default floating-point
 * environment. weft_filter is composed here of forward, multiply and inverse, unless the strategy
 * has a filter of its own.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "environment.h"
#include "problem.h"
#include "range.h"
#include "sizes.h"
#include "strategy_name.h"
#include "text.h"

struct weft_plan {
    problem problem;
    const strategy *strategy;
    char name[FULL_NAME_SIZE];
    void *state;
    void *filter_state; /* of a filter that is composed here: its spectrum has no gaps */
    size_t transform_workspace, filter_spectrum_bytes; /* the latter lies behind the former */
    text description;
};

/* ---- what a plan says of itself -------------------------------------------------------------- */

/* What the strategy uses of this machine, up to the details: "x86-64-v3: AVX2 ..." is x86-64-v3. */
static void describe_problem(const weft_plan *plan, text *to) {
    static const char *const precisions[] = {"f32", "f64"}, *const layouts[] = {"packed", "half"},
                             *const pixels[] = {"", "u8 pixels, ", "u16 pixels, "};
    const problem *p = &plan->problem;
    const char *here = plan->strategy->here != NULL ? plan->strategy->here() : "";
    text_add(to, "%zux%zu %s, %s%s, ", p->height, p->width, precisions[p->precision],
             pixels[p->pixel], layouts[p->layout]);
    if (p->batch > 1) {
        text_add(to, "batch of %zu, ", p->batch);
    }
    text_add(to, "%s%s%.*s\n", plan->name, *here != '\0' ? " on " : "", (int)strcspn(here, ":,"),
             here);
}

static weft_status describe(weft_plan *plan) {
    char bytes[BYTES_TEXT_SIZE];
    text *to = &plan->description;
    describe_problem(plan, to);
    if (plan->strategy->describe != NULL) {
        plan->strategy->describe(plan->state, to);
    }
    text_add(to, "  workspace %s", bytes_text(weft_plan_workspace(plan), bytes));
    if (to->moved > 0) {
        double copied = (double)(pixels_moved(&plan->problem) + spectra_moved(&plan->problem));
        text_add(to, "; %.1f times the bytes of copy", (double)to->moved / copied);
    }
    text_add(to, "\n");
    return to->has_failed ? weft_fail(WEFT_NO_MEMORY, "no memory for a plan's description")
                          : WEFT_OK;
}

const char *weft_plan_describe(const weft_plan *plan) {
    return plan == NULL ? "" : plan->description.bytes;
}

/* ---- create, ask, destroy -------------------------------------------------------------------- */

/* Gaps between the rows of the caller's spectra may be large; the spectrum of a filter, which lies
 * in the workspace, has none, and so wants a state of its own. */
static weft_status create_states(weft_plan *plan) {
    const strategy *s = plan->strategy;
    const problem tight = problem_with_tight_spectrum(&plan->problem);
    size_t of_filter = 0;
    weft_status status = s->create(&plan->problem, &plan->state, &plan->transform_workspace);
    plan->filter_state = plan->state;
    if (status == WEFT_OK && s->filter == NULL) {
        plan->filter_spectrum_bytes = spectrum_batch_bytes(&tight);
        if (plan->filter_spectrum_bytes != spectrum_batch_bytes(&plan->problem)) {
            status = s->create(&tight, &plan->filter_state, &of_filter);
        }
    }
    if (plan->transform_workspace < of_filter) {
        plan->transform_workspace = of_filter;
    }
    plan->transform_workspace = whole_lines(plan->transform_workspace);
    return status;
}

static weft_status create(weft_plan **plan, const problem *p, const strategy *chosen) {
    weft_plan *made = calloc(1, sizeof *made);
    weft_status status;
    if (made == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
    }
    made->problem = *p;
    made->strategy = chosen;
    name_write(made->name, chosen, p->choice);
    if ((status = create_states(made)) != WEFT_OK || (status = describe(made)) != WEFT_OK) {
        weft_plan_destroy(made);
        return status;
    }
    *plan = made;
    return WEFT_OK;
}

static weft_status take_strategy(const weft_desc *desc, const strategy *given, problem *p) {
    weft_status status = name_choices(desc->strategy, given, p->choice);
    return status == WEFT_OK ? given->supports(p) : status;
}

static weft_status create_from_desc(weft_plan **plan, const weft_desc *desc,
                                    const strategy *chosen) {
    problem p;
    weft_status status = problem_from_desc(&p, desc);
    if (status == WEFT_OK) {
        status = chosen != NULL ? take_strategy(desc, chosen, &p)
                                : choose_strategy(desc->strategy, &p, &chosen);
    }
    return status == WEFT_OK ? create(plan, &p, chosen) : status;
}

weft_status plan_create_over(weft_plan **plan, const weft_desc *desc, const strategy *chosen) {
    *plan = NULL;
    fenv_t callers = take_whole_environment();
    weft_status status = create_from_desc(plan, desc, chosen);
    give_back_whole_environment(callers);
    return status;
}

weft_status weft_plan_create(weft_plan **plan, const weft_desc *desc) {
    return plan == NULL ? weft_fail(WEFT_BAD_ARGUMENT, "plan is NULL")
                        : plan_create_over(plan, desc, NULL);
}

void weft_plan_destroy(weft_plan *plan) {
    if (plan != NULL) {
        fenv_t callers = take_whole_environment();
        if (plan->filter_state != plan->state) {
            plan->strategy->destroy(plan->filter_state);
        }
        plan->strategy->destroy(plan->state);
        give_back_whole_environment(callers);
        free(plan->description.bytes);
        free(plan);
    }
}

size_t weft_plan_workspace(const weft_plan *plan) {
    return plan == NULL ? 0 : plan->transform_workspace + plan->filter_spectrum_bytes;
}

const char *weft_plan_strategy(const weft_plan *plan) {
    if (plan == NULL) {
        return "";
    }
    return strcmp(plan->name, plan->strategy->name) == 0 ? plan->strategy->name : plan->name;
}

const strategy *plan_strategy(const weft_plan *plan) {
    return plan->strategy;
}

const problem *plan_problem(const weft_plan *plan) {
    return &plan->problem;
}

size_t plan_image_bytes(const weft_plan *plan) {
    return image_batch_bytes(&plan->problem);
}

size_t plan_spectrum_bytes(const weft_plan *plan) {
    return spectrum_batch_bytes(&plan->problem);
}

size_t plan_transfer_bytes(const weft_plan *plan, weft_transfer kind) {
    return transfer_bytes(&plan->problem, kind);
}

/* ---- what every execution checks ------------------------------------------------------------- */

static range image_range(const weft_plan *plan, const char *what, const void *image) {
    return (range){what, image, plan_image_bytes(plan), pixel_bytes(&plan->problem)};
}

static range spectrum_range(const weft_plan *plan, const char *what, const void *spectrum) {
    const problem *p = &plan->problem;
    return (range){what, spectrum, plan_spectrum_bytes(plan),
                   plan->strategy->space->is_device ? spectrum_element_bytes(p) : real_bytes(p)};
}

static range transfer_range(const weft_plan *plan, const void *transfer, weft_transfer kind) {
    range r = spectrum_range(plan, "transfer", transfer);
    r.bytes = plan_transfer_bytes(plan, kind);
    if (kind == WEFT_TRANSFER_GAIN) {
        r.alignment = real_bytes(&plan->problem);
    }
    return r;
}

static weft_status check_range(const weft_plan *plan, range r) {
    weft_status status = check_aligned(r);
    return status == WEFT_OK
               ? plan->strategy->space->check_pointer(plan->problem.device, r.what, r.memory)
               : status;
}

/* The ranges may be the very same memory if `may_alias`; otherwise not a byte is shared. */
static weft_status check_pair(const weft_plan *plan, range from, range to, int may_alias) {
    weft_status status;
    if ((status = check_range(plan, from)) != WEFT_OK ||
        (status = check_range(plan, to)) != WEFT_OK) {
        return status;
    }
    return may_alias && from.memory == to.memory ? WEFT_OK : check_apart(from, to);
}

static weft_status check_work(const weft_plan *plan, void *work, range a, range b) {
    range w = {"work", work, weft_plan_workspace(plan), 16};
    if (w.bytes == 0) {
        return WEFT_OK;
    }
    weft_status status = check_range(plan, w);
    if (status == WEFT_OK) {
        status = check_apart(w, a);
    }
    return status == WEFT_OK ? check_apart(w, b) : status;
}

static int may_run_in_place(const problem *p) {
    return p->layout == WEFT_PACKED && p->pixel == WEFT_PIXEL_REAL &&
           p->image_pitch == p->spectrum_pitch && p->image_stride == p->spectrum_stride;
}

static weft_status check_transform(const weft_plan *plan, range from, range to) {
    return check_pair(plan, from, to, may_run_in_place(&plan->problem));
}

static weft_status check_filter(const weft_plan *plan, range image, range transfer, range out,
                                weft_transfer kind) {
    weft_status status;
    if (kind != WEFT_TRANSFER_SPECTRUM && kind != WEFT_TRANSFER_GAIN) {
        return weft_fail(WEFT_BAD_ARGUMENT, "kind %d: must be 0 or 1 (see weft_transfer)",
                         (int)kind);
    }
    if ((status = check_pair(plan, image, out, 1)) != WEFT_OK) {
        return status;
    }
    return check_pair(plan, transfer, out, 0);
}

static weft_status check_plan(const weft_plan *plan) {
    return plan == NULL ? weft_fail(WEFT_BAD_ARGUMENT, "plan is NULL") : WEFT_OK;
}

/* ---- execute --------------------------------------------------------------------------------- */

/* What a caller gets back: of a strategy of the CPU only what it uses. */
typedef struct kept_environment {
    int is_whole;
    environment used;
    fenv_t whole;
} kept_environment;

static void keep_environment(kept_environment *callers, const weft_plan *plan) {
    callers->is_whole = plan->strategy->space->is_device;
    if (callers->is_whole) {
        callers->whole = take_whole_environment();
    } else {
        callers->used = take_default_environment();
    }
}

static void restore_environment(const kept_environment *callers) {
    if (callers->is_whole) {
        give_back_whole_environment(callers->whole);
    } else {
        give_back_environment(callers->used);
    }
}

static weft_status forward(const weft_plan *plan, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream) {
    weft_status status;
    range from = image_range(plan, "image", image), to = spectrum_range(plan, "spectrum", spectrum);
    if ((status = check_transform(plan, from, to)) != WEFT_OK ||
        (status = check_work(plan, work, from, to)) != WEFT_OK) {
        return status;
    }
    return plan->strategy->forward(plan->state, image, spectrum, work, stream);
}

weft_status weft_forward(const weft_plan *plan, const void *image, void *spectrum, void *work,
                         struct CUstream_st *stream) {
    kept_environment callers;
    weft_status status = check_plan(plan);
    if (status == WEFT_OK) {
        keep_environment(&callers, plan);
        status = forward(plan, image, spectrum, work, stream);
        restore_environment(&callers);
    }
    return status;
}

static weft_status inverse(const weft_plan *plan, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream) {
    weft_status status;
    range from = spectrum_range(plan, "spectrum", spectrum), to = image_range(plan, "image", image);
    if ((status = check_transform(plan, from, to)) != WEFT_OK ||
        (status = check_work(plan, work, from, to)) != WEFT_OK) {
        return status;
    }
    return plan->strategy->inverse(plan->state, spectrum, image, work, stream);
}

weft_status weft_inverse(const weft_plan *plan, const void *spectrum, void *image, void *work,
                         struct CUstream_st *stream) {
    kept_environment callers;
    weft_status status = check_plan(plan);
    if (status == WEFT_OK) {
        keep_environment(&callers, plan);
        status = inverse(plan, spectrum, image, work, stream);
        restore_environment(&callers);
    }
    return status;
}

static weft_status run_filter(const weft_plan *plan, const void *image, const void *transfer,
                              weft_transfer kind, void *out, void *work,
                              struct CUstream_st *stream) {
    const strategy *s = plan->strategy;
    weft_status status;
    if (s->filter != NULL) {
        return s->filter(plan->state, image, transfer, kind, out, work, stream);
    }
    void *spectrum = (char *)work + plan->transform_workspace;
    if ((status = s->forward(plan->filter_state, image, spectrum, work, stream)) != WEFT_OK ||
        (status = s->multiply(plan->filter_state, spectrum, transfer, kind, stream)) != WEFT_OK) {
        return status;
    }
    return s->inverse(plan->filter_state, spectrum, out, work, stream);
}

static weft_status filter(const weft_plan *plan, const void *image, const void *transfer,
                          weft_transfer kind, void *out, void *work, struct CUstream_st *stream) {
    weft_status status;
    range from = image_range(plan, "image", image), to = image_range(plan, "out", out);
    range by = transfer_range(plan, transfer, kind);
    if ((status = check_filter(plan, from, by, to, kind)) != WEFT_OK ||
        (status = check_work(plan, work, from, to)) != WEFT_OK ||
        (status = check_work(plan, work, by, to)) != WEFT_OK) {
        return status;
    }
    return run_filter(plan, image, transfer, kind, out, work, stream);
}

weft_status weft_filter(const weft_plan *plan, const void *image, const void *transfer,
                        weft_transfer kind, void *out, void *work, struct CUstream_st *stream) {
    kept_environment callers;
    weft_status status = check_plan(plan);
    if (status == WEFT_OK) {
        keep_environment(&callers, plan);
        status = filter(plan, image, transfer, kind, out, work, stream);
        restore_environment(&callers);
    }
    return status;
}
