/* SPDX-License-Identifier: MIT
 * The order of a bench; see measure.h. How one sample is taken is the samplers' business.
 */
#include "bench/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sampler.h"
#include "elements.h"
#include "shell/complain.h"
#include "shell/progress.h"

/* ---- verification ---------------------------------------------------------------------------- */

static void verify(contender *c, reference *r) {
    c->status = contender_is_copy(c)
                    ? verify_copy(c->plan, &c->verdict)
                    : verify_plan(c->plan, c->what, r, peer_leniency(c->candidate->peer, c->what),
                                  &c->verdict);
    if (c->status != WEFT_OK) {
        c->verdict.passed = 0;
        c->verdict.rel_l2 = c->verdict.max_rms = (double)NAN;
        snprintf(c->verdict.why, sizeof c->verdict.why, "%s", weft_last_error());
    }
}

static void verify_all(line_up *l, reference *r) {
    progress_start("verifying");
    for (size_t i = 0; i < l->count; i++) {
        progress_step((double)i / (double)l->count, l->list[i].candidate->name);
        if (l->list[i].plan != NULL) {
            verify(&l->list[i], r);
        }
    }
    progress_end();
}

/* ---- the ways of timing ---------------------------------------------------------------------- */

typedef struct timed_way {
    bench_mode mode;
    int on_gpu, to_file;
    sampler_open *open;
} timed_way;

static const timed_way ways[] = {
#if WEFT_WITH_CUDA
    {{"transform", "hot", "graph"}, 1, 0, cuda_graph_sampler},
    {{"transform", "cold", "graph"}, 1, 0, cuda_graph_sampler},
    {{"transform", "hot", "stream"}, 1, 0, cuda_stream_sampler},
    {{"transform", "cold", "stream"}, 1, 0, cuda_stream_sampler},
    {{"transfer", "hot", "stream"}, 1, 0, transfer_sampler},
    {{"file", "hot", "stream"}, 1, 1, file_sampler},
#endif
    {{"transform", "hot", NULL}, 0, 0, host_sampler},
    {{"transform", "cold", NULL}, 0, 0, host_sampler},
    {{"file", "hot", NULL}, 0, 1, file_sampler},
};
enum { WAYS = sizeof ways / sizeof *ways };

const measurement *bench_find(const contender *c, const char *scope, const char *cache) {
    for (size_t i = 0; i < WAYS; i++) {
        const measurement *m = contender_find(c, &ways[i].mode);
        if (m != NULL && strcmp(ways[i].mode.scope, scope) == 0 &&
            strcmp(ways[i].mode.cache, cache) == 0) {
            return m; /* the replayed graph stands before the plain launches */
        }
    }
    return NULL;
}

static int is_cold(const timed_way *way) {
    return strcmp(way->mode.cache, "cold") == 0;
}

void *sampler_allocate(size_t bytes) {
    void *state = calloc(1, bytes);
    if (state == NULL) {
        weft_fail(WEFT_NO_MEMORY, "no memory for a timer");
    }
    return state;
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* The bench of one place: its contenders share the ring. */
typedef struct place {
    line_up *line;
    const bench_task *task;
    const bench_input *input;
    int on_gpu;
    buffer_ring ring;
    void *master;
    double done_us, total_us; /* for the progress */
} place;

static int takes_part(const place *p, const contender *c) {
    return contender_ready(c) && contender_on_gpu(c) == p->on_gpu;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* The pictures of the batch, over and over, as the operation reads them: an inverse gets them as
 * reals, since its time does not depend on their values. */
static weft_status make_master(place *p, size_t bytes) {
    bench_task as_read = *p->task;
    size_t each;
    char *one;

    as_read.pixel = p->task->what == OPERATION_INVERSE ? WEFT_PIXEL_REAL : p->task->pixel;
    each = p->task->height * p->task->width * element_size(as_read.precision, as_read.pixel);
    p->master = calloc(1, bytes);
    one = malloc(each);
    if (p->master == NULL || one == NULL) {
        free(one);
        return weft_fail(WEFT_NO_MEMORY, "no memory for a bench buffer");
    }
    for (size_t b = 0; b * each < bytes; b++) {
        const size_t left = bytes - b * each;
        if (b < p->input->picture.planes) {
            bench_input_pixels(p->input, &as_read, b, one);
            memcpy((char *)p->master + b * each, one, left < each ? left : each);
        } else {
            const char *same = (char *)p->master + b % p->input->picture.planes * each;
            memcpy((char *)p->master + b * each, same, left < each ? left : each);
        }
    }
    free(one);
    return WEFT_OK;
}

static weft_status open_ring(place *p, reference *r) {
    size_t work = 1, transfer_bytes = 0;
    const void *transfer = NULL;
    weft_status status;

    for (size_t i = 0; i < p->line->count; i++) {
        const contender *c = &p->line->list[i];
        if (takes_part(p, c)) {
            p->ring.space = c->strategy->space;
            p->ring.input_bytes =
                larger(p->ring.input_bytes, operation_input_bytes(c->what, c->plan));
            p->ring.output_bytes =
                larger(p->ring.output_bytes, operation_output_bytes(c->what, c->plan));
            work = larger(work, weft_plan_workspace(c->plan));
            if (c->what == OPERATION_FILTER) {
                transfer_bytes = plan_transfer_bytes(c->plan, WEFT_TRANSFER_GAIN);
            }
        }
    }
    if (transfer_bytes != 0) {
        transfer = reference_transfer(r, WEFT_TRANSFER_GAIN, p->task->layout);
        if (transfer == NULL) {
            return weft_fail(WEFT_NO_MEMORY, "no memory for a transfer");
        }
    }
    status = make_master(p, p->ring.input_bytes);
    p->ring.master = p->master;
    p->ring.sets = ring_cold_sets(p->ring.input_bytes + p->ring.output_bytes);
    return status == WEFT_OK ? ring_open(&p->ring, work, transfer, transfer_bytes) : status;
}

/* ---- samples --------------------------------------------------------------------------------- */

static timed_call call_of(const place *p, const contender *c) {
    return (timed_call){.plan = c->plan,
                        .what = c->what,
                        .spoils = peer_leniency(c->candidate->peer, c->what).input_may_change,
                        .ring = &p->ring};
}

static size_t samples_of(const place *p, const contender *c) {
    return samples_to_take(c->run_us, p->task->repeat, p->task->fewest);
}

/* A first execution that takes as long as this is not slow because it is the first. */
static const double certain_us = 500e3;

/* How long one execution takes, roughly: the second of two, if the first leaves a doubt. */
static weft_status estimate(place *p, contender *c) {
    const timed_call call = call_of(p, c);
    weft_status status = call_refresh(&call, 1);
    for (int i = 0; i < 2 && status == WEFT_OK && c->run_us < certain_us; i++) {
        const double start = clock_us();
        status = call_run(&call, 0, NULL);
        if (status == WEFT_OK) {
            status = p->ring.space->wait(p->ring.device);
        }
        c->run_us = clock_us() - start;
    }
    p->total_us += c->run_us * (double)samples_of(p, c) * (contender_is_slow(c) ? 1 : 2);
    return status;
}

/* PNG to PNG is asked for, makes sense, and the picture is not one that repeats itself. */
static int has_file(const place *p, const contender *c) {
    return p->task->to_file && !contender_is_copy(c) &&
           p->input->picture.height == p->task->height && p->input->picture.width == p->task->width;
}

static int is_timed(const place *p, const contender *c, const timed_way *way) {
    if (!takes_part(p, c) || way->on_gpu != p->on_gpu) {
        return 0;
    }
    if (p->task->is_sweep && way->mode.launch != NULL && strcmp(way->mode.launch, "stream") == 0) {
        return 0; /* the ways that its table does not show */
    }
    if (way->to_file && !has_file(p, c)) {
        return 0;
    }
    return !is_cold(way) || (!contender_is_slow(c) && p->ring.sets > 1);
}

/* A contender with its sampler, for one way of timing. */
typedef struct entry {
    contender *of;
    measurement *result;
    sampler *sampler;
} entry;

static weft_status enter(const place *p, contender *c, const timed_way *way, entry *e) {
    const sampler_request request = {
        .call = call_of(p, c), .of = c, .task = p->task, .input = p->input, .cold = is_cold(way)};
    *e = (entry){.of = c, .result = &c->measurements[c->measured++]};
    *e->result = (measurement){.mode = &way->mode};
    e->result->samples_us = calloc(p->task->repeat, sizeof(double));
    if (e->result->samples_us == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for samples");
    }
    return way->open(&e->sampler, &request);
}

/* Whom, and in which way, a status is about. */
typedef struct culprit {
    const contender *of;
    int at_file;
} culprit;

static weft_status take_samples(place *p, const timed_way *way, entry *entries, size_t count,
                                culprit *now) {
    weft_status status = WEFT_OK;
    for (size_t round = 0; round < p->task->repeat; round++) {
        for (size_t i = 0; i < count && status == WEFT_OK; i++) {
            entry *e = &entries[i];
            if (round >= samples_of(p, e->of)) {
                continue;
            }
            now->of = e->of;
            progress_step(fmin(1, p->done_us / p->total_us), e->of->candidate->name);
            status = e->sampler->sample(e->sampler, &e->result->samples_us[e->result->count++]);
            p->done_us += e->of->run_us * (is_cold(way) || contender_is_slow(e->of) ? 1 : 2);
        }
    }
    for (size_t i = 0; i < count && status == WEFT_OK; i++) {
        measurement *m = entries[i].result;
        status = samples_summarize(&m->summary, m->samples_us, m->count);
    }
    return status;
}

static weft_status run_way(place *p, const timed_way *way, culprit *now) {
    entry *entries = calloc(p->line->count + 1, sizeof *entries);
    size_t count = 0;
    weft_status status =
        entries != NULL ? WEFT_OK : weft_fail(WEFT_NO_MEMORY, "no memory for samples");

    now->at_file = way->to_file;
    for (size_t i = 0; i < p->line->count && status == WEFT_OK; i++) {
        contender *c = &p->line->list[i];
        if (is_timed(p, c, way)) {
            now->of = c;
            status = enter(p, c, way, &entries[count++]);
        }
    }
    if (status == WEFT_OK) {
        status = take_samples(p, way, entries, count, now);
    }
    for (size_t i = 0; i < count; i++) {
        if (entries[i].sampler != NULL) {
            entries[i].sampler->close(entries[i].sampler);
        }
    }
    free(entries);
    return status;
}

static weft_status run_place(place *p, reference *r, culprit *now) {
    weft_status status = open_ring(p, r);
    for (size_t i = 0; i < p->line->count && status == WEFT_OK; i++) {
        if (takes_part(p, &p->line->list[i])) {
            now->of = &p->line->list[i];
            status = estimate(p, &p->line->list[i]);
        }
    }
    p->total_us += 1;
    for (size_t i = 0; i < WAYS && status == WEFT_OK; i++) {
        status = run_way(p, &ways[i], now);
    }
    ring_close(&p->ring);
    free(p->master);
    return status;
}

static int any_takes_part(const place *p) {
    for (size_t i = 0; i < p->line->count; i++) {
        if (takes_part(p, &p->line->list[i])) {
            return 1;
        }
    }
    return 0;
}

static int measure(line_up *l, const bench_task *task, const bench_input *source, reference *r) {
    culprit now = {NULL, 0};
    weft_status status = WEFT_OK;

    progress_start("timing");
    for (int on_gpu = 1; on_gpu >= 0 && status == WEFT_OK; on_gpu--) {
        place p = {.line = l, .task = task, .input = source, .on_gpu = on_gpu};
        if (any_takes_part(&p)) {
            status = run_place(&p, r, &now);
        }
    }
    progress_end();
    if (status == WEFT_OK) {
        return EXIT_DONE;
    }
    if (now.of == NULL) {
        return complain_status(status);
    }
    /* What a bench passes on is right: a bad argument is a file (timer_file.c). */
    return complain(now.at_file && status == WEFT_BAD_ARGUMENT ? EXIT_FILE : code_of_status(status),
                    "timing %s: %s", now.of->candidate->name, weft_last_error());
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The context of reference_picture. */
typedef struct picture_source {
    const bench_input *input;
    const bench_task *task;
} picture_source;

static void picture_pixels(const void *context, size_t b, void *pixels) {
    const picture_source *s = context;
    bench_input_pixels(s->input, s->task, b, pixels);
}

int bench_run(line_up *l, const bench_task *task, const bench_input *source) {
    const picture_source pictures = {source, task};
    const weft_desc desc = task_desc(task);
    reference r;
    int code;

    /* Reals are verified on noise. */
    if (reference_create(&r, &desc, MOST_DISTINCT, bench_seed,
                         desc.pixel != WEFT_PIXEL_REAL ? picture_pixels : NULL, &pictures) != 0) {
        return complain(EXIT_MEMORY, "out of memory for the oracle");
    }
    r.gains_are_even = 1; /* peers multiply bin by bin */
    verify_all(l, &r);
    code = line_up_check_memory(l);
    if (code == EXIT_DONE && task->repeat > 0) {
        code = measure(l, task, source, &r);
    }
    reference_destroy(&r);
    return code;
}

int bench_scene(line_up *l, bench_task *task) {
    bench_input source = {0};
    int code = bench_input_open(&source, task);

    if (code == EXIT_DONE) {
        code = line_up_make(l, task);
    }
    if (code == EXIT_DONE) {
        code = bench_run(l, task, &source);
    }
    bench_input_close(&source);
    return code;
}

static int is_verified_by_all(const line_up *l) {
    int all = 1;
    for (size_t i = 0; i < l->count; i++) {
        all &= l->list[i].plan == NULL || l->list[i].verdict.passed;
    }
    return all;
}

int bench_exit_code(const line_up *l) {
    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        if (c->status == WEFT_NO_MEMORY || c->status == WEFT_DEVICE_FAILED) {
            return complain(c->status == WEFT_NO_MEMORY ? EXIT_MEMORY : EXIT_GPU, "%s: %s",
                            c->candidate->name, c->plan == NULL ? c->reason : c->verdict.why);
        }
        if (c->status == WEFT_BAD_ARGUMENT) {
            return complain(EXIT_USAGE, "%s", c->verdict.why);
        }
    }
    return is_verified_by_all(l) ? EXIT_DONE : EXIT_CHECK_FAILED;
}
