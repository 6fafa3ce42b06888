/* SPDX-License-Identifier: MIT
 * An input as a file, for readers that open one by its name.
 */
#ifndef WEFT_TESTS_FUZZ_INPUT_FILE_H
#define WEFT_TESTS_FUZZ_INPUT_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The name of a regular file that holds these bytes until the next call. */
const char *input_file(const uint8_t *bytes, size_t count);

#endif
