/* SPDX-License-Identifier: MIT
 * What plans say of themselves: a line on the problem, lines of passes whose factors multiply to
 * their lengths, and a line on the workspace; of every strategy, where it runs. And growing texts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "text.h"
#include "weft.h"

/* The description of a plan, to be freed; NULL where the strategy does not take the problem. */
static char *described(const weft_desc *d) {
    weft_plan *plan;
    if (weft_plan_create(&plan, d) != WEFT_OK) {
        return NULL;
    }
    char *copy = strdup(weft_plan_describe(plan));
    weft_plan_destroy(plan);
    return copy;
}

static void says(const weft_desc *d, const char *words) {
    char *description = described(d);
    assert_non_null(description);
    check(strstr(description, words) != NULL, "no \"%s\" in:\n%s", words, description);
    free(description);
}

/* "1080 = 15 9 8" in a line, if there is such a thing. */
static void factors_multiply(const char *line) {
    const char *equals = strchr(line, '=');
    if (equals == NULL) {
        return;
    }
    const char *digits = equals - 1;
    while (digits[-1] >= '0' && digits[-1] <= '9') {
        digits--;
    }
    size_t length = strtoull(digits, NULL, 10), product = 1;
    char *end = (char *)equals + 1, *next;
    for (size_t factor; (factor = strtoull(end, &next, 10)) != 0 && next != end; end = next) {
        product *= factor;
    }
    check(product == length && length > 0, "%zu is not %zu: %s", product, length, line);
}

static void is_well_formed(const char *description, const weft_desc *d) {
    char first[64], *copy = strdup(description), *rest = copy, *line, *last = NULL;
    int lines = 0;
    assert_non_null(copy);
    check(description[strlen(description) - 1] == '\n', "no newline at the end:\n%s", description);
    snprintf(first, sizeof first, "%zux%zu %s, packed, %s", d->height, d->width,
             d->precision == WEFT_F64 ? "f64" : "f32", d->strategy);
    for (; (line = strtok_r(rest, "\n", &rest)) != NULL; lines++, last = line) {
        check(strncmp(line, lines == 0 ? first : "  ", lines == 0 ? strlen(first) : 2) == 0,
              "line %d: %s", lines, line);
        factors_multiply(line);
    }
    check(lines >= 2 && strncmp(last, "  workspace ", 12) == 0, "the last line:\n%s", description);
    free(copy);
}

static void all_strategies(void **state) {
    (void)state;
    static const size_t sides[][2] = {{1, 1}, {64, 64}, {16, 256}, {1080, 1920}, {131, 2}};
    for (int i = 0; weft_strategy_name(i) != NULL; i++) {
        for (size_t s = 0; s < 2 * sizeof sides / sizeof *sides; s++) {
            const weft_desc d = {.height = sides[s / 2][0],
                                 .width = sides[s / 2][1],
                                 .precision = s % 2 ? WEFT_F64 : WEFT_F32,
                                 .strategy = weft_strategy_name(i)};
            char *description = described(&d);
            if (description != NULL) {
                is_well_formed(description, &d);
            }
            free(description);
        }
    }
}

static void engines(void **state) {
    (void)state;
    weft_desc d = {.height = 1080, .width = 1366, .strategy = "cpu.fast", .threads = 1};
    says(&d, "  columns   1080 = ");
    says(&d, " mixed ");
    says(&d, "  rows      1366 in ");
    says(&d, " bluestein ");
    says(&d, " the last one staged,");
    d.height = d.width = 256;
    says(&d, "  columns   256 = 16 16");
    says(&d, " power ");
    d.strategy = "cpu.report";
    says(&d, "  rows      256 = 2 2 2 2 2 2 2 2 ");
    d.strategy = "cpu.reference";
    says(&d, "  fold ");
}

static void problems(void **state) {
    (void)state;
    weft_desc d = {.height = 16, .width = 32, .batch = 3, .threads = 2};
    d.strategy = "cpu.fast";
    says(&d, "16x32 f32, packed, batch of 3, cpu.fast on ");
    says(&d, "; 2.0 times the bytes of copy\n");
    says(&d, " 2 images concurrently ");
    says(&d, " 6.0 KiB in, 6.0 KiB out\n");
    d.pixel = WEFT_PIXEL_U16;
    d.layout = WEFT_HALF;
    says(&d, "16x32 f32, u16 pixels, half, batch of 3, cpu.fast on ");
    says(&d, " staged,");
    assert_string_equal(weft_plan_describe(NULL), "");
}

static void texts_grow(void **state) {
    (void)state;
    text t = {0};
    for (int i = 0; i < 1000; i++) {
        text_add(&t, "%d,", i % 10);
        assert_int_equal(t.used, 2 * (size_t)(i + 1));
        assert_true(t.used < t.size);
    }
    text_add(&t, "%s", "");
    assert_int_equal(strlen(t.bytes), 2000);
    assert_int_equal(strncmp(t.bytes + 1990, "5,6,7,8,9,", 10), 0);
    assert_false(t.has_failed);
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_strategies),
        cmocka_unit_test(engines),
        cmocka_unit_test(problems),
        cmocka_unit_test(texts_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
