/* SPDX-License-Identifier: MIT
 * The words of a command line, through argp, with one line for what is wrong with them.
 */
#ifndef WEFT_TOOL_SHELL_ARGUMENTS_H
#define WEFT_TOOL_SHELL_ARGUMENTS_H

#include <argp.h>

/* A flag of an argp_option beside argp's own: its value may be given more than once. */
enum { OPTION_MAY_REPEAT = 0x100 };

/* argp_parse() into `arguments`: an exit code, after a complaint. It leaves the program after
 * --help and after a usage error; these include an option that is unknown, lacks its value, or is
 * given twice. For parsers with one child at most. */
int options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *arguments);

/* Calls run(), a command, whose options_parse() hands every option that it would take to the
 * listener and ends it. An exit code, after a complaint. */
typedef void options_listener(const struct argp_option *option, void *context);
int options_list(int (*run)(int argc, char **argv), options_listener *listener, void *context);

/* As argp_error(), but of arguments no terminal control gets into the line. */
__attribute__((format(printf, 2, 3))) void usage_error(const struct argp_state *state,
                                                       const char *format, ...);

#endif
