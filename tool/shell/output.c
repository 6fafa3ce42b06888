/* SPDX-License-Identifier: MIT
 * Output files that appear whole or not at all: written under a temporary name in the same
 * directory, flushed, synced, and only then renamed. What is no regular file (/dev/null, a pipe) is
 * written directly, and so is standard output, which must not fail unnoticed.
 */
#include "shell/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "shell/complain.h"
#include "shell/interrupt.h"

enum { MOST_TRIES = 100 };

static const char standard_output[] = "standard output";
static int said_of_stdout; /* that it cannot be written */

static int cannot_write(const char *path) {
    said_of_stdout |= strcmp(path, standard_output) == 0;
    return complain(EXIT_FILE, "%s: cannot write: %s", path, strerror(errno));
}

/* O_EXCL also refuses a symbolic link laid in the way. A signal must find the name as soon as the
 * file is there, and the whole name: the beginning of it is that of a file to keep. */
static int create_temporary(output *out, mode_t mode) {
    int descriptor;

    interrupt_remove(&out->unfinished, out->temporary);
    descriptor = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0) {
        interrupt_keep(&out->unfinished);
    }
    return descriptor;
}

/* Takes a name that nobody has: not even a process of the same number on another machine, whose
 * file a signal would take for ours. */
static int open_temporary(output *out, mode_t mode) {
    size_t size = strlen(out->path) + 64;
    struct timespec now = {0};
    int descriptor = -1;

    clock_gettime(CLOCK_REALTIME, &now);
    out->temporary = allocate(size, 1);
    if (!out->temporary) {
        return EXIT_MEMORY;
    }
    for (int i = 0; i < MOST_TRIES && descriptor < 0; i++) {
        snprintf(out->temporary, size, "%s.weft-%ld-%lx", out->path, (long)getpid(),
                 (unsigned long)now.tv_nsec + (unsigned long)i);
        descriptor = create_temporary(out, mode);
        if (descriptor < 0 && errno != EEXIST) {
            break;
        }
    }
    if (descriptor < 0) {
        free(out->temporary);
        out->temporary = NULL;
        return cannot_write(out->path);
    }
    out->file = fdopen(descriptor, "wb");
    return out->file ? EXIT_DONE : cannot_write(out->path);
}

static int open_direct(output *out) {
    int descriptor = open(out->path, O_WRONLY | O_CLOEXEC);

    if (descriptor < 0) {
        return cannot_write(out->path);
    }
    out->file = fdopen(descriptor, "wb");
    return out->file ? EXIT_DONE : cannot_write(out->path);
}

/* A file that is there keeps its permissions, a link to it stays a link, and one that may not be
 * written is not replaced although the directory would allow it. */
static int open_existing(output *out, const char *path, const struct stat *about) {
    if (S_ISDIR(about->st_mode)) {
        return complain(EXIT_FILE, "%s: is a directory", path);
    }
    out->path = realpath(path, NULL);
    if (!out->path || access(out->path, W_OK) != 0) {
        return cannot_write(path);
    }
    if (!S_ISREG(about->st_mode)) {
        return open_direct(out);
    }
    return open_temporary(out, about->st_mode & 0777);
}

int output_open(output *out, const char *path) {
    struct stat about;
    int code;

    *out = (output){0};
    if (strcmp(path, "-") == 0) {
        out->path = strdup(standard_output);
        out->file = stdout;
        return out->path ? EXIT_DONE : complain(EXIT_MEMORY, "out of memory");
    }
    if (stat(path, &about) == 0) {
        code = open_existing(out, path, &about);
    } else {
        out->path = strdup(path);
        code = out->path ? open_temporary(out, 0666) : complain(EXIT_MEMORY, "out of memory");
    }
    if (code != EXIT_DONE) {
        output_abandon(out);
    }
    return code;
}

int output_open_data(output *out, const char *path) {
    *out = (output){0};
    if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO)) {
        return complain(EXIT_USAGE,
                        "-o -: standard output is a terminal; redirect it or name a file");
    }
    return output_open(out, path);
}

int output_write(output *out, const void *bytes, size_t count) {
    return count == 0 || fwrite(bytes, 1, count, out->file) == count ? EXIT_DONE
                                                                     : cannot_write(out->path);
}

/* Pipes and devices cannot be synced, and say so with EINVAL. */
static int flush_to_disk(output *out) {
    if (fflush(out->file) != 0 || ferror(out->file)) {
        return -1;
    }
    if (fsync(fileno(out->file)) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) {
        return -1;
    }
    return 0;
}

/* Makes the new name itself durable; there is nobody to tell if that fails. */
static void sync_directory_of(const char *path) {
    char *copy = strdup(path);
    int descriptor = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(copy);
}

static int close_file(output *out) {
    FILE *file = out->file;

    out->file = NULL;
    return !file || file == stdout ? 0 : fclose(file);
}

int output_commit(output *out) {
    int code = EXIT_DONE;

    if (flush_to_disk(out) != 0 || close_file(out) != 0) {
        code = cannot_write(out->path);
    } else if (out->temporary && rename(out->temporary, out->path) != 0) {
        code = cannot_write(out->path);
    }
    if (code == EXIT_DONE && out->temporary) {
        interrupt_keep(&out->unfinished);
        sync_directory_of(out->path);
        free(out->temporary);
        out->temporary = NULL;
    }
    output_abandon(out);
    return code;
}

void output_abandon(output *out) {
    close_file(out);
    if (out->temporary) {
        unlink(out->temporary);
        interrupt_keep(&out->unfinished);
    }
    free(out->temporary);
    free(out->path);
    *out = (output){0};
}

int output_whole(const char *path, int (*write)(output *out, void *context), void *context) {
    output out;
    int code = output_open_data(&out, path);

    if (code == EXIT_DONE) {
        code = write(&out, context);
    }
    if (code == EXIT_DONE) {
        code = output_commit(&out);
    }
    output_abandon(&out);
    return code;
}

void output_close_stdout(void) {
    int failed = ferror(stdout), reason = fflush(stdout) != 0 ? errno : 0;

    if (fclose(stdout) != 0 || reason != 0 || failed) {
        if (!said_of_stdout) {
            complain(EXIT_FILE, "%s: cannot write%s%s", standard_output, reason != 0 ? ": " : "",
                     reason != 0 ? strerror(reason) : "");
        }
        _exit(EXIT_FILE);
    }
}
