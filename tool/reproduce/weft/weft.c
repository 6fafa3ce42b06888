/* SPDX-License-Identifier: MIT
 * weft reproduce weft: measures, and makes or prints the document.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/document.h"
#include "reproduce/weft/experiment.h"
#include "shell/complain.h"
#include "shell/machine.h"
#include "shell/try_strategy.h"

enum { SAMPLES = 15, QUICK_SAMPLES = 5 };

static const char source_name[] = "aim";
static const char *const effort_words[] = {"quick", "usual", "full"};

static int has_peer(const char *name) {
    for (int i = 0; i < peer_count; i++) {
        if (strcmp(peer_table[i].row.for_precision[WEFT_F32]->name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

static int begin(own_experiment *e, const reproduce_options *o, const json_t *machine) {
    *e = (own_experiment){.chosen = o->quick  ? QUICK
                                    : o->full ? FULL
                                              : USUAL,
                          .samples = o->quick ? QUICK_SAMPLES : SAMPLES,
                          .has_two_cores = machine_threads() > 1,
                          .is_h200 = strstr(machine_text(machine, "gpu"), "H200") != NULL,
                          .found = {.source = source_name},
                          .results = json_array(),
                          .skipped = json_array()};
    for (int place = 0; place < PLACES; place++) {
        e->has_peer[place] = has_peer(own_peers[place]);
    }
    return look_for_gpu(e->no_gpu, sizeof e->no_gpu);
}

static json_t *json_of(const own_experiment *e, json_t *machine) {
    return json_pack("{s:s, s:O, s:s, s:I, s:O, s:O, s:o, s:o}", "schema", "weft-weft/1", "machine",
                     machine, "effort", effort_words[e->chosen], "samples", (json_int_t)e->samples,
                     "results", e->results, "skipped", e->skipped, "tables",
                     findings_json(&e->found), "claims", own_claims(e));
}

int weft_measure(const reproduce_options *o, json_t *machine, json_t **document) {
    own_experiment *e = allocate(1, sizeof *e);
    int code;

    if (e == NULL) {
        return EXIT_MEMORY;
    }
    code = begin(e, o, machine);
    if (code == EXIT_DONE) {
        code = own_find_times(e);
    }
    if (code == EXIT_DONE) {
        code = own_find_bits(e);
    }
    if (code == EXIT_DONE) {
        *document = json_of(e, machine);
    }
    findings_free(&e->found);
    json_decref(e->results);
    json_decref(e->skipped);
    free(e);
    return code;
}

void weft_print(page *p, const json_t *document) {
    const json_t *tables, *claims;
    const char *how_much;
    int samples;

    if (!page_take(p, document, "{s:s, s:i}", "effort", &how_much, "samples", &samples) ||
        !page_list(p, document, "tables", &tables) || !page_list(p, document, "claims", &claims)) {
        return;
    }
    page_print(p, "weft reproduce weft: what Weft is to reach in [ ] beside what was measured\n");
    page_machine(p, document);
    page_print(
        p,
        "  data  the scene, f32 but where f64 is said; of %d samples medians, on the CPU the "
        "least (%s)\n",
        samples, how_much);
    page_weft(p, document);
    findings_print(p, tables, source_name);
    claims_print(p, claims);
}
