/* SPDX-License-Identifier: MIT
 * Progress on stderr, only when it is a terminal and the command takes more than half a second.
 */
#ifndef WEFT_TOOL_SHELL_PROGRESS_H
#define WEFT_TOOL_SHELL_PROGRESS_H

/* What the lines from now on are a part of, such as "37 of 300, "; "" for nothing. */
void progress_within(const char *whole);
/* The same of a part of that, such as "3 of 9, "; progress_within() ends it. */
void progress_part(const char *part);
void progress_start(const char *what);
/* fraction: of the whole, below 0 where that is not known; detail may be NULL. */
void progress_step(double fraction, const char *detail);
void progress_end(void);  /* wipes the line */
void progress_wipe(void); /* the same, from a signal handler */

#endif
