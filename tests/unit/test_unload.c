/* SPDX-License-Identifier: MIT
 * A host without OpenMP loads the shared library, transforms on two threads and unloads it, again
 * and again: OpenMP's threads are still there then, and so must their code be.
 */
#include <dlfcn.h>
#include <string.h>

#include "expect.h"
#include "weft.h"

enum { SIDE = 256, TIMES = 100 };

static const char *library;

typedef weft_status create_function(weft_plan **plan, const weft_desc *desc);
typedef weft_status forward_function(const weft_plan *plan, const void *image, void *spectrum);
typedef void destroy_function(weft_plan *plan);

/* What dlsym() finds is a function, which ISO C does not let it be. */
static void find(void *loaded, const char *name, void *function) {
    void *found = dlsym(loaded, name);
    check(found != NULL, "%s", dlerror());
    memcpy(function, &found, sizeof found);
}

static void transform(void *loaded, const float *image, float *spectrum) {
    create_function *create;
    forward_function *forward;
    destroy_function *destroy;
    weft_plan *plan;
    weft_desc d = {.height = SIDE, .width = SIDE, .strategy = "cpu", .threads = 2};
    find(loaded, "weft_plan_create", &create);
    find(loaded, "weft_forward_host", &forward);
    find(loaded, "weft_plan_destroy", &destroy);
    assert_int_equal(create(&plan, &d), WEFT_OK);
    assert_int_equal(forward(plan, image, spectrum), WEFT_OK);
    destroy(plan);
}

static void load_and_unload(void **state) {
    static float image[SIDE * SIDE], first[SIDE * SIDE], spectrum[SIDE * SIDE];
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        image[i] = (float)(i * 37 % 101) / 7;
    for (int i = 0; i < TIMES; i++) {
        void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
        check(loaded != NULL, "%s", dlerror());
        transform(loaded, image, i == 0 ? first : spectrum);
        assert_int_equal(dlclose(loaded), 0);
        check(i == 0 || memcmp(first, spectrum, sizeof first) == 0, "load %d: other bits", i);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(load_and_unload)};
    if (argc != 2)
        return 2;
    library = argv[1];
    return cmocka_run_group_tests_name("unload", tests, NULL, NULL);
}
