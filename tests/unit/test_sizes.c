/* SPDX-License-Identifier: MIT
 * weft_next_fast_size against brute force, and at the end of size_t.
 */
#include "expect.h"
#include "weft.h"

static size_t without_small_primes(size_t n) {
    static const size_t primes[] = {2, 3, 5, 7};
    for (size_t i = 0; i < 4; i++)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n;
}

static size_t next_by_search(size_t n) {
    while (without_small_primes(n) != 1)
        n++;
    return n;
}

static void matches_brute_force(void **state) {
    (void)state;
    for (size_t n = 1; n <= 20000; n++)
        check(weft_next_fast_size(n) == next_by_search(n), "%zu: %zu, should be %zu", n,
              weft_next_fast_size(n), next_by_search(n));
}

static void zero_gives_one(void **state) {
    (void)state;
    assert_int_equal(weft_next_fast_size(0), 1);
}

static void known_large_sizes(void **state) {
    (void)state;
    assert_int_equal(weft_next_fast_size(1080), 1080);
    assert_int_equal(weft_next_fast_size(2039), 2048);
    assert_int_equal(weft_next_fast_size(1000003), next_by_search(1000003));
    assert_int_equal(weft_next_fast_size(SIZE_MAX / 2 + 1), SIZE_MAX / 2 + 1);
}

/* The largest 7-smooth number in size_t: it is itself, and past it there is none. */
static void end_of_size_t(void **state) {
    (void)state;
    size_t largest = 0;
    for (size_t sevens = 1;; sevens *= 7) {
        for (size_t fives = sevens;; fives *= 5) {
            for (size_t threes = fives;; threes *= 3) {
                size_t n = threes;
                while (n <= SIZE_MAX / 2)
                    n *= 2;
                largest = n > largest ? n : largest;
                if (threes > SIZE_MAX / 3)
                    break;
            }
            if (fives > SIZE_MAX / 5)
                break;
        }
        if (sevens > SIZE_MAX / 7)
            break;
    }
    assert_true(weft_next_fast_size(largest) == largest);
    assert_true(weft_next_fast_size(largest - 1) == largest);
    assert_true(weft_next_fast_size(largest + 1) == 0);
    assert_true(weft_next_fast_size(SIZE_MAX) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_brute_force),
        cmocka_unit_test(zero_gives_one),
        cmocka_unit_test(known_large_sizes),
        cmocka_unit_test(end_of_size_t),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
