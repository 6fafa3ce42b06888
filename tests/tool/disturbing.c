/* SPDX-License-Identifier: MIT
 * Loaded before the C library, it does to the tool what others may do: it signals in the very
 * instant after a new folder or temporary file is there, the worst one for whoever is to remove it;
 * or the clock jumps between most of its readings, as if others had the machine meanwhile; or
 * cosines are wrong; or some copies of rows take long, so that other threads are ahead; or one call
 * of the C library fails. Calls are counted from main() on, in a file that the test gives; where
 * none fails, it has the way to each of them, too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

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

/* By one thousandth, whichever of the two a compiler calls. */
static double of_cosine(double cosine) {
    return wants("cosine") ? 1.001 * cosine : cosine;
}

double cos(double x) {
    static double (*found_by)(double);
    if (found_by == NULL) {
        found_by = (double (*)(double))dlsym(RTLD_NEXT, "cos");
    }
    return of_cosine(found_by(x));
}

void sincos(double x, double *sine, double *cosine) {
    static void (*found_by)(double, double *, double *);
    if (found_by == NULL) {
        found_by = (void (*)(double, double *, double *))dlsym(RTLD_NEXT, "sincos");
    }
    found_by(x, sine, cosine);
    *cosine = of_cosine(*cosine);
}

/* One of a hundred copies of 1801 bytes, which a row of a test's picture has, takes long. The loop
 * must not become a call of itself. */
void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    enum { ROW_BYTES = 1801, DELAY = 20000000 };
    static atomic_uint rows;
    if (count == ROW_BYTES && wants("copy") && atomic_fetch_add(&rows, 1) % 100 == 99) {
        nanosleep(&(struct timespec){.tv_nsec = DELAY}, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        ((volatile char *)to)[i] = ((const char *)from)[i];
    }
    return to;
}

/* ---- the call that fails --------------------------------------------------------------------- */

/* In the order in which the test reads their counts. */
enum {
    MALLOC,
    CALLOC,
    REALLOC,
    ALIGNED_ALLOC,
    FOPEN,
    FDOPEN,
    FREAD,
    FWRITE,
    FSYNC,
    RENAME,
    UNLINK,
    CALLS
};
static const char *const names[CALLS] = {"malloc", "calloc", "realloc", "aligned_alloc",
                                         "fopen",  "fdopen", "fread",   "fwrite",
                                         "fsync",  "rename", "unlink"};

/* The file: how many of each call, and of each, one after the other, a hash of the functions that
 * led to it, by which the test knows calls that were made in another way. */
enum { MOST_CALLS = 1 << 16, MOST_FRAMES = 32 };
struct calls {
    uint64_t counts[CALLS];
    uint64_t ways[CALLS][MOST_CALLS];
};
static struct calls *calls; /* NULL before main() */
static uint64_t failing_number;
static const char *failing_name;

static uint64_t way_here(void) {
    void *frames[MOST_FRAMES];
    const int count = backtrace(frames, MOST_FRAMES);
    uint64_t hash = 14695981039346656037u; /* FNV-1a */

    for (int i = 0; i < count; i++) {
        hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211u;
    }
    return hash;
}

/* WEFT_TEST_FAIL=NAME:NUMBER is the call that fails, WEFT_TEST_CALLS the file of struct calls. */
static void begin_to_count(void) {
    const char *path = getenv("WEFT_TEST_CALLS"), *call = getenv("WEFT_TEST_FAIL");
    const char *colon = call != NULL ? strchr(call, ':') : NULL;
    const int file = path != NULL ? open(path, O_RDWR) : -1;
    void *shared;

    if (file < 0) {
        return;
    }
    shared = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    (void)way_here(); /* the first backtrace() calls malloc() */
    if (colon != NULL) {
        failing_name = call;
        failing_number = strtoull(colon + 1, NULL, 10);
    }
    calls = shared != MAP_FAILED ? shared : NULL;
}

static int fails(int which, int error) {
    const size_t length = strlen(names[which]);
    uint64_t number;

    if (calls == NULL) {
        return 0;
    }
    number = __atomic_add_fetch(&calls->counts[which], 1, __ATOMIC_RELAXED);
    if (failing_name == NULL && number <= MOST_CALLS) {
        calls->ways[which][number - 1] = way_here();
    }
    if (number != failing_number || strncmp(failing_name, names[which], length) != 0 ||
        failing_name[length] != ':') {
        return 0;
    }
    errno = error;
    return 1;
}

static int (*its_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment) {
    begin_to_count();
    return its_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    int (*started_by)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                      void (*)(void), void *);

    *(void **)&started_by = dlsym(RTLD_NEXT, "__libc_start_main");
    its_main = main;
    return started_by(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

#ifndef WEFT_TEST_SANITIZED /* sanitizers have memory of their own, before any library is ready */
/* What dlsym() is called for may call malloc(): its own names need no looking up. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

void *malloc(size_t bytes) {
    return fails(MALLOC, ENOMEM) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    return fails(CALLOC, ENOMEM) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes) {
    return fails(REALLOC, ENOMEM) ? NULL : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return fails(ALIGNED_ALLOC, ENOMEM) ? NULL : __libc_memalign(alignment, bytes);
}

#endif

FILE *fopen(const char *path, const char *mode) {
    FILE *(*opened_by)(const char *, const char *) =
        (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    return fails(FOPEN, EMFILE) ? NULL : opened_by(path, mode);
}

FILE *fdopen(int descriptor, const char *mode) {
    FILE *(*opened_by)(int, const char *) =
        (FILE * (*)(int, const char *)) dlsym(RTLD_NEXT, "fdopen");
    return fails(FDOPEN, ENOMEM) ? NULL : opened_by(descriptor, mode);
}

/* As the C library leaves a stream that failed. */
static size_t broken(FILE *stream) {
    stream->_flags |= _IO_ERR_SEEN;
    return 0;
}

size_t fread(void *bytes, size_t each, size_t count, FILE *stream) {
    size_t (*read_by)(void *, size_t, size_t, FILE *) =
        (size_t(*)(void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fread");
    return fails(FREAD, EIO) ? broken(stream) : read_by(bytes, each, count, stream);
}

size_t fwrite(const void *bytes, size_t each, size_t count, FILE *stream) {
    size_t (*written_by)(const void *, size_t, size_t, FILE *) =
        (size_t(*)(const void *, size_t, size_t, FILE *))dlsym(RTLD_NEXT, "fwrite");
    return fails(FWRITE, ENOSPC) ? broken(stream) : written_by(bytes, each, count, stream);
}

/* Nobody pulls the plug, and a disk would take most of the time. */
int fsync(int descriptor) {
    (void)descriptor;
    return fails(FSYNC, EIO) ? -1 : 0;
}

int rename(const char *from, const char *to) {
    int (*renamed_by)(const char *, const char *) =
        (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    return fails(RENAME, EIO) ? -1 : renamed_by(from, to);
}

int unlink(const char *path) {
    int (*unlinked_by)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    return fails(UNLINK, EIO) ? -1 : unlinked_by(path);
}
