/* SPDX-License-Identifier: MIT
 * weft reproduce ladder: measures, prints, writes the document.
 */
#include <stdlib.h>

#include "bench/memory.h"
#include "reproduce/ladder/experiment.h"
#include "reproduce/reproduce.h"
#include "shell/complain.h"
#include "shell/json_file.h"
#include "shell/machine.h"

static const ladder_experiment usual = {.n = 2048, .enough_us = 1e7};
static const ladder_experiment quick = {.n = 512, .enough_us = 5e5};

static int report(const ladder_experiment *e, const char *path) {
    json_t *machine, *document;
    int code = machine_json(&machine);

    if (code != EXIT_DONE) {
        return code;
    }
    document = ladder_document(e, machine);
    if (document == NULL) {
        code = complain(EXIT_MEMORY, "out of memory for the document");
    } else {
        ladder_table(json_file_beside(path), document);
        code = path != NULL ? json_file_write(path, document) : EXIT_DONE;
    }
    json_decref(document);
    json_decref(machine);
    return code;
}

/* The first row that failed says why. */
static int exit_code_of(const ladder_experiment *e) {
    for (size_t i = 0; i < e->count; i++) {
        const ladder_row *row = &e->rows[i];
        if (!row->verdict.passed) {
            return complain(EXIT_CHECK_FAILED, "%s %s%s: %s", row->device,
                            row->entry != NULL && row->entry->is_without ? "without " : "",
                            row->name, row->verdict.why);
        }
    }
    return EXIT_DONE;
}

static int measure(ladder_experiment *e, const reproduce_options *o) {
    weft_desc desc = {0};
    weft_status status;
    int code;

    *e = o->quick ? quick : usual;
    desc.height = desc.width = e->n;
    code = memory_check(&desc);
    if (code != EXIT_DONE) {
        return code;
    }
    ladder_list(e);
    status = ladder_measure(e);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

int reproduce_ladder(const reproduce_options *o) {
    ladder_experiment *e = allocate(1, sizeof *e);
    int code = e != NULL ? measure(e, o) : EXIT_MEMORY;

    if (code == EXIT_DONE) {
        const int written = report(e, o->json);
        code = exit_code_of(e);
        code = code == EXIT_DONE ? written : code;
    }
    free(e);
    return code;
}
