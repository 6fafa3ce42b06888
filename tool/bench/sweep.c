/* SPDX-License-Identifier: MIT
 * The sizes of a sweep, their rows, and the weft-sweep/1 document; see sweep.h.
 */
#include "bench/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/document.h"
#include "bench/measure.h"
#include "bench/memory.h"
#include "shell/cells.h"
#include "shell/complain.h"
#include "shell/input.h"
#include "shell/json_file.h"
#include "shell/machine.h"
#include "shell/options.h"
#include "shell/parse.h"
#include "shell/progress.h"

typedef struct size_pair {
    size_t height, width;
} size_pair;

enum { MOST_SIZES = 1 << 20, WORD_SIZE = 64 };

typedef struct sweep {
    bench_task *task;
    candidate_list candidates; /* none: chosen for each size */
    size_pair *sizes;
    size_t count, timed;      /* sizes; rows with a time */
    char reason[REASON_SIZE]; /* of the last row without one */
    int has_told_of_gpu;      /* for reason_cell() */
    FILE *to;
    json_t *results, *skipped;
} sweep;

/* ---- sizes ----------------------------------------------------------------------------------- */

static int add_size(sweep *s, size_t height, size_t width) {
    if (s->count == MOST_SIZES) {
        return complain(EXIT_USAGE, "--sweep: more than %d sizes", MOST_SIZES);
    }
    if ((s->count & (s->count - 1)) == 0) { /* it is full: 0, 1, 2, 4, 8 .. */
        size_t most = s->count > 0 ? 2 * s->count : 1;
        size_pair *longer = reallocarray(s->sizes, most, sizeof *longer);
        if (longer == NULL) {
            return complain(EXIT_MEMORY, "out of memory");
        }
        s->sizes = longer;
    }
    s->sizes[s->count++] = (size_pair){height, width};
    return EXIT_DONE;
}

/* Whether the text is one of digits and "..", so that it is no file. */
static int is_range(const char *text) {
    return isdigit((unsigned char)*text) &&
           strncmp(text + strspn(text, "0123456789"), "..", 2) == 0;
}

/* Cuts the text behind `between`, and returns what follows; NULL if that is not there. */
static char *cut(char *text, const char *between) {
    char *at = strstr(text, between);
    if (at == NULL) {
        return NULL;
    }
    *at = '\0';
    return at + strlen(between);
}

static int add_squares(sweep *s, const char *text) {
    char words[WORD_SIZE];
    size_t from, to, step = 1;
    int code = EXIT_DONE;

    snprintf(words, sizeof words, "%s", text);
    char *second = cut(words, ".."), *third = second != NULL ? cut(second, ":") : NULL;
    if (strlen(text) >= sizeof words || second == NULL ||
        parse_count(words, 1, SIZE_MAX / 4, &from) != 0 ||
        parse_count(second, from, SIZE_MAX / 4, &to) != 0 ||
        (third != NULL && parse_count(third, 1, SIZE_MAX / 4, &step) != 0)) {
        return complain(EXIT_USAGE,
                        "--sweep %s: must be FROM..TO or FROM..TO:STEP, whole numbers from 1 on, "
                        "TO not below FROM; or a file",
                        text);
    }
    for (size_t side = from; side <= to && code == EXIT_DONE; side += step) {
        code = add_size(s, side, side);
    }
    return code;
}

/* A line of the file without its comment and the blanks around. */
static char *content(char *line) {
    line[strcspn(line, "#\r\n")] = '\0';
    for (char *end = line + strlen(line); end > line && isblank((unsigned char)end[-1]);) {
        *--end = '\0';
    }
    return line + strspn(line, " \t");
}

static int add_lines(sweep *s, input *in) {
    char *line = NULL;
    size_t capacity = 0, number = 0, height, width;
    int code = EXIT_DONE;

    while (code == EXIT_DONE && getline(&line, &capacity, in->file) >= 0) {
        const char *size = content(line);
        number++;
        if (*size != '\0') {
            code = parse_size(size, &height, &width) == 0
                       ? add_size(s, height, width)
                       : complain(EXIT_BAD_INPUT,
                                  "%s, line %zu: \"%.*s\": must be HxW, both at "
                                  "least 1, such as 1080x1920",
                                  in->path, number, WORD_SIZE, size);
        }
    }
    if (code == EXIT_DONE && !feof(in->file)) {
        code = complain(code_of_errno(), "%s: cannot read: %s", in->path, strerror(errno));
    }
    free(line);
    return code;
}

static int add_file(sweep *s, const char *path) {
    input in;
    int code = input_open(&in, path);

    if (code == EXIT_DONE) {
        code = add_lines(s, &in);
        input_close(&in);
    }
    return code == EXIT_DONE && s->count == 0 ? complain(EXIT_BAD_INPUT, "%s: no size in it", path)
                                              : code;
}

static bench_task task_of(const sweep *s, size_t i) {
    bench_task task = *s->task;
    task.height = s->sizes[i].height;
    task.width = s->sizes[i].width;
    return task;
}

/* Before the first is begun. */
static int check_memory(const sweep *s) {
    int code = EXIT_DONE;
    for (size_t i = 0; i < s->count && code == EXIT_DONE; i++) {
        const bench_task task = task_of(s, i);
        const weft_desc desc = task_desc(&task);
        code = memory_check(&desc);
    }
    return code;
}

/* ---- who takes part -------------------------------------------------------------------------- */

static int add_default(candidate_list *l, const bench_task *task) {
    weft_desc desc = task_desc(task);
    int code;

    desc.threads = (int)task->threads[0];
    code = candidates_add_chosen(l, &desc, "cpu", 0);
    if (code == EXIT_DONE) {
        code = candidates_add_chosen(l, &desc, "cuda", 1);
    }
    return code == EXIT_DONE ? candidates_add_peers(l) : code;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The copy, or the first other peer, of the same place and as many threads; NULL: there is none. */
static const contender *beside(const line_up *l, const contender *c, int is_copy) {
    for (size_t i = 0; i < l->count; i++) {
        const contender *other = &l->list[i];
        if (other->candidate->peer != NULL && contender_is_copy(other) == is_copy &&
            contender_on_gpu(other) == contender_on_gpu(c) && other->threads == c->threads &&
            contender_ready(other)) {
            return other;
        }
    }
    return NULL;
}

static double median(const contender *c, const bench_mode *mode) {
    const measurement *m = c != NULL ? contender_find(c, mode) : NULL;
    return m != NULL ? m->summary.median_us : (double)NAN;
}

/* The last way, which is cold if any is, in which the peer was timed too. */
static const bench_mode *mode_of(const contender *c, const contender *its_peer) {
    size_t i = c->measured - 1;
    while (i > 0 && its_peer != NULL && contender_find(its_peer, c->measurements[i].mode) == NULL) {
        i--;
    }
    return c->measurements[i].mode;
}

static void print_times(sweep *s, const line_up *l, const contender *c) {
    const contender *its_peer = beside(l, c, 0);
    const bench_mode *mode = mode_of(c, its_peer);
    const double us = median(c, mode), peer_us = median(its_peer, mode);
    char cells[5][CELL_SIZE];

    fprintf(s->to, " %10s %10s %10s %9s %9s\n", time_cell(us, cells[0]),
            time_cell(peer_us, cells[1]), time_cell(median(beside(l, c, 1), mode), cells[2]),
            number_cell("%.2f", us / peer_us, cells[3]),
            number_cell("%.2e", c->verdict.rel_l2, cells[4]));
    s->timed++;
}

enum { SIZE_CELL = 11 };

static void print_row(sweep *s, const line_up *l, const bench_task *task, const contender *c) {
    char size[2 * CELL_SIZE], threads[CELL_SIZE];

    snprintf(size, sizeof size, "%zux%zu", task->height, task->width);
    snprintf(threads, sizeof threads, "%d", c->threads);
    fprintf(s->to, "%-*s %-*s %7s", SIZE_CELL, size, candidates_name_width(&s->candidates),
            c->candidate->name, contender_on_gpu(c) ? "gpu" : threads);
    if (contender_ready(c)) {
        print_times(s, l, c);
        return;
    }
    snprintf(s->reason, sizeof s->reason, "%s", c->plan == NULL ? c->reason : c->verdict.why);
    fprintf(s->to, " %s: %s\n", c->plan == NULL ? "not run" : "FAILED",
            reason_cell(c->candidate->name, c->status, s->reason, &s->has_told_of_gpu));
}

static void print_rows(sweep *s, const line_up *l, const bench_task *task) {
    for (size_t i = 0; i < l->count; i++) {
        if (l->list[i].candidate->peer == NULL) {
            print_row(s, l, task, &l->list[i]);
        }
    }
    fflush(s->to);
}

static void print_head(const sweep *s, const json_t *machine) {
    const bench_task *t = s->task;

    fprintf(
        s->to, "weft bench: %s, sizes: %zu, batch %zu, %s, %s pixels, %s spectra, %zu samples\n",
        operation_words[t->what], s->count, t->batch != 0 ? t->batch : 1,
        precision_words[t->precision], pixel_words[t->pixel], layout_words[t->layout], t->repeat);
    fprintf(s->to, "  CPU   %s, %d usable cores\n", machine_text(machine, "cpu"),
            (int)json_integer_value(json_object_get(machine, "cores")));
    if (json_is_string(json_object_get(machine, "gpu"))) {
        fprintf(s->to, "  GPU   %s, driver %s, CUDA %s\n", machine_text(machine, "gpu"),
                machine_text(machine, "driver"), machine_text(machine, "cuda"));
    }
    fprintf(s->to, "  weft  %s, commit %s, %s\n\n", weft_version(), machine_text(machine, "commit"),
            machine_text(machine, "compiler"));
    fprintf(s->to, "%-*s %-*s %7s %10s %10s %10s %9s %9s\n", SIZE_CELL, "size",
            candidates_name_width(&s->candidates), "strategy", "threads", "Weft", "peer", "copy",
            "Weft/peer", "rel L2");
}

/* ---- running --------------------------------------------------------------------------------- */

static int run_line_up(sweep *s, line_up *l, bench_task *task) {
    int code = bench_scene(l, task);

    if (code == EXIT_DONE) {
        print_rows(s, l, task);
        code = bench_exit_code(l);
        if (bench_records(s->results, s->skipped, l, task) != 0) {
            code = complain(EXIT_MEMORY, "out of memory for the document");
        }
    }
    return code;
}

static int run_size(sweep *s, size_t i) {
    bench_task task = task_of(s, i);
    line_up l = {.candidates = s->candidates};
    char whole[WORD_SIZE];
    int code = s->candidates.count == 0 ? add_default(&l.candidates, &task) : EXIT_DONE;

    snprintf(whole, sizeof whole, "%zu of %zu, ", i + 1, s->count);
    progress_within(whole);
    if (code == EXIT_DONE) {
        code = run_line_up(s, &l, &task);
    }
    progress_within("");
    if (s->candidates.count != 0) {
        l.candidates = (candidate_list){0}; /* they take part in the next one too */
    }
    line_up_free(&l);
    return code;
}

/* A failed verification does not end a sweep. */
static int run_sizes(sweep *s) {
    int code = EXIT_DONE, failed = 0;
    for (size_t i = 0; i < s->count && code == EXIT_DONE; i++) {
        code = run_size(s, i);
        if (code == EXIT_CHECK_FAILED) {
            failed = 1;
            code = EXIT_DONE;
        }
    }
    if (code == EXIT_DONE && s->timed == 0 && !failed) {
        return complain(EXIT_USAGE, "nothing can run: %s%s", s->reason,
                        s->candidates.count != 0 ? omit_strategy : "");
    }
    return code == EXIT_DONE && failed ? EXIT_CHECK_FAILED : code;
}

static int run(sweep *s) {
    json_t *machine, *document;
    int code = machine_json(&machine), written = EXIT_DONE;

    if (code != EXIT_DONE) {
        return code;
    }
    s->results = json_array();
    s->skipped = json_array();
    document = bench_document("weft-sweep/1", machine, s->results, s->skipped);
    if (document == NULL) {
        return complain(EXIT_MEMORY, "out of memory for the document");
    }
    print_head(s, machine);
    code = run_sizes(s);
    if (s->task->json != NULL && (code == EXIT_DONE || code == EXIT_CHECK_FAILED)) {
        written = json_file_write(s->task->json, document);
    }
    json_decref(document);
    return code == EXIT_DONE ? written : code;
}

int bench_sweep(bench_task *task, candidate_list candidates, const char *what) {
    sweep s = {.task = task, .candidates = candidates, .to = json_file_beside(task->json)};
    int code = is_range(what) ? add_squares(&s, what) : add_file(&s, what);

    task->is_sweep = 1;
    if (task->thread_counts == 0) {
        task->threads[task->thread_counts++] = 1;
    }
    if (code == EXIT_DONE) {
        code = check_memory(&s);
    }
    if (code == EXIT_DONE) {
        code = run(&s);
    }
    free(s.sizes);
    candidates_free(&s.candidates);
    return code;
}
