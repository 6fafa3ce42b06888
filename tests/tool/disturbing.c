/* SPDX-License-Identifier: MIT
 * Loaded before the C library, it does to the tool what others may do: it signals in the very
 * instant after a new folder or temporary file is there, the worst one for whoever is to remove it;
 * or the clock jumps between most of its readings, as if others had the machine meanwhile.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

static int wants(const char *what) {
    const char *wanted = getenv("WEFT_TEST_DISTURB");
    return wanted != NULL && strcmp(wanted, what) == 0;
}

char *mkdtemp(char *name) {
    char *(*made_by)(char *) = (char *(*)(char *))dlsym(RTLD_NEXT, "mkdtemp");
    char *made = made_by(name);
    if (made != NULL && wants("folder")) {
        raise(SIGINT);
    }
    return made;
}

int open(const char *path, int flags, ...) {
    int (*opened_by)(const char *, int, ...) =
        (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    va_list rest;
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    int descriptor = opened_by(path, flags, mode);
    if (descriptor >= 0 && (flags & O_EXCL) && wants("file")) {
        raise(SIGINT);
    }
    return descriptor;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static uint32_t random = 1;
    static time_t ahead;
    int (*read_by)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int code = read_by(clock, now);
    if (code == 0 && clock == CLOCK_MONOTONIC && wants("clock")) {
        random = random * 1664525 + 1013904223;
        ahead += random >> 30 != 0; /* three times of four a second */
        now->tv_sec += ahead;
    }
    return code;
}
