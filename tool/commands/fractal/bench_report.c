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

/* Of samples that lie `bytes_each` apart; infinite if there are none. */
static double least(const double *first, size_t count, size_t bytes_each) {
    double found = HUGE_VAL;

    for (size_t i = 0; i < count; i++) {
        const double one = *(const double *)((const char *)first + i * bytes_each);

        found = one < found ? one : found;
    }
    return found;
}

#define LEAST(list, count) least(list, count, sizeof(double))
/* Of one of the seconds of each sample of a result, or of the decoder. */
#define LEAST_OF(samples, count, member) least(&(samples)[0].member, count, sizeof *(samples))

/* ---- the table ------------------------------------------------------------------------------- */

/* Terms that a search decides in a second, on seq's one thread; not a number where it is not timed.
 */
static double rate_of_seq(const bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        const bench_result *r = &b->list[i];

        if (strcmp(r->search, "seq") == 0 && r->samples > 0) {
            return r->decided / LEAST_OF(r->sample, r->samples, search);
        }
    }
    return NAN;
}

static size_t file_frames_of(const bench *b) {
    return b->given->file_frames < b->seen.frames ? b->given->file_frames : b->seen.frames;
}

static void print_result(FILE *to, const bench *b, const bench_result *r) {
    const double frames = (double)b->frames, search = LEAST_OF(r->sample, r->samples, search);
    const double transfers = LEAST_OF(r->sample, r->samples, transfers);
    const double file = LEAST(r->file_seconds, r->file_samples);
    char ms[CELL_SIZE], rate[CELL_SIZE], times[CELL_SIZE], memory[CELL_SIZE], files[CELL_SIZE];
    char transfer[CELL_SIZE];

    fprintf(to, "%-8s %7d", r->search, r->threads);
    if (r->reason[0] != '\0') {
        fprintf(to, "  %s\n", r->reason);
        return;
    }
    fprintf(
        to, " %10.3f %8.1f %% %10s %10s %10s %8s %9s %9s\n", r->decided / 1e9,
        r->decided > 0 ? 100 * r->evaluated / r->decided : 0,
        number_cell("%.3g", r->evaluated / search, rate), time_cell(1e6 * search / frames, ms),
        time_cell(1e6 * transfers / frames, transfer),
        number_cell("%.2f", r->decided / search / rate_of_seq(b), times),
        number_cell("%.4g", frames / LEAST_OF(r->sample, r->samples, whole), memory),
        number_cell("%.4g", r->file_samples > 0 ? (double)file_frames_of(b) / file : NAN, files));
}

static void print_decoding(FILE *to, const bench *b) {
    const size_t samples = b->given->repeat;
    char reference[CELL_SIZE], later[CELL_SIZE];

    fprintf(to, "\ndecode, one thread: a reference %s, a frame after it %s\n",
            time_cell(1e6 * LEAST_OF(b->decoding, samples, reference), reference),
            time_cell(1e6 * LEAST_OF(b->decoding, samples, later), later));
}

static const char *const arith_words[DEVICE_ARITHS] = {"fixed", "float"};

static void print_device(FILE *to, const bench_device *d) {
    const double rate =
        d->instructions / LEAST(d->instruction_seconds, d->reason[0] == '\0' ? DEVICE_SAMPLES : 0);
    const double bound = 2 * d->terms / rate;
    char cell[CELL_SIZE], other[CELL_SIZE];

    fprintf(to, "\nthe GPU alone, a frame of %dx%d, Y: ", DEVICE_HEIGHT, DEVICE_WIDTH);
    if (d->reason[0] != '\0') {
        fprintf(to, "%s\n", d->reason);
        return;
    }
    fprintf(to, "%.3g terms\n  %-24s %10s, by which two instructions a term take %s\n", d->terms,
            "multiply-adds a second", number_cell("%.3g", rate, cell),
            time_cell(1e6 * bound, other));
    for (int i = 0; i < DEVICE_ARITHS; i++) {
        const double seconds = LEAST(d->search_seconds[i], DEVICE_SAMPLES);

        fprintf(to, "  search, %-16s %10s, %.0f %% of that bound\n", arith_words[i],
                time_cell(1e6 * seconds, cell), 100 * bound / seconds);
    }
    fprintf(to, "  decode, %d iterations     %10s\n", DEVICE_ITERATIONS,
            time_cell(1e6 * LEAST(d->decoding_seconds, DEVICE_SAMPLES), cell));
}

static void print(FILE *to, const bench *b, const json_t *machine) {
    const film *f = &b->seen;

    fprintf(to, "%s, %d cores\n%zux%zu, %s, %s; %zu frames in memory, %zu in a file\n\n",
            machine_text(machine, "cpu"), omp_get_num_procs(), f->format.height, f->format.width,
            chroma_text(chroma_of_video(f->format.chroma)), f->name, b->frames, file_frames_of(b));
    fprintf(to, "%-8s %7s %10s %10s %10s %10s %10s %8s %19s\n", "", "", "", "", "", "", "", "",
            "frames a second");
    fprintf(to, "%-8s %7s %10s %10s %10s %10s %10s %8s %9s %9s\n", "search", "threads", "terms",
            "computed", "terms/s", "per frame", "transfers", "x seq", "memory", "file");
    for (size_t i = 0; i < b->count; i++) {
        print_result(to, b, &b->list[i]);
    }
    print_decoding(to, b);
    if (b->device.is_asked_for) {
        print_device(to, &b->device);
    }
}

/* ---- the document ---------------------------------------------------------------------------- */

/* Samples that lie `bytes_each` apart. */
static json_t *json_of_samples(const double *first, size_t count, size_t bytes_each) {
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        list =
            json_append(list, json_finite(*(const double *)((const char *)first + i * bytes_each)));
    }
    return list;
}

#define JSON_OF(list, count) json_of_samples(list, count, sizeof(double))
#define JSON_OF_EACH(samples, count, member)                                                       \
    json_of_samples(&(samples)[0].member, count, sizeof *(samples))

static json_t *json_of_result(const bench_result *r) {
    return json_pack("{s:s, s:i, s:s?, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "search", r->search,
                     "threads", r->threads, "reason", r->reason[0] != '\0' ? r->reason : NULL,
                     "terms_decided", r->decided, "terms_evaluated", r->evaluated, "search_seconds",
                     JSON_OF_EACH(r->sample, r->samples, search), "transfer_seconds",
                     JSON_OF_EACH(r->sample, r->samples, transfers), "kernel_seconds",
                     JSON_OF_EACH(r->sample, r->samples, kernels), "seconds",
                     JSON_OF_EACH(r->sample, r->samples, whole), "file_seconds",
                     JSON_OF(r->file_seconds, r->file_samples));
}

static json_t *json_of_device_searches(const bench_device *d, size_t samples) {
    json_t *list = json_array();

    for (int i = 0; i < DEVICE_ARITHS; i++) {
        list = json_append(list, json_pack("{s:s, s:o}", "arith", arith_words[i], "kernel_seconds",
                                           JSON_OF(d->search_seconds[i], samples)));
    }
    return list;
}

static json_t *json_of_device(const bench_device *d) {
    const size_t samples = d->reason[0] == '\0' ? DEVICE_SAMPLES : 0;

    if (!d->is_asked_for) {
        return json_null();
    }
    return json_pack("{s:s?, s:i, s:i, s:i, s:f, s:{s:f, s:o}, s:o, s:o}", "reason",
                     d->reason[0] != '\0' ? d->reason : NULL, "height", DEVICE_HEIGHT, "width",
                     DEVICE_WIDTH, "iterations", DEVICE_ITERATIONS, "terms", d->terms,
                     "multiply_adds", "instructions", d->instructions, "seconds",
                     JSON_OF(d->instruction_seconds, samples), "searches",
                     json_of_device_searches(d, samples), "decode_kernel_seconds",
                     JSON_OF(d->decoding_seconds, samples));
}

static json_t *json_of_input(const bench *b) {
    const video_format *f = &b->seen.format;

    return json_pack("{s:s, s:I, s:I, s:s, s:I, s:I, s:s, s:i}", "name", b->seen.name, "height",
                     (json_int_t)f->height, "width", (json_int_t)f->width, "chroma",
                     chroma_text(chroma_of_video(f->chroma)), "frames", (json_int_t)b->frames,
                     "file_frames", (json_int_t)file_frames_of(b), "profile",
                     profile_words[b->given->desc.profile], "threshold", b->given->desc.pruning);
}

static json_t *json_of(const bench *b, json_t *machine) {
    const size_t samples = b->given->repeat;
    json_t *list = json_array();

    for (size_t i = 0; i < b->count; i++) {
        list = json_append(list, json_of_result(&b->list[i]));
    }
    return json_pack("{s:s, s:O, s:o, s:I, s:o, s:{s:o, s:o}, s:o}", "schema",
                     "weft-fractal-bench/1", "machine", machine, "input", json_of_input(b), "bytes",
                     (json_int_t)b->right.count, "results", list, "decode", "reference_seconds",
                     JSON_OF_EACH(b->decoding, samples, reference), "later_seconds",
                     JSON_OF_EACH(b->decoding, samples, later), "device",
                     json_of_device(&b->device));
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
