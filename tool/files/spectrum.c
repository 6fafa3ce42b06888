/* SPDX-License-Identifier: MIT
 * A spectrum's numbers, whatever its layout and precision.
 */
#include "files/spectrum.h"

#include <stdlib.h>

#include "shell/complain.h"

size_t spectrum_row_length(const spectrum *s) {
    return s->layout == WEFT_HALF ? s->width / 2 + 1 : s->width;
}

size_t spectrum_reals(const spectrum *s) {
    return s->planes * s->height * spectrum_row_length(s) * (s->layout == WEFT_HALF ? 2 : 1);
}

double spectrum_number(const spectrum *s, size_t i) {
    return s->precision == WEFT_F64 ? ((const double *)s->values)[i]
                                    : (double)((const float *)s->values)[i];
}

void spectrum_free(spectrum *s) {
    free(s->values);
    free(s->alpha);
    *s = (spectrum){0};
}

int spectrum_set_precision(spectrum *s, weft_precision precision) {
    size_t count = spectrum_reals(s);
    void *values;

    if (s->precision == precision) {
        return EXIT_DONE;
    }
    values = allocate(count, precision == WEFT_F64 ? sizeof(double) : sizeof(float));
    if (!values) {
        return EXIT_MEMORY;
    }
    if (precision == WEFT_F64) {
        for (size_t i = 0; i < count; i++) {
            ((double *)values)[i] = (double)((const float *)s->values)[i];
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            ((float *)values)[i] = (float)((const double *)s->values)[i];
        }
    }
    free(s->values);
    s->values = values;
    s->precision = precision;
    return EXIT_DONE;
}
