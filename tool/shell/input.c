/* SPDX-License-Identifier: MIT
 * Input files: the difference between a file that cannot be read (exit 4) and one that is too short
 * (exit 3), made once for all readers.
 */
#include "shell/input.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shell/complain.h"

int input_open(input *in, const char *path) {
    struct stat about;

    *in = (input){.path = path};
    if (strcmp(path, "-") == 0) {
        if (isatty(STDIN_FILENO)) {
            return complain(EXIT_USAGE, "-: standard input is a terminal; pipe a file into it");
        }
        *in = (input){.file = stdin, .path = "standard input"};
        return EXIT_DONE;
    }
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        return complain(EXIT_FILE, "%s: is a directory", path);
    }
    in->file = fopen(path, "rbe");
    return in->file ? EXIT_DONE : complain(code_of_errno(), "%s: %s", path, strerror(errno));
}

int input_look(input *in, unsigned char *start, size_t count) {
    int code = input_read_most(in, in->start, count, &in->ahead);

    memcpy(start, in->start, in->ahead);
    memset(start + in->ahead, 0, count - in->ahead);
    return code;
}

int input_read_most(input *in, void *bytes, size_t count, size_t *got) {
    const size_t seen = in->ahead - in->at < count ? in->ahead - in->at : count;

    memcpy(bytes, in->start + in->at, seen);
    in->at += seen;
    *got = seen + fread((char *)bytes + seen, 1, count - seen, in->file);
    return *got < count && ferror(in->file)
               ? complain(code_of_errno(), "%s: cannot read: %s", in->path, strerror(errno))
               : EXIT_DONE;
}

int input_peek(input *in, int *first) {
    *first = getc(in->file);
    if (*first != EOF) {
        ungetc(*first, in->file);
        return EXIT_DONE;
    }
    return ferror(in->file)
               ? complain(code_of_errno(), "%s: cannot read: %s", in->path, strerror(errno))
               : complain(EXIT_BAD_INPUT, "%s: empty file", in->path);
}

int input_not_empty(input *in) {
    return input_at_end(in) ? complain(EXIT_BAD_INPUT, "%s: empty file", in->path) : EXIT_DONE;
}

int input_read(input *in, void *bytes, size_t count) {
    size_t got;
    int code = input_read_most(in, bytes, count, &got);

    if (code == EXIT_DONE && got < count) {
        return complain(EXIT_BAD_INPUT, "%s: truncated: at least %zu more bytes should follow",
                        in->path, count - got);
    }
    return code;
}

size_t input_left(input *in) {
    struct stat about;
    off_t at = ftello(in->file);

    if (at < 0 || fstat(fileno(in->file), &about) != 0 || !S_ISREG(about.st_mode)) {
        return SIZE_MAX;
    }
    return (about.st_size > at ? (size_t)(about.st_size - at) : 0) + in->ahead - in->at;
}

/* So that no header can claim memory for values that the file does not have. */
int input_expect(input *in, size_t count) {
    size_t left = input_left(in);

    return left >= count
               ? EXIT_DONE
               : complain(EXIT_BAD_INPUT, "%s: truncated: %zu bytes should follow, %zu do",
                          in->path, count, left);
}

int input_at_end(input *in) {
    int next;

    if (in->at < in->ahead) {
        return 0;
    }
    next = getc(in->file);
    if (next != EOF) {
        ungetc(next, in->file);
    }
    return next == EOF && !ferror(in->file);
}

void input_close(input *in) {
    if (in->file && in->file != stdin) {
        fclose(in->file);
    }
    in->file = NULL;
}
