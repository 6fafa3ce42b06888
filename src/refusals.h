/* SPDX-License-Identifier: MIT
 * Checks that the supports() of several strategies share, so that they refuse in the same words.
 */
#ifndef WEFT_REFUSALS_H
#define WEFT_REFUSALS_H

#include "strategy.h"

static inline int is_power_of_two(size_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

static inline weft_status powers_of_two_only(const char *name, const problem *p) {
    return is_power_of_two(p->height) && is_power_of_two(p->width)
               ? WEFT_OK
               : weft_fail(WEFT_UNSUPPORTED, "%s: %zux%zu: height and width must be powers of two",
                           name, p->height, p->width);
}

static inline weft_status real_pixels_only(const char *name, const problem *p) {
    return p->pixel == WEFT_PIXEL_REAL
               ? WEFT_OK
               : weft_fail(WEFT_UNSUPPORTED, "%s: takes WEFT_PIXEL_REAL images only", name);
}

#endif
