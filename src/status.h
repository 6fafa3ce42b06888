/* SPDX-License-Identifier: MIT
 * Saying what went wrong. weft_fail keeps the text for weft_last_error() in this thread and returns
 * the status, so that every error is one line: return weft_fail(WEFT_BAD_ARGUMENT, "width 0: ...");
 */
#ifndef WEFT_STATUS_H
#define WEFT_STATUS_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
weft_status
weft_fail(weft_status status, const char *format, ...);

/* Longer texts are cut. */
enum { LAST_ERROR_SIZE = 512 };

/* "16.0 MiB" and the like, for error texts; returns buffer. */
enum { BYTES_TEXT_SIZE = 32 };
const char *bytes_text(size_t bytes, char buffer[BYTES_TEXT_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
