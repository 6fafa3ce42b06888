/* SPDX-License-Identifier: MIT
 * One line of progress on stderr that rewrites itself: only on a terminal, only once the command
 * has worked for half a second, at most ten times a second. Work that has no steps, such as a
 * transform, is named by an alarm then. Steps without a start are ignored, and so is all that other
 * threads than the first one do.
 */
#include "shell/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "shell/clock.h"

enum { WHAT_SIZE = 200, PERCENT_SIZE = 16, LINE_SIZE = 1000 };

static struct {
    char whole[WHAT_SIZE], part[WHAT_SIZE], what[WHAT_SIZE];
    char text[LINE_SIZE]; /* the line without a step */
    double next;          /* when the next line is due, in seconds; 0 before the first start */
    int active;
    atomic_int shown;
} line;

static int can_rewrite_lines(void) {
    const char *terminal = getenv("TERM");

    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* A line that goes on in the next row cannot be rewritten: only so many characters are shown. */
static int most_characters(void) {
    struct winsize size = {0};

    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1
                                                                           : LINE_SIZE;
}

static int is_first_thread(void) {
    return gettid() == getpid();
}

void progress_within(const char *whole) {
    if (!is_first_thread()) {
        return;
    }
    snprintf(line.whole, sizeof line.whole, "%s", whole);
    line.part[0] = '\0';
}

void progress_part(const char *part) {
    if (!is_first_thread()) {
        return;
    }
    snprintf(line.part, sizeof line.part, "%s", part);
}

static void show_text(void) {
    ssize_t ignored = write(STDERR_FILENO, line.text, strlen(line.text));

    (void)ignored;
    line.shown = 1;
}

static void on_timer(int number) {
    int before = errno;

    (void)number;
    if (!line.shown) {
        show_text();
    }
    errno = before;
}

/* 0: none. A timer of our own: that of alarm() may be set by whoever started us. */
static void set_alarm(double delay) {
    const struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    const struct itimerspec when = {.it_value = {.tv_nsec = (long)(1e9 * delay)}};
    static timer_t timer;
    static int has_timer;

    if (!has_timer) {
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};

        sigaction(SIGRTMIN, &action, NULL);
        has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    }
    if (has_timer) {
        timer_settime(timer, 0, &when, NULL);
    }
}

void progress_start(const char *what) {
    char text[LINE_SIZE];
    double now;

    if (!is_first_thread()) {
        return;
    }
    progress_end();
    if (!can_rewrite_lines()) {
        return;
    }
    now = clock_seconds();
    line.next = line.next > 0 ? line.next : now + 0.5;
    line.active = 1;
    snprintf(line.what, sizeof line.what, "%s", what);
    snprintf(text, sizeof text, "%s%s%s", line.whole, line.part, line.what);
    snprintf(line.text, sizeof line.text, "\r%.*s\033[K", most_characters(), text);
    if (now < line.next) {
        set_alarm(line.next - now);
    } else {
        show_text();
        line.next = now + 0.1;
    }
}

void progress_step(double fraction, const char *detail) {
    char percent[PERCENT_SIZE] = "", text[LINE_SIZE];

    if (!is_first_thread() || !line.active || clock_seconds() < line.next) {
        return;
    }
    if (fraction >= 0) {
        snprintf(percent, sizeof percent, " %3.0f%%", 100 * fraction);
    }
    snprintf(text, sizeof text, "%s%s%s%s%s%s", line.whole, line.part, line.what, percent,
             detail ? " " : "", detail ? detail : "");
    fprintf(stderr, "\r%.*s\033[K", most_characters(), text);
    fflush(stderr);
    line.next = clock_seconds() + 0.1;
    line.shown = 1;
}

void progress_wipe(void) {
    static const char text[] = "\r\033[K";
    ssize_t ignored = line.shown ? write(STDERR_FILENO, text, sizeof text - 1) : 0;

    (void)ignored;
}

void progress_end(void) {
    if (!is_first_thread()) { /* a message is to come, on an empty line */
        progress_wipe();
        return;
    }
    if (line.active) {
        set_alarm(0);
    }
    progress_wipe();
    line.active = 0;
    line.shown = 0;
}
