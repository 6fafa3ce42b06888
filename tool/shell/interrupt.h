/* SPDX-License-Identifier: MIT
 * Interruption: a signal ends the process immediately and leaves nothing half-written behind.
 */
#ifndef WEFT_TOOL_SHELL_INTERRUPT_H
#define WEFT_TOOL_SHELL_INTERRUPT_H

#include <sys/types.h>

/* From here on SIGINT, SIGTERM and whatever else is sent to end a process do so immediately, with
 * EXIT_SIGNAL and their number: the library cannot be interrupted, and nobody waits for it. A
 * broken pipe and a file size limit become write errors. main() calls it. */
void interrupt_catch(void);

/* For what main() returns: from here on an exit code of 1 is its own. */
int interrupt_over(int code);

/* What such a signal takes away first, the newest first: a file or an empty folder created here,
 * without a moment in which a signal in another thread would leave it; interrupt_remove before one
 * lies there that is created elsewhere, interrupt_empty before the first byte of a file that is to
 * stay, and interrupt_keep before the struct, the path or the descriptor goes. */
typedef struct leftover {
    const char *path; /* NULL: there is a descriptor */
    int descriptor;
    struct leftover *next;
} leftover;
int interrupt_create_file(leftover *l, const char *path, mode_t mode); /* a descriptor, or -1 */
int interrupt_create_folder(leftover *l, char *path); /* as mkdtemp(), but 0, or -1 */
void interrupt_remove(leftover *l, const char *path);
void interrupt_empty(leftover *l, int descriptor);
void interrupt_keep(const leftover *l); /* fine for one that was never given to the others */

#endif
