/* SPDX-License-Identifier: MIT
 * The check that strategies of lines of any length share in their supports(): a side without a
 * factor list needs a convolution, whose tables are not made where that would take very long.
 */
#ifndef WEFT_CONVOLUTIONS_H
#define WEFT_CONVOLUTIONS_H

#include "arith/chirp.h"
#include "arith/factors.h"
#include "problem.h"

/* `name` is the strategy that the error text names. */
static inline weft_status short_convolutions_only(const char *name, const problem *p) {
    const size_t sides[] = {p->height, p->width};
    for (int i = 0; i < 2; i++) {
        factor_list list;
        if (!factor_line(sides[i], AXIS_ROW, 0, &list) &&
            convolution_length(sides[i]) > LONGEST_CONVOLUTION) {
            return weft_fail(WEFT_UNSUPPORTED,
                             "%s: %zux%zu: %zu has a prime above %d, which a convolution of more "
                             "than %d values would have to serve",
                             name, p->height, p->width, sides[i], LARGEST_ODD_RADIX,
                             LONGEST_CONVOLUTION);
        }
    }
    return WEFT_OK;
}

#endif
