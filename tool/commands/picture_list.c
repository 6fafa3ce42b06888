/* SPDX-License-Identifier: MIT
 * Lists of pictures out of names of files and folders; see picture_list.h.
 */
#include "commands/picture_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/image.h"
#include "shell/arguments.h"
#include "shell/complain.h"
#include "shell/file_key.h"
#include "shell/file_options.h"
#include "shell/parse.h"

enum { FOLDER_MODE = 0777 };

static _Noreturn void out_of_memory(void) {
    exit(complain(EXIT_MEMORY, "out of memory"));
}

static char *copy_of(const char *text) {
    char *copy = strdup(text);

    if (copy == NULL) {
        out_of_memory();
    }
    return copy;
}

static char *join(const char *folder, const char *name) {
    const size_t length = strlen(folder);
    char *path;

    if (asprintf(&path, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/",
                 name) < 0) {
        out_of_memory();
    }
    return path;
}

static int is_folder(const char *path) {
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* A pipe in a folder would be waited for. What is not there is complained of when it is read. */
static int is_no_file(const char *path) {
    struct stat about;

    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static int is_picture(const char *name) {
    for (int i = 0; image_suffixes[i] != NULL; i++) {
        if (has_suffix(name, image_suffixes[i])) {
            return 1;
        }
    }
    return 0;
}

static void add(picture_list *p, char *from, char *to) {
    picture_names *more = realloc(p->list, (p->count + 1) * sizeof *more);

    if (more == NULL) {
        out_of_memory();
    }
    p->list = more;
    p->list[p->count++] = (picture_names){from, to};
}

/* What is read but not written becomes a PNG file. */
static char *output_in(const char *folder, const char *from) {
    const char *slash = strrchr(from, '/');
    char *path, *longer;

    if (folder == NULL) {
        return NULL;
    }
    path = join(folder, slash != NULL ? slash + 1 : from);
    if (is_picture(path)) {
        return path;
    }
    if (asprintf(&longer, "%s.png", path) < 0) {
        out_of_memory();
    }
    free(path);
    return longer;
}

static int takes_picture(const struct dirent *entry) {
    return entry->d_name[0] != '.' && is_picture(entry->d_name);
}

static void add_folder(picture_list *p, const char *folder, const char *to) {
    const size_t before = p->count;
    struct dirent **entries;
    const int count = scandir(folder, &entries, takes_picture, alphasort);

    if (count < 0) {
        exit(complain(code_of_errno(), "%s: %s", folder, strerror(errno)));
    }
    for (int i = 0; i < count; i++) {
        char *path = join(folder, entries[i]->d_name);

        free(entries[i]);
        if (is_no_file(path)) {
            free(path);
        } else {
            add(p, path, output_in(to, path));
        }
    }
    free(entries);
    if (p->count == before) {
        exit(complain(EXIT_BAD_INPUT, "%s: no pictures in this folder", folder));
    }
}

int picture_list_make_folder(picture_list *p) {
    if (p->folder == NULL || is_folder(p->folder)) {
        return EXIT_DONE;
    }
    p->is_folder_new = mkdir(p->folder, FOLDER_MODE) == 0;
    if (p->is_folder_new) {
        return EXIT_DONE;
    }
    if (errno == EEXIST) {
        return complain(EXIT_FILE,
                        "%s: a file is there, where a folder is to be; give another name",
                        p->folder);
    }
    return complain(EXIT_FILE, "%s: cannot make this folder: %s", p->folder, strerror(errno));
}

/* A picture has two names, and each of them stands for a file. */
typedef struct picture_file {
    const picture_names *names;
    char *key; /* see file_key.h; NULL for a name that stands for no file */
    int is_input;
} picture_file;

/* Sorts files by their keys, and of one file the outputs first. */
static int by_key(const void *a, const void *b) {
    const picture_file *x = a, *y = b;
    const int order = x->key == NULL || y->key == NULL ? (x->key == NULL) - (y->key == NULL)
                                                       : strcmp(x->key, y->key);

    return order != 0 ? order : x->is_input - y->is_input;
}

static int are_one_file(const picture_file *a, const picture_file *b) {
    return a->key != NULL && b->key != NULL && strcmp(a->key, b->key) == 0;
}

/* `other` is another name of the file that is written. */
static void refuse_pair(struct argp_state *state, const picture_file *written,
                        const picture_file *other, int force) {
    const char *to = written->names->output, *from = other->names->input;

    if (!other->is_input) {
        usage_error(state, "%s and %s: both would become %s", written->names->input, from, to);
    } else if (other->names != written->names) { /* either may come first, whatever is forced */
        usage_error(state, "-o %s: is the input %s; give another folder", to, from);
    } else if (!force) {
        usage_error(state, "-o %s: is the input %s%s", to, from, force_allows);
    }
}

/* No picture is to be written over another one, or over what another one comes from. */
static void check_all_apart(struct argp_state *state, const picture_list *p, int force) {
    const size_t count = 2 * p->count;
    picture_file *files = calloc(count, sizeof *files);

    if (files == NULL) {
        out_of_memory();
    }
    for (size_t i = 0; i < p->count; i++) {
        const picture_names *names = &p->list[i];

        files[2 * i] = (picture_file){names, output_key(names->output), 0};
        files[2 * i + 1] = (picture_file){names, input_key(names->input), 1};
    }
    qsort(files, count, sizeof *files, by_key);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1;
             !files[i].is_input && j < count && are_one_file(&files[i], &files[j]); j++) {
            refuse_pair(state, &files[i], &files[j], force);
        }
    }
    for (size_t i = 0; i < count; i++) {
        free(files[i].key);
    }
    free(files);
}

static int needs_folder(char *const *inputs, size_t count) {
    return count > 1 || is_folder(inputs[0]);
}

/* Adds what the inputs name; the outputs are in the folder `to`, or are none if it is NULL. */
static void add_all(picture_list *p, struct argp_state *state, char *const *inputs, size_t count,
                    const char *to) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(inputs[i], "-") == 0) {
            usage_error(state, "-: standard input has no name to keep in a folder; give it alone, "
                               "with -o FILE");
        }
        if (is_folder(inputs[i])) {
            add_folder(p, inputs[i], to);
        } else {
            add(p, copy_of(inputs[i]), output_in(to, inputs[i]));
        }
    }
}

void picture_list_make(picture_list *p, struct argp_state *state, char *const *inputs, size_t count,
                       const char *to, int force, int dry_run) {
    const int ends_as_folder = to != NULL && *to != '\0' && to[strlen(to) - 1] == '/';

    if (!needs_folder(inputs, count) && !ends_as_folder && (to == NULL || !is_folder(to))) {
        add(p, copy_of(inputs[0]), to != NULL ? copy_of(to) : NULL);
        return;
    }
    if (to != NULL && (strcmp(to, "-") == 0 || (is_picture(to) && !is_folder(to)))) {
        usage_error(state, "-o %s: several pictures need a folder", to);
    }
    add_all(p, state, inputs, count, to);
    if (to != NULL) {
        check_all_apart(state, p, force);
    }
    p->folder = dry_run ? NULL : to;
}

void picture_list_free(picture_list *p) {
    if (p->is_folder_new) {
        rmdir(p->folder); /* which it refuses if there is anything in it */
    }
    for (size_t i = 0; i < p->count; i++) {
        free(p->list[i].input);
        free(p->list[i].output);
    }
    free(p->list);
    *p = (picture_list){0};
}
