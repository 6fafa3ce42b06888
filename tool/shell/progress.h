/* SPDX-License-Identifier: MIT
 * Progress on stderr, only when it is a terminal and the command takes more than half a second.
 */
#ifndef WEFT_TOOL_SHELL_PROGRESS_H
#define WEFT_TOOL_SHELL_PROGRESS_H

/* What the lines from now on are a part of, such as "37 of 300, "; "" for nothing. */
void progress_within(const char *whole);
void progress_start(const char *what);
/* fraction: of the whole, below 0 where that is not known; detail may be NULL. */
void progress_step(double fraction, const char *detail);
void progress_end(void);  /* wipes the line */
void progress_wipe(void); /* the same, from a signal handler */

#endif
