/* SPDX-License-Identifier: MIT
 * A plan with guarded, poisoned memory around it, only just aligned and with the gaps that the
 * description asks for. Everything is run as check/trial.h demands it, and judged by check/judge.h;
 * what they complain of fails the test.
 */
#ifndef WEFT_TESTS_UNIT_RIG_H
#define WEFT_TESTS_UNIT_RIG_H

#include "cases.h"
#include "judge.h"

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

/* 1, or 0 when the strategy refuses the size; all else fails the test. */
int rig_made(rig *r, const weft_desc *desc);

/* Inputs for the plan, every image of the batch another one: noise, or such pictures of integer
 * pixels, and noise for spectra and transfers. */
reference rig_reference(const rig *r, uint64_t seed, picture which);

/* An image buffer of this plan besides r->image, for a filter's output. */
buffer rig_new_image(const rig *r);
/* Memory for a transfer; to be filled through buffer_mirror(). */
buffer rig_new_transfer(const rig *r, weft_transfer kind);

/* Poisons the image buffer and puts tight images [batch][H][W] into it; and reads them back. */
void rig_put_images(rig *r, const double *images);
void rig_get_images(const rig *r, const buffer *from, double *images);

/* The same for spectra, tight reals: [batch][H][W] (PACKED) or [batch][H][2 (W/2 + 1)] (HALF). */
size_t rig_spectrum_reals(const rig *r); /* of one image */
void rig_put_spectra(rig *r, const double *reals);
/* Image i's spectrum in the mirror, for oracle_read with rig_pitch(). */
const void *rig_spectrum(const rig *r, size_t i);
size_t rig_pitch(const rig *r);

/* The trial of what is in the mirrors, which then hold the result. */
void rig_forward(rig *r);
void rig_inverse(rig *r);
void rig_filter(rig *r, const buffer *transfer, weft_transfer kind, buffer *out);

/* Each runs it on the reference's input and judges the result, which is in the mirrors then; where
 * the plan may run in place, it must give the same bits so. */
verdict rig_verify_forward(rig *r, reference *of);
void rig_verify_inverse(rig *r, reference *of);
void rig_verify_filter(rig *r, reference *of, weft_transfer kind);
/* After rig_verify_forward: the spectra must become the images again. */
void rig_verify_return(rig *r, reference *of);

#endif
