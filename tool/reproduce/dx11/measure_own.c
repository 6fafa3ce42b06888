/* SPDX-License-Identifier: MIT
 * A row of one of Weft's own strategies: a batch of the picture's three planes, in single
 * precision, to packed spectra and, if the row says so, back.
 */
#include <stdlib.h>

#include "base/device.h"
#include "plan.h"
#include "reproduce/dx11/measure.h"

typedef struct transform {
    weft_plan *plan;
    void *planes, *spectra, *back, *work; /* on the GPU */
    size_t values;                        /* of three planes; as many in their spectra */
    int and_back;
} transform;

static weft_status enqueue(void *context, size_t i, struct CUstream_st *stream) {
    const transform *t = context;
    const weft_status status = weft_forward(t->plan, t->planes, t->spectra, t->work, stream);
    (void)i;
    return status == WEFT_OK && t->and_back
               ? weft_inverse(t->plan, t->spectra, t->back, t->work, stream)
               : status;
}

static void fill(float *host, const dx11_picture *p) {
    const size_t pixels = p->height * p->width;
    for (size_t c = 0; c < DX11_COLOURS; c++) {
        for (size_t i = 0; i < pixels; i++) {
            host[c * pixels + i] = dx11_picture_value(p, c, i);
        }
    }
}

static weft_status verify(dx11_row *row, const dx11_stage *s, transform *t, float *host) {
    const size_t bytes = t->values * sizeof *host, pixels = t->values / DX11_COLOURS;
    weft_status status = enqueue(t, 0, NULL);
    if (status == WEFT_OK) {
        status = device_memory.copy_out(0, host, t->spectra, bytes);
    }
    if (status == WEFT_OK) {
        dx11_check_spectra(row, s, WEFT_PACKED, host);
    }
    if (status == WEFT_OK && t->and_back) {
        status = device_memory.copy_out(0, host, t->back, bytes);
        if (status == WEFT_OK) {
            dx11_check_round_trip(row, dx11_picture_psnr(s->picture, host, 1, pixels));
        }
    }
    return status == WEFT_OK ? dx11_check_launches(row, enqueue, t) : status;
}

static weft_status open(transform *t, dx11_buffers *b, const dx11_row *row) {
    const weft_desc desc = {.height = row->desc.height,
                            .width = row->desc.width,
                            .batch = DX11_COLOURS,
                            .strategy = row->own->strategy};
    const size_t bytes = t->values * sizeof(float);
    weft_status status = weft_plan_create(&t->plan, &desc);
    if (status == WEFT_OK) {
        status = dx11_take(b, bytes, &t->planes);
    }
    if (status == WEFT_OK) {
        status = dx11_take(b, bytes, &t->spectra);
    }
    if (status == WEFT_OK) {
        status = dx11_take(b, bytes, &t->back);
    }
    return status == WEFT_OK ? dx11_take(b, weft_plan_workspace(t->plan), &t->work) : status;
}

static weft_status measure(dx11_row *row, const dx11_stage *s, transform *t, dx11_buffers *b,
                           float *host) {
    weft_status status = open(t, b, row);
    if (status == WEFT_OK) {
        fill(host, s->picture);
        status = device_memory.copy_in(0, t->planes, host, t->values * sizeof *host);
    }
    if (status == WEFT_OK && row->executions == 0) {
        status = verify(row, s, t, host);
    }
    return status == WEFT_OK && row->failure[0] == '\0' ? dx11_time_row(row, enqueue, t) : status;
}

weft_status dx11_measure_own(dx11_row *row, const dx11_stage *s) {
    transform t = {.values = DX11_COLOURS * row->desc.height * row->desc.width,
                   .and_back = row->own->and_back};
    dx11_buffers b = {0};
    float *host = malloc(t.values * sizeof *host);
    weft_status status = host != NULL ? measure(row, s, &t, &b, host)
                                      : weft_fail(WEFT_NO_MEMORY, "no memory for the planes");
    weft_plan_destroy(t.plan);
    dx11_give_back(&b);
    free(host);
    return status;
}
