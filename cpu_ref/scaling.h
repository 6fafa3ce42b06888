/* SPDX-License-Identifier: MIT
 * Values on the way of a transform may overflow where its results do not: a quarter turn multiplies
 * by 2^40, or in double precision by 2^80, before it multiplies by the inverse (arith/twiddle.h),
 * and a convolution adds up more than its line. A strategy on the CPU sees that by the overflow
 * flag of its threads, which costs nothing, and then transforms the image again: its values are
 * measured, and multiplied by a power of two where they are loaded and by the inverse where they
 * are stored, which changes no bit. Where the input is overwritten it is measured before.
 */
#ifndef WEFT_CPU_REF_SCALING_H
#define WEFT_CPU_REF_SCALING_H

#include "environment.h"
#include "spectra.h"

/* What loads multiply by, and what stores do: the norm's factors and the inverse of that. */
typedef struct REAL_NAME(scaling) {
    scalar load;
    double forward, inverse;
} scaling;

static inline scaling unscaled(const problem *p) {
    return (scaling){1, p->forward_scale, p->inverse_scale};
}

static inline int is_scaled(const problem *p, scaling s) {
    return s.load != 1 || s.forward != p->forward_scale;
}

/* For an input whose absolute values add up to `sum`, which only real pixels are asked for; the
 * largest absolute value of a filter's transfer is `most`. What is no finite number is not scaled.
 */
scaling REAL_NAME(scaling_of_forward)(const problem *p, double sum);
#define scaling_of_forward REAL_NAME(scaling_of_forward)
scaling REAL_NAME(scaling_of_inverse)(const problem *p, double sum);
#define scaling_of_inverse REAL_NAME(scaling_of_inverse)
scaling REAL_NAME(scaling_of_filter)(const problem *p, double sum, double most);
#define scaling_of_filter REAL_NAME(scaling_of_filter)

/* What `count` absolute values add up to at most, the largest of which is `most`, in units that do
 * not overflow. */
double REAL_NAME(sum_at_most)(double most, size_t count);
#define sum_at_most REAL_NAME(sum_at_most)

/* A closer bound, row by row, of an image of real pixels, or of a spectrum. */
double REAL_NAME(sum_of_image)(const problem *p, const void *images, size_t index);
#define sum_of_image REAL_NAME(sum_of_image)
double REAL_NAME(sum_of_spectrum)(const problem *p, const void *spectra, size_t index);
#define sum_of_spectrum REAL_NAME(sum_of_spectrum)

/* Whether an image has to be transformed again. *is_measured: whether its input was measured. */
static inline int must_repeat(int *is_measured) {
    int overflows = take_overflow() && !*is_measured;
    *is_measured = 1;
    return overflows;
}

#endif
