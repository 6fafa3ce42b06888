/* SPDX-License-Identifier: MIT
 * weft reproduce report: measures, and makes or prints the document.
 */
#include <stdlib.h>

#include "bench/document.h"
#include "bench/report_figures.h"
#include "reproduce/report/experiment.h"
#include "shell/complain.h"

enum { QUICK_SIDE = 512, SAMPLES = 15, QUICK_SAMPLES = 5 };

static const char source_name[] = "report";

static int (*const parts[])(report_experiment *e) = {report_find_programs, report_find_angles,
                                                     report_find_transform, report_find_errata};

static json_t *json_of(const report_experiment *e, json_t *machine) {
    json_t *results = json_array(), *skipped = json_array();
    const int failed = bench_records(results, skipped, &e->programs, &e->task);
    json_t *document = json_pack(
        "{s:s, s:O, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "schema", "weft-report/1", "machine",
        machine, "height", (json_int_t)e->task.height, "width", (json_int_t)e->task.width,
        "samples", (json_int_t)e->task.repeat, "results", results, "skipped", skipped, "tables",
        findings_json(&e->found), "claims", report_claims(e));

    if (failed) {
        json_decref(document);
        return NULL;
    }
    return document;
}

int report_measure(const reproduce_options *o, json_t *machine, json_t **document) {
    report_experiment *e = allocate(1, sizeof *e);
    const size_t side = o->quick ? QUICK_SIDE : REPORT_SIDE;
    int code = EXIT_DONE;

    if (e == NULL) {
        return EXIT_MEMORY;
    }
    *e = (report_experiment){
        .task = {.height = side, .width = side, .repeat = o->quick ? QUICK_SAMPLES : SAMPLES},
        .found = {.source = source_name}};
    for (size_t i = 0; code == EXIT_DONE && i < sizeof parts / sizeof *parts; i++) {
        code = parts[i](e);
    }
    if (code == EXIT_DONE) {
        *document = json_of(e, machine);
    }
    findings_free(&e->found);
    line_up_free(&e->programs);
    free(e);
    return code;
}

void report_print(page *p, const json_t *document) {
    const json_t *tables, *claims;
    int height, width, samples;

    if (!page_take(p, document, "{s:i, s:i, s:i}", "height", &height, "width", &width, "samples",
                   &samples) ||
        !page_list(p, document, "tables", &tables) || !page_list(p, document, "claims", &claims)) {
        return;
    }
    page_print(p, "weft reproduce report: its program and today's, its text and its errata\n");
    page_machine(p, document);
    page_print(p, "  data  the scene, %dx%d, f32, %d samples; verified before on random numbers\n",
               height, width, samples);
    page_weft(p, document);
    findings_print(p, tables, source_name);
    claims_print(p, claims);
}
