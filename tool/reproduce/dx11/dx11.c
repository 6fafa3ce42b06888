/* SPDX-License-Identifier: MIT
 * weft reproduce dx11: measures, judges, makes the document.
 */
#include "reproduce/dx11/document.h"
#include "shell/complain.h"

int dx11_measure(const reproduce_options *o, json_t *machine, json_t **document) {
    dx11_experiment e;
    const int code = dx11_experiment_run(&e, o);

    if (code == EXIT_DONE) {
        *document = dx11_document(&e, machine);
    }
    dx11_experiment_free(&e);
    return code;
}
