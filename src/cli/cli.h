/* SPDX-License-Identifier: MIT
 * What the commands of the tool share: exit codes, one-line complaints, progress, interruption, and
 * output files that appear whole or not at all. Results go to stdout, everything else to stderr.
 */
#ifndef WEFT_CLI_H
#define WEFT_CLI_H

#include <stddef.h>
#include <stdio.h>

#include "weft.h"

/* Documented in weft(1) and --help; scripts rely on them. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_CHECK_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_BAD_INPUT = 3,
    EXIT_FILE = 4, /* could not be read or written */
    EXIT_MEMORY = 5,
    EXIT_GPU = 6,
    EXIT_INTERRUPTED = 130
};

/* A command: argv[0] is its name as argp shows it ("weft fft"). Returns an exit code. */
typedef struct command {
    const char *name, *about; /* about: one line for `weft --help` */
    int (*run)(int argc, char **argv);
} command;

int command_bench(int argc, char **argv);
int command_fft(int argc, char **argv);
int command_ifft(int argc, char **argv);
int command_info(int argc, char **argv);
int command_reproduce(int argc, char **argv);
int command_scene(int argc, char **argv);
int command_spectrum(int argc, char **argv);
int command_verify(int argc, char **argv);

/* "weft: <text>" on stderr, one line; returns `code`, so that: return complain(EXIT_USAGE, ...). */
__attribute__((format(printf, 2, 3))) int complain(int code, const char *format, ...);

/* The exit code that belongs to a status; and after a complaint with weft_last_error(). */
int code_of_status(weft_status status);
const char *text_of_status(weft_status status); /* what went wrong, or what the status means */
int complain_status(weft_status status);

/* Progress on stderr, only when it is a terminal and the work outlasts half a second. */
void progress_start(const char *what);
void progress_step(double fraction, const char *detail); /* detail may be NULL */
void progress_end(void);                                 /* wipes the line */
void progress_wipe(void);                                /* the same, from a signal handler */

/* From here on SIGINT, SIGTERM and SIGHUP end the process at once with EXIT_INTERRUPTED: the
 * library cannot be interrupted, and nobody waits for it. A broken pipe and a file size limit
 * become write errors. main() calls it. */
void interrupt_catch(void);

/* A file, or an empty folder, that such a signal removes first, the newest first: interrupt_remove
 * before it lies there, interrupt_keep before the struct or the path goes. */
typedef struct leftover {
    const char *path;
    struct leftover *next;
} leftover;
void interrupt_remove(leftover *l, const char *path);
void interrupt_keep(const leftover *l); /* fine for one that was never given to interrupt_remove */

/* WEFT_OK if weft_desc.strategy can be this name and it runs here, if on a GPU then on this one;
 * else weft_last_error() says why not. */
weft_status try_strategy(const char *name, int device);

/* count * bytes_each bytes, or NULL after a complaint: return EXIT_MEMORY. */
void *allocate(size_t count, size_t bytes_each);

/* An input file; "-" is stdin. All return an exit code and complain themselves. */
typedef struct input {
    FILE *file;
    const char *path;
} input;
int input_open(input *in, const char *path);
int input_read(input *in, void *bytes,
               size_t count); /* all of them, or EXIT_BAD_INPUT: truncated */
int input_read_most(input *in, void *bytes, size_t count, size_t *got); /* as many as there are */
int input_expect(input *in,
                 size_t count); /* EXIT_BAD_INPUT if a regular file has fewer bytes left */
int input_at_end(input *in);    /* 1 or 0 */
int input_not_empty(input *in); /* EXIT_BAD_INPUT if nothing is in it */
void input_close(input *in);

/* An output file that takes its name only when it is complete. "-" is stdout. */
typedef struct output {
    FILE *file;
    char *path, *temporary;
    leftover unfinished; /* the temporary, while it is there */
} output;
int output_open(output *out, const char *path);      /* an exit code; complains itself */
int output_open_data(output *out, const char *path); /* the same, but refuses to fill a terminal */
int output_write(output *out, const void *bytes, size_t count); /* an exit code; complains itself */
int output_commit(output *out);   /* flushed, synced, renamed; an exit code */
void output_abandon(output *out); /* removes the temporary; fine after commit */
/* For atexit(): results on a full disk behind stdout must not look like success. What failed before
 * the last flush, only ferror() remembers. Complains, but not twice, and exits. */
void output_close_stdout(void);
/* Opens for data, writes, and commits if `write` returned EXIT_DONE. */
int output_whole(const char *path, int (*write)(output *out, void *context), void *context);

/* Options that several commands share: "2048x2048" -> height, width (in that order, HxW), neither
 * 0. 0 or -1. */
int parse_size(const char *text, size_t *height, size_t *width);
int parse_count(const char *text, size_t least, size_t most, size_t *count);
/* Which of `words` (NULL at the end) the text is; -1 if none. */
int parse_word(const char *text, const char *const *words);
/* 1 if the path ends in this suffix, such as ".npy", in any case. */
int has_suffix(const char *path, const char *suffix);

#endif
