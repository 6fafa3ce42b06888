/* SPDX-License-Identifier: MIT
 * Whether a team pays, see worth.h. Where others use the cores, its threads wait for a core and for
 * one another, and OpenMP's, which spin meanwhile, take the core from those they wait for: a team
 * of two has taken ten times as long as one thread. So the calling thread compares what its teams
 * took with what it alone would have taken, and does without them for a time that doubles while
 * they do not pay. How much others slow it down when it is alone, it learns then.
 */
#include "worth.h"

#include <sys/resource.h>
#include <time.h>

/* All times are in nanoseconds. */
static _Thread_local struct {
    int64_t gained;              /* by teams, less what they lost, as far as it is remembered */
    int64_t alone_until, rested; /* when teams are tried again, and after how long */
    double slowed;               /* the time alone, in parts of that with a core; 0: not known */
    int judged;                  /* so many pieces of work from now */
    long preempted;              /* how often threads of this process were */
} caller;

static int64_t now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int team_pays(work_times *times) {
    times->began = now(CLOCK_MONOTONIC);
    return times->began >= caller.alone_until;
}

void work_begins(work_times *times) {
    if (caller.judged > 0) {
        times->needed = -now(CLOCK_THREAD_CPUTIME_ID);
    }
}

void work_ends(work_times *times) {
    if (caller.judged > 0) {
        times->needed += now(CLOCK_THREAD_CPUTIME_ID);
    }
}

/* Whether threads of this process lost a core to others since the last question. */
static int were_preempted(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    int are_more = used.ru_nivcsw != caller.preempted;
    caller.preempted = used.ru_nivcsw;
    return are_more;
}

/* What teams gained or lost is remembered for so long that a few bad ones do not matter: the first
 * one after a rest has to wait for threads that are not on a core yet. */
enum { MOST_GAINED = 10000000, MOST_LOST = 20000000 };
enum { FIRST_REST = 20000000, LONGEST_REST = 1000000000 };

static void rest(int64_t from) {
    int64_t longer = caller.rested == 0 ? FIRST_REST : 2 * caller.rested;
    caller.rested = longer < LONGEST_REST ? longer : LONGEST_REST;
    caller.alone_until = from + caller.rested;
}

/* Alone, the caller would have needed a core as long as for its part, in proportion; of a part that
 * is next to nothing that says nothing. */
static void judge_team(double needed, double took, double own, int64_t ended) {
    const double least = 0.125, kept = 0.99;
    double alone = needed / (own > least ? own : least);
    caller.gained += (int64_t)(alone * (caller.slowed > 1 ? caller.slowed : 1) - took);
    caller.slowed *= kept;
    if (caller.gained > MOST_GAINED) {
        caller.gained = MOST_GAINED;
        caller.rested = 0;
    } else if (caller.gained < -MOST_LOST) {
        if (were_preempted()) {
            rest(ended);
        }
        caller.gained = 0;
    }
}

static void judge_caller(double needed, double took) {
    const double part = 0.125;
    double slowed = took / needed;
    caller.slowed += (slowed - caller.slowed) * (caller.slowed > 0 ? part : 1);
}

/* Short pieces of work are not judged where there are no others: to read the clock of a thread
 * takes too long for them. */
void learn_from_work(const work_times *times, int was_team, double own) {
    enum { LONG = 300000, MORE_TO_JUDGE = 16 };
    int64_t ended = now(CLOCK_MONOTONIC);
    double took = (double)(ended - times->began);
    if (caller.judged > 0) {
        caller.judged--;
        if (was_team) {
            judge_team((double)times->needed, took, own, ended);
        } else if (times->needed > 0) {
            judge_caller((double)times->needed, took);
        }
    }
    if (took > LONG) {
        if (caller.judged == 0) {
            were_preempted(); /* from now on */
        }
        caller.judged = MORE_TO_JUDGE;
    }
}
