/* SPDX-License-Identifier: MIT
 * Loaded before the C library, it signals its own process in the very instant after a new folder or
 * temporary file is there, the worst one for whoever is to remove it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static int wants(const char *what) {
    const char *wanted = getenv("WEFT_TEST_INTERRUPT");
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
