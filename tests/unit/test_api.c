/* SPDX-License-Identifier: MIT
 * The promises of weft.h about descriptions, names, errors and plans: every misuse is refused with
 * a text that names the value, *plan is NULL then, and what is legal just beside it is accepted.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "sizes.h"
#include "weft.h"

static weft_desc good(void) {
    return (weft_desc){.height = 6, .width = 8, .strategy = "cpu"};
}

static void accept(weft_desc d) {
    weft_plan *plan = NULL;
    check(weft_plan_create(&plan, &d) == WEFT_OK, "%s", weft_last_error());
    assert_non_null(plan);
    weft_plan_destroy(plan);
}

static void refuse_with(weft_desc d, weft_status expected, const char *text) {
    weft_plan *plan = (weft_plan *)(void *)&d; /* not NULL, so that NULL must have been written */
    weft_status status = weft_plan_create(&plan, &d);
    check(status == expected, "\"%s\": %s, should be %s", text, weft_status_string(status),
          weft_status_string(expected));
    assert_null(plan);
    check(strstr(weft_last_error(), text) != NULL, "\"%s\" is not in: %s", text, weft_last_error());
}

static void refuse(weft_desc d, const char *text) {
    refuse_with(d, WEFT_BAD_ARGUMENT, text);
}

#define REFUSE(field, value, text)                                                                 \
    do {                                                                                           \
        weft_desc changed = good();                                                                \
        changed.field = value;                                                                     \
        refuse(changed, text);                                                                     \
    } while (0)

static void null_arguments(void **state) {
    (void)state;
    weft_desc d = good();
    weft_plan *plan = (weft_plan *)(void *)&d;
    assert_int_equal(weft_plan_create(NULL, &d), WEFT_BAD_ARGUMENT);
    assert_int_equal(weft_plan_create(&plan, NULL), WEFT_BAD_ARGUMENT);
    assert_null(plan);
    weft_plan_destroy(NULL);
}

static void zero_sizes(void **state) {
    (void)state;
    REFUSE(height, 0, "height 0");
    REFUSE(width, 0, "width 0");
    weft_desc d = good();
    d.height = d.width = 1;
    accept(d);
}

static void enums_out_of_range(void **state) {
    (void)state;
    REFUSE(precision, (weft_precision)2, "precision 2");
    REFUSE(precision, (weft_precision)-1, "precision -1");
    REFUSE(pixel, (weft_pixel)3, "pixel 3");
    REFUSE(pixel, (weft_pixel)-7, "pixel -7");
    REFUSE(layout, (weft_layout)2, "layout 2");
    REFUSE(norm, (weft_norm)4, "norm 4");
    REFUSE(norm, (weft_norm)1000, "norm 1000");
}

static void negative_numbers(void **state) {
    (void)state;
    REFUSE(threads, -1, "threads -1");
    REFUSE(device, -3, "device -3");
}

static void reserved_fields(void **state) {
    (void)state;
    const weft_desc d = {.reserved = {0}};
    for (size_t i = 0; i < sizeof d.reserved / sizeof *d.reserved; i++) {
        char text[64];
        snprintf(text, sizeof text, "reserved[%zu] 1: must be 0", i);
        REFUSE(reserved[i], 1, text);
        snprintf(text, sizeof text, "reserved[%zu] %zu: must be 0", i, (size_t)SIZE_MAX);
        REFUSE(reserved[i], SIZE_MAX, text);
    }
}

static void pitches(void **state) {
    (void)state;
    REFUSE(image_pitch, 7, "image_pitch 7");
    REFUSE(spectrum_pitch, 7, "spectrum_pitch 7");
    weft_desc d = good();
    d.image_pitch = d.spectrum_pitch = 8;
    accept(d);
    d.layout = WEFT_HALF;
    d.spectrum_pitch = 5;
    accept(d);
    d.spectrum_pitch = 4;
    refuse(d, "spectrum_pitch 4");
}

static void strides(void **state) {
    (void)state;
    weft_desc d = good();
    d.batch = 2;
    d.image_stride = d.spectrum_stride = 48;
    accept(d);
    d.image_stride = 47;
    refuse(d, "image_stride 47");
    d.image_stride = 48;
    d.spectrum_stride = 1;
    refuse(d, "spectrum_stride 1");
    d.spectrum_stride = 0;
    d.image_pitch = 9;
    d.image_stride = 52; /* five rows of 9 and one of 8 need 53 */
    refuse(d, "image_stride 52");
}

static void sizes_that_overflow(void **state) {
    (void)state;
    const size_t big[][2] = {{SIZE_MAX, 1},
                             {1, SIZE_MAX},
                             {SIZE_MAX, SIZE_MAX},
                             {(size_t)1 << 32, (size_t)1 << 32},
                             {((size_t)1 << 32) + 1, (size_t)1 << 32},
                             {SIZE_MAX / 8 + 2, 8},
                             {3, SIZE_MAX / 3 + 1}};
    for (size_t i = 0; i < sizeof big / sizeof *big; i++)
        for (int layout = WEFT_PACKED; layout <= WEFT_HALF; layout++) {
            weft_desc d = good();
            d.height = big[i][0];
            d.width = big[i][1];
            d.layout = (weft_layout)layout;
            refuse(d, "too large");
        }
}

/* Gaps alone reach the limit without needing memory, so that both sides of it can be tried. */
static void both_sides_of_the_limit(void **state) {
    (void)state;
    weft_desc d = good();
    d.height = 2;
    d.width = 1;
    d.image_pitch = MAX_ELEMENTS - 1;
    accept(d);
    d.image_pitch = MAX_ELEMENTS;
    refuse(d, "too large");
    d.image_pitch = 0;
    d.spectrum_pitch = MAX_ELEMENTS - 1;
    accept(d);
    d.spectrum_pitch = MAX_ELEMENTS;
    refuse(d, "too large");
    d.spectrum_pitch = SIZE_MAX;
    refuse(d, "too large");
    d = good();
    d.batch = SIZE_MAX;
    refuse(d, "too large");
    d.batch = 3;
    d.image_stride = SIZE_MAX / 2;
    refuse(d, "too large");
    d = good();
    d.height = 53; /* kissfft#129: an overflow check that refused more than 52x52 */
    d.width = 53;
    accept(d);
}

static void unknown_strategies(void **state) {
    (void)state;
    static const char *const names[] = {"cpu.nonsense", "gpu", "", "cpu.", "CPU", "cpu.reference2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        REFUSE(strategy, names[i], names[i]);
        for (int j = 0; weft_strategy_name(j); j++)
            check(strstr(weft_last_error(), weft_strategy_name(j)) != NULL,
                  "%s is not listed in: %s", weft_strategy_name(j), weft_last_error());
    }
}

/* An absurdly long name must not overrun the text. */
static void endless_name(void **state) {
    (void)state;
    char *name = must_alloc(100001);
    memset(name, 'x', 100000);
    name[100000] = 0;
    REFUSE(strategy, name, "xxxx");
    assert_true(strlen(weft_last_error()) < 4096);
    free(name);
}

static void cuda_without_a_gpu(void **state) {
    (void)state;
    static const char *const names[] = {"cuda", "cuda.twopass"};
    for (size_t i = 0; i < 2; i++) {
        weft_plan *plan;
        weft_desc d = good();
        d.height = d.width = 16;
        d.strategy = names[i];
        weft_status status = weft_plan_create(&plan, &d);
        weft_plan_destroy(plan);
        if (status == WEFT_OK)
            skip_because("there is a GPU");
        check(status == WEFT_NO_DEVICE, "%s: %s: %s", names[i], weft_status_string(status),
              weft_last_error());
        assert_null(plan);
        assert_true(strlen(weft_last_error()) > 8);
    }
}

static void no_such_device(void **state) {
    (void)state;
    weft_plan *plan;
    weft_desc d = good();
    d.strategy = "cuda";
    d.device = 4711;
    weft_status status = weft_plan_create(&plan, &d);
    check(status == WEFT_NO_DEVICE || status == WEFT_BAD_ARGUMENT, "%s", weft_last_error());
    assert_null(plan);
}

static void choosing(void **state) {
    (void)state;
    weft_plan *plan;
    weft_desc d = good();
    for (int i = 0; weft_strategy_name(i); i++) {
        if (strncmp(weft_strategy_name(i), "cpu.", 4) != 0)
            continue;
        d.strategy = weft_strategy_name(i);
        d.height = d.width = 16;
        check(weft_plan_create(&plan, &d) == WEFT_OK, "%s", weft_last_error());
        assert_string_equal(weft_plan_strategy(plan), weft_strategy_name(i));
        weft_plan_destroy(plan);
    }
    d = good();
    d.strategy = "auto";
    accept(d);
    d.strategy = "cpu";
    assert_int_equal(weft_plan_create(&plan, &d), WEFT_OK);
    assert_int_equal(strncmp(weft_plan_strategy(plan), "cpu.", 4), 0);
    weft_plan_destroy(plan);
}

/* NULL takes the fastest that can run, and something always can. */
static void anything_runs(void **state) {
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {1, 2}, {7, 3}, {64, 64}, {241, 11}, {13, 1009}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        weft_desc d = {.height = sizes[i][0], .width = sizes[i][1]};
        accept(d);
        d.precision = WEFT_F64;
        d.layout = WEFT_HALF;
        d.pixel = WEFT_PIXEL_U16;
        accept(d);
    }
}

static void names_outlive_plans_and_descriptions(void **state) {
    (void)state;
    char name[] = "cpu.reference";
    weft_plan *plan;
    weft_desc d = good();
    d.strategy = name;
    assert_int_equal(weft_plan_create(&plan, &d), WEFT_OK);
    memset(name, 'x', sizeof name - 1);
    memset(&d, 0xff, sizeof d);
    const char *chosen = weft_plan_strategy(plan);
    float image[48] = {1}, spectrum[48];
    assert_int_equal(weft_forward_host(plan, image, spectrum), WEFT_OK);
    weft_plan_destroy(plan);
    assert_string_equal(chosen, "cpu.reference");
    for (int i = 0; i < 48; i++) /* the DFT of an impulse at 0: real parts 1, imaginary parts 0 */
        assert_true(spectrum[i] == 0 || spectrum[i] == 1);
}

static void table_of_names(void **state) {
    (void)state;
    int count = 0;
    for (; weft_strategy_name(count); count++) {
        const char *name = weft_strategy_name(count), *about = weft_strategy_about(count);
        assert_true(strncmp(name, "cpu.", 4) == 0 || strncmp(name, "cuda.", 5) == 0);
        assert_ptr_equal(name, weft_strategy_name(count));
        assert_non_null(about);
        assert_true(strlen(about) > 10 && strchr(about, '\n') == NULL);
        for (int i = 0; i < count; i++)
            assert_string_not_equal(name, weft_strategy_name(i));
    }
    assert_true(count >= 2);
    assert_null(weft_strategy_about(count));
    assert_null(weft_strategy_name(count + 1));
    assert_null(weft_strategy_name(-1));
    assert_null(weft_strategy_about(-1));
}

/* Where weft info says "here": cpu.fast tells its instructions, cpu.reference uses nothing special.
 */
static void what_strategies_use_here(void **state) {
    (void)state;
    static const int outside[] = {-1, INT_MIN, INT_MAX};
    int count = 0, told = 0;
    for (; weft_strategy_name(count); count++) {
        const char *name = weft_strategy_name(count), *here = weft_strategy_here(count);
        assert_non_null(here);
        assert_null(strchr(here, '\n'));
        if (strcmp(name, "cpu.fast") == 0 || strcmp(name, "cpu.reference") == 0) {
            check((here[0] != '\0') == (strcmp(name, "cpu.fast") == 0), "%s: \"%s\"", name, here);
            told++;
        }
    }
    assert_int_equal(told, 2);
    assert_string_equal(weft_strategy_here(count), "");
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_string_equal(weft_strategy_here(outside[i]), "");
}

/* That WEFT_ISA is wrong is no failure of who asks. */
static void what_strategies_lack_here(void **state) {
    char last[256];
    int count = 0;
    (void)state;
    setenv("WEFT_ISA", "nonsense", 1);
    assert_int_equal(weft_forward(NULL, NULL, NULL, NULL, NULL), WEFT_BAD_ARGUMENT);
    snprintf(last, sizeof last, "%s", weft_last_error());
    for (; weft_strategy_name(count) != NULL; count++) {
        const char *here = weft_strategy_here(count);
        assert_string_equal(weft_last_error(), last);
        check(here != weft_last_error(), "%s: the text of the last error",
              weft_strategy_name(count));
        check(strcmp(weft_strategy_name(count), "cpu.fast") != 0 || here[0] != '\0',
              "cpu.fast lacks nothing");
    }
    unsetenv("WEFT_ISA");
    assert_true(count > 0);
}

static void status_texts(void **state) {
    (void)state;
    assert_string_equal(weft_status_string(WEFT_OK), "WEFT_OK");
    assert_string_equal(weft_status_string(WEFT_BAD_ARGUMENT), "WEFT_BAD_ARGUMENT");
    assert_string_equal(weft_status_string(WEFT_UNSUPPORTED), "WEFT_UNSUPPORTED");
    assert_string_equal(weft_status_string(WEFT_NO_MEMORY), "WEFT_NO_MEMORY");
    assert_string_equal(weft_status_string(WEFT_NO_DEVICE), "WEFT_NO_DEVICE");
    assert_string_equal(weft_status_string(WEFT_DEVICE_FAILED), "WEFT_DEVICE_FAILED");
    assert_string_equal(weft_status_string(WEFT_BAD_DATA), "WEFT_BAD_DATA");
    assert_non_null(weft_status_string((weft_status)99));
}

/* The project's, which the header must not fall behind. */
static void version_is_three_numbers(void **state) {
    (void)state;
    int major, minor, patch, end = 0;
    assert_int_equal(sscanf(weft_version(), "%d.%d.%d%n", &major, &minor, &patch, &end), 3);
    assert_int_equal(end, (int)strlen(weft_version()));
    assert_string_equal(weft_version(), WEFT_TEST_VERSION);
    assert_int_equal(major * 10000 + minor * 100 + patch, WEFT_VERSION_NUMBER);
}

/* A fresh thread has no error; its failure stays its own. */
static void *fail_in_a_thread(void *initial_was_empty) {
    weft_plan *plan;
    weft_desc d = good();
    *(int *)initial_was_empty = weft_last_error()[0] == 0;
    d.width = 0;
    weft_plan_create(&plan, &d);
    *(int *)initial_was_empty &= strstr(weft_last_error(), "width 0") != NULL;
    return NULL;
}

static void errors_are_per_thread(void **state) {
    (void)state;
    pthread_t thread;
    int right = 0;
    REFUSE(height, 0, "height 0");
    assert_int_equal(pthread_create(&thread, NULL, fail_in_a_thread, &right), 0);
    pthread_join(thread, NULL);
    assert_true(right);
    assert_non_null(strstr(weft_last_error(), "height 0"));
    accept(good());
    assert_non_null(
        strstr(weft_last_error(), "height 0")); /* the last failure, not the last call */
}

/* A plan, and both ways. */
static void *transform(void *desc) {
    const weft_desc *d = desc;
    weft_plan *plan;
    void *image = calloc(d->height * d->width, sizeof(double));
    void *spectrum = calloc(d->height * d->width, sizeof(double));
    weft_status status = weft_plan_create(&plan, d);
    if (status == WEFT_OK) {
        weft_forward_host(plan, image, spectrum);
        status = weft_inverse_host(plan, spectrum, image);
        weft_plan_destroy(plan);
    }
    free(image);
    free(spectrum);
    return status == WEFT_OK ? desc : NULL;
}

/* The least that weft.h says a calling thread needs. */
static void small_stacks(void **state) {
    (void)state;
    enum { STACK = 64 << 10 };
    static const size_t sizes[][2] = {{1, 1}, {97, 32}, {113, 127}, {360, 360}, {17, 2039}};
    static const char *const strategies[] = {"cpu.reference", "cpu.fast"};
    if (getenv("WEFT_TEST_SANITIZED") != NULL) {
        skip_because("sanitizers make frames larger");
    }
    for (size_t i = 0; i < 8 * sizeof sizes / sizeof *sizes; i++) {
        weft_desc d = {.height = sizes[i / 8][0],
                       .width = sizes[i / 8][1],
                       .strategy = strategies[i % 2],
                       .precision = i / 2 % 2 ? WEFT_F64 : WEFT_F32,
                       .threads = i / 4 % 2 ? 2 : 1};
        pthread_attr_t attributes;
        pthread_t thread;
        void *is_right = NULL;
        pthread_attr_init(&attributes);
        assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
        assert_int_equal(pthread_create(&thread, &attributes, transform, &d), 0);
        pthread_join(thread, &is_right);
        pthread_attr_destroy(&attributes);
        check(is_right != NULL, "%s %zux%zu", d.strategy, d.height, d.width);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_arguments),
        cmocka_unit_test(zero_sizes),
        cmocka_unit_test(enums_out_of_range),
        cmocka_unit_test(negative_numbers),
        cmocka_unit_test(reserved_fields),
        cmocka_unit_test(pitches),
        cmocka_unit_test(strides),
        cmocka_unit_test(sizes_that_overflow),
        cmocka_unit_test(both_sides_of_the_limit),
        cmocka_unit_test(unknown_strategies),
        cmocka_unit_test(endless_name),
        cmocka_unit_test(cuda_without_a_gpu),
        cmocka_unit_test(no_such_device),
        cmocka_unit_test(choosing),
        cmocka_unit_test(anything_runs),
        cmocka_unit_test(names_outlive_plans_and_descriptions),
        cmocka_unit_test(table_of_names),
        cmocka_unit_test(what_strategies_use_here),
        cmocka_unit_test(what_strategies_lack_here),
        cmocka_unit_test(status_texts),
        cmocka_unit_test(version_is_three_numbers),
        cmocka_unit_test(errors_are_per_thread),
        cmocka_unit_test(small_stacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
