/* SPDX-License-Identifier: MIT
 * When teams are given up and tried again, by clocks that this program sets: the linker turns
 * clock_gettime and getrusage into __wrap_clock_gettime and __wrap_getrusage here. What a thread
 * has learnt is its own, so each test runs on a new one.
 */
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

#include "expect.h"
#include "worth.h"

int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_getrusage(int who, struct rusage *used);

static int64_t time_now, core_time; /* ns */
static long preempted;

int __wrap_clock_gettime(clockid_t clock, struct timespec *t) {
    int64_t ns = clock == CLOCK_MONOTONIC ? time_now : core_time;
    *t = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    return 0;
}

int __wrap_getrusage(int who, struct rusage *used) {
    (void)who;
    *used = (struct rusage){.ru_nivcsw = preempted};
    return 0;
}

/* 2 ms of work, in so many microseconds: a part of it by this thread, or all where it is alone.
 * Returns whether there was a team. */
static int work_with(double own, int took_together, int took_alone) {
    work_times times;
    int is_team = team_pays(&times);
    work_begins(&times);
    core_time += is_team ? (int64_t)(2000000 * own) : 2000000;
    time_now += 1000 * (is_team ? took_together : took_alone);
    work_ends(&times);
    learn_from_work(&times, is_team, is_team ? own : 1);
    return is_team;
}

static int work(int took_together, int took_alone) {
    return work_with(0.5, took_together, took_alone);
}

static void expect_teams(int took, int count) {
    for (int i = 0; i < count; i++)
        assert_true(work(took, 2000));
}

/* How many ms the caller is alone, when nobody slows it down. */
static int64_t rest(void) {
    int64_t before = time_now;
    while (!work(1100, 2000)) {
    }
    return (time_now - before) / 1000000;
}

static void teams_that_gain_go_on(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        preempted++;
        expect_teams(1100, 1);
    }
}

static void a_bad_team_is_forgiven(void **state) {
    (void)state;
    preempted++;
    expect_teams(20000, 1);
    expect_teams(1100, 40);
}

static void rests_double(void **state) {
    static const int rests[] = {20, 40, 80, 160, 320, 640, 1000, 1000};
    (void)state;
    for (int i = 0; i < 8; i++) {
        preempted++;
        expect_teams(60000, 1);
        int64_t ms = rest() - 1; /* and the team after it */
        check(ms >= rests[i] && ms < rests[i] + 2, "rest %d: %d ms", i, (int)ms);
    }
}

static void teams_that_gain_make_rests_short_again(void **state) {
    (void)state;
    expect_teams(1100, 40);
    preempted++;
    expect_teams(60000, 1);
    int64_t ms = rest() - 1;
    check(ms >= 20 && ms < 22, "%d ms", (int)ms);
}

/* Threads may wait for one another because one has more to do than the others. */
static void slow_teams_on_cores_of_their_own_go_on(void **state) {
    (void)state;
    expect_teams(6000, 100);
}

/* A caller that would take 6 ms alone has teams that take 4. */
static void teams_are_held_to_what_the_caller_takes(void **state) {
    (void)state;
    int teams = 0;
    for (int i = 0; i < 200; i++) {
        preempted++;
        teams += work(4000, 6000);
    }
    check(teams > 150, "%d teams of 200", teams);
}

/* The others never had a core: this thread did all, and then waited for them. */
static void teams_that_are_only_waited_for_are_given_up(void **state) {
    (void)state;
    int teams = 0;
    for (int i = 0; i < 1000; i++) {
        preempted++;
        teams += work_with(1, 20000, 2000);
    }
    check(teams < 50, "%d teams of 1000", teams);
}

/* The first team, which nobody judges yet, and the test. */
static void *run_on_its_own(void *given) {
    const struct CMUnitTest tests[] = {*(const struct CMUnitTest *)given};
    work(1100, 2000);
    int failed = cmocka_run_group_tests_name("worth", tests, NULL, NULL);
    return failed == 0 ? NULL : given;
}

int main(void) {
    struct CMUnitTest tests[] = {
        cmocka_unit_test(teams_that_gain_go_on),
        cmocka_unit_test(a_bad_team_is_forgiven),
        cmocka_unit_test(rests_double),
        cmocka_unit_test(teams_that_gain_make_rests_short_again),
        cmocka_unit_test(slow_teams_on_cores_of_their_own_go_on),
        cmocka_unit_test(teams_are_held_to_what_the_caller_takes),
        cmocka_unit_test(teams_that_are_only_waited_for_are_given_up),
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        pthread_t thread;
        void *result = &tests[i];
        if (pthread_create(&thread, NULL, run_on_its_own, &tests[i]) == 0)
            pthread_join(thread, &result);
        failed += result != NULL;
    }
    return failed;
}
