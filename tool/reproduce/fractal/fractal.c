/* SPDX-License-Identifier: MIT
 * weft reproduce fractal: finds the tables one after the other, prints them, writes the document.
 */
#include <stdlib.h>

#include "reproduce/fractal/experiment.h"
#include "shell/complain.h"
#include "shell/json_file.h"
#include "shell/machine.h"

static int (*const parts[])(experiment *e) = {find_convergence, find_crossing, find_pruning,
                                              find_platforms,   find_quality,  find_times,
                                              find_overtaking};

static void print(FILE *to, const experiment *e, const json_t *machine) {
    const char *gpu = machine_text(machine, "gpu");

    fprintf(to,
            "weft reproduce fractal: the seed's value in [ ] beside ours; lost: nobody knows it\n");
    fprintf(to, "  CPU   %s, GPU %s\n", machine_text(machine, "cpu"),
            gpu[0] != '\0' ? gpu : "none");
    fprintf(to, "  data  %zu pictures of %zux%zu; %zu films, those drawn of %zux%zu, %zu frames\n",
            e->picture_count, e->chosen->picture_height, e->chosen->picture_width, e->film_count,
            e->chosen->height, e->chosen->width, e->chosen->frames);
    fprintf(to, "  full  a search of all ranges and domains; video: what changed, threshold 0.8\n");
    fprintf(to, "  weft  %s, commit %s, %s\n", weft_version(), machine_text(machine, "commit"),
            machine_text(machine, "compiler"));
    findings_print(to, &e->found);
}

static json_t *json_of(const experiment *e, json_t *machine) {
    const effort *of = e->chosen;

    return json_pack("{s:s, s:O, s:I, s:I, s:I, s:I, s:I, s:o}", "schema", "weft-fractal/1",
                     "machine", machine, "height", (json_int_t)of->height, "width",
                     (json_int_t)of->width, "frames", (json_int_t)of->frames, "picture_height",
                     (json_int_t)of->picture_height, "picture_width", (json_int_t)of->picture_width,
                     "tables", findings_json(&e->found));
}

static int report(const experiment *e, const char *path) {
    json_t *machine, *document;
    int code = machine_json(&machine);

    if (code != EXIT_DONE) {
        return code;
    }
    print(json_file_beside(path), e, machine);
    if (path != NULL) {
        document = json_of(e, machine);
        code = document != NULL ? json_file_write(path, document)
                                : complain(EXIT_MEMORY, "out of memory for the document");
        json_decref(document);
    }
    json_decref(machine);
    return code;
}

int reproduce_fractal(const reproduce_options *o) {
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
        code = report(e, o->json);
    }
    if (e != NULL) {
        experiment_close(e);
    }
    free(e);
    return code;
}
