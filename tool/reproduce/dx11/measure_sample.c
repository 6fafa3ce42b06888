/* SPDX-License-Identifier: MIT
 * A row of the DirectX 11 sample: the picture to its spectrum and back. Bytes are counted where
 * that does not take long.
 */
#include <stdlib.h>

#include "base/device.h"
#include "reproduce/dx11/measure.h"

enum { CHANNELS = 4, MOST_COUNTED_PIXELS = 512 * 512 };

typedef struct round_trip {
    dx11_sample *sample;
    void *picture, *out; /* on the GPU */
    size_t pixels;
} round_trip;

static weft_status enqueue(void *context, size_t i, struct CUstream_st *stream) {
    const round_trip *r = context;
    const weft_status status = dx11_forward(r->sample, r->picture, stream);
    (void)i;
    return status == WEFT_OK ? dx11_inverse(r->sample, r->out, stream) : status;
}

/* ---- verification ---------------------------------------------------------------------------- */

static weft_status check_spectra(dx11_row *row, const dx11_stage *s, const round_trip *r) {
    const size_t bins = row->desc.height * (row->desc.width / 2 + 1);
    float *spectra = malloc(2 * DX11_COLOURS * bins * sizeof *spectra);
    weft_status status = spectra != NULL ? dx11_read_spectrum(r->sample, spectra)
                                         : weft_fail(WEFT_NO_MEMORY, "no memory for a spectrum");
    if (status == WEFT_OK) {
        dx11_check_spectra(row, s, WEFT_HALF, spectra);
    }
    free(spectra);
    return status;
}

/* In place, from the last one on. */
static void bytes_to_floats(float *values, size_t count) {
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = count; i-- > 0;) {
        const unsigned char byte = bytes[i];
        values[i] = (float)byte / 255;
    }
}

static weft_status check_round_trip(dx11_row *row, const dx11_stage *s, const round_trip *r) {
    const size_t values = CHANNELS * r->pixels;
    const int in_bytes = row->desc.sink == DX11_RGBA8;
    float *out = malloc(values * sizeof *out);
    weft_status status = WEFT_NO_MEMORY;

    if (out == NULL) {
        return weft_fail(status, "no memory for a picture");
    }
    status = device_memory.copy_out(0, out, r->out, values * (in_bytes ? 1 : sizeof *out));
    if (status == WEFT_OK) {
        if (in_bytes) {
            bytes_to_floats(out, values);
        }
        dx11_check_round_trip(row, dx11_picture_psnr(s->picture, out, CHANNELS, 1));
    }
    free(out);
    return status;
}

static weft_status check_bytes(dx11_row *row, const round_trip *r) {
    weft_status status = dx11_count(r->sample, r->picture, r->out, &row->counted);
    if (status == WEFT_OK) {
        status = dx11_count_first_axis(r->sample, r->picture, &row->first_axis);
    }
    row->was_counted = status == WEFT_OK;
    if (row->was_counted && (row->counted.read != row->predicted.read ||
                             row->counted.written != row->predicted.written)) {
        dx11_row_fails(row, "bytes: %.0f read and %.0f written, %.0f and %.0f predicted",
                       row->counted.read, row->counted.written, row->predicted.read,
                       row->predicted.written);
    }
    return status;
}

static weft_status verify(dx11_row *row, const dx11_stage *s, round_trip *r) {
    weft_status status = dx11_forward(r->sample, r->picture, NULL);
    if (status == WEFT_OK) { /* the inverse will overwrite it */
        status = check_spectra(row, s, r);
    }
    if (status == WEFT_OK) {
        status = dx11_inverse(r->sample, r->out, NULL);
    }
    if (status == WEFT_OK) {
        status = check_round_trip(row, s, r);
    }
    if (status == WEFT_OK && r->pixels <= MOST_COUNTED_PIXELS) {
        status = check_bytes(row, r);
    }
    return status == WEFT_OK ? dx11_check_launches(row, enqueue, r) : status;
}

/* ---- the row --------------------------------------------------------------------------------- */

static weft_status open(round_trip *r, dx11_buffers *b, const dx11_row *row, const dx11_stage *s) {
    const size_t bytes = CHANNELS * r->pixels;
    weft_status status = dx11_take(b, bytes, &r->picture);
    if (status == WEFT_OK) {
        status = dx11_take(b, bytes * sizeof(float), &r->out);
    }
    if (status == WEFT_OK) {
        status = device_memory.copy_in(0, r->picture, s->picture->rgba, bytes);
    }
    return status == WEFT_OK ? dx11_create(&r->sample, &row->desc) : status;
}

weft_status dx11_measure_sample(dx11_row *row, const dx11_stage *s) {
    round_trip r = {.pixels = row->desc.height * row->desc.width};
    dx11_buffers b = {0};
    weft_status status = open(&r, &b, row, s);

    row->predicted = dx11_predict(&row->desc);
    if (status == WEFT_OK && row->executions == 0) {
        status = verify(row, s, &r);
    }
    if (status == WEFT_OK && row->failure[0] == '\0') {
        status = dx11_time_row(row, enqueue, &r);
    }
    dx11_destroy(r.sample);
    dx11_give_back(&b);
    return status;
}
