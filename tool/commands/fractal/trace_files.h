/* SPDX-License-Identifier: MIT
 * Pictures of iterations, PREFIX00.png and so on: all of them stay, or none.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_TRACE_FILES_H
#define WEFT_TOOL_COMMANDS_FRACTAL_TRACE_FILES_H

#include "files/video.h"
#include "shell/interrupt.h"

typedef struct trace_files {
    const char *prefix;
    struct trace_file *files;
    int count; /* that are there */
} trace_files;

/* Exit codes, after a complaint. */
int trace_files_open(trace_files *t, const char *prefix);
int trace_files_write(trace_files *t, const video_format *format, const uint8_t *samples);
void trace_files_keep(trace_files *t);
void trace_files_close(trace_files *t); /* removes those that are not kept; fine when zeroed */

#endif
