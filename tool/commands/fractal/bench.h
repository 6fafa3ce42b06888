/* SPDX-License-Identifier: MIT
 * What weft fractal bench is told, finds out, and reports: a result for each search and number of
 * threads, the times of the decoder, and what a GPU does for itself. All samples of each time stay.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_BENCH_H
#define WEFT_TOOL_COMMANDS_FRACTAL_BENCH_H

#include "commands/fractal/coding_sample.h"
#include "commands/fractal/film.h"
#include "shell/complain.h"

enum { MOST_CHOICES = 8 };

typedef struct bench_options {
    weft_fractal_desc desc;
    film_source source;
    int is_drawn;               /* an option was given that only drawn frames have */
    size_t frames, file_frames; /* coded in memory, and in the file; source.frames: the most */
    const char *search[MOST_CHOICES];
    size_t threads[MOST_CHOICES], searches, thread_counts, repeat;
    const char *json;
} bench_options;

/* A search on some threads. */
typedef struct bench_result {
    const char *search;
    int threads;
    char reason[MOST_LINE]; /* "": it was timed */
    double decided, evaluated;
    coding_sample *sample;
    double *file_seconds; /* of a sample, from file to file */
    size_t samples, file_samples;
} bench_result;

/* What all searches must give. Frames in memory are of seq; those of the file, of which there may
 * be more, begin with the same, and go on as those of the first search that coded the file. */
typedef struct bench_stream {
    uint8_t *bytes, *others; /* of seq; and of the search that is looked at */
    size_t count;
    uint8_t *file;
    size_t file_count;
} bench_stream;

/* Seconds of a frame; not finite where there is none. */
typedef struct decoding_sample {
    double reference, later;
} decoding_sample;

/* One frame of Y, of the seed's size, on a GPU: by events, so that no transfer counts. */
enum { DEVICE_HEIGHT = 576, DEVICE_WIDTH = 704, DEVICE_SAMPLES = 30, DEVICE_ARITHS = 2 };
enum { DEVICE_ITERATIONS = 5 };
typedef struct bench_device {
    int is_asked_for;
    char reason[MOST_LINE]; /* "": it was measured */
    double instructions;    /* fused multiply-adds of all lanes, in so many seconds: */
    double instruction_seconds[DEVICE_SAMPLES];
    double terms; /* of all ranges and domains; of each weft_fractal_arith: */
    double search_seconds[DEVICE_ARITHS][DEVICE_SAMPLES];
    double decoding_seconds[DEVICE_SAMPLES];
} bench_device;

enum { MOST_RESULTS = MOST_CHOICES * MOST_CHOICES };

typedef struct bench {
    const bench_options *given;
    film seen;
    size_t frames; /* of them, the first ones, coded in memory */
    bench_stream right;
    bench_result list[MOST_RESULTS];
    size_t count;
    decoding_sample *decoding; /* [repeat] */
    bench_device device;
} bench;

/* Exit codes, EXIT_CHECK_FAILED where codes differ, which a reason says. */
int fractal_bench_run(bench *b);
void fractal_bench_close(bench *b); /* fine when zeroed, but for `given` */
int fractal_bench_report(const bench *b);

/* What refuses is a reason and no failure; a failure is a reason that says FAIL. */
int fractal_bench_code(weft_status status, char reason[MOST_LINE]);
int fractal_bench_fail(char reason[MOST_LINE], const char *what); /* EXIT_CHECK_FAILED */

/* The parts of fractal_bench_run that have files of their own. */
int fractal_bench_files(bench *b);  /* from file to file */
int fractal_bench_device(bench *b); /* on a GPU alone */

#endif
