/* SPDX-License-Identifier: MIT
 * A signal ends the process immediately, whatever the library is busy with: the handler removes or
 * empties what is unfinished, says so, and leaves. Only calls that are safe in a handler. Where
 * OpenMP ends the process, the same is done.
 */
#include "shell/interrupt.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "shell/complain.h"
#include "shell/progress.h"

static leftover *volatile newest;

void interrupt_remove(leftover *l, const char *path) {
    *l = (leftover){.path = path, .next = newest};
    newest = l;
}

void interrupt_empty(leftover *l, int descriptor) {
    *l = (leftover){.descriptor = descriptor, .next = newest};
    newest = l;
}

void interrupt_keep(const leftover *l) {
    leftover *before = newest;

    if (before == l) {
        newest = l->next;
        return;
    }
    while (before && before->next != l) {
        before = before->next;
    }
    if (before) {
        before->next = l->next;
    }
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
    (void)ignored;
    if (code == EXIT_CHECK_FAILED && !is_over) {
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
