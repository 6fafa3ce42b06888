/* SPDX-License-Identifier: MIT
 * weft-dx11/1; see document.h and data/README.md. What is not known or does not apply is null.
 */
#include <math.h>

#include "reproduce/dx11/document.h"
#include "shell/json_file.h"

static const double unknown = (double)NAN;

/* ---- rows ------------------------------------------------------------------------------------ */

static json_t *names_of(const dx11_row *row) {
    const dx11_desc *d = &row->desc;
    const dx11_own *own = row->own;
    return json_pack("{s:b, s:s, s:s, s:s?, s:s?, s:s?, s:s?, s:s, s:I, s:I}", "shown",
                     row->is_shown, "technique",
                     own ? own->strategy : dx11_technique_words[d->technique], "operation",
                     own && !own->and_back ? "forward" : "round trip", "twiddle",
                     own ? own->twiddle : dx11_twiddle_words[d->twiddle], "layout",
                     own ? NULL : dx11_layout_words[d->layout], "source",
                     own ? NULL : dx11_source_words[d->source], "sink",
                     own ? NULL : dx11_sink_words[d->sink], "real", own ? own->real : "zero",
                     "height", (json_int_t)d->height, "width", (json_int_t)d->width);
}

static json_t *bytes_of(const dx11_row *row) {
    const double read = row->own ? unknown : row->predicted.read;
    const double written = row->own ? unknown : row->predicted.written;
    return json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "launches", (json_int_t)row->launches,
        "bytes_read", json_finite(read), "bytes_written", json_finite(written), "counted_read",
        json_finite(row->was_counted ? row->counted.read : unknown), "counted_written",
        json_finite(row->was_counted ? row->counted.written : unknown), "first_axis_read",
        json_finite(row->was_counted ? row->first_axis.read : unknown), "first_axis_written",
        json_finite(row->was_counted ? row->first_axis.written : unknown), "gb_per_s",
        json_finite((read + written) / row->graph.summary.median_us * 1e-3));
}

static json_t *verdict_of(const dx11_row *row) {
    return json_pack("{s:o, s:b, s:o, s:o, s:s?, s:s?}", "psnr_db", json_finite(row->psnr_db),
                     "exact", isinf(row->psnr_db) != 0, "rel_l2", json_finite(row->rel_l2),
                     "gate_l2", json_finite(row->gate_l2), "reason",
                     row->reason[0] != '\0' ? row->reason : NULL, "error",
                     row->failure[0] != '\0' ? row->failure : NULL);
}

static json_t *time_of(const dx11_time *t) {
    json_t *samples = json_array();
    for (size_t i = 0; i < t->count; i++) {
        samples = json_append(samples, json_real(t->samples_us[i]));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "samples_us", samples, "min_us",
                     json_finite(t->summary.min_us), "median_us", json_finite(t->summary.median_us),
                     "p95_us", json_finite(t->summary.p95_us));
}

static json_t *times_of(const dx11_row *row) {
    return json_pack("{s:o, s:o}", "graph", time_of(&row->graph), "stream", time_of(&row->stream));
}

static int add_row(json_t *rows, const dx11_row *row) {
    json_t *parts[] = {names_of(row), bytes_of(row), verdict_of(row), times_of(row)};
    json_t *all = json_object();
    int failed = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        failed |= json_object_update(all, parts[i]);
        json_decref(parts[i]);
    }
    return failed | json_array_append_new(rows, all);
}

static json_t *rows_of(const dx11_experiment *e) {
    json_t *rows = json_array();
    for (size_t i = 0; i < e->count; i++) {
        if (add_row(rows, &e->rows[i]) != 0) {
            json_decref(rows);
            return NULL;
        }
    }
    return rows;
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* The article's one published measurement. Its 1 048 576 invocations are four for each pixel of
 * 512x512, a thread a pixel and axis both ways: the SLM technique. */
static json_t *published(void) {
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:f, s:f}", "where", "Figure 11", "gpu",
                     "HD Graphics of a Core i5-4300U", "technique", dx11_technique_words[DX11_SLM],
                     "height", (json_int_t)512, "width", (json_int_t)512, "lut_us", 18079.5,
                     "compute_us", 14323.0);
}

json_t *dx11_document(const dx11_experiment *e, json_t *machine) {
    return json_pack("{s:s, s:O, s:s, s:I, s:I, s:o, s:o, s:o}", "schema", "weft-dx11/1", "machine",
                     machine, "picture", e->options->picture != NULL ? "a picture" : "scene",
                     "figure_height", (json_int_t)e->figure_height, "figure_width",
                     (json_int_t)e->figure_width, "rows", rows_of(e), "published", published(),
                     "claims", dx11_judge(e));
}
