/* SPDX-License-Identifier: MIT
 * weft reproduce ladder: measures, and makes the document.
 */
#include <stdlib.h>

#include "bench/memory.h"
#include "reproduce/ladder/experiment.h"
#include "reproduce/reproduce.h"
#include "shell/complain.h"

static const ladder_experiment usual = {.n = 2048, .enough_us = 1e7};
static const ladder_experiment quick = {.n = 512, .enough_us = 5e5};

static int climb(ladder_experiment *e, const char *device) {
    const weft_desc desc = {.height = e->n, .width = e->n};
    weft_status status;
    int code = memory_check(&desc);

    if (code != EXIT_DONE) {
        return code;
    }
    ladder_list(e, device);
    status = ladder_climb(e);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

int ladder_measure(const reproduce_options *o, json_t *machine, json_t **document) {
    ladder_experiment *e = allocate(1, sizeof *e);
    int code = EXIT_MEMORY;

    if (e != NULL) {
        *e = o->quick ? quick : usual;
        code = climb(e, o->device);
    }
    if (code == EXIT_DONE) {
        *document = ladder_document(e, machine);
    }
    free(e);
    return code;
}
