/* SPDX-License-Identifier: MIT
 * How many threads there are, see threads.h. OpenMP waits for ever for threads that a fork did not
 * copy, and it ends the process if it cannot start one. So a process that was forked beside other
 * threads has one thread, and OpenMP is only asked for threads that it keeps or that have been
 * started on trial.
 */
#define _GNU_SOURCE /* syscall() */

#include "threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "weft.h"

/* ---- forks -------------------------------------------------------------------------------------
 */

static int is_alone; /* OpenMP may believe in threads that are not there, or end them unseen */
static atomic_int had_threads;

/* Only a process without other threads has none of OpenMP's, whoever made them. Where /proc is not
 * to be seen, there may be some. */
static void before_fork(void) {
    enum { LINKS_OF_FOLDER = 2 };
    struct stat threads;
    int is_known = stat("/proc/self/task", &threads) == 0;
    atomic_store(&had_threads, !is_known || threads.st_nlink != LINKS_OF_FOLDER + 1);
}

static void in_child(void) {
    is_alone |= atomic_load(&had_threads);
}

static pthread_key_t ending; /* its destructor: */
static void thread_ends(void *of);

/* When the library is loaded, as the first fork may come before the first plan. */
__attribute__((constructor)) static void watch(void) {
    is_alone = pthread_atfork(before_fork, NULL, in_child) != 0 ||
               pthread_key_create(&ending, thread_ends) != 0;
}

size_t threads_asked_for(int wanted) {
    if (is_alone || wanted == 1) {
        return 1;
    }
    int threads = wanted > 0 ? wanted : omp_get_max_threads(), limit = omp_get_thread_limit();
    threads = threads < limit ? threads : limit;
    return (size_t)(threads < WEFT_MOST_THREADS ? threads : WEFT_MOST_THREADS);
}

/* ---- threads that cannot be started ------------------------------------------------------------
 */

/* As OpenMP reads a variable: a number and B, K, M or G, of which K is the default. 0 if it is not
 * set so. */
static size_t stack_of(const char *variable) {
    const char *text = getenv(variable);
    unsigned long long size;
    char unit = 'K';
    if (text == NULL || sscanf(text, "%llu %c", &size, &unit) < 1) {
        return 0;
    }
    int shift = unit == 'G' || unit == 'g'   ? 30
                : unit == 'M' || unit == 'm' ? 20
                : unit == 'B' || unit == 'b' ? 0
                                             : 10;
    return (size_t)size << shift;
}

/* gcc's OpenMP has a name of its own for what OMP_STACKSIZE leaves open. */
static size_t stack_asked_for(void) {
    size_t size = stack_of("OMP_STACKSIZE");
    return size > 0 ? size : stack_of("GOMP_STACKSIZE");
}

/* A thread that is started on trial, and ends when it gets the lock. */
typedef struct trial {
    pthread_t thread;
    pthread_mutex_t *lock;
    pid_t number;
} trial;

static void *wait_for_lock(void *given) {
    trial *own = given;
    own->number = (pid_t)syscall(SYS_gettid);
    pthread_mutex_lock(own->lock);
    pthread_mutex_unlock(own->lock);
    return NULL;
}

/* A thread that was joined may still count as one of the process, or of its user, for a moment. */
static void wait_until_gone(pid_t number) {
    const struct timespec moment = {.tv_nsec = 20000};
    for (int i = 0; i < 1000 && syscall(SYS_tgkill, getpid(), number, 0) == 0; i++) {
        nanosleep(&moment, NULL);
    }
}

static size_t start_all(trial *trials, size_t wanted) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t like_openmp;
    size_t started = 0;
    if (pthread_attr_init(&like_openmp) != 0) {
        return 0;
    }
    pthread_attr_setstacksize(&like_openmp, stack_asked_for()); /* refused: the default remains */
    pthread_mutex_lock(&lock);
    while (started < wanted) {
        trials[started].lock = &lock;
        if (pthread_create(&trials[started].thread, &like_openmp, wait_for_lock,
                           &trials[started]) != 0) {
            break;
        }
        started++;
    }
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < started; i++) {
        pthread_join(trials[i].thread, NULL);
        wait_until_gone(trials[i].number);
    }
    pthread_attr_destroy(&like_openmp);
    return started;
}

/* How many of the wanted threads there can be besides those there are. What OpenMP allocates for
 * them itself is held back meanwhile. */
static size_t startable(size_t wanted) {
    const size_t held_back = (size_t)2 << 20; /* malloc() takes one MiB at least from the system */
    trial *trials =
        mmap(NULL, held_back, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (trials == MAP_FAILED) {
        return 0;
    }
    size_t started = start_all(trials, wanted);
    munmap(trials, held_back);
    return started;
}

/* ---- threads that OpenMP keeps -----------------------------------------------------------------
 */

/* OpenMP keeps the threads of a caller's last team, but for those that a smaller team has no use
 * for, whoever began that one. They end, and lower the count. As they may outlive their caller, it
 * is free for another caller when nobody holds it any more. */
struct kept_threads {
    atomic_size_t count; /* the caller included */
    atomic_size_t holders;
};

/* Executing allocates nothing. Those of more callers than these count as new in every call. */
enum { MOST_CALLERS = 256 };
static kept_threads of_callers[MOST_CALLERS];

/* What each thread has as a caller, and where it is a member. */
static _Thread_local struct {
    kept_threads *own, *joined;
    size_t number; /* in the team that it joined last */
    int is_growing;
} self;

/* OpenMP gives up those threads that have the highest numbers. */
static void keep_at_most(kept_threads *kept, size_t most) {
    size_t count = atomic_load(&kept->count);
    while (count > most && !atomic_compare_exchange_weak(&kept->count, &count, most)) {
    }
}

static void let_go(kept_threads *kept) {
    if (kept != NULL) {
        atomic_fetch_sub(&kept->holders, 1);
    }
}

static void leave(void) {
    if (self.joined != NULL) {
        keep_at_most(self.joined, self.number);
        let_go(self.joined);
        self.joined = NULL;
    }
}

static void thread_ends(void *of) {
    (void)of;
    leave();
    let_go(self.own);
    self.own = NULL;
}

/* A thread of whose end nobody would hear cannot be counted on. */
static void join(kept_threads *kept, size_t number) {
    if (self.joined != kept) {
        leave();
        if (pthread_setspecific(ending, &self) != 0) {
            keep_at_most(kept, number);
            return;
        }
        atomic_fetch_add(&kept->holders, 1);
        self.joined = kept;
    }
    self.number = number;
}

static kept_threads *take_free(void) {
    for (size_t i = 0; i < MOST_CALLERS; i++) {
        size_t nobody = 0;
        if (atomic_compare_exchange_strong(&of_callers[i].holders, &nobody, 1)) {
            atomic_store(&of_callers[i].count, 1);
            return &of_callers[i];
        }
    }
    return NULL;
}

/* NULL if OpenMP keeps none, as for teams that are begun inside others, or if it is not known. */
static kept_threads *kept_for_caller(void) {
    if (omp_get_level() > 0) {
        return NULL;
    }
    if (self.own == NULL && pthread_setspecific(ending, &self) == 0) {
        self.own = take_free();
    }
    return self.own;
}

/* ---- a team ------------------------------------------------------------------------------------
 */

/* Held from the trial until OpenMP has started the threads: what is free then is for one team. */
static pthread_mutex_t growing = PTHREAD_MUTEX_INITIALIZER;

static size_t grow(size_t from, size_t wanted) {
    pthread_mutex_lock(&growing);
    size_t threads = from + startable(wanted - from);
    self.is_growing = threads > 1;
    if (!self.is_growing) {
        pthread_mutex_unlock(&growing);
    }
    return threads;
}

size_t threads_for_team(size_t wanted, kept_threads **kept) {
    if (wanted <= 1 || is_alone || omp_get_active_level() >= omp_get_max_active_levels()) {
        return 1;
    }
    *kept = kept_for_caller();
    size_t there_are = *kept != NULL ? atomic_load(&(*kept)->count) : 1;
    size_t threads = wanted <= there_are ? wanted : grow(there_are, wanted);
    if (*kept != NULL) {
        atomic_store(&(*kept)->count, threads);
    }
    return threads;
}

void thread_has_started(kept_threads *kept) {
    size_t number = (size_t)omp_get_thread_num();
    if (kept != NULL && number > 0) {
        join(kept, number);
    } else if (kept != NULL) {
        keep_at_most(kept, (size_t)omp_get_num_threads());
    }
    if (self.is_growing) {
        self.is_growing = 0;
        pthread_mutex_unlock(&growing);
    }
}
