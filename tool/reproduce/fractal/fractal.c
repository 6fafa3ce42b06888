/* SPDX-License-Identifier: MIT
 * weft reproduce fractal: finds the tables one after the other, and makes or prints the document.
 */
#include <stdlib.h>

#include "reproduce/claims.h"
#include "reproduce/fractal/experiment.h"
#include "shell/complain.h"

const char seed_name[] = "seed";

static int (*const parts[])(experiment *e) = {find_convergence, find_crossing, find_pruning,
                                              find_platforms,   find_quality,  find_times,
                                              find_overtaking};

static json_t *json_of(const experiment *e, json_t *machine) {
    const effort *of = e->chosen;

    return json_pack("{s:s, s:O, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "schema", "weft-fractal/1",
                     "machine", machine, "height", (json_int_t)of->height, "width",
                     (json_int_t)of->width, "frames", (json_int_t)of->frames, "picture_height",
                     (json_int_t)of->picture_height, "picture_width", (json_int_t)of->picture_width,
                     "tables", findings_json(&e->found), "claims", fractal_claims(e));
}

int fractal_measure(const reproduce_options *o, json_t *machine, json_t **document) {
    experiment *e = allocate(1, sizeof *e);
    int code = EXIT_MEMORY;

    if (e != NULL) {
        *e = (experiment){0};
        code = experiment_open(e, o);
    }
    for (size_t i = 0; code == EXIT_DONE && i < sizeof parts / sizeof *parts; i++) {
        code = parts[i](e);
    }
    if (code == EXIT_DONE) {
        *document = json_of(e, machine);
    }
    if (e != NULL) {
        experiment_close(e);
    }
    free(e);
    return code;
}

void fractal_print(page *p, const json_t *document) {
    int height, width, frames, picture_height, picture_width;
    const json_t *tables;

    if (!page_take(p, document, "{s:i, s:i, s:i, s:i, s:i}", "height", &height, "width", &width,
                   "frames", &frames, "picture_height", &picture_height, "picture_width",
                   &picture_width) ||
        !page_list(p, document, "tables", &tables)) {
        return;
    }
    page_print(
        p, "weft reproduce fractal: the seed's value in [ ] beside ours; lost: nobody knows it\n");
    page_machine(p, document);
    page_print(p, "  data  pictures of %dx%d; drawn films of %dx%d, %d frames\n", picture_height,
               picture_width, height, width, frames);
    page_print(p,
               "  full  a search of all ranges and domains; video: what changed, threshold 0.8\n");
    page_weft(p, document);
    findings_print(p, tables, seed_name);
    claims_print(p, json_object_get(document, "claims")); /* earlier documents have none */
}
