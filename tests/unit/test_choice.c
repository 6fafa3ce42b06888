/* SPDX-License-Identifier: MIT
 * The edges of each row of choice.def: from the fewest images to the most its strategy goes before
 * all others, and beside them, in another size or precision, it does not.
 */
#include "choose.h"
#include "expect.h"

typedef struct choice_row {
    const char *strategy;
    weft_precision precision;
    size_t height, width, least_batch, most_batch;
} choice_row;

static const choice_row rows[] = {
#include "choice.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static problem of_row(const choice_row *row, size_t batch) {
    return (problem){
        .height = row->height, .width = row->width, .batch = batch, .precision = row->precision};
}

static void prefers(const choice_row *row, size_t batch, int expected) {
    problem p = of_row(row, batch);
    check(choice_prefers(row->strategy, &p) == expected, "%s, %zu images of %zux%zu: not %d",
          row->strategy, batch, row->height, row->width, expected);
}

static void edges(void **state) {
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        prefers(&rows[i], rows[i].least_batch, 1);
        prefers(&rows[i], rows[i].most_batch, 1);
        prefers(&rows[i], rows[i].least_batch - 1, 0);
        if (rows[i].most_batch < SIZE_MAX) {
            prefers(&rows[i], rows[i].most_batch + 1, 0);
        }
    }
}

static void others(void **state) {
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        problem p = of_row(&rows[i], rows[i].least_batch);
        assert_false(choice_prefers("cuda.nothing", &p));
        p.width *= 2;
        assert_false(choice_prefers(rows[i].strategy, &p));
        p = of_row(&rows[i], rows[i].least_batch);
        p.height *= 2;
        assert_false(choice_prefers(rows[i].strategy, &p));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges), cmocka_unit_test(others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
