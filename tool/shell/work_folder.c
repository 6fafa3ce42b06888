/* SPDX-License-Identifier: MIT
 * Makes a folder and has signals remove it and its files; see work_folder.h.
 */
#include "shell/work_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *explain(work_folder *w, const char *within) {
    snprintf(w->problem, sizeof w->problem,
             "no folder for files in %.900s: %.100s; TMPDIR names another", within,
             strerror(errno));
    return w->problem;
}

const char *work_folder_make(work_folder *w, const char *from, const char *to) {
    const char *given = getenv("TMPDIR"), *within = given != NULL ? given : "/tmp";

    if (snprintf(w->path, sizeof w->path, "%s/weft-XXXXXX", within) >= MOST_FOLDER_PATH) {
        w->path[0] = '\0';
        errno = ENAMETOOLONG;
        return explain(w, within);
    }
    if (interrupt_create_folder(&w->left[0], w->path) != 0) {
        w->path[0] = '\0';
        return explain(w, within);
    }
    snprintf(w->from, sizeof w->from, "%s/%.14s", w->path, from);
    snprintf(w->to, sizeof w->to, "%s/%.14s", w->path, to);
    interrupt_remove(&w->left[1], w->from);
    interrupt_remove(&w->left[2], w->to);
    return NULL;
}

void work_folder_remove(work_folder *w) {
    if (w->path[0] == '\0') {
        return;
    }
    remove(w->from);
    remove(w->to);
    rmdir(w->path);
    for (size_t i = 0; i < sizeof w->left / sizeof *w->left; i++) {
        interrupt_keep(&w->left[i]);
    }
    w->path[0] = '\0';
}
