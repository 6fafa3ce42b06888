/* SPDX-License-Identifier: MIT
 * Threads that cannot be started: under limits of address space and of a user's processes a
 * transform gives the right bits on as many threads as there can be, or WEFT_NO_MEMORY where there
 * is no memory, prints nothing and never ends the process. Each limit is set in a process of its
 * own, in which another user of OpenMP may let its threads go.
 */
#define _DEFAULT_SOURCE /* setgroups() */

#include <grp.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "weft.h"

enum { SIDE = 256, MANY = 12, FEW = 3, ROUNDS = 3, CALLERS = 3 };
enum { FINE, WRONG_BITS, WRONG_STATUS, WRONG_COUNT, NO_LIMIT };

/* What the limit leaves. */
static struct {
    int enough_memory;
    size_t threads; /* 0: not known */
} there_is;

static float image[SIDE * SIDE], right[SIDE * SIDE];

/* ---- what is done under a limit ----------------------------------------------------------------
 */

static weft_status transform(int threads, float *spectrum) {
    weft_plan *plan;
    weft_desc d = {.height = SIDE, .width = SIDE, .strategy = "cpu.fast", .threads = threads};
    weft_status status = weft_plan_create(&plan, &d);
    if (status == WEFT_OK)
        status = weft_forward_host(plan, image, spectrum);
    weft_plan_destroy(plan);
    return status;
}

static int try_transform(int threads) {
    float *spectrum = malloc(sizeof image);
    int result = FINE;
    weft_status status = spectrum != NULL ? transform(threads, spectrum) : WEFT_NO_MEMORY;
    if (status != WEFT_OK)
        result = status == WEFT_NO_MEMORY && !there_is.enough_memory ? FINE : WRONG_STATUS;
    else if (memcmp(spectrum, right, sizeof right) != 0)
        result = WRONG_BITS;
    free(spectrum);
    return result;
}

/* Teams that grow, shrink and grow again. */
static int try_transforms(void) {
    int result = FINE;
    for (int i = 0; i < 2 * ROUNDS && result == FINE; i++)
        result = try_transform(i % 2 == 0 ? MANY : FEW);
    return result;
}

static size_t count_threads(void) {
    enum { LINKS_OF_FOLDER = 2 };
    struct stat threads;
    return stat("/proc/self/task", &threads) == 0 ? threads.st_nlink - LINKS_OF_FOLDER : 0;
}

/* By the largest team that there can be, after which OpenMP keeps its threads. */
static int try_and_count(void) {
    size_t most = there_is.threads < MANY ? there_is.threads : MANY;
    int result = try_transform(MANY);
    return result == FINE && count_threads() != most ? WRONG_COUNT : result;
}

/* A small team of another user of OpenMP, after which the other threads end. */
static void let_threads_go(void) {
    enum { LEFT = 2, MOMENTS = 5000 };
#pragma omp parallel num_threads(LEFT)
    (void)omp_get_thread_num();
    for (int i = 0; i < MOMENTS && count_threads() > LEFT; i++)
        usleep(1000);
}

static int try_beside_another_user(void) {
    int result = FINE;
    for (int i = 0; i < ROUNDS && result == FINE; i++) {
        result = try_and_count();
        let_threads_go();
    }
    return result;
}

static pthread_mutex_t all_have_started = PTHREAD_MUTEX_INITIALIZER;

static void *try_as_caller(void *given) {
    pthread_mutex_lock(&all_have_started);
    pthread_mutex_unlock(&all_have_started);
    *(int *)given = try_transforms();
    return NULL;
}

/* By several threads that have a team each, as far as these can be started. */
static int try_together(void) {
    pthread_t threads[CALLERS];
    int results[CALLERS], started = 0, result = FINE;
    pthread_mutex_lock(&all_have_started);
    while (started < CALLERS &&
           pthread_create(&threads[started], NULL, try_as_caller, &results[started]) == 0)
        started++;
    pthread_mutex_unlock(&all_have_started);
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        result = results[i] == FINE ? result : results[i];
    }
    return result;
}

/* ---- limits ------------------------------------------------------------------------------------
 */

static int set_limit(int which, size_t limit) {
    const struct rlimit both = {limit, limit};
    return setrlimit(which, &both) == 0;
}

static size_t address_space(void) {
    size_t pages = 0;
    FILE *from = fopen("/proc/self/statm", "r");
    if (from == NULL || fscanf(from, "%zu", &pages) != 1)
        pages = 0;
    if (from != NULL)
        fclose(from);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Root's processes are not limited: it becomes a user who has no others. */
static int limit_processes(size_t limit) {
    enum { NOBODY_ELSE = 54321 };
    if (geteuid() == 0 &&
        (setgroups(0, NULL) != 0 || setgid(NOBODY_ELSE) != 0 || setuid(NOBODY_ELSE) != 0))
        return 0;
    return set_limit(RLIMIT_NPROC, limit);
}

static int limit_address_space(size_t more) {
    return set_limit(RLIMIT_AS, address_space() + more);
}

static int no_limit(size_t value) {
    return value == 0;
}

/* There is room for as many threads as OpenMP has let go, or for fewer. */
static int try_after_another_user(void) {
    int result = try_transform(MANY);
    let_threads_go();
    if (result == FINE && !limit_address_space(0))
        return NO_LIMIT;
    return result == FINE ? try_transforms() : result;
}

/* Anew, so that OpenMP reads its variables; main() sets the limit. */
static const char under_limit[] = "under-limit";
enum { FEW_LARGE_STACKS = 200 << 20 };

static int run_this_program(void) {
    execl("/proc/self/exe", "test_limits", under_limit, (char *)NULL);
    return NO_LIMIT;
}

/* ---- a process for each ------------------------------------------------------------------------
 */

/* Returns what the child returned, or 128 and its signal; *printed is what it wrote. */
static int in_child(int (*limit)(size_t), size_t value, int (*run)(void), char printed[256]) {
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        alarm(60);
        _exit(limit(value) ? run() : NO_LIMIT);
    }
    close(ends[1]);
    ssize_t length = read(ends[0], printed, 255);
    printed[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void hold_limit(const char *what, int (*limit)(size_t), size_t value, int (*run)(void)) {
    char printed[256];
    int result = in_child(limit, value, run, printed);
    if (result == NO_LIMIT)
        skip_because("%s %zu: cannot be set here", what, value);
    check(result == FINE && printed[0] == '\0', "%s %zu: exit %d, printed '%s'", what, value,
          result, printed);
}

static void skip_if_sanitized(void) {
    if (getenv("WEFT_TEST_SANITIZED") != NULL)
        skip_because("a sanitizer takes more address space and threads of its own");
}

static void of_address_space(void **state) {
    enum { ENOUGH = 4 }; /* steps, for plan, image and whatever malloc() takes besides */
    (void)state;
    skip_if_sanitized();
    for (size_t step = 0; step < 40; step++) {
        there_is.enough_memory = step >= ENOUGH;
        hold_limit("RLIMIT_AS, bytes more", limit_address_space, step * 9 << 19, try_transforms);
    }
}

static void of_processes(void **state) {
    (void)state;
    skip_if_sanitized();
    there_is.enough_memory = 1;
    for (size_t most = 1; most <= (geteuid() == 0 ? MANY + 2 : 1); most++) {
        there_is.threads = most;
        hold_limit("RLIMIT_NPROC", limit_processes, most, try_and_count);
        hold_limit("RLIMIT_NPROC of teams", limit_processes, most, try_transforms);
        hold_limit("RLIMIT_NPROC of several callers", limit_processes, most, try_together);
    }
}

static void of_processes_beside_another_user(void **state) {
    (void)state;
    skip_if_sanitized();
    if (geteuid() != 0)
        skip_because(
            "RLIMIT_NPROC counts all processes of a user, and only root becomes one without");
    there_is.enough_memory = 1;
    for (size_t most = 2; most <= MANY + 2; most++) {
        there_is.threads = most;
        hold_limit("RLIMIT_NPROC beside another user of OpenMP", limit_processes, most,
                   try_beside_another_user);
    }
}

static void of_address_space_after_another_user(void **state) {
    (void)state;
    skip_if_sanitized();
    there_is.enough_memory = 0;
    hold_limit("no limit until threads were let go", no_limit, 0, try_after_another_user);
}

/* OpenMP reads it when a program begins. */
static void of_address_space_with_large_stacks(void **state) {
    static const char *const variables[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};
    (void)state;
    skip_if_sanitized();
    there_is.enough_memory = 1;
    for (int i = 0; i < 2; i++) {
        setenv(variables[i], "64M", 1);
        hold_limit(variables[i], no_limit, 0, run_this_program);
        unsetenv(variables[i]);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_address_space),
        cmocka_unit_test(of_processes),
        cmocka_unit_test(of_processes_beside_another_user),
        cmocka_unit_test(of_address_space_after_another_user),
        cmocka_unit_test(of_address_space_with_large_stacks),
    };
    for (int i = 0; i < SIDE * SIDE; i++)
        image[i] = (float)(i * 37 % 101) / 7;
    if (transform(1, right) != WEFT_OK)
        return 2;
    if (argc > 1 && strcmp(argv[1], under_limit) == 0) {
        there_is.enough_memory = 1;
        return limit_address_space(FEW_LARGE_STACKS) ? try_transforms() : NO_LIMIT;
    }
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
