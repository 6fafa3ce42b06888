/* SPDX-License-Identifier: MIT
 * Interruption: a signal ends the process immediately and leaves nothing half-written behind.
 */
#ifndef WEFT_TOOL_SHELL_INTERRUPT_H
#define WEFT_TOOL_SHELL_INTERRUPT_H

/* From here on SIGINT, SIGTERM and SIGHUP end the process immediately with EXIT_SIGNAL and
 * their number: the library cannot be interrupted, and nobody waits for it. A broken pipe and a
 * file size limit become write errors. main() calls it. */
void interrupt_catch(void);

/* For what main() returns: from here on an exit code of 1 is its own. */
int interrupt_over(int code);

/* A file, or an empty folder, that such a signal removes first, the newest first: interrupt_remove
 * before it lies there, interrupt_keep before the struct or the path goes. */
typedef struct leftover {
    const char *path;
    struct leftover *next;
} leftover;
void interrupt_remove(leftover *l, const char *path);
void interrupt_keep(const leftover *l); /* fine for one that was never given to interrupt_remove */

#endif
