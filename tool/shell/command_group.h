/* SPDX-License-Identifier: MIT
 * Commands of one program, or of one command that has commands itself: finding the one that is
 * named, and the help that lists them.
 */
#ifndef WEFT_TOOL_SHELL_COMMAND_GROUP_H
#define WEFT_TOOL_SHELL_COMMAND_GROUP_H

#include "shell/command.h"

typedef struct command_group {
    const char *name;        /* as it is typed: "weft", "weft fractal" */
    const char *doc;         /* of --help: before the options, and behind \v after the commands */
    const command *commands; /* the last one's name is NULL */
    const char *nested;      /* the one of them that has commands itself; NULL: none */
    const struct command_group *inner; /* which are these */
} command_group;

extern const command_group weft_commands; /* those of the tool, in main.c */

/* Runs the command that argv[1] names with the arguments behind it, or shows help. An exit code. */
int command_group_run(const command_group *group, int argc, char **argv);

#endif
