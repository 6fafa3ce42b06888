/* SPDX-License-Identifier: MIT
 * Every lane has some independent chains of fused multiply-adds, so that none waits for another,
 * and enough lanes are there to hide how long one takes. Each multiplies by 1 and adds 1, so that
 * the sums count them.
 */
#include "bench/issue_rate.h"

#include <stdlib.h>

#include "base/launch.cuh"

namespace {

enum { CHAINS = 8, LINKS = 64, LANES_A_BLOCK = 256, BLOCKS_A_PROCESSOR = 8 };

typedef struct chain_job {
    float one; /* which the compiler does not know */
    unsigned rounds;
    float *counts; /* of each thread */
} chain_job;

/* in: 1; out: of each thread the ends of its chains, added up.
 * Grid and block: as many blocks as the GPU holds concurrently. Shared memory: none. DRAM: 4 bytes
 * written of each thread. Syncs: none. */
__global__ void __launch_bounds__(LANES_A_BLOCK, BLOCKS_A_PROCESSOR)
    count_in_chains(chain_job job) {
    float chain[CHAINS], sum = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; i++) {
        chain[i] = (float)i; /* equal chains would become one */
    }
    for (unsigned round = 0; round < job.rounds; round++) {
#pragma unroll
        for (int link = 0; link < LINKS; link++) {
#pragma unroll
            for (int i = 0; i < CHAINS; i++) {
                chain[i] = fmaf(chain[i], job.one, job.one);
            }
        }
    }
#pragma unroll
    for (int i = 0; i < CHAINS; i++) {
        sum += chain[i] - (float)i;
    }
    job.counts[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

struct rate_meter {
    int device;
    chain_job job;
    launch_shape shape;
    void *counts; /* on the device */
    cudaStream_t stream;
    cudaEvent_t begins, ends;
};

size_t lanes_of(const rate_meter *m) {
    return (size_t)m->shape.blocks * m->shape.threads;
}

weft_status open(rate_meter *m) {
    int processors = 0;
    TRY(device_has_kernel((const void *)count_in_chains));
    TRY(device_processors(&processors));
    m->shape.blocks = (unsigned)processors * BLOCKS_A_PROCESSOR;
    m->shape.threads = LANES_A_BLOCK;
    TRY(device_memory.allocate(m->device, lanes_of(m) * sizeof(float), &m->counts));
    m->job.counts = (float *)m->counts;
    CUDA_TRY(cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreate(&m->begins));
    CUDA_TRY(cudaEventCreate(&m->ends));
    return WEFT_OK;
}

/* Also after open() stopped half-way. */
void close(rate_meter *m) {
    if (m->stream != NULL) {
        cudaStreamSynchronize(m->stream);
        cudaStreamDestroy(m->stream);
    }
    if (m->begins != NULL) {
        cudaEventDestroy(m->begins);
    }
    if (m->ends != NULL) {
        cudaEventDestroy(m->ends);
    }
    device_memory.release(m->device, m->counts);
}

weft_status sample(const rate_meter *m, double *seconds) {
    float milliseconds = 0;
    CUDA_TRY(cudaEventRecord(m->begins, m->stream));
    TRY(launch(count_in_chains, m->shape, m->stream, m->job));
    CUDA_TRY(cudaEventRecord(m->ends, m->stream));
    CUDA_TRY(cudaStreamSynchronize(m->stream));
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, m->begins, m->ends));
    *seconds = 1e-3 * (double)milliseconds;
    return WEFT_OK;
}

weft_status check_counts(const rate_meter *m, const float *counts) {
    const float right = (float)m->job.rounds * LINKS * CHAINS;
    for (size_t i = 0; i < lanes_of(m); i++) {
        if (counts[i] != right) {
            return weft_fail(WEFT_DEVICE_FAILED,
                             "lane %zu: %.0f multiplications and additions of %.0f", i,
                             (double)counts[i], (double)right);
        }
    }
    return WEFT_OK;
}

weft_status check(const rate_meter *m) {
    float *counts = (float *)malloc(lanes_of(m) * sizeof *counts);
    if (counts == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for the counts of %zu lanes", lanes_of(m));
    }
    weft_status status =
        device_memory.copy_out(m->device, counts, m->counts, lanes_of(m) * sizeof *counts);
    if (status == WEFT_OK) {
        status = check_counts(m, counts);
    }
    free(counts);
    return status;
}

/* The first run warms up, and is the one whose counts are looked at. */
weft_status measure(rate_meter *m, size_t samples, double *seconds) {
    double first;
    TRY(open(m));
    TRY(sample(m, &first));
    TRY(check(m));
    for (size_t i = 0; i < samples; i++) {
        TRY(sample(m, &seconds[i]));
    }
    return WEFT_OK;
}

} // namespace

weft_status issue_rate_measure(int device, unsigned rounds, size_t samples, double *seconds,
                               double *instructions) {
    rate_meter m = {};
    m.device = device;
    m.job.one = 1;
    m.job.rounds = rounds;
    TRY(device_usable(device));
    return on_device(device, [&]() {
        weft_status status = measure(&m, samples, seconds);
        *instructions = (double)lanes_of(&m) * rounds * LINKS * CHAINS;
        close(&m);
        return status;
    });
}
