/* SPDX-License-Identifier: MIT
 * Pictures of iterations, PREFIX00.png and so on: none takes its name before all are whole, so that
 * what had these names stays if decoding fails. Functions that return int give an exit code, after
 * a complaint.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_TRACE_FILES_H
#define WEFT_TOOL_COMMANDS_FRACTAL_TRACE_FILES_H

#include <limits.h>

#include "files/video.h"

enum { MOST_TRACE_FILES = 33 }; /* before the first of 32 iterations, and after each */

/* The name of a picture; -1 if it is too long. */
int trace_file_name(char name[PATH_MAX], const char *prefix, int number);

typedef struct trace_files {
    const char *prefix;
    struct trace_file *files;
    int count, committed; /* that were written; of these, before the last one is */
} trace_files;

int trace_files_open(trace_files *t, const char *prefix);
int trace_files_write(trace_files *t, const video_format *format, const uint8_t *samples);
int trace_files_commit(trace_files *t); /* all, or none */
void trace_files_close(trace_files *t); /* abandons what is not committed; fine when zeroed */

#endif
