/* SPDX-License-Identifier: MIT
 * What a figure was measured on: processor, GPU, compiler, commit and date, as every JSON document
 * carries it.
 */
#ifndef WEFT_TOOL_SHELL_MACHINE_H
#define WEFT_TOOL_SHELL_MACHINE_H

#include <jansson.h>

/* One for each core, but no more than OMP_THREAD_LIMIT has. */
int machine_threads(void);

/* A new reference, or an exit code after a complaint. gpu, driver and cuda are null without a GPU.
 */
int machine_json(json_t **machine);

/* One of its texts; "" if there is none. */
const char *machine_text(const json_t *machine, const char *key);

#endif
