/* SPDX-License-Identifier: MIT
 * The table of cases: see cases.h.
 */
#include "cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "strategy_name.h"

const shape large_shapes[] = {
    {33, 40},
    {64, 64},
    {97, 64},
    {49, 343},
    {1, 1024},
    {1024, 1},
    {1, 2048},
    {128, 31},
    {108, 192},
    {121, 169},
    {64, 1000},
    {2039, 3},
    {3, 2039},
    {137, 263},
    {5, 1283},
    {128, 128},
    /* not in quick mode: */
    {1, 8191},
    {8192, 1},
    {1, 16384},
    {256, 256},
    {241, 509},
    {270, 480},
    {1080, 120},
    {120, 1080},
    {1001, 100},
    {63, 4096},
    {512, 512},
    {16, 8192},
    {1024, 512},
    {1024, 1024},
};

enum { QUICK_SHAPES = 16 };

static int quick;
static const char *prefix = "";

void cases_init(int argc, char **argv) {
    quick = getenv("WEFT_TEST_QUICK") != NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "quick") == 0)
            quick = 1;
        else
            prefix = argv[i];
    }
}

int quick_mode(void) {
    return quick;
}

size_t large_shape_count(void) {
    return quick ? QUICK_SHAPES : sizeof large_shapes / sizeof *large_shapes;
}

static int quick_length(size_t n) {
    static const size_t kept[] = {1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 31, 32};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (kept[i] == n)
            return 1;
    return 0;
}

int small_shape_wanted(shape s) {
    return !quick || (quick_length(s.height) && quick_length(s.width));
}

const char *wanted_strategy(int i) {
    for (int j = 0; weft_strategy_name(j); j++)
        if (strncmp(weft_strategy_name(j), prefix, strlen(prefix)) == 0 && i-- == 0)
            return weft_strategy_name(j);
    return NULL;
}

size_t side_taken(const char *name, weft_precision precision) {
    static const size_t sides[] = {16, 64, 256};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        weft_plan *plan;
        weft_desc desc = {
            .height = sides[i], .width = sides[i], .precision = precision, .strategy = name};
        weft_status status = weft_plan_create(&plan, &desc);
        weft_plan_destroy(plan);
        if (status != WEFT_NO_DEVICE && status != WEFT_UNSUPPORTED)
            return sides[i];
    }
    return 0;
}

int is_fast(const char *name) {
    return strcmp(name, "cpu.fast") == 0;
}

const strategy *strategy_of(const char *name, weft_precision precision) {
    for (int i = 0; i < strategy_count; i++) {
        const strategy *s = strategy_table[i].for_precision[precision];
        if (name_is(name, s->name))
            return s;
    }
    return NULL;
}

int uses_one_arithmetic(const char *name) {
    const strategy *s = strategy_of(name, WEFT_F32);
    return s != NULL && (s->flags & EQUAL_BITS) != 0;
}

int uses_threads(const char *name) {
    return (strategy_of(name, WEFT_F32)->flags & USES_THREADS) != 0;
}

int is_cuda(const char *name) {
    return strategy_of(name, WEFT_F32)->space->is_device;
}

const char *reason_not_to_run(const char *name, weft_precision precision) {
    return side_taken(name, precision) > 0 ? NULL : weft_last_error();
}

const char *picture_name(picture which) {
    static const char *const names[] = {"natural", "low contrast", "bright", "random"};
    return names[which];
}

/* 0..1: two waves, a vertical edge and a little noise. */
static double scene_at(shape s, size_t m, size_t n, uint64_t *state) {
    double y = (double)m / (double)s.height, x = (double)n / (double)s.width;
    double wave = 0.25 * sin(7.1 * y + 2.3 * x) + 0.15 * cos(19.7 * x - 4.4 * y);
    double value = 0.45 + wave + (x > 0.6 ? 0.12 : 0) + 0.04 * random_uniform(state, 24);
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static double picture_at(picture which, double top, shape s, size_t m, size_t n, uint64_t *state) {
    switch (which) {
    case PICTURE_NATURAL:
        return rint(top * scene_at(s, m, n, state));
    case PICTURE_LOW_CONTRAST:
        return 200 + (double)(next_random(state) % 5);
    case PICTURE_BRIGHT:
        return rint(60000 + 1000 * (scene_at(s, m, n, state) - 0.5));
    case PICTURE_RANDOM:
        break;
    }
    return rint(top * random_uniform(state, 24));
}

void fill_picture(picture which, weft_pixel pixel, uint64_t seed, shape s, double *values) {
    double top = pixel == WEFT_PIXEL_U8 ? 255 : 65535;
    for (size_t m = 0; m < s.height; m++)
        for (size_t n = 0; n < s.width; n++)
            values[m * s.width + n] = picture_at(which, top, s, m, n, &seed);
}

const char *precision_name(weft_precision precision) {
    return precision == WEFT_F32 ? "f32" : "f64";
}

const char *layout_name(weft_layout layout) {
    return layout == WEFT_PACKED ? "packed" : "half";
}

double forward_factor(weft_norm norm, shape s) {
    double size = (double)s.height * (double)s.width;
    return norm == WEFT_NORM_ORTHO ? 1 / sqrt(size) : norm == WEFT_NORM_FORWARD ? 1 / size : 1;
}

double inverse_factor(weft_norm norm, shape s) {
    double size = (double)s.height * (double)s.width;
    return norm == WEFT_NORM_ORTHO ? 1 / sqrt(size) : norm == WEFT_NORM_BACKWARD ? 1 / size : 1;
}
