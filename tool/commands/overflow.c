/* SPDX-License-Identifier: MIT
 * Counts the values that are infinite or no number.
 */
#include "commands/overflow.h"

#include <math.h>

#include "shell/complain.h"

static int is_finite(const void *reals, weft_precision precision, size_t i) {
    return precision == WEFT_F64 ? isfinite(((const double *)reals)[i])
                                 : isfinite(((const float *)reals)[i]);
}

int check_overflow(const transform_options *o, const char *what, const void *reals,
                   weft_precision precision, size_t values, size_t parts) {
    size_t bad = 0;

    for (size_t i = 0; i < values; i++) {
        bad += !is_finite(reals, precision, parts * i) ||
               !is_finite(reals, precision, parts * i + parts - 1);
    }
    return bad == 0 ? EXIT_DONE
                    : complain(o->strict ? EXIT_CHECK_FAILED : EXIT_DONE,
                               "%zu of %zu values of the %s are no finite numbers: too large for "
                               "%s%s%s",
                               bad, values, what, precision_words[precision],
                               precision == WEFT_F32 ? "; say --precision f64" : "",
                               o->strict ? "; nothing is written" : "");
}

int check_spectrum_overflow(const transform_options *o, const spectrum *s) {
    size_t parts = s->layout == WEFT_HALF ? 2 : 1;

    return check_overflow(o, "spectrum", s->values, s->precision, spectrum_reals(s) / parts, parts);
}
