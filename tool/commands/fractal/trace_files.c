/* SPDX-License-Identifier: MIT
 * Files that stay open, under temporary names, until they are committed; a signal or a failure
 * before the last one is committed removes those that are. See trace_files.h.
 */
#include "commands/fractal/trace_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands/fractal/frame_file.h"
#include "shell/complain.h"

typedef struct trace_file {
    char path[PATH_MAX];
    frame_file file;
    leftover committed;
} trace_file;

int trace_file_name(char name[PATH_MAX], const char *prefix, int number) {
    return snprintf(name, PATH_MAX, "%s%02d.png", prefix, number) < PATH_MAX ? 0 : -1;
}

int trace_files_open(trace_files *t, const char *prefix) {
    *t = (trace_files){.prefix = prefix, .files = allocate(MOST_TRACE_FILES, sizeof *t->files)};
    return t->files ? EXIT_DONE : EXIT_MEMORY;
}

int trace_files_write(trace_files *t, const video_format *format, const uint8_t *samples) {
    trace_file *next = &t->files[t->count];
    int code;

    if (trace_file_name(next->path, t->prefix, t->count) != 0) {
        return complain(EXIT_FILE, "--trace %.20s...: the name is too long", t->prefix);
    }
    t->count++;
    code = frame_file_open(&next->file, next->path, format);
    return code == EXIT_DONE ? frame_file_write(&next->file, samples) : code;
}

static void keep(trace_files *t) {
    for (; t->committed > 0; t->committed--) {
        interrupt_keep(&t->files[t->committed - 1].committed);
    }
}

int trace_files_commit(trace_files *t) {
    int code = EXIT_DONE;

    while (t->committed < t->count && code == EXIT_DONE) {
        trace_file *next = &t->files[t->committed];

        code = frame_file_commit(&next->file);
        if (code == EXIT_DONE) {
            interrupt_remove(&next->committed, next->path);
            t->committed++;
        }
    }
    if (code == EXIT_DONE) {
        keep(t);
    }
    return code;
}

void trace_files_close(trace_files *t) {
    for (int i = 0; i < t->count; i++) {
        frame_file_abandon(&t->files[i].file);
    }
    for (int i = 0; i < t->committed; i++) {
        unlink(t->files[i].path);
    }
    keep(t);
    free(t->files);
    *t = (trace_files){0};
}
