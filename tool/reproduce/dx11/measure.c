/* SPDX-License-Identifier: MIT
 * What measuring the sample and measuring a strategy have in common; see measure.h.
 */
#include "reproduce/dx11/measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/device.h"
#include "bench/gpu_timer.h"
#include "gates.h"
#include "oracle/oracle.h"
#include "shell/complain.h"

static const double sample_us = 500, least_psnr_db = 100;

/* ---- the oracle ------------------------------------------------------------------------------ */

static size_t spectrum_values(const dx11_picture *p) {
    return 2 * p->height * (p->width / 2 + 1);
}

static int transform_planes(dx11_stage *s, double *plane) {
    const dx11_picture *p = s->picture;
    for (size_t c = 0; c < DX11_COLOURS; c++) {
        for (size_t i = 0; i < p->height * p->width; i++) {
            plane[i] = dx11_picture_value(p, c, i);
        }
        if (oracle_forward(p->height, p->width, plane, s->spectra + c * spectrum_values(p)) != 0) {
            return complain(EXIT_MEMORY, "out of memory for the oracle");
        }
    }
    return EXIT_DONE;
}

int dx11_stage_open(dx11_stage *s, const dx11_picture *picture) {
    double *plane;
    int code = EXIT_MEMORY;

    *s = (dx11_stage){.picture = picture};
    plane = allocate(picture->height * picture->width, sizeof *plane);
    s->spectra = plane ? allocate(DX11_COLOURS * spectrum_values(picture), sizeof *s->spectra) : 0;
    if (s->spectra != NULL) {
        code = transform_planes(s, plane);
    }
    free(plane);
    return code;
}

void dx11_stage_close(dx11_stage *s) {
    free(s->spectra);
    *s = (dx11_stage){0};
}

/* ---- verdicts -------------------------------------------------------------------------------- */

void dx11_row_fails(dx11_row *row, const char *format, ...) {
    va_list values;
    if (row->failure[0] != '\0') {
        return;
    }
    va_start(values, format);
    vsnprintf(row->failure, sizeof row->failure, format, values);
    va_end(values);
}

void dx11_check_spectra(dx11_row *row, const dx11_stage *s, weft_layout layout,
                        const float *spectra) {
    const size_t height = s->picture->height, width = s->picture->width;
    const size_t true_values = spectrum_values(s->picture);
    const size_t values = layout == WEFT_PACKED ? height * width : true_values;
    const size_t pitch = layout == WEFT_PACKED ? width : width / 2 + 1;
    double errors[DX11_COLOURS];

#pragma omp parallel for
    for (size_t c = 0; c < DX11_COLOURS; c++) {
        errors[c] = oracle_compare(height, width, WEFT_F32, layout, pitch, spectra + c * values, 1,
                                   s->spectra + c * true_values)
                        .rel_l2;
    }
    row->rel_l2 = 0;
    row->gate_l2 = gate_l2(height, width, WEFT_F32);
    for (size_t c = 0; c < DX11_COLOURS && !isnan(row->rel_l2); c++) {
        row->rel_l2 = errors[c] <= row->rel_l2 ? row->rel_l2 : errors[c];
    }
    if (!(row->rel_l2 <= row->gate_l2)) {
        dx11_row_fails(row, "spectrum: relative L2 error %.2e, at most %.2e wanted", row->rel_l2,
                       row->gate_l2);
    }
}

void dx11_check_round_trip(dx11_row *row, double psnr_db) {
    row->psnr_db = psnr_db;
    if (!(psnr_db >= least_psnr_db)) {
        dx11_row_fails(row, "round trip: PSNR %.1f dB, at least %.0f wanted", psnr_db,
                       least_psnr_db);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

weft_status dx11_check_launches(dx11_row *row, dx11_enqueue *enqueue, void *context) {
    const gpu_work work = {.enqueue = enqueue, .context = context, .executions = 1, .as_graph = 1};
    gpu_timer *timer;
    double us = 0;
    weft_status status = gpu_timer_open(&timer, &work);
    if (status == WEFT_OK) {
        status = gpu_timer_sample(timer, &us);
        row->launches = gpu_timer_kernels(timer);
        gpu_timer_close(timer);
    }
    row->executions = executions_per_sample(us, sample_us);
    if (row->predicted.launches != 0 && row->launches != row->predicted.launches) {
        dx11_row_fails(row, "launches: %zu, %zu predicted", row->launches, row->predicted.launches);
    }
    return status;
}

static weft_status take_samples(dx11_time *time, gpu_timer *timer) {
    const size_t enough = time->count + DX11_SAMPLES / DX11_TURNS;
    while (time->count < enough) {
        const weft_status status = gpu_timer_sample(timer, &time->samples_us[time->count]);
        if (status != WEFT_OK) {
            return status;
        }
        time->count++;
    }
    return samples_summarize(&time->summary, time->samples_us, time->count);
}

static weft_status time_work(dx11_time *time, const gpu_work *work) {
    gpu_timer *timer;
    weft_status status = gpu_timer_open(&timer, work);
    if (status == WEFT_OK) {
        status = take_samples(time, timer);
        gpu_timer_close(timer);
    }
    return status;
}

weft_status dx11_time_row(dx11_row *row, dx11_enqueue *enqueue, void *context) {
    gpu_work work = {.enqueue = enqueue, .context = context, .executions = row->executions};
    const weft_status status = time_work(&row->stream, &work);
    work.as_graph = 1;
    return status == WEFT_OK ? time_work(&row->graph, &work) : status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

weft_status dx11_take(dx11_buffers *b, size_t bytes, void **memory) {
    weft_status status = device_memory.allocate(0, bytes, memory);
    b->list[b->count++] = *memory;
    if (status == WEFT_OK) {
        CUDA_TRY(cudaMemset(*memory, 0xff, bytes));
    }
    return status;
}

void dx11_give_back(dx11_buffers *b) {
    while (b->count > 0) {
        device_memory.release(0, b->list[--b->count]);
    }
}
