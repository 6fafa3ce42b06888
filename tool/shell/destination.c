/* SPDX-License-Identifier: MIT
 * Follows links one by one, as a file that is to be replaced must be replaced where it lies. The
 * links of /proc/N/fd stand for open files, and what readlink() says of them may be no path.
 */
#include "shell/destination.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "shell/parse.h"

enum { MOST_LINKS = 40 }; /* as the kernel has it */

static const char *const own_descriptors[] = {"/proc/self/fd", "/proc/thread-self/fd"};

/* The characters before the last name of the path: nothing, or all up to a slash. */
static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');

    return slash != NULL ? (int)(slash - path) + 1 : 0;
}

void destination_folder(char folder[FOLDER_SIZE], const char *path) {
    snprintf(folder, FOLDER_SIZE, "%.*s.", folder_length(path), path);
}

/* By whatever names and links: each of the two has an inode of its own. */
static int is_own_folder(const char *folder) {
    const size_t count = sizeof own_descriptors / sizeof *own_descriptors;
    struct stat own, its;
    int is_own = 0;

    for (size_t i = 0; stat(folder, &its) == 0 && i < count && !is_own; i++) {
        is_own = stat(own_descriptors[i], &own) == 0 && own.st_dev == its.st_dev &&
                 own.st_ino == its.st_ino;
    }
    return is_own;
}

/* -1 if the name is none of this process's descriptors; one that is not open still is one. For the
 * kernel 09 is no number. */
static int own_descriptor(const char *name) {
    const char *digits = name + folder_length(name);
    char folder[FOLDER_SIZE];
    size_t descriptor;

    destination_folder(folder, name);
    if (parse_count(digits, 0, INT_MAX, &descriptor) != 0 ||
        (digits[0] == '0' && digits[1] != '\0') || !is_own_folder(folder)) {
        return -1;
    }
    return (int)descriptor;
}

static int is_of_proc(const char *name) {
    char folder[FOLDER_SIZE];
    struct statfs about;

    destination_folder(folder, name);
    return statfs(folder, &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
}

/* The name becomes the one that this link has for it. */
static int follow_link(destination *d) {
    char text[PATH_MAX];
    ssize_t length = readlink(d->name, text, sizeof text);
    size_t folder;

    if (length < 0) {
        return -1;
    }
    folder = length > 0 && text[0] == '/' ? 0 : (size_t)folder_length(d->name);
    if (folder + (size_t)length >= sizeof d->name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(d->name + folder, text, (size_t)length);
    d->name[folder + (size_t)length] = '\0';
    return 0;
}

/* 1 once there is nothing more to follow, 0 after a link, -1 with errno. */
static int step(destination *d) {
    d->descriptor = own_descriptor(d->name);
    if (d->descriptor >= 0) {
        return 1;
    }
    if (lstat(d->name, &d->about) != 0) {
        return errno == ENOENT ? 1 : -1;
    }
    d->is_there = !S_ISLNK(d->about.st_mode);
    if (!d->is_there && is_of_proc(d->name)) {
        d->is_there = d->is_open_file = 1;
        return stat(d->name, &d->about) == 0 ? 1 : -1;
    }
    return d->is_there ? 1 : follow_link(d);
}

int destination_find(destination *d, const char *path) {
    int found = 0;

    d->is_there = d->is_open_file = 0;
    d->descriptor = -1;
    if ((size_t)snprintf(d->name, sizeof d->name, "%s", path) >= sizeof d->name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (int links = 0; links <= MOST_LINKS && found == 0; links++) {
        found = step(d);
    }
    if (found == 0) {
        errno = ELOOP;
    }
    return found == 1 ? 0 : -1;
}
