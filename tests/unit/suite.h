/* SPDX-License-Identifier: MIT
 * The same test over every wanted strategy and, where it says so, precision and layout: builds
 * cmocka's list, and turns a strategy that cannot run here into a skip with its reason.
 */
#ifndef WEFT_TESTS_UNIT_SUITE_H
#define WEFT_TESTS_UNIT_SUITE_H

#include "cases.h"

/* What one test runs over; reached as *state. */
typedef struct variant {
    const char *strategy;
    weft_precision precision;
    weft_layout layout;
} variant;

static inline weft_desc desc_of(const variant *v, shape s) {
    return (weft_desc){.height = s.height,
                       .width = s.width,
                       .precision = v->precision,
                       .layout = v->layout,
                       .strategy = v->strategy};
}

typedef struct suite_test {
    const char *name;
    void (*run)(const variant *v);
    int per_layout;                       /* 0: layout is WEFT_PACKED only */
    int (*applies)(const char *strategy); /* NULL: to all */
    int every_option;                     /* 1: with all combinations of a strategy's options */
} suite_test;

/* Whether it has fused multiply-add here: cpu.fast not with the instructions of x86-64-v2. */
int has_fused(const char *strategy);

/* For who compares bits: WEFT_ISA becomes plain where the CPU, or a caller's WEFT_ISA, has no fused
 * multiply-add. Before suite_run(). */
void suite_takes_fused(void);

/* Runs all; the exit status for main. */
int suite_run(const char *group, const suite_test *tests, size_t count);

#endif
