/* SPDX-License-Identifier: MIT
 * Where the name of an output leads: through symbolic links to a file, there or not; or to what is
 * open already, as /dev/stdout and /dev/fd/3 do.
 */
#ifndef WEFT_TOOL_SHELL_DESTINATION_H
#define WEFT_TOOL_SHELL_DESTINATION_H

#include <limits.h>
#include <sys/stat.h>

typedef struct destination {
    char name[PATH_MAX]; /* behind all links */
    int descriptor;      /* -1, or the one of this process that the name stands for */
    int is_there;        /* a file; `about` is of it */
    int is_open_file;    /* that of another process, by /proc/N/fd: it cannot be replaced */
    struct stat about;
} destination;

/* 0, or -1 with errno: ELOOP for links in a circle. */
int destination_find(destination *d, const char *path);

/* The folder in which the path names something, with "." behind it. */
enum { FOLDER_SIZE = PATH_MAX + 1 };
void destination_folder(char folder[FOLDER_SIZE], const char *path);

#endif
