/* SPDX-License-Identifier: MIT
 * Counts the values that are infinite or no number, and finds spectra of which nothing is left.
 */
#include "commands/overflow.h"

#include <float.h>
#include <math.h>

#include "shell/complain.h"

static int is_finite(const void *reals, weft_precision precision, size_t i) {
    return precision == WEFT_F64 ? isfinite(((const double *)reals)[i])
                                 : isfinite(((const float *)reals)[i]);
}

const char *overflow_of(weft_precision precision) {
    return precision == WEFT_F32 ? "f32; say --precision f64" : "f64";
}

int complain_overflow(const transform_options *o, const char *what, size_t bad, size_t values,
                      const char *too_large_for) {
    return complain(o->strict ? EXIT_CHECK_FAILED : EXIT_DONE,
                    "no finite number in %zu of %zu values of the %s: too large for %s%s", bad,
                    values, what, too_large_for, o->strict ? "; nothing is written" : "");
}

int check_overflow(const transform_options *o, const char *what, const void *reals,
                   weft_precision precision, size_t values, size_t parts) {
    size_t bad = 0;

    for (size_t i = 0; i < values; i++) {
        bad += !is_finite(reals, precision, parts * i) ||
               !is_finite(reals, precision, parts * i + parts - 1);
    }
    return bad == 0 ? EXIT_DONE : complain_overflow(o, what, bad, values, overflow_of(precision));
}

int check_spectrum_overflow(const transform_options *o, const spectrum *s) {
    size_t parts = s->layout == WEFT_HALF ? 2 : 1;

    return check_overflow(o, "spectrum", s->values, s->precision, spectrum_reals(s) / parts, parts);
}

/* Single values that are far smaller than others are lost in the rounding of the sums anyway. */
int check_spectrum_underflow(const transform_options *o, const spectrum *s) {
    double largest = 0;

    for (size_t i = 0; i < spectrum_reals(s); i++) {
        largest = fmax(largest, fabs(spectrum_number(s, i)));
    }
    return s->precision == WEFT_F32 || largest == 0 || largest >= FLT_MIN
               ? EXIT_DONE
               : complain(o->strict ? EXIT_CHECK_FAILED : EXIT_DONE,
                          "all values of the spectrum are too small for f32: the largest is %.3g%s",
                          largest, o->strict ? "; nothing is written" : "");
}
