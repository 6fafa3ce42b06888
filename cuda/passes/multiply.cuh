/* SPDX-License-Identifier: MIT
 * spectrum .* transfer on the GPU, in place: the middle of a composed weft_filter, for every cuda.*
 * strategy.
 */
#ifndef WEFT_CUDA_PASSES_MULTIPLY_CUH
#define WEFT_CUDA_PASSES_MULTIPLY_CUH

#include "base/kernel.cuh"
#include "base/launch.cuh"
#include "multiply.h"

typedef struct REAL_NAME(multiply_job) {
    spectrum_view spectrum; /* of the first image */
    size_t spectrum_reals;  /* from image to image */
    size_t batch;
    transfer_view transfer;
} multiply_job;

enum { MULTIPLY_BLOCK_THREADS = 256 };

/* in/out  spectrum of each image, either layout; transfer, of one image
 * grid    one thread per bin (k, l), l <= W/2, of all images; blocks take bins in grid strides
 * shared  none
 * DRAM    reads spectrum and transfer, writes spectrum, once each
 * sync    none: partners (k, 0), (k', 0) are one thread's */
static __global__ void multiply_kernel(multiply_job j) {
    size_t bins = j.spectrum.width / 2 + 1, all = j.batch * j.spectrum.height * bins;
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < all; i += step) {
        spectrum_view s = j.spectrum;
        size_t row = i / bins;
        s.values += row / s.height * j.spectrum_reals;
        multiply_bin(s, j.transfer, row % s.height, i % bins);
    }
}

static inline multiply_job multiply_job_of(const problem *p, void *spectrum, const void *transfer,
                                           weft_transfer kind) {
    multiply_job j;
    j.spectrum = view_of(p, spectrum, 0);
    j.spectrum_reals = spectrum_reals(p);
    j.batch = p->batch;
    j.transfer = transfer_of(p, transfer, kind);
    return j;
}

static inline launch_shape multiply_shape(const problem *p) {
    size_t bins = p->batch * p->height * (p->width / 2 + 1);
    size_t blocks = (bins + MULTIPLY_BLOCK_THREADS - 1) / MULTIPLY_BLOCK_THREADS;
    launch_shape shape = {};
    shape.blocks = blocks < 65536 ? (unsigned)blocks : 65536;
    shape.threads = MULTIPLY_BLOCK_THREADS;
    return shape;
}

/* Enqueues it. */
static inline weft_status launch_multiply(const problem *p, void *spectrum, const void *transfer,
                                          weft_transfer kind, cudaStream_t stream) {
    return launch(multiply_kernel, multiply_shape(p), stream,
                  multiply_job_of(p, spectrum, transfer, kind));
}

/* Loads it when a plan is made, so that the first execution has nothing to load. */
static inline weft_status prepare_multiply(void) {
    return device_has_kernel((const void *)multiply_kernel);
}

#endif
