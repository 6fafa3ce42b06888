/* SPDX-License-Identifier: MIT
 * Threads that cannot be started: under limits of address space and of a user's processes a
 * transform gives the right bits or WEFT_NO_MEMORY, prints nothing and never ends the process. Each
 * limit is set in a process of its own.
 */
#define _DEFAULT_SOURCE /* setgroups() */

#include <grp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "weft.h"

enum { SIDE = 256, MANY = 16, FEW = 3, ROUNDS = 3, CALLERS = 3 };
enum { FINE, WRONG_BITS, WRONG_STATUS, NO_LIMIT };

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

/* Teams that grow, shrink and grow again. */
static int try_transforms(void) {
    float *spectrum = malloc(sizeof image);
    int result = FINE;
    for (int i = 0; i < 2 * ROUNDS && spectrum != NULL && result == FINE; i++) {
        weft_status status = transform(i % 2 == 0 ? MANY : FEW, spectrum);
        if (status != WEFT_OK)
            result = status == WEFT_NO_MEMORY ? FINE : WRONG_STATUS;
        else if (memcmp(spectrum, right, sizeof right) != 0)
            result = WRONG_BITS;
    }
    free(spectrum);
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
    (void)state;
    skip_if_sanitized();
    for (size_t step = 0; step < 40; step++)
        hold_limit("RLIMIT_AS, bytes more", limit_address_space, step * 9 << 19, try_transforms);
}

static void of_processes(void **state) {
    (void)state;
    skip_if_sanitized();
    for (size_t most = 1; most <= (geteuid() == 0 ? MANY + 2 : 1); most++) {
        hold_limit("RLIMIT_NPROC", limit_processes, most, try_transforms);
        hold_limit("RLIMIT_NPROC of several callers", limit_processes, most, try_together);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_address_space),
        cmocka_unit_test(of_processes),
    };
    for (int i = 0; i < SIDE * SIDE; i++)
        image[i] = (float)(i * 37 % 101) / 7;
    if (transform(1, right) != WEFT_OK)
        return 2;
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
