/* SPDX-License-Identifier: MIT
 * Processes that fork: plan, threads and fork in all six orders, the threads Weft's or those of
 * another user of OpenMP. Child and grandchild get the bits of one thread and never hang; a child
 * that was forked beside no threads may have some. Each order has a process of its own, which this
 * program is called for again: threads of one order would be there in the next.
 */
#include <omp.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "weft.h"

enum { SIDE = 256, THREADS = 7, LONGEST = 60 /* seconds */ };
enum { RIGHT, WRONG_BITS, NO_PLAN, THREADS_AFTER_ALL, NO_THREADS };

static const char *const strategies[] = {"cpu.fast", "cpu.report"};
enum { STRATEGIES = 2 };

static float image[SIDE * SIDE], right[STRATEGIES][SIDE * SIDE];

/* ---- one order ---------------------------------------------------------------------------------
 */

static int make_plans(weft_plan **plans, int threads) {
    for (int i = 0; i < STRATEGIES; i++) {
        weft_desc d = {
            .height = SIDE, .width = SIDE, .strategy = strategies[i], .threads = threads};
        if (weft_plan_create(&plans[i], &d) != WEFT_OK)
            return 0;
    }
    return 1;
}

static int has_right_bits(weft_plan *const *plans) {
    static float spectrum[SIDE * SIDE];
    for (int i = 0; i < STRATEGIES; i++)
        if (weft_forward_host(plans[i], image, spectrum) != WEFT_OK ||
            memcmp(spectrum, right[i], sizeof spectrum) != 0)
            return 0;
    return 1;
}

static void make_threads(int are_weft_s) {
    weft_plan *plans[STRATEGIES];
    if (are_weft_s && make_plans(plans, 3)) {
        has_right_bits(plans);
        return;
    }
#pragma omp parallel num_threads(3)
    (void)omp_get_thread_num();
}

static int thread_count(void) {
    struct stat threads;
    return stat("/proc/self/task", &threads) == 0 ? (int)threads.st_nlink - 2 : 0;
}

/* Leaves the parent, which waits for its child and becomes what that became. */
static void go_on_in_child(void) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(LONGEST);
        return;
    }
    waitpid(child, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static int run_order(const char *order, int are_weft_s) {
    weft_plan *plans[STRATEGIES];
    int is_beside_threads = strchr(order, 't') < strchr(order, 'f');
    for (const char *step = order; *step != '\0'; step++) {
        if (*step == 'p' && !make_plans(plans, THREADS))
            return NO_PLAN;
        if (*step == 't')
            make_threads(are_weft_s);
        if (*step == 'f')
            go_on_in_child();
    }
    if (!has_right_bits(plans))
        return WRONG_BITS;
    if (getenv("WEFT_TEST_SANITIZED") == NULL) { /* else there are threads of the sanitizer */
        if (is_beside_threads && thread_count() > 1)
            return THREADS_AFTER_ALL;
        if (!is_beside_threads && thread_count() == 1)
            return NO_THREADS;
    }
    go_on_in_child();
    return has_right_bits(plans) ? RIGHT : WRONG_BITS;
}

/* On one thread, which makes none. */
static int know_what_is_right(void) {
    weft_plan *plans[STRATEGIES];
    for (int i = 0; i < SIDE * SIDE; i++)
        image[i] = (float)(i * 37 % 101) / 7;
    if (!make_plans(plans, 1))
        return 0;
    for (int i = 0; i < STRATEGIES; i++)
        weft_forward_host(plans[i], image, right[i]);
    return 1;
}

/* ---- all of them -------------------------------------------------------------------------------
 */

extern char **environ;
static const char *program;

static int run_in_process(const char *order, const char *whose) {
    char *const arguments[] = {(char *)program, (char *)order, (char *)whose, NULL};
    pid_t child;
    int status;
    assert_int_equal(posix_spawn(&child, program, NULL, NULL, arguments, environ), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void hold_orders(const char *whose) {
    static const char *const orders[] = {"ptf", "pft", "tpf", "tfp", "fpt", "ftp"};
    static const char *const words[] = {"right", "other bits", "no plan",
                                        "threads of OpenMP after a fork beside threads",
                                        "one thread after a fork beside none"};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        int result = run_in_process(orders[i], whose);
        check(result == RIGHT, "%s, threads of %s: %s (%d)", orders[i], whose,
              result <= NO_THREADS ? words[result] : "ended by a signal", result);
    }
}

static void threads_of_weft(void **state) {
    (void)state;
    hold_orders("weft");
}

static void threads_of_another_user(void **state) {
    (void)state;
    hold_orders("others");
}

int main(int argc, char **argv) {
    if (argc == 3) /* what OpenMP does when a process exits is not for one that was forked */
        _exit(know_what_is_right() ? run_order(argv[1], strcmp(argv[2], "weft") == 0) : NO_PLAN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_weft),
        cmocka_unit_test(threads_of_another_user),
    };
    program = argv[0];
    return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
