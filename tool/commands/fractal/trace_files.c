/* SPDX-License-Identifier: MIT
 * Each picture is whole when it takes its name; what a signal or a failure is to remove are those
 * before it. See trace_files.h.
 */
#include "commands/fractal/trace_files.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands/fractal/frame_file.h"
#include "shell/complain.h"

enum { MOST_FILES = 33 }; /* before the first of 32 iterations, and after each */

typedef struct trace_file {
    char path[PATH_MAX];
    leftover unfinished;
} trace_file;

int trace_files_open(trace_files *t, const char *prefix) {
    *t = (trace_files){.prefix = prefix, .files = allocate(MOST_FILES, sizeof *t->files)};
    return t->files ? EXIT_DONE : EXIT_MEMORY;
}

int trace_files_write(trace_files *t, const video_format *format, const uint8_t *samples) {
    trace_file *file = &t->files[t->count];
    int code;

    if (snprintf(file->path, PATH_MAX, "%s%02d.png", t->prefix, t->count) >= PATH_MAX) {
        return complain(EXIT_FILE, "--trace %.20s...: the name is too long", t->prefix);
    }
    code = frame_file_write_whole(file->path, format, samples);
    if (code == EXIT_DONE) {
        interrupt_remove(&file->unfinished, file->path);
        t->count++;
    }
    return code;
}

void trace_files_keep(trace_files *t) {
    for (; t->count > 0; t->count--) {
        interrupt_keep(&t->files[t->count - 1].unfinished);
    }
}

void trace_files_close(trace_files *t) {
    for (int i = 0; i < t->count; i++) {
        unlink(t->files[i].path);
    }
    trace_files_keep(t);
    free(t->files);
    t->files = NULL;
}
