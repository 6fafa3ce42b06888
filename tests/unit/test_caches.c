/* SPDX-License-Identifier: MIT
 * Sizes of caches out of a folder like that of Linux: what it says, and what a CPU is taken to have
 * where it says nothing of use; and what follows of them for images of a size.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expect.h"
#include "fast/caches.h"
#include "fast/tuning.h"

enum { KIB = 1024, MIB = 1024 * KIB, COMMON_SECOND = MIB, COMMON_LAST = 32 * MIB };

/* What is in the files of one cache; NULL: no such file. */
typedef struct cache_files {
    const char *level, *size;
} cache_files;

static const char *const names[] = {"level", "size"};

static const char *text_of(const cache_files *c, int file) {
    return file == 0 ? c->level : c->size;
}

static void write_files(const char *folder, const cache_files *caches, int count) {
    char path[256];
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/index%d", folder, i);
        assert_int_equal(mkdir(path, 0700), 0);
        for (int file = 0; file < 2; file++) {
            if (text_of(&caches[i], file) == NULL)
                continue;
            snprintf(path, sizeof path, "%s/index%d/%s", folder, i, names[file]);
            FILE *to = fopen(path, "w");
            assert_non_null(to);
            fputs(text_of(&caches[i], file), to);
            assert_int_equal(fclose(to), 0);
        }
    }
}

static void remove_files(const char *folder, int count) {
    char path[256];
    for (int i = 0; i < count; i++) {
        for (int file = 0; file < 2; file++) {
            snprintf(path, sizeof path, "%s/index%d/%s", folder, i, names[file]);
            unlink(path);
        }
        snprintf(path, sizeof path, "%s/index%d", folder, i);
        assert_int_equal(rmdir(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void says(const cache_files *caches, int count, size_t second, size_t last) {
    char folder[] = "/tmp/weft-caches-XXXXXX";
    assert_non_null(mkdtemp(folder));
    write_files(folder, caches, count);
    cpu_caches found = caches_in(folder);
    remove_files(folder, count);
    check(found.second == second, "second level: %zu, not %zu", found.second, second);
    check(found.last == last, "last level: %zu, not %zu", found.last, last);
}

static void as_linux_has_them(void **state) {
    (void)state;
    const cache_files three[] = {
        {"1\n", "32K\n"}, {"1\n", "32K\n"}, {"2\n", "512K\n"}, {"3\n", "32768K\n"}};
    says(three, 4, 512 * KIB, (size_t)32 * MIB);
    /* Two levels: the second one is the last. */
    says(three, 3, 512 * KIB, 512 * KIB);
    const cache_files fourth[] = {
        {"4\n", "131072K\n"}, {"2\n", "2048K\n"}, {"3\n", "36864K\n"}, {"1\n", "48K\n"}};
    says(fourth, 4, (size_t)2 * MIB, (size_t)128 * MIB);
    const cache_files bytes[] = {{"2", "1048576"}, {"3", "16777216"}};
    says(bytes, 2, MIB, (size_t)16 * MIB);
}

static void nothing_of_use(void **state) {
    (void)state;
    says(NULL, 0, COMMON_SECOND, COMMON_LAST);
    const cache_files only_first[] = {{"1\n", "32K\n"}};
    says(only_first, 1, COMMON_SECOND, COMMON_LAST);
    const cache_files without_sizes[] = {{"2\n", NULL}, {"3\n", ""}};
    says(without_sizes, 2, COMMON_SECOND, COMMON_LAST);
    const cache_files no_numbers[] = {{"2\n", "much\n"}, {"3\n", "0K\n"}};
    says(no_numbers, 2, COMMON_SECOND, COMMON_LAST);
    /* What comes behind a cache without a level is not looked at. */
    const cache_files gap[] = {{"2\n", "256K\n"}, {"first\n", "1K\n"}, {"3\n", "8192K\n"}};
    says(gap, 3, 256 * KIB, 256 * KIB);
}

static void no_such_folder(void **state) {
    (void)state;
    cpu_caches found = caches_in("/nowhere/caches");
    assert_int_equal(found.second, COMMON_SECOND);
    assert_int_equal(found.last, COMMON_LAST);
    char long_name[8192];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[0] = '/';
    long_name[sizeof long_name - 1] = '\0';
    found = caches_in(long_name);
    assert_int_equal(found.second, COMMON_SECOND);
}

static void of_this_cpu(void **state) {
    (void)state;
    cpu_caches here = caches_of_cpu(), again = caches_of_cpu();
    check(here.second > 0 && here.last >= here.second, "%zu and %zu bytes", here.second, here.last);
    assert_memory_equal(&here, &again, sizeof here);
}

static void outgrown(void **state) {
    (void)state;
    const cpu_caches amd = {MIB, (size_t)32 * MIB, CPU_OF_AMD},
                     other = {(size_t)2 * MIB, (size_t)300 * MIB, CPU_OF_OTHERS};
    assert_int_equal(are_outgrown(&amd, (size_t)8 * MIB, 0), 1);
    assert_int_equal(are_outgrown(&amd, (size_t)8 * MIB - 1, 0), 0);
    assert_int_equal(are_outgrown(&amd, (size_t)16 * MIB, 1), 1);
    assert_int_equal(are_outgrown(&amd, (size_t)16 * MIB - 1, 1), 0);
    for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
        assert_int_equal(are_outgrown(&other, (size_t)60 * MIB, is_inverse), 1);
        assert_int_equal(are_outgrown(&other, (size_t)60 * MIB - 1, is_inverse), 0);
    }
    /* What is in the second-level cache stays there. */
    const cpu_caches without_third = {(size_t)4 * MIB, (size_t)4 * MIB, CPU_OF_OTHERS};
    assert_int_equal(are_outgrown(&without_third, (size_t)4 * MIB, 0), 0);
    assert_int_equal(are_outgrown(&without_third, (size_t)4 * MIB + 1, 0), 1);
}

static void fetched(void **state) {
    (void)state;
    const cpu_caches amd = {MIB, (size_t)32 * MIB, CPU_OF_AMD},
                     other = {(size_t)2 * MIB, (size_t)300 * MIB, CPU_OF_OTHERS};
    for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
        assert_int_equal(are_outputs_fetched(&amd, MIB / 2, is_inverse), 1);
        assert_int_equal(are_outputs_fetched(&amd, MIB / 2 + 1, is_inverse), 0);
        assert_int_equal(are_outputs_fetched(&other, 1, is_inverse), !is_inverse);
        assert_int_equal(are_outputs_fetched(&other, (size_t)1 << 30, is_inverse), !is_inverse);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_linux_has_them), cmocka_unit_test(nothing_of_use),
        cmocka_unit_test(no_such_folder),    cmocka_unit_test(of_this_cpu),
        cmocka_unit_test(outgrown),          cmocka_unit_test(fetched),
    };
    return cmocka_run_group_tests_name("caches", tests, NULL, NULL);
}
