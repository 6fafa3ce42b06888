/* SPDX-License-Identifier: MIT
 * How many of OpenMP's threads there are for a plan or a team: those asked for, as far as this
 * process can have them.
 */
#ifndef WEFT_THREADS_H
#define WEFT_THREADS_H

#include <stddef.h>

/* The number that is wanted, if it is not 0, or else the one that OpenMP is set to; at most
 * OpenMP's limit and WEFT_MOST_THREADS. 1 where OpenMP's threads were lost in a fork. */
size_t threads_asked_for(int wanted);

/* The threads that OpenMP keeps for one calling thread. */
typedef struct kept_threads kept_threads;

/* How many of `wanted` threads a team that the calling thread begins now may have. If they are more
 * than one, each of them says so when it has started. */
size_t threads_for_team(size_t wanted, kept_threads **kept);
void thread_has_started(kept_threads *kept);

#endif
