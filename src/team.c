/* SPDX-License-Identifier: MIT
 * A team at work, see team.h. OpenMP only begins and ends it: its barriers let those who wait spin
 * for milliseconds, and its loops belong to one pass each. A share is a counter in which members
 * take tickets; a ticket says its pass too, so that nobody needs to know where the others are. The
 * pass is over when all of its tasks are done, whoever did them.
 */
#include "team.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "environment.h"
#include "threads.h"
#include "worth.h"

/* A counter for each member, on a cache line of its own; larger teams have common ones. */
enum { MOST_SHARES = 64, OWN_LINE = 64 };

/* The pass, and which of its tasks comes next. */
typedef uint64_t ticket;
#define TICKETS_OF_A_PASS ((ticket)1 << 56)

typedef struct share {
    _Alignas(OWN_LINE) _Atomic ticket next;
} share;

typedef struct team {
    const team_work *work;
    size_t shares;
    share share[MOST_SHARES];
    _Alignas(OWN_LINE) atomic_size_t done; /* tasks, of all passes */
    atomic_size_t left;                    /* members who have nothing more to do */
    atomic_uint raised;                    /* flags of all members */
    _Alignas(OWN_LINE) atomic_size_t over; /* passes; and 1 when all members have left them */
    pthread_mutex_t mutex;
    pthread_cond_t is_over;
    _Alignas(OWN_LINE) double own; /* of each pass that part which member 0 did, added up */
} team;

/* ---- waiting -----------------------------------------------------------------------------------
 */

/* For about as long as it takes to sleep and to be woken. */
enum { SPINS = 2000 };

static void pause_a_little(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static size_t count_over(team *t) {
    return atomic_load_explicit(&t->over, memory_order_acquire);
}

/* Until `over` is not what was seen any more. */
static void wait_after(team *t, size_t seen) {
    for (int i = 0; i < SPINS; i++) {
        if (count_over(t) != seen) {
            return;
        }
        pause_a_little();
    }
    pthread_mutex_lock(&t->mutex);
    while (count_over(t) == seen) {
        pthread_cond_wait(&t->is_over, &t->mutex);
    }
    pthread_mutex_unlock(&t->mutex);
}

static void one_more_is_over(team *t) {
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add_explicit(&t->over, 1, memory_order_release);
    pthread_mutex_unlock(&t->mutex);
    pthread_cond_broadcast(&t->is_over);
}

/* ---- tasks -------------------------------------------------------------------------------------
 */

/* Of this pass and those before it. */
static size_t tasks_through(const team_work *work, size_t pass) {
    size_t all = 0;
    for (size_t i = 0; i <= pass; i++) {
        all += work->tasks[i].count;
    }
    return all;
}

/* The first task of a share; that of the share behind the last one is the count. */
static size_t first_of(const team *t, size_t pass, size_t number) {
    return pass < t->work->passes ? t->work->tasks[pass].count * number / t->shares : 0;
}

static void begin_pass(team *t, size_t pass) {
    if (pass < t->work->passes && t->work->begin != NULL) {
        t->work->begin(t->work->of, pass);
    }
    for (size_t i = 0; i < t->shares; i++) {
        atomic_store_explicit(&t->share[i].next, pass * TICKETS_OF_A_PASS + first_of(t, pass, i),
                              memory_order_release);
    }
}

static void have_done(team *t, size_t pass, size_t count) {
    size_t done = atomic_fetch_add_explicit(&t->done, count, memory_order_acq_rel) + count;
    if (done == tasks_through(t->work, pass)) {
        begin_pass(t, pass + 1);
        one_more_is_over(t);
    }
}

/* Takes a chunk of a share, if any is left, and does it. 0 if there is none. */
static int work_on(team *t, size_t number, size_t member) {
    _Atomic ticket *next = &t->share[number].next;
    ticket k = atomic_load_explicit(next, memory_order_acquire);
    size_t pass = k / TICKETS_OF_A_PASS, end = first_of(t, pass, number + 1);
    if (k % TICKETS_OF_A_PASS >= end) {
        return 0;
    }
    size_t chunk = t->work->tasks[pass].chunk;
    k = atomic_fetch_add_explicit(next, chunk, memory_order_acquire);
    if (k / TICKETS_OF_A_PASS != pass) { /* the next one has begun meanwhile */
        pass = k / TICKETS_OF_A_PASS;
        end = first_of(t, pass, number + 1);
    }
    size_t first = k % TICKETS_OF_A_PASS;
    if (first >= end) {
        return 0;
    }
    size_t count = chunk < end - first ? chunk : end - first;
    t->work->run(t->work->of, pass, member, first, first + count);
    if (member == 0) {
        t->own += (double)count / (double)t->work->tasks[pass].count;
    }
    have_done(t, pass, count);
    return 1;
}

/* Until all passes are over; each pass begins with the member's own share. */
static void work_as(team *t, size_t member) {
    for (size_t seen = count_over(t); seen < t->work->passes; seen = count_over(t)) {
        for (size_t i = 0; i < t->shares && count_over(t) == seen;) {
            i += !work_on(t, (member + i) % t->shares, member);
        }
        wait_after(t, seen);
    }
}

/* All leave together, because those who wait in OpenMP's own barrier spin. */
static void leave(team *t, size_t members) {
    if (atomic_fetch_add_explicit(&t->left, 1, memory_order_acq_rel) + 1 == members) {
        one_more_is_over(t);
    } else {
        wait_after(t, t->work->passes);
    }
}

/* ---- a team, or one thread ---------------------------------------------------------------------
 */

static void run_alone(const team_work *work) {
    for (size_t i = 0; i < work->passes; i++) {
        if (work->begin != NULL) {
            work->begin(work->of, i);
        }
        work->run(work->of, i, 0, 0, work->tasks[i].count);
    }
}

/* Returns the part of it that the calling thread did. */
static double run_together(const team_work *work, size_t threads, kept_threads *kept,
                           work_times *times) {
    team t;
    t.work = work;
    t.shares = threads < MOST_SHARES ? threads : MOST_SHARES;
    t.own = 0;
    atomic_init(&t.done, 0);
    atomic_init(&t.left, 0);
    atomic_init(&t.raised, 0);
    atomic_init(&t.over, 0);
    pthread_mutex_init(&t.mutex, NULL);
    pthread_cond_init(&t.is_over, NULL);
    begin_pass(&t, 0);
#pragma omp parallel num_threads((int)threads)
    {
        environment own = take_default_environment();
        size_t member = (size_t)omp_get_thread_num();
        thread_has_started(kept);
        if (member == 0) {
            work_begins(times);
        }
        work_as(&t, member);
        leave(&t, (size_t)omp_get_num_threads());
        if (member == 0) {
            work_ends(times);
        }
        atomic_fetch_or_explicit(&t.raised, raised_flags(), memory_order_relaxed);
        give_back_environment(own);
    }
    raise_flags(t.raised);
    pthread_cond_destroy(&t.is_over);
    pthread_mutex_destroy(&t.mutex);
    return t.own / (double)work->passes;
}

/* A calling thread that is cancelled in the middle would leave the others with what it takes along,
 * so that waits until all is done. */
void team_run(const team_work *work, size_t threads) {
    work_times times;
    kept_threads *kept = NULL;
    int callers_state;
    if (threads == 1) {
        run_alone(work);
        return;
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &callers_state);
    threads = team_pays(&times) ? threads_for_team(threads, &kept) : 1;
    double own = 1;
    if (threads > 1) {
        own = run_together(work, threads, kept, &times);
    } else {
        work_begins(&times);
        run_alone(work);
        work_ends(&times);
    }
    learn_from_work(&times, threads > 1, own);
    pthread_setcancelstate(callers_state, &callers_state);
}
