/* SPDX-License-Identifier: MIT
 * Values of options out of text: all of the text, or not at all.
 */
#ifndef WEFT_TOOL_SHELL_PARSE_H
#define WEFT_TOOL_SHELL_PARSE_H

#include <stddef.h>

/* "2048x2048" -> height, width (in that order, HxW), neither 0. 0 or -1. */
int parse_size(const char *text, size_t *height, size_t *width);
int parse_count(const char *text, size_t least, size_t most, size_t *count);
/* Which of `words` (NULL at the end) the text is; -1 if none. */
int parse_word(const char *text, const char *const *words);
/* The one of `words` that the text was probably meant to be, NULL for none: it begins so, or a few
 * characters differ. */
const char *nearest_word(const char *text, const char *const *words);
/* Every word, with `between` between them, as far as they fit. Returns text. */
const char *join_words(char *text, size_t size, const char *const *words, const char *between);
/* 1 if the path ends in this suffix, such as ".npy", in any case. */
int has_suffix(const char *path, const char *suffix);

#endif
