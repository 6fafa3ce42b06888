/* SPDX-License-Identifier: MIT
 * An input file; "-" is stdin. Functions return an exit code, after a complaint, unless they say
 * otherwise.
 */
#ifndef WEFT_TOOL_SHELL_INPUT_H
#define WEFT_TOOL_SHELL_INPUT_H

#include <stddef.h>
#include <stdio.h>

enum { INPUT_MOST_AHEAD = 16 };

typedef struct input {
    FILE *file;
    const char *path;
    size_t at, ahead; /* of the first bytes, which input_look() has seen: read again, and in all */
    unsigned char start[INPUT_MOST_AHEAD];
} input;

int input_open(input *in, const char *path);
/* All of them, or EXIT_BAD_INPUT: truncated. */
int input_read(input *in, void *bytes, size_t count);
int input_read_most(input *in, void *bytes, size_t count, size_t *got); /* as many as there are */
/* Its first bytes, at most INPUT_MOST_AHEAD, zeros where it is shorter; they stay to be read.
 * Before anything else is read. */
int input_look(input *in, unsigned char *start, size_t count);
size_t input_left(input *in); /* bytes of a regular file; SIZE_MAX of any other */
/* EXIT_BAD_INPUT if a regular file has fewer bytes left. */
int input_expect(input *in, size_t count);
int input_peek(input *in,
               int *first);     /* its first byte, which stays; EXIT_BAD_INPUT if there is none */
int input_at_end(input *in);    /* 1 or 0 */
int input_not_empty(input *in); /* EXIT_BAD_INPUT if nothing is in it */
void input_close(input *in);

#endif
