/* SPDX-License-Identifier: MIT
 * How many samples a bench takes of fast and of slow executions, and what it says of them.
 */
#include "bench/samples.h"
#include "expect.h"

static void what_takes_long_gets_fewer_samples(void **state) {
    (void)state;
    assert_int_equal(samples_to_take(100, 15, 5), 15);
    assert_int_equal(samples_to_take(200e3, 15, 5), 15);
    assert_int_equal(samples_to_take(400e3, 15, 5), 7);
    assert_int_equal(samples_to_take(1e9, 15, 5), 5);
    assert_int_equal(samples_to_take(1e9, 3, 5), 3);
    assert_int_equal(samples_to_take(1e9, 15, 0), 15);
}

static void a_sample_outlasts_the_clock(void **state) {
    (void)state;
    assert_int_equal(executions_per_sample(2000, 1000), 1);
    assert_int_equal(executions_per_sample(300, 1000), 4);
    assert_int_equal(executions_per_sample(0, 1000), 2000);
}

static void least_middle_and_nearly_largest(void **state) {
    const double even[] = {4, 1, 3, 2}, one[] = {7};
    sample_summary s;
    (void)state;
    assert_int_equal(samples_summarize(&s, even, 4), WEFT_OK);
    assert_true(s.min_us == 1 && s.median_us == 2.5 && s.p95_us == 4);
    assert_int_equal(samples_summarize(&s, one, 1), WEFT_OK);
    assert_true(s.min_us == 7 && s.median_us == 7 && s.p95_us == 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_takes_long_gets_fewer_samples),
                                       cmocka_unit_test(a_sample_outlasts_the_clock),
                                       cmocka_unit_test(least_middle_and_nearly_largest)};
    return cmocka_run_group_tests_name("samples", tests, NULL, NULL);
}
