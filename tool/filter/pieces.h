/* SPDX-License-Identifier: MIT
 * A picture in pieces that are filtered one by one: all of a plane or of several, or strips of
 * rows. Strips are tasks of a team of threads, each of which takes whatever is ready: so the rows
 * behind a strip are read, and those before it are written, while it is filtered.
 */
#ifndef WEFT_TOOL_FILTER_PIECES_H
#define WEFT_TOOL_FILTER_PIECES_H

#include "filter/values.h"

typedef struct pieces {
    filter_run *run;
    const image *picture;
    image *result; /* may have the picture's pixels */
    const light *light;
    const shift *shifts;             /* of each plane */
    const filter_pipeline *pipeline; /* or NULL: all rows are there */
} pieces;

/* An exit code, after a complaint. */
int pieces_filter(const pieces *p, filter_losses *losses);

/* What the memory of a run is for: so many pieces of so many bytes, and workspaces for so many that
 * are filtered together, of 0 bytes where they are not on the host. */
size_t pieces_kept(const filter_run *r, const image *picture);
size_t pieces_bytes(const filter_run *r);
size_t pieces_together(const filter_run *r, const image *picture);
size_t pieces_work_bytes(const filter_run *r);

#endif
