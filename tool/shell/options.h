/* SPDX-License-Identifier: MIT
 * The options that every command around a transform has: input, output, and where and how to
 * compute. An argp child: list it in the parent's `children` and set child_inputs[0] to a
 * transform_options.
 */
#ifndef WEFT_TOOL_SHELL_OPTIONS_H
#define WEFT_TOOL_SHELL_OPTIONS_H

#include <stddef.h>

#include <argp.h>

typedef struct transform_options {
    char *input, *output;
    const char *const *suffixes; /* that the output may have */
    const char *strategy;
    size_t threads, device, max_pixels; /* 0 where not given; max_pixels always set */
    int precision;                      /* a weft_precision, or -1 */
    int strict;                         /* what is too large for the precision is a failure */
    int verbose;                        /* each plan is described on standard error */
    int force;                          /* the output may be an input */
} transform_options;

enum { DEFAULT_MAX_PIXELS = 1 << 30 };
extern const struct argp_child transform_options_child[];
#define TRANSFORM_OPTIONS_DEFAULT(suffixes_of_output)                                              \
    { .suffixes = suffixes_of_output, .max_pixels = DEFAULT_MAX_PIXELS, .precision = -1 }

/* Names of the values of weft.h's enums, in their order; NULL at the end. */
extern const char *const precision_words[], *const pixel_words[], *const layout_words[],
                                                                      *const norm_words[];
/* Values of options out of text. In an argp parser a wrong one ends the program with a usage error.
 */
int word_option(struct argp_state *state, const char *option, const char *text,
                const char *const *words);
int depth_option(struct argp_state *state, const char *text); /* "8" or "16" */
void size_option(struct argp_state *state, const char *text, size_t *height, size_t *width);
size_t max_pixels_option(struct argp_state *state, const char *text);
size_t count_option(struct argp_state *state, const char *option, const char *text, size_t least,
                    size_t most);

/* For argp's help_filter: a heading and a line for each name(i) until NULL, between the options and
 * the closing text of --help. New memory, or the text alone. */
typedef const char *list_name(int i, const char **about);
char *help_with_list(const char *heading, list_name *name, const char *text);

#endif
