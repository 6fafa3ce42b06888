/* SPDX-License-Identifier: MIT
 * The whole way from a Y4M file to an FVC1 file, by what weft fractal encode runs: each search
 * codes the same file again and again. Its codes are held against those of the frames in memory,
 * and, where the file has more, against those of the first search that coded it. seq would take too
 * long.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/fractal/bench.h"
#include "commands/fractal/encode_file.h"
#include "commands/fractal/frame_file.h"
#include "shell/clock.h"
#include "shell/file_options.h"
#include "shell/input.h"
#include "shell/options.h"
#include "shell/progress.h"
#include "shell/work_folder.h"

static size_t frames_of(const bench *b) {
    const size_t wanted = b->given->file_frames;

    return wanted < b->seen.frames ? wanted : b->seen.frames;
}

static int write_frames(const bench *b, const char *path) {
    frame_file f;
    int code = frame_file_open(&f, path, &b->seen.format);

    for (size_t i = 0; code == EXIT_DONE && i < frames_of(b); i++) {
        code = frame_file_write(&f, film_frame(&b->seen, i));
    }
    if (code == EXIT_DONE) {
        code = frame_file_commit(&f);
    }
    frame_file_abandon(&f);
    return code;
}

/* ---- what was written ------------------------------------------------------------------------ */

/* All of a file; *bytes is to be freed. */
static int read_stream(const char *path, uint8_t **bytes, size_t *count) {
    input in;
    int code = input_open(&in, path);

    *bytes = NULL;
    if (code == EXIT_DONE) {
        *count = input_left(&in);
        *bytes = allocate(*count, 1);
        code = *bytes != NULL ? input_read(&in, *bytes, *count) : EXIT_MEMORY;
    }
    input_close(&in);
    return code;
}

static size_t header_of(const uint8_t *bytes, size_t count) {
    size_t size = 0;

    return weft_fractal_header_size(bytes, count, &size) == WEFT_OK && size <= count ? size : count;
}

/* Headers differ: that of a file says how many frames a second are to be shown. */
static int begins_alike(const bench_stream *right, const uint8_t *bytes, size_t count) {
    const size_t header = header_of(right->bytes, right->count), other = header_of(bytes, count);
    const size_t here = right->count - header, there = count - other;

    return there > 0 &&
           memcmp(right->bytes + header, bytes + other, here < there ? here : there) == 0;
}

/* The first stream that begins as it should is what others are held against. */
static int is_right(bench_stream *right, uint8_t **bytes, size_t count) {
    if (!begins_alike(right, *bytes, count)) {
        return 0;
    }
    if (right->file == NULL) {
        right->file = *bytes;
        right->file_count = count;
        *bytes = NULL;
    }
    return *bytes == NULL ||
           (count == right->file_count && memcmp(right->file, *bytes, count) == 0);
}

static int check_stream(bench *b, bench_result *r, const char *path) {
    uint8_t *bytes;
    size_t count = 0;
    int code = read_stream(path, &bytes, &count);

    if (code == EXIT_DONE && !is_right(&b->right, &bytes, count)) {
        code = fractal_bench_fail(r->reason, "other codes of a file than of memory");
    }
    free(bytes);
    return code;
}

/* ---- one search ------------------------------------------------------------------------------ */

/* A file that takes as long as this is timed once: it has hundreds of frames. */
static const double long_seconds = 20;

static int is_timed(const bench *b, const bench_result *r) {
    return r->file_samples >= b->given->repeat ||
           (r->file_samples > 0 && r->file_seconds[0] >= long_seconds);
}

static int time_file(bench *b, bench_result *r, const work_folder *folder) {
    encode_job job = {.desc = b->given->desc,
                      .input = folder->from,
                      .output = folder->to,
                      .frames = SIZE_MAX,
                      .max_pixels = DEFAULT_MAX_PIXELS};
    encode_done done;
    int code = EXIT_DONE;

    job.desc.search = r->search;
    job.desc.threads = r->threads;
    while (code == EXIT_DONE && !is_timed(b, r)) {
        const double since = clock_seconds();

        code = encode_file(&job, &done);
        r->file_seconds[r->file_samples] = clock_seconds() - since;
        if (code == EXIT_DONE) {
            code = check_stream(b, r, folder->to);
        }
        r->file_samples += code == EXIT_DONE;
    }
    return code;
}

static int time_files(bench *b, const work_folder *folder) {
    int code = EXIT_DONE, worst = EXIT_DONE;

    for (size_t i = 0; i < b->count && (code == EXIT_DONE || code == EXIT_CHECK_FAILED); i++) {
        bench_result *r = &b->list[i];
        char what[MOST_LINE];

        if (r->samples == 0 || strcmp(r->search, "seq") == 0) {
            continue;
        }
        snprintf(what, sizeof what, "%s on %d threads, a file: ", r->search, r->threads);
        progress_within(what);
        code = time_file(b, r, folder);
        progress_within("");
        worst = code != EXIT_DONE ? code : worst;
    }
    return worst;
}

int fractal_bench_files(bench *b) {
    work_folder folder = {.path = ""};
    const char *problem = work_folder_make(&folder, "in.y4m", "out.fvc");
    int code = problem == NULL ? write_frames(b, folder.from) : complain(EXIT_FILE, "%s", problem);

    if (code == EXIT_DONE) {
        code = time_files(b, &folder);
    }
    work_folder_remove(&folder);
    return code;
}
