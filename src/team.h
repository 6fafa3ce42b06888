/* SPDX-License-Identifier: MIT
 * A team of OpenMP's threads does the tasks of passes, one pass after another. Each member begins
 * with a share of its own, the same in every call, and then takes from the others' shares, so that
 * a thread that has to wait for a core holds up none of the others. Which member does a task
 * changes no bit. Called by cpu.fast, cpu.report and the fractal searches cpu and fft.
 */
#ifndef WEFT_TEAM_H
#define WEFT_TEAM_H

#include <stddef.h>

enum { MOST_PASSES = 4 };

/* The tasks of a pass, of which a member takes `chunk` at a time; 1 of both at least. */
typedef struct tasks {
    size_t count, chunk;
} tasks;

typedef struct team_work {
    /* Does the tasks first .. end - 1 of a pass; members are numbered from 0. */
    void (*run)(const void *of, size_t pass, size_t member, size_t first, size_t end);
    /* Whoever ends a pass calls it, before any task of the next one begins; NULL: nothing to do. */
    void (*begin)(const void *of, size_t pass);
    const void *of;
    size_t passes;
    tasks tasks[MOST_PASSES];
} team_work;

/* Returns when all is done: by so many threads, or by fewer where these cannot be had. The callers
 * of the library have taken the default floating-point environment; what any member raises there is
 * raised in the calling thread's. */
void team_run(const team_work *work, size_t threads);

#endif
