/* SPDX-License-Identifier: MIT
 * Tests over strategies: see suite.h.
 */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "strategy_name.h"

/* cmocka keeps pointers to names and states, so both live here. */
typedef struct entry {
    variant variant;
    const suite_test *test;
    char full_name[FULL_NAME_SIZE], name[FULL_NAME_SIZE + 64];
} entry;

enum { MOST_TESTS = 512 };

static entry entries[MOST_TESTS];
static struct CMUnitTest tests[MOST_TESTS];
static size_t used;

static void run_entry(void **state) {
    const entry *e = *state;
    const char *reason = reason_not_to_run(e->variant.strategy, e->variant.precision);
    if (reason)
        skip_because("%s", reason);
    e->test->run(&e->variant);
}

static void add(const suite_test *test, variant v) {
    if (used == MOST_TESTS)
        abort();
    entry *e = &entries[used];
    *e = (entry){.variant = v, .test = test};
    snprintf(e->full_name, sizeof e->full_name, "%s", v.strategy);
    e->variant.strategy = e->full_name;
    snprintf(e->name, sizeof e->name, "%s %s %s%s%s", test->name, v.strategy,
             precision_name(v.precision), test->per_layout ? " " : "",
             test->per_layout ? layout_name(v.layout) : "");
    tests[used++] =
        (struct CMUnitTest){.name = e->name, .test_func = run_entry, .initial_state = e};
}

static void no_strategies(void **state) {
    (void)state;
    skip_because("this build has no strategy of that kind");
}

/* Called when there is none; cmocka shows each test as skipped. */
static void add_without_strategy(const suite_test *list, size_t count) {
    for (size_t t = 0; t < count; t++)
        tests[used++] = (struct CMUnitTest){.name = list[t].name, .test_func = no_strategies};
}

static void add_named(const suite_test *test, const char *name) {
    int last_layout = test->per_layout ? WEFT_HALF : WEFT_PACKED;
    for (int p = WEFT_F32; p <= WEFT_F64; p++)
        for (int l = WEFT_PACKED; l <= last_layout; l++)
            add(test, (variant){name, (weft_precision)p, (weft_layout)l});
}

static void add_all(const suite_test *test, const char *name) {
    char text[FULL_NAME_SIZE];
    if (!test->every_option) {
        add_named(test, name);
        return;
    }
    for (int i = 0; i < strategy_count; i++) {
        const strategy *s = strategy_table[i].for_precision[WEFT_F32];
        for (int k = 0; strcmp(s->name, name) == 0 && name_combination(text, s, k); k++)
            add_named(test, text);
    }
}

int has_fused(const char *strategy_name) {
    const strategy *s = strategy_of(strategy_name, WEFT_F32);
    return s == NULL || s->has_fused == NULL || s->has_fused();
}

void suite_takes_fused(void) {
    for (int i = 0; i < strategy_count; i++)
        if (!has_fused(strategy_table[i].for_precision[WEFT_F32]->name))
            setenv("WEFT_ISA", "plain", 1);
}

int suite_run(const char *group, const suite_test *list, size_t count) {
    for (size_t t = 0; t < count; t++)
        for (int s = 0; wanted_strategy(s); s++)
            if (!list[t].applies || list[t].applies(wanted_strategy(s)))
                add_all(&list[t], wanted_strategy(s));
    if (used == 0)
        add_without_strategy(list, count);
    return _cmocka_run_group_tests(group, tests, used, NULL, NULL) != 0;
}
