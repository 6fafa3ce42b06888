/* SPDX-License-Identifier: MIT
 * The oracle: an independent row-column DFT to hold Weft's results against, written from the
 * formulas of weft.h alone. It includes no header of src/ and shares no code with the library.
 * Linked into the tests and, because every run is verified before it is timed, into the tool.
 */
#ifndef WEFT_CHECK_ORACLE_ORACLE_H
#define WEFT_CHECK_ORACLE_ORACLE_H

#include <stddef.h>

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* half[k][l] = X[k][l], tight [H][W/2 + 1] (re, im) pairs, of a tight image [H][W]; factors are 1.
 * Any H, W >= 1. Returns 0, or -1 when out of memory. The long double one judges f64 results, the
 * double one f32 results and the largest sizes. */
int oracle_forward(size_t height, size_t width, const double *image, double *half);
int oracle_forward_long(size_t height, size_t width, const double *image, long double *half);

/* image[m][n] = the real part of the inverse DFT, with the factor 1/(H W), of a half spectrum; what
 * is not Hermitian in columns 0 and W/2 is ignored. */
int oracle_inverse(size_t height, size_t width, const double *half, double *image);
int oracle_inverse_long(size_t height, size_t width, const long double *half, long double *image);

/* X[k][l] for any k < H, l < W out of a spectrum in memory, read by the formulas of weft.h. pitch
 * in reals (PACKED) or complex numbers (HALF). */
void oracle_read(size_t height, size_t width, weft_precision precision, weft_layout layout,
                 size_t pitch, const void *spectrum, size_t k, size_t l, double *re, double *im);

/* How far a spectrum (in memory as above, each of its values divided by `factor`) is from the
 * reference half spectrum. All figures are NaN if anything compared is NaN: write gates as !(err <=
 * tolerance). */
typedef struct oracle_error {
    double rel_l2;  /* ||error||_2 / ||X||_2 over all H x W bins (mirrored ones counted) */
    double max_rms; /* max |error| / RMS of |X| */
    double
        rel_l2_ac; /* rel_l2 over all bins but X[0][0], against their own energy; 0 if both are 0 */
    size_t worst_k, worst_l;
} oracle_error;
oracle_error oracle_compare(size_t height, size_t width, weft_precision precision,
                            weft_layout layout, size_t pitch, const void *spectrum, double factor,
                            const double *reference);
oracle_error oracle_compare_long(size_t height, size_t width, weft_precision precision,
                                 weft_layout layout, size_t pitch, const void *spectrum,
                                 double factor, const long double *reference);

#ifdef __cplusplus
}
#endif
#endif
