/* SPDX-License-Identifier: MIT
 * A signal ends the process immediately, whatever the library is busy with: the handler removes or
 * empties what is unfinished, says so, and leaves. Only calls that are safe in a handler. Where
 * OpenMP ends the process, the same is done. Files may be written by several threads.
 */
#include "shell/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "shell/complain.h"
#include "shell/progress.h"

static leftover *newest;
static atomic_flag is_changing = ATOMIC_FLAG_INIT; /* the list, and whatever it leads to */

/* A handler that needs the list waits for another thread that has it, never for its own, which no
 * signal reaches meanwhile; and once it has it, no thread can create what would be left. */
static void take_list(void) {
    while (atomic_flag_test_and_set(&is_changing)) {
    }
}

static void begin_change(sigset_t *before) {
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
    take_list();
}

static void end_change(const sigset_t *before) {
    atomic_flag_clear(&is_changing);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

static void put_first(leftover *l, leftover value) {
    *l = value;
    l->next = newest;
    newest = l;
}

static void add(leftover *l, leftover value) {
    sigset_t before;

    begin_change(&before);
    put_first(l, value);
    end_change(&before);
}

/* O_EXCL also refuses a symbolic link laid in the way. */
int interrupt_create_file(leftover *l, const char *path, mode_t mode) {
    sigset_t before;
    int descriptor;

    begin_change(&before);
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0) {
        put_first(l, (leftover){.path = path});
    }
    end_change(&before);
    return descriptor;
}

int interrupt_create_folder(leftover *l, char *path) {
    sigset_t before;
    int is_made;

    begin_change(&before);
    is_made = mkdtemp(path) != NULL;
    if (is_made) {
        put_first(l, (leftover){.path = path});
    }
    end_change(&before);
    return is_made ? 0 : -1;
}

void interrupt_remove(leftover *l, const char *path) {
    add(l, (leftover){.path = path});
}

void interrupt_empty(leftover *l, int descriptor) {
    add(l, (leftover){.descriptor = descriptor});
}

void interrupt_keep(const leftover *l) {
    leftover **link = &newest;
    sigset_t before;

    begin_change(&before);
    while (*link != NULL && *link != l) {
        link = &(*link)->next;
    }
    if (*link == l) {
        *link = l->next;
    }
    end_change(&before);
}

static void remove_leftovers(void) {
    int ignored = 0; /* nothing more can be done */

    for (const leftover *l = newest; l; l = l->next) {
        if (l->path == NULL) {
            ignored = ftruncate(l->descriptor, 0);
        } else if (unlink(l->path) != 0) {
            rmdir(l->path);
        }
    }
    (void)ignored;
}

static void on_signal(int number) {
    static const char text[] = "weft: interrupted\n";
    ssize_t ignored;

    take_list();
    remove_leftovers();
    progress_wipe();
    ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(EXIT_SIGNAL + number);
}

/* What our parent ignores (nohup, a shell's background job) stays ignored, and what somebody
 * handles before main() stays his, such as a profiler's timer. */
static void catch_one(int number) {
    struct sigaction old, action = {.sa_handler = on_signal};

    sigfillset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
        sigaction(number, &action, NULL);
    }
}

static int is_over; /* main() returns */

int interrupt_over(int code) {
    is_over = 1;
    return code;
}

/* OpenMP's runtime calls exit(1) where it lacks memory or a thread, after a line of its own. */
static void on_exit_elsewhere(int code, void *ignored) {
    sigset_t before;

    (void)ignored;
    if (code == EXIT_CHECK_FAILED && !is_over) {
        begin_change(&before); /* there are other threads, which go on */
        remove_leftovers();
        _exit(complain(EXIT_MEMORY, "out of memory or threads for OpenMP; fewer --threads may do"));
    }
}

void interrupt_catch(void) {
    /* All that end a process and are no fault of it. */
    static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGALRM, SIGUSR1,
                                  SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR};

    on_exit(on_exit_elsewhere, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        catch_one(numbers[i]);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
