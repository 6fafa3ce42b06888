/* SPDX-License-Identifier: MIT
 * Output files that appear whole or not at all: written under a temporary name in the same
 * directory, flushed, synced, and only then renamed. A file that would lose something by that is
 * written in place; what is no regular file (/dev/null, a pipe) or open already is written
 * directly, and so is standard output, which must not fail unnoticed.
 */
#include "shell/output.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "shell/complain.h"
#include "shell/destination.h"
#include "shell/interrupt.h"

#ifndef STATX_ATTR_MOUNT_ROOT /* headers older than Linux 5.8, where no file has it */
#define STATX_ATTR_MOUNT_ROOT 0x2000
#endif

enum { MOST_TRIES = 100 };

static const char standard_output[] = "standard output";
static int said_of_stdout; /* that it cannot be written */

static int cannot_write(const char *path) {
    if (path == standard_output) {
        said_of_stdout = 1;
    }
    if (errno == EPIPE) {
        return complain(EXIT_FILE, "%s: the program that was to read it has ended", path);
    }
    return complain(code_of_errno(), "%s: cannot write: %s", path, strerror(errno));
}

/* ---- the temporary --------------------------------------------------------------------------- */

/* Takes a name beside the target that nobody has: not even a process of the same number on another
 * machine, whose file a signal would take for ours. The target's own name may be as long as names
 * can be, and is no part of it. A descriptor, or -1 with errno. */
static int open_temporary(output *out, mode_t mode) {
    char folder[FOLDER_SIZE];
    struct timespec now = {0};
    int descriptor = -1;

    destination_folder(folder, out->target);
    clock_gettime(CLOCK_REALTIME, &now);
    errno = EEXIST;
    for (int i = 0; i < MOST_TRIES && descriptor < 0 && errno == EEXIST; i++) {
        const int length =
            snprintf(out->temporary, sizeof out->temporary, "%s/.weft-%ld-%lx", folder,
                     (long)getpid(), (unsigned long)now.tv_nsec + (unsigned long)i);
        if (length >= (int)sizeof out->temporary) {
            errno = ENAMETOOLONG;
        } else {
            descriptor = interrupt_create_file(&out->unfinished, out->temporary, mode);
        }
    }
    if (descriptor < 0) {
        out->temporary[0] = '\0';
    }
    return descriptor;
}

static void remove_temporary(output *out) {
    if (out->temporary[0] == '\0') {
        return;
    }
    if (unlink(out->temporary) != 0) {
        complain(EXIT_FILE, "%s: cannot remove: %s", out->temporary, strerror(errno));
    }
    interrupt_keep(&out->unfinished);
    out->temporary[0] = '\0';
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Takes the descriptor, or the errno of -1. */
static int attach(output *out, int descriptor) {
    const int can_be_read = descriptor >= 0 && (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDWR;

    out->file = descriptor >= 0 ? fdopen(descriptor, can_be_read ? "w+b" : "wb") : NULL;
    if (out->file != NULL) {
        return EXIT_DONE;
    }
    const int code = cannot_write(out->path);
    if (descriptor >= 0) {
        close(descriptor);
    }
    return code;
}

/* A duplicate writes where the descriptor stands, or appends, and does for a socket, which has no
 * name that open() takes. */
static int open_descriptor(output *out, int descriptor) {
    const int flags = fcntl(descriptor, F_GETFL);

    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
        return complain(EXIT_FILE, "%s: is not open for writing", out->path);
    }
    return attach(out, fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
}

static const char access_list[] = "system.posix_acl_access";

/* Those that nobody but the file's user knows the meaning of, and so cannot be given to another. */
static int has_attributes_of_users(const char *path) {
    static const char of_users[] = "user.";
    char names[XATTR_LIST_MAX];
    const ssize_t size = listxattr(path, names, sizeof names);

    for (ssize_t i = 0; i < size; i += (ssize_t)strlen(names + i) + 1) {
        if (strncmp(names + i, of_users, sizeof of_users - 1) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Owner, group and permissions of the file whose name it is to take, and no access list that the
 * folder has given it: the permissions of a group would be those of everybody in the list. */
static int take_attributes(int descriptor, const struct stat *about) {
    struct stat own;

    if (fstat(descriptor, &own) != 0) {
        return -1;
    }
    if ((own.st_uid != about->st_uid || own.st_gid != about->st_gid) &&
        fchown(descriptor, about->st_uid, about->st_gid) != 0) {
        return -1;
    }
    if (fremovexattr(descriptor, access_list) != 0 && errno != ENODATA && errno != ENOTSUP) {
        return -1;
    }
    return fchmod(descriptor, about->st_mode & 07777);
}

/* rename() refuses to replace some files, such as one that a container has been given. */
static int is_mounted(const char *path) {
    struct statx about;

    return statx(AT_FDCWD, path, 0, 0, &about) == 0 &&
           (about.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/* Whether another file can take the place of this one so that nobody sees a difference: it has one
 * name, and all its attributes can be given to another. */
static int can_be_replaced(const destination *d) {
    return !d->is_open_file && d->about.st_nlink == 1 &&
           getxattr(d->name, access_list, NULL, 0) <= 0 && !has_attributes_of_users(d->name) &&
           !is_mounted(d->name);
}

/* The temporary that is to do that. A descriptor, or -1 with errno: EPERM where only the file
 * itself will do. */
static int open_replacement(output *out, const destination *d) {
    int descriptor;

    if (!can_be_replaced(d)) {
        errno = EPERM;
        return -1;
    }
    descriptor = open_temporary(out, d->about.st_mode & 0777);
    if (descriptor >= 0 && take_attributes(descriptor, &d->about) != 0) {
        close(descriptor);
        remove_temporary(out);
        errno = EPERM;
        return -1;
    }
    return descriptor;
}

/* From the first byte on a signal finds what is to be emptied. */
static int open_in_place(output *out) {
    int descriptor = open(out->target, O_RDWR | O_TRUNC | O_CLOEXEC);

    if (descriptor < 0 && errno == EACCES) { /* a file that may be written only */
        descriptor = open(out->target, O_WRONLY | O_TRUNC | O_CLOEXEC);
    }
    out->in_place = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : -1;
    out->is_in_place = out->in_place >= 0;
    if (out->is_in_place) {
        interrupt_empty(&out->unfinished, out->in_place);
    } else if (descriptor >= 0) {
        const int reason = errno;

        close(descriptor);
        errno = reason;
        return -1;
    }
    return descriptor;
}

/* Half a file is worse than none. */
static void end_in_place(output *out, int is_whole) {
    if (!out->is_in_place) {
        return;
    }
    if (!is_whole && ftruncate(out->in_place, 0) != 0) {
        cannot_write(out->path);
    }
    interrupt_keep(&out->unfinished);
    close(out->in_place);
    out->is_in_place = 0;
}

/* After such an errno the file itself may be one that can be written. */
static int allows_in_place(int reason) {
    return reason == EPERM || reason == EACCES || reason == EROFS || reason == ENOSPC ||
           reason == EDQUOT || reason == ENAMETOOLONG;
}

/* One that may not be written is not replaced although the directory would allow it; nor does it
 * matter that the directory does not. */
static int open_existing(output *out, const destination *d) {
    int descriptor;

    if (S_ISDIR(d->about.st_mode)) {
        return complain(EXIT_FILE, "%s: is a directory", out->path);
    }
    if (!S_ISREG(d->about.st_mode)) {
        return attach(out, open(out->path, O_WRONLY | O_CLOEXEC));
    }
    if (access(d->name, W_OK) != 0) {
        return cannot_write(out->path);
    }
    descriptor = open_replacement(out, d);
    if (descriptor < 0 && allows_in_place(errno)) {
        descriptor = open_in_place(out);
    }
    return attach(out, descriptor);
}

static int open_destination(output *out, const destination *d) {
    if (d->descriptor >= 0) {
        return open_descriptor(out, d->descriptor);
    }
    memcpy(out->target, d->name, sizeof out->target);
    return d->is_there ? open_existing(out, d) : attach(out, open_temporary(out, 0666));
}

int output_open(output *out, const char *path) {
    destination d;
    int code;

    *out = (output){.path = path};
    if (output_is_stdout(path)) {
        out->path = standard_output;
        out->file = stdout;
        return EXIT_DONE;
    }
    code = destination_find(&d, path) == 0 ? open_destination(out, &d) : cannot_write(path);
    if (code != EXIT_DONE) {
        output_abandon(out);
    }
    return code;
}

static int open_unseen(output *out, const destination *d) {
    memcpy(out->target, d->name, sizeof out->target);
    return !d->is_there                                              ? open_temporary(out, 0666)
           : S_ISREG(d->about.st_mode) && access(d->name, W_OK) == 0 ? open_replacement(out, d)
                                                                     : -1;
}

int output_open_unseen(output *out, const char *path) {
    destination d;
    int descriptor = -1;

    *out = (output){.path = path};
    if (strcmp(path, "-") != 0 && destination_find(&d, path) == 0 && d.descriptor < 0) {
        descriptor = open_unseen(out, &d);
    }
    out->file = descriptor >= 0 ? fdopen(descriptor, "w+b") : NULL;
    if (out->file != NULL) {
        return 1;
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    output_abandon(out);
    return 0;
}

int output_open_data(output *out, const char *path) {
    *out = (output){0};
    if (output_is_stdout(path) && isatty(STDOUT_FILENO)) {
        return complain(EXIT_USAGE,
                        "-o %s: standard output is a terminal; redirect it or name a file", path);
    }
    return output_open(out, path);
}

int output_check(const char *path) {
    char folder[FOLDER_SIZE];
    destination d;

    if (strcmp(path, "-") == 0) {
        return EXIT_DONE;
    }
    if (destination_find(&d, path) != 0) {
        return cannot_write(path);
    }
    if (d.descriptor >= 0) {
        return EXIT_DONE;
    }
    if (d.is_there && S_ISDIR(d.about.st_mode)) {
        return complain(EXIT_FILE, "%s: is a directory", path);
    }
    destination_folder(folder, d.name);
    return access(d.is_there ? d.name : folder, d.is_there ? W_OK : W_OK | X_OK) == 0
               ? EXIT_DONE
               : cannot_write(path);
}

int output_is_stdout(const char *path) {
    destination d;

    return strcmp(path, "-") == 0 ||
           (destination_find(&d, path) == 0 && d.descriptor == STDOUT_FILENO);
}

/* ---- writing and closing --------------------------------------------------------------------- */

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
static void sync_folder_of(const char *path) {
    char folder[FOLDER_SIZE];
    int descriptor;

    destination_folder(folder, path);
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
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
    } else if (out->temporary[0] != '\0' && rename(out->temporary, out->target) != 0) {
        code = cannot_write(out->path);
    }
    if (code == EXIT_DONE && out->temporary[0] != '\0') {
        interrupt_keep(&out->unfinished);
        sync_folder_of(out->target);
        out->temporary[0] = '\0';
    }
    end_in_place(out, code == EXIT_DONE);
    output_abandon(out);
    return code;
}

void output_abandon(output *out) {
    close_file(out);
    remove_temporary(out);
    end_in_place(out, 0);
    *out = (output){0};
}

int output_complete(output *out, int (*write)(output *out, void *context), void *context) {
    int code = write(out, context);

    if (code == EXIT_DONE) {
        code = output_commit(out);
    }
    output_abandon(out);
    return code;
}

int output_whole(const char *path, int (*write)(output *out, void *context), void *context) {
    output out;
    const int code = output_open_data(&out, path);

    if (code != EXIT_DONE) {
        output_abandon(&out);
        return code;
    }
    return output_complete(&out, write, context);
}

/* ---- standard streams ------------------------------------------------------------------------ */

int output_flush_stdout(void) {
    if (fflush(stdout) != 0) {
        return cannot_write(standard_output);
    }
    if (!ferror(stdout)) {
        return EXIT_DONE;
    }
    said_of_stdout = 1;
    return complain(EXIT_FILE, "%s: cannot write", standard_output);
}

/* Complains, but not twice. */
static void close_stdout(void) {
    const int code = said_of_stdout ? EXIT_FILE : output_flush_stdout();

    if (fclose(stdout) != 0 || code != EXIT_DONE) {
        if (!said_of_stdout) {
            cannot_write(standard_output);
        }
        _exit(EXIT_FILE);
    }
}

/* What O_PATH opens can be neither read nor written. */
void output_watch_standard_streams(void) {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && open("/", O_PATH) < 0) {
            _exit(EXIT_FILE);
        }
    }
    atexit(close_stdout);
}
