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
    const char *strategy;
    size_t threads, device, max_pixels; /* 0 where not given; max_pixels always set */
    int precision;                      /* a weft_precision, or -1 */
    int strict;                         /* what is too large for the precision is a failure */
    int verbose;                        /* each plan is described on standard error */
} transform_options;

extern const struct argp_child transform_options_child[];
#define TRANSFORM_OPTIONS_DEFAULT                                                                  \
    { .max_pixels = (size_t)1 << 30, .precision = -1 }

/* Names of the values of weft.h's enums, in their order; NULL at the end. */
extern const char *const precision_words[], *const pixel_words[], *const layout_words[],
                                                                      *const norm_words[];

/* Values of options out of text. In an argp parser a wrong one ends the program with a usage error.
 */
int word_option(struct argp_state *state, const char *option, const char *text,
                const char *const *words);
/* The name of a file, which is not empty; option: as it is typed, such as "--json". */
char *file_option(struct argp_state *state, const char *option, char *text);
/* A usage error unless a PNG may be called so: by a suffix of .png, or by none. */
void check_png_output(struct argp_state *state, const char *path);
/* For --image, which is given once: before is what it was, or NULL. */
char *image_option(struct argp_state *state, const char *before, char *text);
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
