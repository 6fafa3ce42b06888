/* SPDX-License-Identifier: MIT
 * What was measured as a weft-dx11/1 document, and the claims that it holds.
 */
#ifndef WEFT_TOOL_REPRODUCE_DX11_DOCUMENT_H
#define WEFT_TOOL_REPRODUCE_DX11_DOCUMENT_H

#include <jansson.h>

#include "reproduce/dx11/experiment.h"

/* New references, or NULL where memory ran out. */
json_t *dx11_judge(const dx11_experiment *e); /* the list of claims */
json_t *dx11_document(const dx11_experiment *e, json_t *machine);

#endif
