/* SPDX-License-Identifier: MIT
 * weft-ladder/1; see experiment.h and data/README.md. What is not known or does not apply is null.
 */
#include "reproduce/ladder/experiment.h"
#include "shell/json_file.h"

static json_t *names_of(const ladder_row *row) {
    const ladder_entry *entry = row->entry;
    const ladder_rung *rung = entry != NULL ? entry->rung : NULL;

    return json_pack("{s:s, s:s, s:s, s:s?, s:s?, s:s?, s:I}", "device", row->device, "kind",
                     entry == NULL       ? "strategy"
                     : entry->is_without ? "without"
                                         : "rung",
                     "name", row->name, "idea", rung != NULL ? rung->idea : NULL, "file",
                     rung != NULL ? rung->file : NULL, "layout",
                     rung == NULL                  ? NULL
                     : rung->layout == LADDER_FULL ? "full"
                                                   : "packed",
                     "threads", (json_int_t)row->threads);
}

static json_t *verdict_of(const ladder_row *row) {
    const verdict *v = &row->verdict;

    return json_pack("{s:o, s:o, s:o, s:o, s:s?, s:s?}", "rel_l2", json_finite(v->rel_l2),
                     "gate_l2", json_finite(v->gate_l2), "max_rms", json_finite(v->max_rms),
                     "gate_max", json_finite(v->gate_max), "reason",
                     row->reason[0] != '\0' ? row->reason : NULL, "error",
                     v->passed ? NULL : v->why);
}

static json_t *times_of(const ladder_experiment *e, const ladder_row *row) {
    json_t *samples = json_array();

    for (size_t i = 0; i < row->count; i++) {
        samples = json_append(samples, json_real(row->samples_us[i]));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "samples_us", samples, "min_us",
                     json_finite(row->summary.min_us), "median_us",
                     json_finite(row->summary.median_us), "p95_us",
                     json_finite(row->summary.p95_us), "gain", json_finite(ladder_gain(e, row)),
                     "total_gain", json_finite(ladder_total_gain(e, row)), "lost",
                     json_finite(ladder_loss(e, row)));
}

static json_t *json_of_row(const ladder_experiment *e, const ladder_row *row) {
    json_t *parts[] = {names_of(row), verdict_of(row), times_of(e, row)};
    json_t *all = json_object();
    int failed = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        failed |= json_object_update(all, parts[i]);
        json_decref(parts[i]);
    }
    if (failed) {
        json_decref(all);
        return NULL;
    }
    return all;
}

json_t *ladder_document(const ladder_experiment *e, json_t *machine) {
    json_t *rows = json_array();

    for (size_t i = 0; i < e->count; i++) {
        rows = json_append(rows, json_of_row(e, &e->rows[i]));
    }
    return json_pack("{s:s, s:O, s:I, s:I, s:o, s:o}", "schema", "weft-ladder/1", "machine",
                     machine, "height", (json_int_t)e->n, "width", (json_int_t)e->n, "results",
                     rows, "claims", ladder_claims(e));
}
