/* SPDX-License-Identifier: MIT
 * An output file that takes its name only when it is complete, where that is possible. "-" is
 * stdout, and so is whatever leads to descriptor 1. Functions that return int give an exit code and
 * complain themselves, unless they say otherwise.
 */
#ifndef WEFT_TOOL_SHELL_OUTPUT_H
#define WEFT_TOOL_SHELL_OUTPUT_H

#include <limits.h>
#include <stddef.h>
#include <stdio.h>

#include "shell/interrupt.h"

typedef struct output {
    FILE *file;
    const char *path;         /* as it was given, for messages */
    char target[PATH_MAX];    /* the file behind all links */
    char temporary[PATH_MAX]; /* "": none */
    int is_in_place;          /* the target itself is being written over, */
    int in_place;             /* and this descriptor of it stays open until that is done */
    leftover unfinished;      /* the temporary while it is there, or what is written in place */
} output;
/* The path is kept until commit. */
int output_open(output *out, const char *path);
int output_open_data(output *out, const char *path); /* the same, but refuses to fill a terminal */
/* The same where nobody sees a byte before commit, so that what else may fail can still do so; else
 * 0, and nothing is changed or said. */
int output_open_unseen(output *out, const char *path);
int output_write(output *out, const void *bytes, size_t count);
int output_commit(output *out);   /* flushed, synced, renamed */
void output_abandon(output *out); /* removes or empties what is unfinished; fine after commit */
/* Writes, and commits if `write` returned EXIT_DONE. */
int output_complete(output *out, int (*write)(output *out, void *context), void *context);
/* The same of what it opens for data before. */
int output_whole(const char *path, int (*write)(output *out, void *context), void *context);

int output_check(const char *path);     /* whether it could be opened; nothing is changed */
int output_is_stdout(const char *path); /* 1 or 0 */

/* Writes what was printed so far, or complains; of what failed before, the reason is not known. */
int output_flush_stdout(void);

/* main() calls it first. A standard stream that is closed fails once it is needed, rather than that
 * a file of ours takes its number; and at exit(), results on a full disk behind stdout do not look
 * like success. */
void output_watch_standard_streams(void);

#endif
