/* SPDX-License-Identifier: MIT
 * weft reproduce dx11: measures, judges, prints, writes the document.
 */
#include "reproduce/dx11/presentation.h"
#include "shell/complain.h"
#include "shell/json_file.h"
#include "shell/machine.h"

static int report(const dx11_experiment *e) {
    const char *path = e->options->json;
    dx11_claim claims[DX11_CLAIMS];
    json_t *machine, *document = NULL;
    int code = machine_json(&machine);

    if (code != EXIT_DONE) {
        return code;
    }
    dx11_judge(e, claims);
    dx11_table(json_file_beside(path), e, claims, machine);
    if (path != NULL) {
        document = dx11_document(e, claims, machine);
        code = document != NULL ? json_file_write(path, document)
                                : complain(EXIT_MEMORY, "out of memory for the document");
    }
    json_decref(document);
    json_decref(machine);
    return code;
}

/* The first row that failed says why. */
static int exit_code_of(const dx11_experiment *e) {
    for (size_t i = 0; i < e->count; i++) {
        const dx11_row *row = &e->rows[i];
        if (row->failure[0] != '\0') {
            return complain(EXIT_CHECK_FAILED, "%zux%zu %s: %s", row->desc.height, row->desc.width,
                            row->own ? row->own->strategy
                                     : dx11_technique_words[row->desc.technique],
                            row->failure);
        }
    }
    return EXIT_DONE;
}

int reproduce_dx11(const reproduce_options *o) {
    dx11_experiment e;
    int code = dx11_experiment_run(&e, o);
    if (code == EXIT_DONE) {
        const int written = report(&e);
        code = exit_code_of(&e);
        code = code == EXIT_DONE ? written : code;
    }
    dx11_experiment_free(&e);
    return code;
}
