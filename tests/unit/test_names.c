/* SPDX-License-Identifier: MIT
 * Options in the names of strategies: what a strategy offers is taken, everything else is refused
 * with a text that names it, and the name that comes out says what was chosen.
 */
#include <string.h>

#include "expect.h"
#include "strategy_name.h"

static const strategy offers = {.name = "cuda.some",
                                .options = "twiddle=lut|compute real=zero|tangle|both"};
static const strategy plain = {.name = "cpu.plain"};

static void takes(const strategy *s, const char *name, int first, int second, const char *full) {
    int choice[MOST_OPTIONS];
    char text[FULL_NAME_SIZE];
    check(name_choices(name, s, choice) == WEFT_OK, "%s: %s", name, weft_last_error());
    check(choice[0] == first && choice[1] == second, "%s: %d %d", name, choice[0], choice[1]);
    name_write(text, s, choice);
    assert_string_equal(text, full);
}

static void refuses(const strategy *s, const char *name, const char *words) {
    int choice[MOST_OPTIONS];
    assert_int_equal(name_choices(name, s, choice), WEFT_BAD_ARGUMENT);
    check(strstr(weft_last_error(), words) != NULL, "%s: %s", name, weft_last_error());
}

static void chosen(void **state) {
    (void)state;
    takes(&offers, NULL, 0, 0, "cuda.some");
    takes(&offers, "cuda.some", 0, 0, "cuda.some");
    takes(&offers, "cuda.some:twiddle=lut", 0, 0, "cuda.some");
    takes(&offers, "cuda.some:twiddle=compute", 1, 0, "cuda.some:twiddle=compute");
    takes(&offers, "cuda.some:real=tangle", 0, 1, "cuda.some:real=tangle");
    takes(&offers, "cuda.some:real=both:twiddle=compute", 1, 2,
          "cuda.some:twiddle=compute:real=both");
    takes(&offers, "cuda.some:twiddle=compute,real=zero", 1, 0, "cuda.some:twiddle=compute");
    takes(&plain, "cpu.plain", 0, 0, "cpu.plain");
}

static void refused(void **state) {
    (void)state;
    refuses(&offers, "cuda.some:", "option \"\": unknown; there are twiddle=lut|compute real=");
    refuses(&offers, "cuda.some:twiddle", "option \"twiddle\"");
    refuses(&offers, "cuda.some:twiddle=", "option \"twiddle=\"");
    refuses(&offers, "cuda.some:twiddle=comput", "option \"twiddle=comput\"");
    refuses(&offers, "cuda.some:twiddle=computed", "option \"twiddle=computed\"");
    refuses(&offers, "cuda.some:twiddle=lut|compute", "option \"twiddle=lut|compute\"");
    refuses(&offers, "cuda.some:twiddle=tangle", "option \"twiddle=tangle\"");
    refuses(&offers, "cuda.some:fast=1", "option \"fast=1\"");
    refuses(&offers, "cuda.some:real=zero:fast=1", "option \"fast=1\"");
    refuses(&offers, "cuda.some:real=zero:", "option \"\"");
    refuses(&offers, "cuda.some:twiddle=lut:twiddle=compute",
            "cuda.some: option \"twiddle=compute\": given twice");
    refuses(&offers, "cuda.some:real=both:twiddle=lut,real=both",
            "option \"real=both\": given twice");
    refuses(&plain, "cpu.plain:real=zero", "option \"real=zero\": unknown; it has no options");
}

static void combined(void **state) {
    (void)state;
    char text[FULL_NAME_SIZE];
    assert_true(name_combination(text, &offers, 0));
    assert_string_equal(text, "cuda.some");
    assert_true(name_combination(text, &offers, 1));
    assert_string_equal(text, "cuda.some:twiddle=compute");
    assert_true(name_combination(text, &offers, 5));
    assert_string_equal(text, "cuda.some:twiddle=compute:real=both");
    assert_false(name_combination(text, &offers, 6));
    assert_true(name_combination(text, &plain, 0));
    assert_string_equal(text, "cpu.plain");
    assert_false(name_combination(text, &plain, 1));
}

static void recognised(void **state) {
    (void)state;
    assert_true(name_is("cuda.some", "cuda.some"));
    assert_true(name_is("cuda.some:real=zero", "cuda.some"));
    assert_false(name_is("cuda.some", "cuda.something"));
    assert_false(name_is("cuda.something", "cuda.some"));
}

static void from_a_plan(void **state) {
    (void)state;
    weft_plan *plan = NULL;
    weft_desc d = {.height = 4, .width = 4, .strategy = "cpu.reference:real=zero"};
    assert_int_equal(weft_plan_create(&plan, &d), WEFT_BAD_ARGUMENT);
    assert_null(plan);
    check(strstr(weft_last_error(), "cpu.reference: option \"real=zero\"") != NULL, "%s",
          weft_last_error());
    d.strategy = "cpu:real=zero";
    assert_int_equal(weft_plan_create(&plan, &d), WEFT_BAD_ARGUMENT);
    check(strstr(weft_last_error(), "strategy \"cpu:real=zero\": unknown") != NULL, "%s",
          weft_last_error());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen),     cmocka_unit_test(refused),     cmocka_unit_test(combined),
        cmocka_unit_test(recognised), cmocka_unit_test(from_a_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
