/* SPDX-License-Identifier: MIT
 * Names of files among the arguments. What is wrong with one ends the program with a usage error.
 */
#ifndef WEFT_TOOL_SHELL_FILE_OPTIONS_H
#define WEFT_TOOL_SHELL_FILE_OPTIONS_H

#include <argp.h>

/* A name, which is not empty; option: as it is typed, such as "--like". */
char *file_option(struct argp_state *state, const char *option, char *text);
char *json_option(struct argp_state *state, char *text); /* of --json */

/* Checks that the suffix, if there is one, is of `suffixes` (NULL at the end). What is there and is
 * no regular file may have any name. */
void check_suffix(struct argp_state *state, const char *option, const char *path,
                  const char *const *suffixes);
extern const char *const png_suffixes[];

/* Checks that an output is not this input by another name, each of which may be NULL, or - for a
 * standard stream. `advice` ends the message. */
void check_apart(struct argp_state *state, const char *option, const char *output,
                 const char *input, const char *advice);
extern const char force_allows[]; /* that advice where there is --force */

/* Checks that another input, which may be NULL, is not standard input, too. */
void check_inputs_apart(struct argp_state *state, const char *option, const char *other,
                        const char *input);

/* Checks that two outputs, each of which may be NULL, do not lead to the same file or descriptor.
 */
void check_outputs_apart(struct argp_state *state, const char *option, const char *output,
                         const char *other_option, const char *other);

#endif
