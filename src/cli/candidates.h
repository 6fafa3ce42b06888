/* SPDX-License-Identifier: MIT
 * Weft's strategies and the peers as one numbered list, for the commands that run all of them.
 */
#ifndef WEFT_CANDIDATES_H
#define WEFT_CANDIDATES_H

#include "peers/peers.h"
#include "verify_case.h"

int candidate_count(void);

/* *its_peer is NULL for Weft's own. */
const strategy_row *candidate(int i, const peer **its_peer);
const char *candidate_name(int i);

leniency peer_leniency(const peer *its_peer, operation what); /* NULL: none */

/* Whether candidate i is in the comma-separated list, where "cpu" and "cuda" stand for all of
 * Weft's own of that kind, and "auto" for all of Weft's own; NULL names all. */
int candidate_is_named(int i, const char *names);
/* Whether the list has it by its name or its kind, so that it must have its device. */
int candidate_is_demanded(const char *name, const char *names);

/* EXIT_DONE, or, after a complaint, the exit code for a name that is not in the list. */
int candidates_check_names(const char *names);

#endif
