/* SPDX-License-Identifier: MIT
 * The results of weft fractal bench as a table and as a document.
 */
#include <jansson.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "commands/fractal/bench.h"
#include "commands/fractal/planes.h"
#include "shell/cells.h"
#include "shell/json_file.h"
#include "shell/machine.h"

static double least(const double *values, size_t count) {
    double found = HUGE_VAL;

    for (size_t i = 0; i < count; i++) {
        found = values[i] < found ? values[i] : found;
    }
    return found;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Terms that a search decides in a second, on seq's one thread; not a number where it is not timed.
 */
static double rate_of_seq(const bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        if (strcmp(b->list[i].search, "seq") == 0 && b->list[i].samples > 0) {
            return b->list[i].decided / least(b->list[i].search_seconds, b->list[i].samples);
        }
    }
    return NAN;
}

static void print_result(FILE *to, const bench *b, const bench_result *r) {
    char ms[CELL_SIZE], rate[CELL_SIZE], times[CELL_SIZE], frames[CELL_SIZE];
    const double search = least(r->search_seconds, r->samples);

    fprintf(to, "%-8s %7d", r->search, r->threads);
    if (r->reason[0] != '\0') {
        fprintf(to, "  %s\n", r->reason);
        return;
    }
    fprintf(to, " %10.3f %8.1f %% %10s %10s %8s %9s\n", r->decided / 1e9,
            r->decided > 0 ? 100 * r->evaluated / r->decided : 0,
            number_cell("%.3g", r->evaluated / search, rate),
            time_cell(1e6 * search / (double)b->seen.frames, ms),
            number_cell("%.2f", r->decided / search / rate_of_seq(b), times),
            number_cell("%.4g", (double)b->seen.frames / least(r->seconds, r->samples), frames));
}

static void print(FILE *to, const bench *b, const json_t *machine) {
    char reference[CELL_SIZE], later[CELL_SIZE];
    const film *f = &b->seen;

    fprintf(to, "%s, %d cores\n%zu frames of %zux%zu, %s, %s\n\n", machine_text(machine, "cpu"),
            omp_get_num_procs(), f->frames, f->format.height, f->format.width,
            chroma_text(chroma_of_video(f->format.chroma)), f->name);
    fprintf(to, "%-8s %7s %10s %10s %10s %10s %8s %9s\n", "search", "threads", "terms", "computed",
            "terms/s", "per frame", "x seq", "frames/s");
    for (size_t i = 0; i < b->count; i++) {
        print_result(to, b, &b->list[i]);
    }
    fprintf(to, "\ndecode, one thread: a reference %s, a frame after it %s\n",
            time_cell(1e6 * b->decode.reference, reference),
            time_cell(1e6 * b->decode.later, later));
}

static json_t *json_of_samples(const double *values, size_t count) {
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        list = json_append(list, json_finite(values[i]));
    }
    return list;
}

static json_t *json_of_result(const bench_result *r) {
    return json_pack("{s:s, s:i, s:s?, s:f, s:f, s:o, s:o}", "search", r->search, "threads",
                     r->threads, "reason", r->reason[0] != '\0' ? r->reason : NULL, "terms_decided",
                     r->decided, "terms_evaluated", r->evaluated, "search_seconds",
                     json_of_samples(r->search_seconds, r->samples), "seconds",
                     json_of_samples(r->seconds, r->samples));
}

static json_t *json_of(const bench *b, json_t *machine) {
    const film *f = &b->seen;
    json_t *list = json_array();

    for (size_t i = 0; i < b->count; i++) {
        list = json_append(list, json_of_result(&b->list[i]));
    }
    return json_pack(
        "{s:s, s:O, s:{s:s, s:I, s:I, s:s, s:I, s:s, s:i}, s:I, s:o, s:{s:o, s:o}}", "schema",
        "weft-fractal-bench/1", "machine", machine, "input", "name", f->name, "height",
        (json_int_t)f->format.height, "width", (json_int_t)f->format.width, "chroma",
        chroma_text(chroma_of_video(f->format.chroma)), "frames", (json_int_t)f->frames, "profile",
        profile_words[b->given->desc.profile], "threshold", b->given->desc.pruning, "bytes",
        (json_int_t)b->right.count, "results", list, "decode", "reference_seconds",
        json_finite(b->decode.reference), "later_seconds", json_finite(b->decode.later));
}

int fractal_bench_report(const bench *b) {
    json_t *machine, *document;
    int code = machine_json(&machine);

    if (code != EXIT_DONE) {
        return code;
    }
    print(json_file_beside(b->given->json), b, machine);
    document = json_of(b, machine);
    json_decref(machine);
    if (document == NULL) {
        return complain(EXIT_MEMORY, "out of memory for the document");
    }
    if (b->given->json != NULL) {
        code = json_file_write(b->given->json, document);
    }
    json_decref(document);
    return code;
}
