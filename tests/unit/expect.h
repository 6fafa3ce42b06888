/* SPDX-License-Identifier: MIT
 * cmocka with what these tests add: skips that say why, and failures that say for which case.
 */
#ifndef WEFT_TESTS_UNIT_EXPECT_H
#define WEFT_TESTS_UNIT_EXPECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define skip_because(...)                                                                          \
    do {                                                                                           \
        print_message("SKIP: " __VA_ARGS__);                                                       \
        print_message("\n");                                                                       \
        skip();                                                                                    \
    } while (0)

/* Fails with a text unless the condition holds. */
#define check(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg(__VA_ARGS__);                                                                 \
    } while (0)

/* Memory of a test; running out of it is not what is tested. */
static inline void *must_alloc(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        abort();
    return memory;
}

#endif
