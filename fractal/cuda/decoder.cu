/* SPDX-License-Identifier: MIT
 * Decoding on a GPU: codes are sent, iterations are launched one after another, and the pixels come
 * back. The reference remains there for frames with changes. See device.h and reconstruct.cuh.
 */
#include "reconstruct.cuh"

#include "base/launch.cuh"
#include "device.h"
#include "memory_places.cuh"
#include "scales.h"

namespace {

enum { COPIES = 2 };

struct decoder_plane {
    plane_blocks blocks;
    uint8_t *pixels[COPIES];
    weft_fractal_code *codes;
};

struct cuda_decoder {
    device_problem problem;
    void *memory;
    cudaStream_t stream;
    cudaEvent_t begins, ends; /* kernels */
    int now;                  /* the copy that the reference is in */
    decoder_plane plane[WEFT_FRACTAL_PLANES];
};

/* Measures, if there is no memory yet; returns the bytes that are wanted. */
size_t lay_out(cuda_decoder *d) {
    memory_places places = {(unsigned char *)d->memory, 0};
    for (int i = 0; i < d->problem.planes; i++) {
        decoder_plane *p = &d->plane[i];
        for (int copy = 0; copy < COPIES; copy++) {
            p->pixels[copy] = places.take<uint8_t>(padded_pixels(&p->blocks));
        }
        p->codes = places.take<weft_fractal_code>(p->blocks.ranges);
    }
    return places.used;
}

/* ---- kernels -----------------------------------------------------------------------------------
 */

typedef void (*reconstruct_kernel)(reconstruct_job);

reconstruct_kernel kernel_of(const cuda_decoder *d) {
    const size_t side = d->plane[0].blocks.side;
    return side == BLOCK_SIDE       ? reconstruct_ranges<BLOCK_SIDE>
           : side == 2 * BLOCK_SIDE ? reconstruct_ranges<2 * BLOCK_SIDE>
                                    : reconstruct_ranges<4 * BLOCK_SIDE>;
}

/* From one copy into the other. */
weft_status launch_pass(const cuda_decoder *d, int from) {
    reconstruct_job job = {};
    size_t ranges = 0;
    job.log2_unit = log2_of_unit(d->problem.profile);
    for (int i = 0; i < d->problem.planes; i++) {
        const decoder_plane *p = &d->plane[i];
        const plane_blocks &b = p->blocks;
        job.plane[i] = {p->pixels[from],
                        p->pixels[1 - from],
                        p->codes,
                        (unsigned)b.padded_width,
                        (unsigned)b.range_columns,
                        (unsigned)b.ranges,
                        (unsigned)b.domain_columns,
                        (unsigned)b.step};
        ranges += b.ranges;
    }
    launch_shape shape = {};
    shape.blocks = (unsigned)((ranges + RECONSTRUCT_THREADS - 1) / RECONSTRUCT_THREADS);
    shape.threads = RECONSTRUCT_THREADS;
    return launch(kernel_of(d), shape, d->stream, job);
}

/* ---- frames ------------------------------------------------------------------------------------
 */

weft_status send_codes(const cuda_decoder *d, const device_frame *frame) {
    for (int i = 0; i < d->problem.planes; i++) {
        const decoder_plane *p = &d->plane[i];
        CUDA_TRY(cudaMemcpyAsync(p->codes, frame->codes[i], p->blocks.ranges * sizeof *p->codes,
                                 cudaMemcpyHostToDevice, d->stream));
    }
    return WEFT_OK;
}

weft_status send_pixels(const cuda_decoder *d, const device_frame *frame) {
    for (int i = 0; i < d->problem.planes; i++) {
        const decoder_plane *p = &d->plane[i];
        CUDA_TRY(cudaMemcpyAsync(p->pixels[d->now], frame->pixels[i], padded_pixels(&p->blocks),
                                 cudaMemcpyHostToDevice, d->stream));
    }
    return WEFT_OK;
}

weft_status receive_pixels(const cuda_decoder *d, const device_frame *frame, int copy,
                           double *seconds) {
    float milliseconds = 0;
    for (int i = 0; i < d->problem.planes; i++) {
        const decoder_plane *p = &d->plane[i];
        CUDA_TRY(cudaMemcpyAsync(frame->pixels[i], p->pixels[copy], padded_pixels(&p->blocks),
                                 cudaMemcpyDeviceToHost, d->stream));
    }
    CUDA_TRY(cudaStreamSynchronize(d->stream));
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, d->begins, d->ends));
    *seconds = 1e-3 * (double)milliseconds;
    return WEFT_OK;
}

weft_status launch_passes(cuda_decoder *d, int passes, int *copy) {
    CUDA_TRY(cudaEventRecord(d->begins, d->stream));
    for (int i = 0; i < passes; i++) {
        TRY(launch_pass(d, *copy));
        *copy = 1 - *copy;
    }
    CUDA_TRY(cudaEventRecord(d->ends, d->stream));
    return WEFT_OK;
}

weft_status iterate(void *state, const device_frame *frame, int iterations, double *seconds) {
    cuda_decoder *d = (cuda_decoder *)state;
    return on_device(d->problem.device, [&]() {
        TRY(send_codes(d, frame));
        TRY(send_pixels(d, frame));
        TRY(launch_passes(d, iterations, &d->now));
        return receive_pixels(d, frame, d->now, seconds);
    });
}

weft_status change(void *state, const device_frame *frame, double *seconds) {
    cuda_decoder *d = (cuda_decoder *)state;
    return on_device(d->problem.device, [&]() {
        int copy = d->now;
        TRY(send_codes(d, frame));
        TRY(launch_passes(d, 1, &copy));
        return receive_pixels(d, frame, copy, seconds);
    });
}

/* ---- create, destroy ---------------------------------------------------------------------------
 */

weft_status check_size(const device_problem *p) {
    size_t ranges = 0;
    for (int i = 0; i < p->planes; i++) {
        ranges += p->blocks[i].ranges;
    }
    return ranges <= INT32_MAX
               ? WEFT_OK
               : weft_fail(WEFT_UNSUPPORTED, "%zu ranges are too many for a GPU", ranges);
}

weft_status open(cuda_decoder *d) {
    TRY(device_has_kernel((const void *)kernel_of(d)));
    TRY(device_memory.allocate(d->problem.device, lay_out(d), &d->memory));
    lay_out(d);
    CUDA_TRY(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreate(&d->begins));
    CUDA_TRY(cudaEventCreate(&d->ends));
    return WEFT_OK;
}

/* Also after open() stopped half-way. */
void close(cuda_decoder *d) {
    if (d->stream != NULL) {
        cudaStreamSynchronize(d->stream);
        cudaStreamDestroy(d->stream);
    }
    if (d->begins != NULL) {
        cudaEventDestroy(d->begins);
    }
    if (d->ends != NULL) {
        cudaEventDestroy(d->ends);
    }
    device_memory.release(d->problem.device, d->memory);
}

void destroy(void *state) {
    cuda_decoder *d = (cuda_decoder *)state;
    if (d != NULL) {
        on_device(d->problem.device, [&]() {
            close(d);
            return WEFT_OK;
        });
        free(d);
    }
}

weft_status create(const device_problem *p, void **state) {
    TRY(check_size(p));
    TRY(device_usable(p->device));
    cuda_decoder *d = (cuda_decoder *)calloc(1, sizeof *d);
    if (d == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a decoder");
    }
    d->problem = *p;
    for (int i = 0; i < p->planes; i++) {
        d->plane[i].blocks = p->blocks[i];
    }
    weft_status status = on_device(p->device, [&]() { return open(d); });
    if (status != WEFT_OK) {
        destroy(d);
        return status;
    }
    *state = d;
    return WEFT_OK;
}

} // namespace

extern "C" const device_decoder device_decoder_cuda;
const device_decoder device_decoder_cuda = {create, destroy, iterate, change};
