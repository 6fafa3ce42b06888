/* SPDX-License-Identifier: MIT
 * Whether a team of threads pays where others use the cores, learnt from the teams of the calling
 * thread. team.c asks, and says when the work began and ended.
 */
#ifndef WEFT_WORTH_H
#define WEFT_WORTH_H

#include <stdint.h>

/* In nanoseconds. */
typedef struct work_times {
    int64_t began, needed; /* when; and how long the calling thread had a core */
} work_times;

/* 0: the calling thread had better do without a team. */
int team_pays(work_times *times);

/* Around what the calling thread itself does, in a team or alone. */
void work_begins(work_times *times);
void work_ends(work_times *times);

/* When the work is done, by a team or not. `own` is the part of a team's tasks that the calling
 * thread did: all of them, where the others never had a core. */
void learn_from_work(const work_times *times, int was_team, double own);

#endif
