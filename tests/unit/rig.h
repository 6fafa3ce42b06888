/* SPDX-License-Identifier: MIT
 * A plan with guarded, poisoned memory around it: executes a transform the way the laws demand it
 * (twice, with poison in between; input unchanged; guards and gaps untouched) and hands the result
 * to the test.
 */
#ifndef WEFT_TESTS_UNIT_RIG_H
#define WEFT_TESTS_UNIT_RIG_H

#include "buffer.h"
#include "cases.h"
#include "plan.h"

typedef struct rig {
    weft_plan *plan;
    weft_desc desc; /* batch filled in */
    shape size;
    buffer image, spectrum, work;
    char about[160]; /* what is being run, for failure messages */
} rig;

/* The status of weft_plan_create; memory is there when it is WEFT_OK. */
weft_status rig_make(rig *r, const weft_desc *desc);
void rig_free(rig *r);

/* An image buffer of this plan besides r->image, for a filter's output. */
buffer rig_new_image(const rig *r);
/* Memory for a transfer; to be filled through buffer_mirror() and buffer_put(). */
buffer rig_new_transfer(const rig *r, weft_transfer kind);

/* Poisons the image buffer and puts tight images [batch][H][W] into it; and reads them back. */
void rig_put_images(rig *r, const double *images);
void rig_get_images(const rig *r, const buffer *from, double *images);

/* The same for spectra, tight reals: [batch][H][W] (PACKED) or [batch][H][2 (W/2 + 1)] (HALF). */
size_t rig_spectrum_reals(const rig *r); /* of one image */
void rig_put_spectra(rig *r, const double *reals);
/* Image i's spectrum in the mirror, for oracle_read and oracle_compare with rig_pitch(). */
const void *rig_spectrum(const rig *r, size_t i);
size_t rig_pitch(const rig *r);

/* Each runs the call twice and fails the test when a law is broken. The mirrors then hold the
 * result. */
void rig_forward(rig *r);
void rig_inverse(rig *r);
void rig_filter(rig *r, const buffer *transfer, weft_transfer kind, buffer *out);

/* The transform in place over r->image (forward) or r->spectrum (inverse) must give the very bits
 * that the other buffer holds from the run out of place just before. Plans that may run in place
 * only. */
int rig_may_run_in_place(const rig *r);
void rig_forward_in_place(rig *r);
void rig_inverse_in_place(rig *r);

#endif
