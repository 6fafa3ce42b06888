/* SPDX-License-Identifier: MIT
 * One line of progress on stderr that rewrites itself: only on a terminal, only for work that
 * outlasts half a second, at most ten times a second. Steps without a start are ignored.
 */
#include "shell/progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WHAT_SIZE = 200 };

static struct {
    char whole[WHAT_SIZE], what[WHAT_SIZE];
    double next; /* when the next line is due, in seconds */
    int active;
    volatile sig_atomic_t shown;
} line;

static double seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int can_rewrite_lines(void) {
    const char *terminal = getenv("TERM");

    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void progress_within(const char *whole) {
    snprintf(line.whole, sizeof line.whole, "%s", whole);
}

void progress_start(const char *what) {
    progress_end();
    if (!can_rewrite_lines()) {
        return;
    }
    snprintf(line.what, sizeof line.what, "%s", what);
    line.next = seconds() + 0.5;
    line.active = 1;
}

void progress_step(double fraction, const char *detail) {
    if (!line.active || seconds() < line.next) {
        return;
    }
    fprintf(stderr, "\r%s%s %3.0f%%%s%s\033[K", line.whole, line.what, 100 * fraction,
            detail ? " " : "", detail ? detail : "");
    fflush(stderr);
    line.next = seconds() + 0.1;
    line.shown = 1;
}

void progress_wipe(void) {
    static const char text[] = "\r\033[K";
    ssize_t ignored = line.shown ? write(STDERR_FILENO, text, sizeof text - 1) : 0;

    (void)ignored;
}

void progress_end(void) {
    progress_wipe();
    line.active = line.shown = 0;
}
