/* SPDX-License-Identifier: MIT
 * Growing texts, see text.h.
 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Room for `more` bytes and the zero byte behind them. */
static int has_grown(text *to, size_t more) {
    size_t size = 2 * (to->used + more + 1);
    if (to->used + more < to->size) {
        return 1;
    }
    char *bytes = realloc(to->bytes, size);
    if (bytes == NULL) {
        return 0;
    }
    to->bytes = bytes;
    to->size = size;
    return 1;
}

void text_add(text *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (to->has_failed || more < 0 || !has_grown(to, (size_t)more)) {
        to->has_failed = 1;
        return;
    }
    va_start(arguments, format);
    vsnprintf(to->bytes + to->used, (size_t)more + 1, format, arguments);
    va_end(arguments);
    to->used += (size_t)more;
}
