/* SPDX-License-Identifier: MIT
 * The cases that every test draws from: sizes, pictures, and the strategies under test. Programs
 * are called as `test_x [cpu|cuda] [quick]`: only strategies with that prefix, fewer sizes.
 */
#ifndef WEFT_TESTS_UNIT_CASES_H
#define WEFT_TESTS_UNIT_CASES_H

#include <stddef.h>
#include <stdint.h>

#include "random.h"
#include "strategy.h"

typedef struct shape {
    size_t height, width;
} shape;

enum { SMALL_LIMIT = 32 }; /* every height and width up to this is tested */

/* Whether a small shape is tested: all are, unless in quick mode. */
int small_shape_wanted(shape s);

/* Larger shapes: powers of two, non-square, 7-smooth, primes, lines. */
extern const shape large_shapes[];
size_t large_shape_count(void); /* fewer in quick mode */

/* Reads argv; to be called first. */
void cases_init(int argc, char **argv);
int quick_mode(void);

/* The i-th strategy of the library that argv asks for; NULL past the end. */
const char *wanted_strategy(int i);

/* The side of a square that this strategy takes, for some take few sizes; 0 if it takes none that
 * is tried. */
size_t side_taken(const char *strategy, weft_precision precision);

int is_fast(const char *strategy); /* cpu.fast */

/* The strategy of this name, options aside; NULL if there is none. */
const strategy *strategy_of(const char *name, weft_precision precision);

/* Whether it promises the bits of the one arithmetic (EQUAL_BITS); runs otherwise on more threads
 * (USES_THREADS); and has its image, spectrum and workspace in a GPU's memory. */
int uses_one_arithmetic(const char *strategy);
int uses_threads(const char *strategy);
int is_cuda(const char *strategy);

/* Why it cannot run on this machine at all, or NULL when it can. */
const char *reason_not_to_run(const char *strategy, weft_precision precision);

typedef enum picture {
    PICTURE_NATURAL,      /* smooth shapes, an edge and some noise: the whole range of the pixel */
    PICTURE_LOW_CONTRAST, /* 200..204 */
    PICTURE_BRIGHT,       /* 60000 +- 500, for 16 bits */
    PICTURE_RANDOM        /* the whole range */
} picture;

const char *picture_name(picture which);
void fill_picture(picture which, weft_pixel pixel, uint64_t seed, shape s, double *values);

const char *precision_name(weft_precision precision);
const char *layout_name(weft_layout layout);
double forward_factor(weft_norm norm, shape s);
double inverse_factor(weft_norm norm, shape s);

#endif
