/* SPDX-License-Identifier: MIT
 * Everything that goes wrong: one line on stderr, and the exit code that belongs to it.
 */
#ifndef WEFT_TOOL_SHELL_COMPLAIN_H
#define WEFT_TOOL_SHELL_COMPLAIN_H

#include <stdarg.h>
#include <stddef.h>

#include "weft.h"

/* Documented in weft(1) and --help; scripts rely on them. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_CHECK_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_BAD_INPUT = 3,
    EXIT_FILE = 4, /* could not be read or written */
    EXIT_MEMORY = 5,
    EXIT_GPU = 6,
    EXIT_SIGNAL = 128 /* and the number of the signal that ended the process */
};

/* Texts quote files and arguments that may be hostile: no line ends and no terminal control. */
enum { MOST_LINE = 1200 };
void make_printable(char *text);
int is_printable(const char *text);
/* Such a text; one that is too long loses its middle, as names are long and reasons come last. */
__attribute__((format(printf, 2, 0))) void print_line(char text[MOST_LINE], const char *format,
                                                      va_list values);

/* "weft: <text>" on stderr, one line; returns `code`, so that: return complain(EXIT_USAGE, ...). */
__attribute__((format(printf, 2, 3))) int complain(int code, const char *format, ...);

/* The exit code that belongs to the errno of a file: EXIT_FILE, or EXIT_MEMORY. */
int code_of_errno(void);

/* The exit code that belongs to a status; and after a complaint with weft_last_error(). */
int code_of_status(weft_status status);
const char *text_of_status(weft_status status); /* what went wrong, or what the status means */
int complain_status(weft_status status);
/* The same of a plan that could not be made, and which strategy would be chosen instead of one that
 * refuses. */
int complain_plan(weft_status status, const weft_desc *desc);
extern const char omit_strategy[]; /* the advice where every strategy takes part */

/* count * bytes_each bytes, or NULL after a complaint: return EXIT_MEMORY. */
void *allocate(size_t count, size_t bytes_each);

#endif
