/* SPDX-License-Identifier: MIT
 * Weft's strategies and the peers that a command line asks for, each with its options, for the
 * commands that run several of them.
 */
#ifndef WEFT_TOOL_BENCH_CANDIDATES_H
#define WEFT_TOOL_BENCH_CANDIDATES_H

#include <stddef.h>

#include "bench/peers/peers.h"
#include "judge.h"
#include "strategy_name.h"

typedef struct candidate {
    const strategy_row *row;
    const peer *peer;          /* NULL: Weft's own */
    char name[FULL_NAME_SIZE]; /* with the options that were asked for */
    int demanded;              /* by its name or its kind, so that it must have its device */
} candidate;

/* In the order of the tables, strategies before peers; one strategy with several choices of options
 * in the order they were written. Nothing is in it twice. */
typedef struct candidate_list {
    candidate *list;
    size_t count;
} candidate_list;

/* Adds those in the comma-separated list, where "cpu" and "cuda" stand for all of Weft's own of
 * that kind, and "auto" for all of Weft's own; NULL names all there are. Between the options of a
 * name a comma will do for a colon. An exit code, after a complaint: for a name or an option that
 * is not there. Free the list in any case. */
int candidates_add(candidate_list *l, const char *names);

/* What "cpu" or "cuda" becomes for this problem; where there is no GPU, or may_lack and none for
 * this size, nothing. An exit code, after a complaint. */
int candidates_add_chosen(candidate_list *l, const weft_desc *task, const char *kind, int may_lack);

/* All that this build has, and nothing in the list is demanded any more: a GPU that is not there is
 * no error. */
int candidates_add_peers(candidate_list *l);

/* For --strategy, whose lists add up: the same, but a wrong one ends the program. */
void candidates_option(candidate_list *l, const char *names);

void candidates_free(candidate_list *l);

/* How wide a column of their names must be. */
int candidates_name_width(const candidate_list *l);

leniency peer_leniency(const peer *its_peer, operation what); /* NULL: none */

#endif
