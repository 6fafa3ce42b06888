/* SPDX-License-Identifier: MIT
 * The promise of equal bits, held to bits.def, a committed table of hashes: every strategy that
 * uses src/arith, on CPU and GPU, gives these; cpu.fast with every instruction set that fuses, on
 * any number of threads, in any position of a batch. Other bits are a decision: `test_bits --print
 * cpu.fast` writes the table anew.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "suite.h"

typedef struct row {
    shape size;
    uint64_t forward[2], inverse[2]; /* by precision */
} row;

static const row table[] = {
#include "bits.def"
};
enum { ROWS = sizeof table / sizeof *table, MOST_BATCH = 3 };

/* Law 1: those that restate old programs do not use it. */
static int uses_one_arithmetic(const char *strategy) {
    static const char *const others[] = {".report", ".uav", ".slm"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(strategy, others[i]))
            return 0;
    return 1;
}

static int is_fast(const char *strategy) {
    return strcmp(strategy, "cpu.fast") == 0;
}

/* FNV-1a. */
static uint64_t hash_of(const void *bytes, size_t count) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

/* The same numbers for every strategy: images or packed spectra. */
static void *make_input(const weft_desc *d, size_t bytes) {
    size_t real = d->precision == WEFT_F32 ? 4 : 8, count = bytes / real;
    double *noise = must_alloc(count * sizeof *noise);
    char *input = must_alloc(bytes);
    fill_noise(5, d->precision, count, noise);
    for (size_t i = 0; i < count; i++) {
        float narrow = (float)noise[i];
        memcpy(input + i * real, d->precision == WEFT_F32 ? (void *)&narrow : (void *)&noise[i],
               real);
    }
    free(noise);
    return input;
}

/* Image `which` of the batch that d describes; all are the same. 0 where the strategy refuses. */
static int hashes(const weft_desc *d, size_t which, uint64_t *forward, uint64_t *inverse) {
    size_t images = d->batch ? d->batch : 1;
    size_t bytes = d->height * d->width * (d->precision == WEFT_F32 ? 4 : 8);
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, d);
    check(status == WEFT_OK || status == WEFT_UNSUPPORTED, "%s", weft_last_error());
    if (status != WEFT_OK)
        return 0;
    char *one = make_input(d, bytes), *all = must_alloc(images * bytes),
         *result = must_alloc(images * bytes);
    for (size_t i = 0; i < images; i++)
        memcpy(all + i * bytes, one, bytes);
    check(weft_forward_host(plan, all, result) == WEFT_OK, "%s", weft_last_error());
    *forward = hash_of(result + which * bytes, bytes);
    check(weft_inverse_host(plan, all, result) == WEFT_OK, "%s", weft_last_error());
    *inverse = hash_of(result + which * bytes, bytes);
    free(result);
    free(all);
    free(one);
    weft_plan_destroy(plan);
    return 1;
}

/* Returns whether it ran. */
static int hold(const weft_desc *d, size_t which, const row *r, const char *how) {
    uint64_t forward, inverse;
    if (!hashes(d, which, &forward, &inverse))
        return 0;
    check(forward == r->forward[d->precision], "%s %zux%zu%s: forward other bits than bits.def",
          d->strategy, d->height, d->width, how);
    check(inverse == r->inverse[d->precision], "%s %zux%zu%s: inverse other bits than bits.def",
          d->strategy, d->height, d->width, how);
    return 1;
}

/* Small enough to be run many times. */
static int is_small(const row *r) {
    return r->size.height * r->size.width <= 1 << 16;
}

/* cpu.reference is slow, and so is everything under a sanitizer. */
static int is_quick_enough(const row *r, const char *strategy) {
    if (strcmp(strategy, "cpu.reference") == 0)
        return is_small(r);
    return !quick_mode() || r->size.height * r->size.width <= 1 << 20;
}

static void bits_of_the_table(const variant *v) {
    int ran = 0;
    for (size_t i = 0; i < ROWS; i++) {
        weft_desc d = desc_of(v, table[i].size);
        ran += is_quick_enough(&table[i], v->strategy) && hold(&d, 0, &table[i], "");
    }
    check(ran > 0, "%s took no size of the table", v->strategy);
}

static void any_number_of_threads(const variant *v) {
    static const int threads[] = {1, 2, 3, 7, 16};
    for (size_t i = 0; i < ROWS; i++)
        for (size_t t = 0; is_small(&table[i]) && t < sizeof threads / sizeof *threads; t++) {
            char how[40];
            weft_desc d = desc_of(v, table[i].size);
            d.threads = threads[t];
            snprintf(how, sizeof how, ", %d threads", threads[t]);
            assert_true(hold(&d, 0, &table[i], how));
        }
}

static void any_position_of_a_batch(const variant *v) {
    for (size_t i = 0; i < ROWS; i++)
        for (size_t which = 0; is_small(&table[i]) && which < MOST_BATCH; which++) {
            char how[40];
            weft_desc d = desc_of(v, table[i].size);
            d.batch = MOST_BATCH;
            snprintf(how, sizeof how, ", image %zu of %d", which, MOST_BATCH);
            hold(&d, which, &table[i], how);
        }
}

/* What WEFT_ISA was when the test began. */
static void restore_instructions(const char *before) {
    if (before != NULL)
        setenv("WEFT_ISA", before, 1);
    else
        unsetenv("WEFT_ISA");
}

static void with_instructions(const variant *v, const char *set) {
    const char *before = getenv("WEFT_ISA");
    char how[40];
    int ran = 0;
    snprintf(how, sizeof how, ", WEFT_ISA=%s", set);
    setenv("WEFT_ISA", set, 1);
    for (size_t i = 0; i < ROWS; i++) {
        weft_desc d = desc_of(v, table[i].size);
        ran += is_small(&table[i]) && hold(&d, 0, &table[i], how);
    }
    restore_instructions(before);
    if (ran == 0)
        skip_because("%s", weft_last_error());
}

static void in_plain_c(const variant *v) {
    with_instructions(v, "plain");
}

static void with_v3(const variant *v) {
    with_instructions(v, "v3");
}

static void with_v4(const variant *v) {
    with_instructions(v, "v4");
}

/* Without fused operations the numbers are right and the bits others. */
static void without_fused_operations(const variant *v) {
    weft_desc d = desc_of(v, (shape){64, 64});
    const char *before = getenv("WEFT_ISA");
    uint64_t fused, unfused, unused;
    assert_true(hashes(&d, 0, &fused, &unused));
    setenv("WEFT_ISA", "v2", 1);
    int ran = hashes(&d, 0, &unfused, &unused);
    restore_instructions(before);
    if (!ran)
        skip_because("this CPU has not the instructions of x86-64-v2");
    assert_int_not_equal(fused, unfused);
}

static void unknown_instruction_set(const variant *v) {
    weft_desc d = desc_of(v, (shape){16, 16});
    const char *before = getenv("WEFT_ISA");
    weft_plan *plan;
    setenv("WEFT_ISA", "sse9", 1);
    weft_status status = weft_plan_create(&plan, &d);
    restore_instructions(before);
    assert_int_equal(status, WEFT_BAD_ARGUMENT);
    assert_non_null(strstr(weft_last_error(), "sse9"));
}

static void print_table(const char *strategy) {
    puts("/* SPDX-License-Identifier: MIT\n"
         " * Hashes of spectra and images, see test_bits.c: {{height, width}, {forward f32, f64},\n"
         " * {inverse f32, f64}}. Written by `test_bits --print cpu.fast`.\n"
         " */");
    for (size_t h = 16; h <= 4096; h *= 2)
        for (size_t w = 16; w <= 4096; w *= 2) {
            row r = {.size = {h, w}};
            for (int p = WEFT_F32; p <= WEFT_F64; p++) {
                variant v = {strategy, (weft_precision)p, WEFT_PACKED};
                weft_desc d = desc_of(&v, r.size);
                hashes(&d, 0, &r.forward[p], &r.inverse[p]);
            }
            printf("{{%zu, %zu}, {0x%016" PRIx64 ", 0x%016" PRIx64 "}, {0x%016" PRIx64
                   ", 0x%016" PRIx64 "}},\n",
                   h, w, r.forward[0], r.forward[1], r.inverse[0], r.inverse[1]);
        }
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"bits of the table", bits_of_the_table, 0, uses_one_arithmetic, 0},
        {"bits in any position of a batch", any_position_of_a_batch, 0, uses_one_arithmetic, 0},
        {"bits on any number of threads", any_number_of_threads, 0, is_fast, 0},
        {"bits in plain C", in_plain_c, 0, is_fast, 0},
        {"bits of x86-64-v3", with_v3, 0, is_fast, 0},
        {"bits of x86-64-v4", with_v4, 0, is_fast, 0},
        {"without fused operations", without_fused_operations, 0, is_fast, 0},
        {"unknown instruction set", unknown_instruction_set, 0, is_fast, 0},
    };
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        print_table(argv[2]);
        return 0;
    }
    cases_init(argc, argv);
    return suite_run("bits", tests, sizeof tests / sizeof *tests);
}
