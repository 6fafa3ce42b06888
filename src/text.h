/* SPDX-License-Identifier: MIT
 * A text that grows as parts are added to it, for what a plan says of itself. That memory ran out
 * is remembered, so that whoever adds need not ask each time, and whoever began asks once.
 */
#ifndef WEFT_TEXT_H
#define WEFT_TEXT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero it to begin; free(bytes) when done. */
typedef struct text {
    char *bytes; /* ends with a zero byte, which `used` does not count; NULL: empty */
    size_t used, size;
    int has_failed; /* memory ran out, and what was added since then is missing */
    size_t moved;   /* the sum of what describe_bytes() was told (describe.h) */
} text;

void text_add(text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
