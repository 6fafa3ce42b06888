/* SPDX-License-Identifier: MIT
 * Printing documents of experiments, by whoever made them: all of a document, or nothing of one
 * that is damaged. Exit codes, after a complaint; EXIT_CHECK_FAILED for a number that the document
 * says is wrong.
 */
#ifndef WEFT_TOOL_REPRODUCE_PRESENT_H
#define WEFT_TOOL_REPRODUCE_PRESENT_H

#include <jansson.h>
#include <stdio.h>

/* What all of them make together: a list of parts, each with the name of an experiment and its
 * document, or null and the reason why there is none. */
extern const char all_schema[];

/* name: of the document, for complaints. */
int present(FILE *to, const char *name, const json_t *document);
/* One of the parts, counted from 0. */
int present_part(FILE *to, const json_t *part, size_t number);

#endif
