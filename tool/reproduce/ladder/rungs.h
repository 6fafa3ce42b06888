/* SPDX-License-Identifier: MIT
 * ladder.def as a list: the rungs of each device from the bottom to the top, then its last one
 * without each of its ideas.
 */
#ifndef WEFT_TOOL_REPRODUCE_LADDER_RUNGS_H
#define WEFT_TOOL_REPRODUCE_LADDER_RUNGS_H

#define LADDER_RUNG /* without what a rung's own program needs */
#include "reproduce/ladder/ladder.h"
#undef LADDER_RUNG

typedef struct ladder_entry {
    const char *device;      /* "cpu" or "gpu" */
    const char *name;        /* of the rung, or of the one whose idea is left out */
    const ladder_rung *rung; /* NULL: this build has none of that device */
    int is_without;
} ladder_entry;

extern const ladder_entry ladder_entries[];
extern const size_t ladder_entry_count;

#endif
