/* SPDX-License-Identifier: MIT
 * The experiment for people, as tables, and for programs, as a weft-dx11/1 document.
 */
#ifndef WEFT_TOOL_REPRODUCE_DX11_PRESENTATION_H
#define WEFT_TOOL_REPRODUCE_DX11_PRESENTATION_H

#include <jansson.h>

#include "reproduce/dx11/claims.h"

void dx11_table(FILE *to, const dx11_experiment *e, const dx11_claim *claims,
                const json_t *machine);

/* A new reference, or NULL when out of memory. */
json_t *dx11_document(const dx11_experiment *e, const dx11_claim *claims, json_t *machine);

#endif
