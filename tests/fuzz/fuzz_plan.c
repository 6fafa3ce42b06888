/* SPDX-License-Identifier: MIT
 * Descriptions of plans: the input is a weft_desc, the name of a strategy, and numbers. Where the
 * description is small, every strategy of the CPU is verified against the oracle, and then runs on
 * the input's own numbers, in memory that ends where weft.h says; of these numbers those with equal
 * bits must make the same. Larger descriptions are only looked at: tables are as long as a side.
 */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "isa.h"
#include "judge.h"

enum { MOST_PIXELS = 2048, MOST_BYTES = 1 << 20, MOST_THREADS = 4, NAME_SIZE = 256 };

/* ---- out of bytes -----------------------------------------------------------------------------
 */

typedef struct source {
    const uint8_t *next;
    size_t left;
} source;

/* Zeros follow the last byte. */
static unsigned take_byte(source *s) {
    if (s->left == 0) {
        return 0;
    }
    s->left--;
    return *s->next++;
}

/* A byte from here on says that a value of eight bytes follows, whatever it is. */
enum { ANYTHING = 0xf0 };

static size_t take_anything(source *s) {
    size_t value = 0;
    for (int i = 0; i < 8; i++) {
        value = value << 8 | take_byte(s);
    }
    return value;
}

/* Mostly a value below `limit`. */
static size_t take_value(source *s, unsigned limit) {
    unsigned byte = take_byte(s);
    return byte < ANYTHING ? byte % limit : take_anything(s);
}

/* Mostly 0, which means tight, or a little more than tight; 1 is one too little. */
static size_t take_distance(source *s, size_t tight) {
    unsigned byte = take_byte(s);
    return byte == 0 ? 0 : byte < ANYTHING ? tight + byte - 2 : take_anything(s);
}

/* So many threads that they take long to start are left out. */
static int take_threads(source *s) {
    int threads = (int)take_value(s, MOST_THREADS + 1);
    return threads >= 0 && threads <= WEFT_MOST_THREADS ? threads % (MOST_THREADS + 1) : threads;
}

static weft_desc take_description(source *s) {
    weft_desc d = {.height = take_value(s, ANYTHING), .width = take_value(s, ANYTHING)};
    d.batch = take_value(s, 6);
    d.precision = (weft_precision)take_value(s, 2);
    d.pixel = (weft_pixel)take_value(s, 3);
    d.layout = (weft_layout)take_value(s, 2);
    d.norm = (weft_norm)take_value(s, 4);
    d.threads = take_threads(s);
    d.device = (int)take_value(s, 1);
    d.reserved[7] = take_value(s, 1);
    size_t columns = d.layout == WEFT_HALF ? d.width / 2 + 1 : d.width;
    d.image_pitch = take_distance(s, d.width);
    d.spectrum_pitch = take_distance(s, columns);
    d.image_stride = take_distance(s, d.height * (d.image_pitch ? d.image_pitch : d.width));
    d.spectrum_stride =
        take_distance(s, d.height * (d.spectrum_pitch ? d.spectrum_pitch : columns));
    return d;
}

/* The instructions of cpu.fast; not all of them are those of this CPU. */
static void take_isa(source *s) {
    static const char *const words[] = {"", "plain", "v2", "v3", "v4", "other"};
    setenv("WEFT_ISA", words[take_byte(s) % (sizeof words / sizeof *words)], 1);
}

static void take_name(source *s, char name[NAME_SIZE]) {
    size_t length = take_byte(s);
    for (size_t i = 0; i < length; i++) {
        name[i] = (char)take_byte(s);
    }
    name[length] = '\0';
}

/* ---- what may have any outcome ----------------------------------------------------------------
 */

static void check_refusal(weft_status status) {
    must(*weft_last_error() != '\0', "%s without a word", weft_status_string(status));
}

static void try_good_size(const weft_desc *d) {
    size_t height = 0, width = 0;
    weft_status status = weft_good_size(d, &height, &width);
    if (status != WEFT_OK) {
        check_refusal(status);
        must(height == 0 && width == 0, "a size in spite of %s", weft_status_string(status));
    } else {
        must(height >= d->height && width >= d->width, "%zux%zu is smaller than %zux%zu", height,
             width, d->height, d->width);
    }
}

static void try_plan(const weft_desc *d) {
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, d);
    must((status == WEFT_OK) == (plan != NULL), "%s, but plan %p", weft_status_string(status),
         (void *)plan);
    if (status != WEFT_OK) {
        check_refusal(status);
    }
    weft_plan_destroy(plan);
}

/* ---- the input's own numbers ------------------------------------------------------------------
 */

/* How numbers are made of bytes: any bits, or small whole numbers times a power of two, from
 * denormal ones to a sum that does not overflow. */
typedef struct numbers {
    source bytes;
    int are_any, exponent;
} numbers;

static numbers take_numbers(source *s) {
    int kind = (int)take_byte(s);
    return (numbers){.bytes = *s, .are_any = kind >= 0x80, .exponent = 2 * (kind % 0x80) - 224};
}

static unsigned number_byte(const numbers *n, size_t i) {
    return n->bytes.left > 0 ? n->bytes.next[i % n->bytes.left] : 0;
}

/* Memory of exactly so many bytes, beyond which AddressSanitizer looks. */
static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    must(memory != NULL || bytes == 0, "no memory for %zu bytes", bytes);
    return memory;
}

static void *make_numbers(const numbers *n, const problem *p, weft_pixel pixel, size_t bytes) {
    unsigned char *memory = allocate(bytes);
    for (size_t i = 0; i < bytes; i++) {
        memory[i] = (unsigned char)number_byte(n, i);
    }
    for (size_t i = 0; pixel == WEFT_PIXEL_REAL && !n->are_any && i < bytes / real_bytes(p); i++) {
        element_set(memory, i, p->precision, pixel,
                    ldexp((signed char)number_byte(n, i), n->exponent));
    }
    return memory;
}

static void *make_output(size_t bytes) {
    return memset(allocate(bytes), 0x5a, bytes);
}

/* ---- running on them --------------------------------------------------------------------------
 */

typedef struct inputs {
    void *image, *spectrum, *transfers[2]; /* by weft_transfer */
    int are_any;
} inputs;

static inputs make_inputs(const numbers *n, const problem *p) {
    inputs in = {.image = make_numbers(n, p, p->pixel, image_batch_bytes(p)),
                 .spectrum = make_numbers(n, p, WEFT_PIXEL_REAL, spectrum_batch_bytes(p)),
                 .are_any = n->are_any};
    for (int kind = 0; kind < 2; kind++) {
        in.transfers[kind] =
            make_numbers(n, p, WEFT_PIXEL_REAL, transfer_bytes(p, (weft_transfer)kind));
    }
    return in;
}

static void free_inputs(inputs *in) {
    free(in->image);
    free(in->spectrum);
    free(in->transfers[0]);
    free(in->transfers[1]);
}

enum { SPECTRUM, IMAGE, FILTERED, FILTERED_BY_GAIN, RESULTS };

typedef struct results {
    void *memory[RESULTS];
} results;

static size_t result_bytes(const problem *p, int which) {
    return which == SPECTRUM ? spectrum_batch_bytes(p) : image_batch_bytes(p);
}

static void must_run(const weft_plan *plan, weft_status status) {
    must(status == WEFT_OK, "%s: %s", weft_plan_strategy(plan), weft_last_error());
}

static results run(const weft_plan *plan, const inputs *in) {
    const problem *p = plan_problem(plan);
    void *work = allocate(weft_plan_workspace(plan));
    results r;
    for (int i = 0; i < RESULTS; i++) {
        r.memory[i] = make_output(result_bytes(p, i));
    }
    must_run(plan, weft_forward(plan, in->image, r.memory[SPECTRUM], work, NULL));
    must_run(plan, weft_inverse(plan, in->spectrum, r.memory[IMAGE], work, NULL));
    for (int kind = 0; kind < 2; kind++) {
        must_run(plan, weft_filter(plan, in->image, in->transfers[kind], (weft_transfer)kind,
                                   r.memory[FILTERED + kind], work, NULL));
    }
    free(work);
    return r;
}

static void free_results(results *r) {
    for (int i = 0; i < RESULTS; i++) {
        free(r->memory[i]);
    }
}

static void check_same(const weft_plan *plan, const results *expected, const results *got) {
    static const char *const names[] = {"spectrum", "image", "filtered image",
                                        "image filtered by gains"};
    for (int i = 0; i < RESULTS; i++) {
        const unsigned char *a = expected->memory[i], *b = got->memory[i];
        size_t bytes = result_bytes(plan_problem(plan), i), at = 0;
        while (at < bytes && a[at] == b[at]) {
            at++;
        }
        must(at == bytes, "%sother bits of the %s, first at byte %zu: %02x, not %02x",
             weft_plan_describe(plan), names[i], at, b[at], a[at]);
    }
}

static int has_equal_bits(const weft_plan *plan) {
    const strategy *s = plan_strategy(plan);
    return (s->flags & EQUAL_BITS) != 0 && (s->has_fused == NULL || s->has_fused());
}

/* ---- every strategy ---------------------------------------------------------------------------
 */

/* The judge knows integer pixels of no other norm. */
static int is_judged(const weft_desc *d) {
    return d->pixel == WEFT_PIXEL_REAL || d->norm == WEFT_NORM_BACKWARD;
}

static void verify(const weft_plan *plan, reference *r) {
    for (int i = OPERATION_FORWARD; i <= OPERATION_FILTER; i++) {
        verdict v;
        must_run(plan, verify_plan(plan, (operation)i, r, (leniency){.worst_case_gates = 1}, &v));
        must(v.passed, "%s%s: %s", weft_plan_describe(plan), operation_words[i], v.why);
    }
}

/* cpu.fast wants the instructions that WEFT_ISA names, too. */
static weft_status expected_of(const strategy *s, const problem *p) {
    isa set;
    weft_status status = s->supports(p);
    return status == WEFT_OK && s->has_fused != NULL ? isa_choose(&set) : status;
}

/* NULL where the strategy does not take the problem. */
static weft_plan *plan_of(const strategy *s, const problem *p, weft_desc d) {
    weft_plan *plan;
    weft_status expected = expected_of(s, p);
    d.strategy = s->name;
    weft_status status = weft_plan_create(&plan, &d);
    must(status == expected, "%s: %s, not %s", s->name, weft_status_string(status),
         weft_status_string(expected));
    return plan;
}

/* Of those with equal bits the first says what is expected of the others. */
static void run_strategy(const weft_plan *plan, const inputs *in, results *expected) {
    results got = run(plan, in);
    if (!in->are_any && has_equal_bits(plan)) {
        if (expected->memory[0] == NULL) {
            *expected = got;
            return;
        }
        check_same(plan, expected, &got);
    }
    free_results(&got);
}

static void run_strategies(const weft_desc *d, const problem *p, const numbers *n) {
    inputs in = make_inputs(n, p);
    results expected = {{NULL}};
    reference r;
    must(reference_create(&r, d, MOST_DISTINCT, 1, NULL, NULL) == 0, "no memory for the oracle");
    for (int i = 0; i < strategy_count; i++) {
        const strategy *s = strategy_table[i].for_precision[d->precision];
        weft_plan *plan = s->space->is_device ? NULL : plan_of(s, p, *d);
        if (plan != NULL && is_judged(d)) {
            verify(plan, &r);
        }
        if (plan != NULL) {
            run_strategy(plan, &in, &expected);
        }
        weft_plan_destroy(plan);
    }
    free_results(&expected);
    free_inputs(&in);
    reference_destroy(&r);
}

static int is_small(const problem *p) {
    return p->height * p->width <= MOST_PIXELS && p->batch <= MOST_PIXELS &&
           p->height * p->width * p->batch <= MOST_PIXELS &&
           image_batch_bytes(p) + spectrum_batch_bytes(p) <= MOST_BYTES;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    source s = {bytes, count};
    char name[NAME_SIZE];
    take_isa(&s);
    weft_desc d = take_description(&s);
    take_name(&s, name);
    numbers n = take_numbers(&s);
    problem p;

    weft_status status = problem_from_desc(&p, &d);
    d.strategy = name;
    try_good_size(&d);
    if (status != WEFT_OK || p.height * p.width <= MOST_PIXELS) {
        try_plan(&d);
    }
    d.strategy = NULL;
    if (status == WEFT_OK && is_small(&p)) {
        run_strategies(&d, &p, &n);
    }
    return 0;
}
