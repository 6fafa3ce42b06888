/* SPDX-License-Identifier: MIT
 * Black and white by a histogram; see levels.h.
 */
#include "filter/levels.h"

#include <math.h>
#include <string.h>

void levels_begin(levels *s) {
    memset(s, 0, sizeof *s); /* too large for a copy on the stack */
    s->black = INFINITY;
    s->white = -INFINITY;
}

void levels_widen(levels *s, const double *values, size_t count) {
    for (size_t n = 0; n < count; n++) {
        if (isfinite(values[n])) {
            s->black = fmin(s->black, values[n]);
            s->white = fmax(s->white, values[n]);
        }
    }
}

void levels_count(levels *s, const double *values, size_t count) {
    const double scale = (double)s->bins / (s->white - s->black);

    for (size_t n = 0; n < count; n++) {
        if (isfinite(values[n])) {
            const size_t bin = (size_t)(scale * (values[n] - s->black));

            s->counts[bin < s->bins ? bin : s->bins - 1]++;
            s->count++;
        }
    }
}

void levels_narrow(levels *s, double saturated, int is_last_white) {
    const double width = (s->white - s->black) / (double)s->bins;
    const size_t beyond = (size_t)((double)s->count * saturated / 200);
    size_t first = 0, last = s->bins - 1;

    for (size_t sum = s->counts[first]; sum <= beyond && first < last; sum += s->counts[first]) {
        first++;
    }
    for (size_t sum = s->counts[last]; sum <= beyond && last > first; sum += s->counts[last]) {
        last--;
    }
    if (last > first) {
        s->white = s->black + width * (double)(is_last_white ? last : last + 1);
        s->black += width * (double)first;
    }
}
