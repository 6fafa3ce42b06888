/* SPDX-License-Identifier: MIT
 * An output file that takes its name only when it is complete. "-" is stdout. Functions that return
 * int give an exit code and complain themselves.
 */
#ifndef WEFT_TOOL_SHELL_OUTPUT_H
#define WEFT_TOOL_SHELL_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#include "shell/interrupt.h"

typedef struct output {
    FILE *file;
    char *path, *temporary;
    leftover unfinished; /* the temporary, while it is there */
} output;
int output_open(output *out, const char *path);
int output_open_data(output *out, const char *path); /* the same, but refuses to fill a terminal */
int output_write(output *out, const void *bytes, size_t count);
int output_commit(output *out);   /* flushed, synced, renamed */
void output_abandon(output *out); /* removes the temporary; fine after commit */
/* For atexit(): results on a full disk behind stdout must not look like success. What failed before
 * the last flush, only ferror() remembers. Complains, but not twice, and exits. */
void output_close_stdout(void);
/* Opens for data, writes, and commits if `write` returned EXIT_DONE. */
int output_whole(const char *path, int (*write)(output *out, void *context), void *context);

#endif
