/* SPDX-License-Identifier: MIT
 * Allocation that fails: the k-th one, for k = 1, 2, ... until the call succeeds, must give
 * WEFT_NO_MEMORY, no leak and no output; executing allocates nothing; and sizes that no machine has
 * memory for are refused before any is taken. The linker turns malloc into __wrap_malloc here.
 */
#include <string.h>

#include "expect.h"
#include "suite.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);

static int armed;          /* counting at all */
static long until_failure; /* this many allocations succeed; negative: all do */
static long taken, living; /* allocations since arming, and those not yet freed */
static size_t largest;     /* of these allocations, in bytes */

static int must_fail(size_t bytes) {
    largest = bytes > largest ? bytes : largest;
    if (armed && until_failure >= 0 && taken >= until_failure)
        return 1;
    taken += armed;
    return 0;
}

static void *counted(void *memory) {
    living += armed && memory;
    return memory;
}

void *__wrap_malloc(size_t bytes) {
    return must_fail(bytes) ? NULL : counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes) {
    return must_fail(count * bytes) ? NULL : counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *memory, size_t bytes) {
    if (must_fail(bytes))
        return NULL;
    return memory ? __real_realloc(memory, bytes) : counted(__real_realloc(memory, bytes));
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return must_fail(bytes) ? NULL : counted(__real_aligned_alloc(alignment, bytes));
}

void __wrap_free(void *memory) {
    living -= armed && memory;
    __real_free(memory);
}

static void arm(long failing) {
    armed = 1;
    until_failure = failing;
    taken = living = 0;
    largest = 0;
}

static void disarm(void) {
    armed = 0;
}

static const shape shapes[] = {{8, 16}, {12, 35}, {7, 11}, {131, 34}, {1, 1}, {16, 64}};

static int supported(const weft_desc *d) {
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, d);
    weft_plan_destroy(plan);
    return status == WEFT_OK;
}

/* Returns how many allocations had to fail before the plan was made. */
static long walk_creation(const weft_desc *d) {
    weft_plan *plan;
    for (long k = 0; k < 1000; k++) {
        arm(k);
        plan = (weft_plan *)(void *)&plan;
        weft_status status = weft_plan_create(&plan, d);
        disarm();
        if (status == WEFT_OK) {
            const char *description = weft_plan_describe(plan);
            check(description != NULL && strstr(description, "\n  workspace ") != NULL,
                  "%s allocation %ld: a plan without a description", d->strategy, k);
            weft_plan_destroy(plan);
            return k;
        }
        check(status == WEFT_NO_MEMORY, "%s allocation %ld: %s", d->strategy, k,
              weft_status_string(status));
        check(plan == NULL, "%s allocation %ld: plan is not NULL", d->strategy, k);
        check(living == 0, "%s %zux%zu allocation %ld: %ld blocks leaked", d->strategy, d->height,
              d->width, k, living);
    }
    fail_msg("%s: still fails after 1000 allocations", d->strategy);
    return 0;
}

static void creation(const variant *v) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        weft_desc d = desc_of(v, shapes[i]);
        if (!supported(&d))
            continue;
        check(walk_creation(&d) > 0, "%s: a plan without an allocation", v->strategy);
        arm(-1);
        weft_plan *plan;
        weft_plan_create(&plan, &d);
        weft_plan_destroy(plan);
        disarm();
        check(living == 0, "%s: create and destroy left %ld blocks", v->strategy, living);
    }
}

/* One of the three host calls. */
static weft_status host_call(const weft_plan *plan, int which, const void *in, const void *gain,
                             void *out) {
    return which == 0   ? weft_forward_host(plan, in, out)
           : which == 1 ? weft_inverse_host(plan, in, out)
                        : weft_filter_host(plan, in, gain, WEFT_TRANSFER_GAIN, out);
}

static void walk_host_call(const weft_plan *plan, int which) {
    enum { BYTES = 8192 };
    void *in = calloc(1, BYTES), *gain = calloc(1, BYTES);
    unsigned char *out = must_alloc(BYTES);
    weft_status status = WEFT_NO_MEMORY;
    for (long k = 0; status != WEFT_OK; k++) {
        memset(out, 0x55, BYTES);
        arm(k);
        status = host_call(plan, which, in, gain, out);
        disarm();
        check(living == 0, "call %d, allocation %ld: %ld blocks leaked", which, k, living);
        check(status == WEFT_NO_MEMORY || (status == WEFT_OK && k > 0),
              "call %d, allocation %ld: %s", which, k, weft_status_string(status));
        for (size_t i = 0; status != WEFT_OK && i < BYTES; i++)
            check(out[i] == 0x55, "call %d, allocation %ld: wrote its output", which, k);
    }
    free(in);
    free(gain);
    free(out);
}

static void host_calls(const variant *v) {
    weft_plan *plan;
    weft_desc d = desc_of(v, (shape){16, 16});
    assert_int_equal(weft_plan_create(&plan, &d), WEFT_OK);
    for (int which = 0; which < 3; which++)
        walk_host_call(plan, which);
    weft_plan_destroy(plan);
}

static void executing_allocates_nothing(const variant *v) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        weft_plan *plan;
        weft_desc d = desc_of(v, shapes[i]);
        if (!supported(&d))
            continue;
        assert_int_equal(weft_plan_create(&plan, &d), WEFT_OK);
        size_t bytes = 131 * 36 * 8;
        void *a = calloc(1, bytes), *b = calloc(1, bytes), *gain = calloc(1, bytes);
        void *work = aligned_alloc(64, (weft_plan_workspace(plan) + 64) & ~(size_t)63);
        arm(-1);
        weft_status first = weft_forward(plan, a, b, work, NULL);
        weft_status second = weft_inverse(plan, b, a, work, NULL);
        weft_status third = weft_filter(plan, a, gain, WEFT_TRANSFER_GAIN, b, work, NULL);
        disarm();
        assert_true(first == WEFT_OK && second == WEFT_OK && third == WEFT_OK);
        check(taken == 0, "%s %zux%zu: %ld allocations while executing", v->strategy, d.height,
              d.width, taken);
        free(a), free(b), free(gain), free(work);
        weft_plan_destroy(plan);
    }
}

/* A prime of ten digits, and powers of two that are far beyond any memory. */
static void tables_too_large(const variant *v) {
    static const shape sides[] = {{2147483647, 1},
                                  {1, 2147483647},
                                  {2147483647, 48},
                                  {(size_t)1 << 50, 1},
                                  {16, (size_t)1 << 50}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        weft_desc d = desc_of(v, sides[i]);
        weft_plan *plan;
        arm(-1);
        weft_status status = weft_plan_create(&plan, &d);
        weft_plan_destroy(plan);
        disarm();
        check(largest <= 1 << 20 && living == 0, "%s %zux%zu: took %zu bytes and kept %ld blocks",
              v->strategy, d.height, d.width, largest, living);
        /* Tables are the one arithmetic's: the report's program has none. */
        check(status == WEFT_NO_MEMORY || status == WEFT_UNSUPPORTED ||
                  !uses_one_arithmetic(v->strategy),
              "%s %zux%zu: %s", v->strategy, d.height, d.width, weft_status_string(status));
    }
}

/* weft_good_size() compares sizes in memory of its own. */
static void good_size(const variant *v) {
    weft_desc d = desc_of(v, (shape){16, 64});
    size_t height = 1, width = 2;
    arm(0);
    weft_status status = weft_good_size(&d, &height, &width);
    disarm();
    assert_true(status == WEFT_NO_MEMORY && height == 1 && width == 2);
    arm(-1);
    status = weft_good_size(&d, &height, &width);
    disarm();
    assert_true(status == WEFT_OK && living == 0);
}

int main(int argc, char **argv) {
    static const suite_test tests[] = {
        {"creation", creation, 1, NULL, 0},
        {"host calls", host_calls, 1, NULL, 0},
        {"good size", good_size, 1, NULL, 0},
        {"tables too large", tables_too_large, 1, NULL, 0},
        {"executing allocates nothing", executing_allocates_nothing, 1, NULL, 0},
    };
    cases_init(argc, argv);
    return suite_run("memory", tests, sizeof tests / sizeof *tests);
}
