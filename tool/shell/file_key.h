/* SPDX-License-Identifier: MIT
 * Which file a name stands for, whatever links and spellings lead there; - is a standard stream.
 */
#ifndef WEFT_TOOL_SHELL_FILE_KEY_H
#define WEFT_TOOL_SHELL_FILE_KEY_H

/* A text that is the same for all names of one file: of an input that is there; of an output, there
 * or not yet. NULL for what no file is behind, such as a pipe, but not what is open already. It is
 * to be freed. */
char *input_key(const char *path);
char *output_key(const char *path);

int is_input(const char *output, const char *input); /* 1 if they are one file, else 0 */
int are_one_output(const char *output, const char *other);

#endif
