/* SPDX-License-Identifier: MIT
 * Signals become a flag that the commands ask for between rows and steps, so that every way out
 * passes the code that removes unfinished files.
 */
#include <signal.h>
#include <unistd.h>

#include "cli.h"

static volatile sig_atomic_t seen;

static void on_signal(int number) {
    (void)number;
    if (seen) {
        output_remove_temporary();
        _exit(EXIT_INTERRUPTED);
    }
    seen = 1;
}

int interrupted(void) {
    return seen != 0;
}

/* What our parent ignores (nohup, a shell's background job) stays ignored. Without SA_RESTART a
 * read that waits for a pipe ends too. */
static void catch_one(int number) {
    struct sigaction old, action = {.sa_handler = on_signal};

    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
        sigaction(number, &action, NULL);
    }
}

void interrupt_catch(void) {
    catch_one(SIGINT);
    catch_one(SIGTERM);
    catch_one(SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
