/* SPDX-License-Identifier: MIT
 * weft-bench/1; see document.h and data/README.md. Numbers that are not known are null.
 */
#include "bench/document.h"

#include <math.h>

#include "bench/input.h"
#include "shell/json_file.h"
#include "shell/options.h"

static json_t *samples(const measurement *m) {
    json_t *all = json_array();
    for (size_t i = 0; m != NULL && i < m->count; i++) {
        all = json_append(all, json_real(m->samples_us[i]));
    }
    return all;
}

/* What ran. A copy stands for the task's transform, whatever bytes it moved. */
static json_t *shape_of(const contender *c, const bench_task *t) {
    const int copy = contender_is_copy(c);
    const weft_desc *d = &c->desc;
    return json_pack("{s:s, s:i, s:I, s:I, s:I, s:s, s:s, s:s, s:s, s:s}", "strategy",
                     c->candidate->name, "threads", c->threads, "height", (json_int_t)t->height,
                     "width", (json_int_t)t->width, "batch", (json_int_t)t->batch, "precision",
                     precision_words[t->precision], "pixel", pixel_words[t->pixel], "layout",
                     layout_words[copy ? t->layout : d->layout], "operation",
                     operation_words[t->what], "norm", norm_words[d->norm]);
}

static json_t *verdict_of(const contender *c) {
    const verdict *v = &c->verdict;
    return json_pack("{s:o, s:o, s:o, s:b, s:s?}", "rel_l2", json_finite(v->rel_l2), "max_rms",
                     json_finite(v->max_rms), "gate_l2", json_finite(v->gate_l2), "verified",
                     v->passed, "error", v->passed ? NULL : v->why);
}

/* m is NULL for a contender that was not timed. */
static json_t *times_of(const line_up *l, const contender *c, const measurement *m) {
    static const bench_mode untimed = {"transform", "hot", NULL};
    const bench_mode *mode = m != NULL ? m->mode : &untimed;
    const double unknown = (double)NAN;
    return json_pack("{s:s, s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:I, s:o}", "space",
                     contender_on_gpu(c) ? "gpu" : "cpu", "scope", mode->scope, "cache",
                     mode->cache, "launch", mode->launch, "samples_us", samples(m), "min_us",
                     json_finite(m ? m->summary.min_us : unknown), "median_us",
                     json_finite(m ? m->summary.median_us : unknown), "p95_us",
                     json_finite(m ? m->summary.p95_us : unknown), "bytes",
                     (json_int_t)contender_bytes(c), "percent_of_copy",
                     json_finite(m ? percent_of_copy(l, c, m) : unknown));
}

static int add_record(json_t *results, const line_up *l, const bench_task *task, const contender *c,
                      const measurement *m) {
    json_t *record = shape_of(c, task), *times = times_of(l, c, m), *judged = verdict_of(c);
    int failed = record == NULL || times == NULL || judged == NULL ||
                 json_object_update(record, times) || json_object_update(record, judged) ||
                 json_array_append(results, record);
    json_decref(record);
    json_decref(times);
    json_decref(judged);
    return failed;
}

static int add_contender(json_t *results, json_t *skipped, const line_up *l, const bench_task *task,
                         const contender *c) {
    int failed = 0;
    if (c->plan == NULL) {
        return json_array_append_new(
            skipped,
            json_pack("{s:s, s:s, s:I, s:I, s:s}", "strategy", c->candidate->name, "space",
                      contender_on_gpu(c) ? "gpu" : "cpu", "height", (json_int_t)task->height,
                      "width", (json_int_t)task->width, "reason", c->reason));
    }
    if (!c->verdict.passed) {
        return add_record(results, l, task, c, NULL);
    }
    for (size_t i = 0; i < c->measured && !failed; i++) {
        failed = add_record(results, l, task, c, &c->measurements[i]);
    }
    return failed;
}

int bench_records(json_t *results, json_t *skipped, const line_up *l, const bench_task *task) {
    int failed = 0;
    for (size_t i = 0; i < l->count && !failed; i++) {
        failed = add_contender(results, skipped, l, task, &l->list[i]);
    }
    return failed;
}

json_t *bench_document(const char *schema, json_t *machine, json_t *results, json_t *skipped) {
    return json_pack("{s:s, s:o, s:o, s:o}", "schema", schema, "machine", machine, "results",
                     results, "skipped", skipped);
}

json_t *bench_json(const line_up *l, const bench_task *task, json_t *machine) {
    json_t *results = json_array(), *skipped = json_array(), *document;
    int failed = bench_records(results, skipped, l, task);
    document = bench_document("weft-bench/1", machine, results, skipped);
    if (failed) {
        json_decref(document);
        return NULL;
    }
    return document;
}
