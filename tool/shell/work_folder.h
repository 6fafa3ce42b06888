/* SPDX-License-Identifier: MIT
 * A folder of our own in TMPDIR, or /tmp, for a file that is read and one that is written while the
 * way between them is timed. It goes with its files, also where a signal ends the process.
 */
#ifndef WEFT_TOOL_SHELL_WORK_FOLDER_H
#define WEFT_TOOL_SHELL_WORK_FOLDER_H

#include "shell/interrupt.h"

enum { MOST_FOLDER_PATH = 1024, MOST_FOLDER_NAME = 16, MOST_FOLDER_PROBLEM = 1200 };

typedef struct work_folder {
    char path[MOST_FOLDER_PATH]; /* "": there is none */
    char from[MOST_FOLDER_PATH + MOST_FOLDER_NAME], to[MOST_FOLDER_PATH + MOST_FOLDER_NAME];
    leftover left[3];
    char problem[MOST_FOLDER_PROBLEM];
} work_folder;

/* With the paths of files of these names, which are not there yet. NULL, or the problem. */
const char *work_folder_make(work_folder *w, const char *from, const char *to);
void work_folder_remove(work_folder *w); /* fine when zeroed */

#endif
