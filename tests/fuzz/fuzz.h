/* SPDX-License-Identifier: MIT
 * What the fuzzers share: the function that libFuzzer or replay.c calls with one input after the
 * other, and what a target does when the program under test breaks a promise.
 */
#ifndef WEFT_TESTS_FUZZ_FUZZ_H
#define WEFT_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* libFuzzer's name for it. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Ends the program, as an error that a sanitizer finds does. */
#define must(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
