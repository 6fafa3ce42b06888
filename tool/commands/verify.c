/* SPDX-License-Identifier: MIT
 * weft verify: every strategy against the oracle on many small shapes, or on the sizes asked for.
 * One line a strategy: cases, failures, and how near the worst one came to its gate.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/candidates.h"
#include "bench/memory.h"
#include "bench/task.h"
#include "judge.h"
#include "shell/arguments.h"
#include "shell/cells.h"
#include "shell/command.h"
#include "shell/complain.h"
#include "shell/file_options.h"
#include "shell/json_file.h"
#include "shell/machine.h"
#include "shell/options.h"
#include "shell/progress.h"

enum { KEY_SIZE = 0x200, KEY_STRATEGY, KEY_PRECISION, KEY_PIXEL, KEY_LAYOUT, KEY_BATCH, KEY_JSON };
enum { MOST_SIZES = 64, TEXT_SIZE = 160, PIXELS = 3, OPERATIONS = 3 };

typedef struct size_pair {
    size_t height, width;
} size_pair;

/* Every parity, single rows and columns, primes, factors 2, 3, 5, 7, wide and tall. */
static const size_pair built_in_sizes[] = {
    {1, 1},    {1, 2},    {2, 1},     {2, 2},     {1, 7},      {7, 1},       {1, 16},   {16, 1},
    {3, 3},    {3, 4},    {4, 3},     {4, 4},     {5, 8},      {8, 5},       {8, 8},    {13, 17},
    {16, 31},  {31, 16},  {30, 42},   {64, 64},   {97, 101},   {1, 1000},    {1000, 1}, {128, 32},
    {32, 128}, {90, 160}, {256, 256}, {241, 509}, {512, 1024}, {1024, 1024},
};

static const struct argp_option options[] = {
    {"size", KEY_SIZE, "HxW", OPTION_MAY_REPEAT, "Check this size; may be given more than once", 0},
    {"strategy", KEY_STRATEGY, "NAME[,NAME...]", OPTION_MAY_REPEAT,
     "cpu, cuda, auto, or full names, options after colons; may be given more than once; default: "
     "all of Weft's own",
     0},
    {"precision", KEY_PRECISION, "f32|f64", 0, "Default: both", 0},
    {"pixel", KEY_PIXEL, "real|u8|u16", 0, "Default: all, but real only above 256x256", 0},
    {"layout", KEY_LAYOUT, "packed|half", 0, "Default: both", 0},
    {"batch", KEY_BATCH, "N", 0, "Images per execution; default 1", 0},
    {"json", KEY_JSON, "FILE", 0, "Write a weft-verify/1 document; - is standard output", 0},
    {0}};

typedef struct arguments {
    size_pair sizes[MOST_SIZES];
    size_t size_count;
    const char *json;
    candidate_list candidates;
    int precision, pixel, layout; /* -1: all */
    size_t batch;
} arguments;

static void take_size(struct argp_state *state, arguments *a, const char *text) {
    size_pair *size = &a->sizes[a->size_count];
    if (a->size_count == MOST_SIZES) {
        usage_error(state, "--size %s: at most %d sizes", text, MOST_SIZES);
    }
    size_option(state, text, &size->height, &size->width);
    a->size_count++;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *a = state->input;
    switch (key) {
    case KEY_SIZE:
        take_size(state, a, text);
        break;
    case KEY_STRATEGY:
        candidates_option(&a->candidates, text);
        break;
    case KEY_PRECISION:
        a->precision = word_option(state, "precision", text, precision_words);
        break;
    case KEY_PIXEL:
        a->pixel = word_option(state, "pixel", text, pixel_words);
        break;
    case KEY_LAYOUT:
        a->layout = word_option(state, "layout", text, layout_words);
        break;
    case KEY_BATCH:
        a->batch = count_option(state, "batch", text, 1, (size_t)1 << 30);
        break;
    case KEY_JSON:
        a->json = json_option(state, text);
        break;
    case ARGP_KEY_ARG:
        usage_error(state, "%s: no arguments are taken; a size is given with --size", text);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Hold every strategy against the oracle, an independent transform in higher precision."
           "\vEach size is run forward, backward and as a filter, in f32 and f64, packed and half, "
           "with real and, up to 256x256, 8 and 16 bit pixels; outputs are poisoned before, and "
           "every run is repeated and must give the same bytes. 'worst' is the largest error as a "
           "part of its gate, the limit; peers, other people's FFTs, checked only when named, have "
           "the gates of theory's worst case. "
           "The exit code is 1 if anything fails.\n\n"
           "Examples:\n"
           "  weft verify\n"
           "  weft verify --size 2048x2048 --strategy cpu.reference --precision f32"};

/* ---- what is found out ----------------------------------------------------------------------- */

typedef struct tally {
    size_t cases, failed, unsupported; /* each an operation on one description */
    weft_status status;                /* of the last case that it could not run, and why */
    char reason[TEXT_SIZE];
    double worst_ratio;
    char worst_case[TEXT_SIZE];
    json_t *failures;
} tally;

typedef struct session {
    const arguments *asked;
    tally *tallies; /* by candidate */
} session;

/* "1024x1024 f32 real packed forward": a case in words. */
static void describe(char text[TEXT_SIZE], const weft_desc *d, operation what) {
    snprintf(text, TEXT_SIZE, "%zux%zu %s %s %s %s", d->height, d->width,
             precision_words[d->precision], pixel_words[d->pixel], layout_words[d->layout],
             operation_words[what]);
}

/* Without the list of failures, if there was no memory for it, there will be no document. */
static void record(tally *t, const weft_desc *d, operation what, const verdict *v) {
    const double ratio = verdict_ratio(v);
    char text[TEXT_SIZE];

    describe(text, d, what);
    t->cases++;
    if (t->worst_case[0] == '\0' || !(ratio <= t->worst_ratio)) {
        t->worst_ratio = ratio;
        snprintf(t->worst_case, sizeof t->worst_case, "%s", text);
    }
    if (!v->passed) {
        t->failed++;
        t->failures =
            json_append(t->failures, json_pack("{s:s, s:s}", "case", text, "why", v->why));
    }
}

/* ---- running --------------------------------------------------------------------------------- */

/* Peers multiply bin by bin, which is wrong for these lopsided transfers. */
static int is_verified(const peer *its_peer, operation what) {
    return its_peer == NULL || what != OPERATION_FILTER;
}

static void record_unsupported(const candidate *c, weft_status status, tally *t) {
    for (int i = 0; i < OPERATIONS; i++) {
        t->unsupported += (size_t)is_verified(c->peer, (operation)i);
    }
    t->status = status;
    snprintf(t->reason, sizeof t->reason, "%s", weft_last_error());
}

static weft_status verify_operations(const weft_plan *plan, const weft_desc *d,
                                     const peer *its_peer, reference *r, tally *t) {
    weft_status status = WEFT_OK;
    for (int i = 0; i < OPERATIONS && status == WEFT_OK; i++) {
        const operation what = (operation)i;
        verdict v;
        if (!is_verified(its_peer, what)) {
            continue;
        }
        status = verify_plan(plan, what, r, peer_leniency(its_peer, what), &v);
        if (status == WEFT_OK) {
            record(t, d, what, &v);
        }
    }
    return status;
}

static weft_status verify_candidate(const candidate *c, weft_desc d, reference *r, tally *t) {
    weft_plan *plan;
    weft_status status;

    d.strategy = c->name;
    if (c->peer != NULL && c->peer->half_only) {
        d.norm = WEFT_NORM_NONE;
    }
    status = plan_create_over(&plan, &d, c->row->for_precision[d.precision]);
    if (status == WEFT_UNSUPPORTED || (status == WEFT_NO_DEVICE && !c->demanded)) {
        record_unsupported(c, status, t);
        return WEFT_OK;
    }
    if (status == WEFT_OK) {
        status = verify_operations(plan, &d, c->peer, r, t);
    }
    weft_plan_destroy(plan);
    return status;
}

/* Peers only when named: their accuracy is not Weft's to promise. */
static int is_asked(const candidate *c) {
    return c->peer == NULL || c->demanded;
}

/* What was asked for by name must have its GPU; the line says it all. */
static int cannot_go_on(weft_status status, const candidate *c, const weft_desc *d) {
    if (status == WEFT_NO_DEVICE) {
        return complain(EXIT_GPU, "%s: %s", c->name, weft_last_error());
    }
    return complain(code_of_status(status), "%s, %zux%zu: %s", c->name, d->height, d->width,
                    text_of_status(status));
}

static int verify_candidates(session *s, const weft_desc *d, reference *r) {
    for (size_t i = 0; i < s->asked->candidates.count; i++) {
        const candidate *c = &s->asked->candidates.list[i];
        weft_status status = is_asked(c) ? verify_candidate(c, *d, r, &s->tallies[i]) : WEFT_OK;
        if (status != WEFT_OK) {
            return cannot_go_on(status, c, d);
        }
    }
    return EXIT_DONE;
}

/* All layouts of one size, precision and pixel type: they share the reference. */
static int verify_layouts(session *s, weft_desc d) {
    int code = EXIT_DONE;
    reference r;
    if (reference_create(&r, &d, MOST_DISTINCT, bench_seed, NULL, NULL) != 0) {
        return complain(EXIT_MEMORY, "out of memory for the oracle");
    }
    for (int layout = 0; layout < 2 && code == EXIT_DONE; layout++) {
        if (s->asked->layout < 0 || s->asked->layout == layout) {
            d.layout = (weft_layout)layout;
            code = verify_candidates(s, &d, &r);
        }
    }
    reference_destroy(&r);
    return code;
}

/* Integer pixels of a large image only if they are asked for. */
static int is_pixel_wanted(const session *s, size_pair size, int pixel) {
    return s->asked->pixel >= 0 ? pixel == s->asked->pixel
                                : pixel == WEFT_PIXEL_REAL || size.height * size.width <= 256 * 256;
}

static int verify_size(session *s, size_pair size) {
    int code = EXIT_DONE;
    for (int precision = 0; precision < 2; precision++) {
        if (s->asked->precision >= 0 && s->asked->precision != precision) {
            continue;
        }
        for (int pixel = 0; pixel < PIXELS && code == EXIT_DONE; pixel++) {
            if (is_pixel_wanted(s, size, pixel)) {
                code = verify_layouts(s, (weft_desc){.height = size.height,
                                                     .width = size.width,
                                                     .batch = s->asked->batch,
                                                     .precision = (weft_precision)precision,
                                                     .pixel = (weft_pixel)pixel});
            }
        }
    }
    return code;
}

/* Before the first is begun. */
static int check_memory(const session *s, const size_pair *sizes, size_t count) {
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && code == EXIT_DONE; i++) {
        code = memory_check(
            &(weft_desc){.height = sizes[i].height,
                         .width = sizes[i].width,
                         .batch = s->asked->batch,
                         .precision = s->asked->precision == WEFT_F32 ? WEFT_F32 : WEFT_F64});
    }
    return code;
}

static int verify_sizes(session *s, const size_pair *sizes, size_t count) {
    double total = 1, done = 0; /* pixels, with something for every call */
    int code = check_memory(s, sizes, count);

    for (size_t i = 0; i < count; i++) {
        total += (double)sizes[i].height * (double)sizes[i].width + 1;
    }
    progress_start("verifying");
    for (size_t i = 0; i < count && code == EXIT_DONE; i++) {
        char detail[TEXT_SIZE];
        snprintf(detail, sizeof detail, "%zux%zu", sizes[i].height, sizes[i].width);
        progress_step(done / total, detail);
        code = verify_size(s, sizes[i]);
        done += (double)sizes[i].height * (double)sizes[i].width + 1;
    }
    progress_end();
    return code;
}

/* ---- reporting ------------------------------------------------------------------------------- */

static void print_failures(FILE *to, const tally *t) {
    json_t *each;
    size_t i;
    json_array_foreach(t->failures, i, each) {
        fprintf(to, "    FAILED %s: %s\n", json_string_value(json_object_get(each, "case")),
                json_string_value(json_object_get(each, "why")));
    }
}

static void print_tally(FILE *to, int width, const char *name, const tally *t,
                        int *has_told_of_gpu) {
    if (t->cases == 0) {
        fprintf(to, "%-*s could not run: %s\n", width, name,
                reason_cell(name, t->status, t->reason, has_told_of_gpu));
        return;
    }
    fprintf(to, "%-*s %5zu passed, %zu failed, %zu not supported; worst %.2f of its gate: %s\n",
            width, name, t->cases - t->failed, t->failed, t->unsupported, t->worst_ratio,
            t->worst_case);
    if (t->unsupported != 0) {
        fprintf(to, "    not supported, the last: %s\n", t->reason);
    }
    print_failures(to, t);
}

static json_t *tally_json(const char *name, const tally *t) {
    return json_pack("{s:s, s:I, s:I, s:I, s:s, s:o, s:s, s:O}", "strategy", name, "cases",
                     (json_int_t)t->cases, "failed", (json_int_t)t->failed, "unsupported",
                     (json_int_t)t->unsupported, "reason", t->reason, "worst_gate_ratio",
                     json_finite(t->worst_ratio), "worst_case", t->worst_case, "failures",
                     t->failures);
}

static int write_json(const session *s) {
    json_t *all = json_array(), *machine, *document;
    int code = machine_json(&machine);
    for (size_t i = 0; i < s->asked->candidates.count; i++) {
        const candidate *c = &s->asked->candidates.list[i];
        if (is_asked(c)) {
            all = json_append(all, tally_json(c->name, &s->tallies[i]));
        }
    }
    if (code != EXIT_DONE) {
        json_decref(all);
        return code;
    }
    document = json_pack("{s:s, s:o, s:o}", "schema", "weft-verify/1", "machine", machine,
                         "strategies", all);
    if (document == NULL) {
        return complain(EXIT_MEMORY, "out of memory for the document");
    }
    code = json_file_write(s->asked->json, document);
    json_decref(document);
    return code;
}

static int report(const session *s) {
    const char *json = s->asked->json;
    FILE *to = json_file_beside(json);
    const int width = candidates_name_width(&s->asked->candidates);
    size_t failed = 0, cases = 0;
    int code = EXIT_DONE, has_told_of_gpu = 0;

    for (size_t i = 0; i < s->asked->candidates.count; i++) {
        const candidate *c = &s->asked->candidates.list[i];
        const tally *t = &s->tallies[i];
        if (is_asked(c)) {
            print_tally(to, width, c->name, t, &has_told_of_gpu);
            failed += t->failed;
            cases += t->cases;
        }
    }
    if (json != NULL) {
        code = write_json(s);
    }
    if (failed != 0) {
        return EXIT_CHECK_FAILED;
    }
    if (code == EXIT_DONE && cases == 0) {
        return complain(EXIT_USAGE, "nothing could be verified%s",
                        s->asked->candidates.list[0].demanded ? omit_strategy : "");
    }
    return code;
}

static int run(session *s) {
    const arguments *a = s->asked;
    const size_t count = a->candidates.count;
    int code;
    s->tallies = calloc(count, sizeof *s->tallies);
    if (s->tallies == NULL) {
        return complain(EXIT_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        s->tallies[i].failures = json_array();
    }
    if (a->size_count != 0) {
        code = verify_sizes(s, a->sizes, a->size_count);
    } else {
        code = verify_sizes(s, built_in_sizes, sizeof built_in_sizes / sizeof *built_in_sizes);
    }
    if (code == EXIT_DONE) {
        code = report(s);
    }
    for (size_t i = 0; i < count; i++) {
        json_decref(s->tallies[i].failures);
    }
    free(s->tallies);
    return code;
}

/* All there are if none was named. A copy is a yardstick of bench. */
static int check_candidates(candidate_list *l) {
    if (l->count == 0) {
        return candidates_add(l, NULL);
    }
    for (size_t i = 0; i < l->count; i++) {
        if (l->list[i].peer != NULL && l->list[i].peer->is_copy) {
            return complain(EXIT_USAGE, "%s is not a transform", l->list[i].name);
        }
    }
    return EXIT_DONE;
}

int command_verify(int argc, char **argv) {
    arguments a = {.precision = -1, .pixel = -1, .layout = -1};
    session s = {.asked = &a};
    int code = options_parse(&argp, argc, argv, 0, &a);

    if (code == EXIT_DONE) {
        code = check_candidates(&a.candidates);
    }
    if (code == EXIT_DONE) {
        code = json_file_check(a.json);
    }
    if (code == EXIT_DONE) {
        code = run(&s);
    }
    candidates_free(&a.candidates);
    return code;
}
