/* SPDX-License-Identifier: MIT
 * Filling in one row of the experiment: run, held against the oracle and the picture, then timed,
 * in turn with the other rows of its size.
 */
#ifndef WEFT_TOOL_REPRODUCE_DX11_MEASURE_H
#define WEFT_TOOL_REPRODUCE_DX11_MEASURE_H

#include "weft.h"

#include "reproduce/dx11/experiment.h"
#include "reproduce/dx11/picture.h"

/* What the rows of one size share. */
typedef struct dx11_stage {
    const dx11_picture *picture;
    double *spectra; /* the oracle's half spectra, one plane after the other */
} dx11_stage;

int dx11_stage_open(dx11_stage *s, const dx11_picture *picture); /* an exit code */
void dx11_stage_close(dx11_stage *s);

/* One turn of a row, in which it is opened anew and takes its share of samples; before the first,
 * it is verified, and what fails takes none. What goes wrong with this row alone is
 * WEFT_UNSUPPORTED or WEFT_NO_MEMORY. */
weft_status dx11_measure_sample(dx11_row *row, const dx11_stage *s);
weft_status dx11_measure_own(dx11_row *row, const dx11_stage *s);

/* ---- what both share ------------------------------------------------------------------------- */

/* Enqueues one execution. */
typedef weft_status dx11_enqueue(void *context, size_t i, struct CUstream_st *stream);

/* The kernels of an execution against those predicted, if there is a prediction; and how many
 * executions make a sample. */
weft_status dx11_check_launches(dx11_row *row, dx11_enqueue *enqueue, void *context);

/* One turn's samples, as a replayed graph and as plain launches. */
weft_status dx11_time_row(dx11_row *row, dx11_enqueue *enqueue, void *context);

/* Three tight spectra from the GPU against the oracle's. */
void dx11_check_spectra(dx11_row *row, const dx11_stage *s, weft_layout layout,
                        const float *spectra);
void dx11_check_round_trip(dx11_row *row, double psnr_db);

/* The first failure stays. */
__attribute__((format(printf, 2, 3))) void dx11_row_fails(dx11_row *row, const char *format, ...);

/* Memory on the GPU that is given back as one; NULL is fine. All of it is NaN at first, so that
 * what a verified run leaves out shows. */
typedef struct dx11_buffers {
    void *list[4];
    int count;
} dx11_buffers;
weft_status dx11_take(dx11_buffers *b, size_t bytes, void **memory);
void dx11_give_back(dx11_buffers *b);

#endif
