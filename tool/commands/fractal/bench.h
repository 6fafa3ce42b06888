/* SPDX-License-Identifier: MIT
 * What weft fractal bench is told, finds out, and reports: a result for each search and number of
 * threads, and the times of the decoder.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_BENCH_H
#define WEFT_TOOL_COMMANDS_FRACTAL_BENCH_H

#include "commands/fractal/film.h"
#include "shell/complain.h"

enum { MOST_CHOICES = 8 };

typedef struct bench_options {
    weft_fractal_desc desc;
    film_source source;
    int is_drawn; /* an option was given that only drawn frames have */
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
    double *search_seconds, *seconds; /* of each sample, whole film */
    size_t samples;
} bench_result;

/* The stream that all searches must give. */
typedef struct bench_stream {
    uint8_t *bytes, *others; /* of seq; and of the search that is looked at */
    size_t count;
} bench_stream;

typedef struct decode_times {
    double reference, later; /* seconds of a frame; not finite where there is none */
} decode_times;

enum { MOST_RESULTS = MOST_CHOICES * MOST_CHOICES };

typedef struct bench {
    const bench_options *given;
    film seen;
    bench_stream right;
    bench_result list[MOST_RESULTS];
    size_t count;
    decode_times decode;
} bench;

/* Exit codes: of fractal_bench_run EXIT_CHECK_FAILED where codes differ, which `reason` of a result
 * says.
 */
int fractal_bench_run(bench *b);
void fractal_bench_close(bench *b); /* fine when zeroed, but for `given` */
int fractal_bench_report(const bench *b);

#endif
