/* SPDX-License-Identifier: MIT
 * The codebook made on the GPU: a padded plane -> the values of its domains, those that pruning
 * keeps, and scaled copies of them. Each kernel does what its function in codebook.c does, in the
 * same integers.
 */
#ifndef WEFT_FRACTAL_CUDA_DOMAINS_CUH
#define WEFT_FRACTAL_CUDA_DOMAINS_CUH

#include "find.cuh"

namespace {

enum { DOMAIN_SIDE = 2 * RANGE_SIDE, KEEP_THREADS = 1024, DOMAIN_THREADS = 128 };

typedef struct domain_job {
    const uint8_t *plane; /* padded: rows are whole domains */
    unsigned pitch, columns, domains;
    int pruning;      /* percent */
    uint4 *values;    /* int16 values of all domains, two uint4 for each */
    uint8_t *is_kept; /* of each domain, whether it is searched */
    uint4 *kept;      /* the values of those that are */
    uint32_t *number; /* and which they are */
    unsigned *count;  /* how many */
} domain_job;

/* The sums of the four pixels of each of two pairs of columns in 8 bytes of two rows. */
__device__ __forceinline__ void add_columns(uint2 row, int sums[RANGE_SIDE]) {
    sums[0] += (int)(row.x & 0xff) + (int)(row.x >> 8 & 0xff);
    sums[1] += (int)(row.x >> 16 & 0xff) + (int)(row.x >> 24);
    sums[2] += (int)(row.y & 0xff) + (int)(row.y >> 8 & 0xff);
    sums[3] += (int)(row.y >> 16 & 0xff) + (int)(row.y >> 24);
}

__device__ __forceinline__ uint32_t word_from(int lower, int upper) {
    return ((uint32_t)lower & 0xffff) | (uint32_t)upper << 16;
}

__device__ __forceinline__ void store_values(const int values[RANGE_PIXELS], uint4 *to) {
    uint32_t words[RANGE_PIXELS / 2];
#pragma unroll
    for (int w = 0; w < RANGE_PIXELS / 2; w++) {
        words[w] = word_from(values[2 * w], values[2 * w + 1]);
    }
    to[0] = make_uint4(words[0], words[1], words[2], words[3]);
    to[1] = make_uint4(words[4], words[5], words[6], words[7]);
}

__device__ __forceinline__ void load_values(const uint4 *from, int values[RANGE_PIXELS]) {
    const uint4 halves[2] = {from[0], from[1]};
#pragma unroll
    for (int w = 0; w < RANGE_PIXELS / 2; w++) {
        values[2 * w] = lower_of(word_of(halves, w));
        values[2 * w + 1] = upper_of(word_of(halves, w));
    }
}

/* in: a plane; out: the values of all its domains.
 * Grid and block: a thread per domain. Shared memory: none. DRAM: 64 bytes read, 32 written of each
 * domain. Syncs: none. */
__global__ void __launch_bounds__(DOMAIN_THREADS) make_domains(domain_job job) {
    const unsigned domain = blockIdx.x * blockDim.x + threadIdx.x;
    if (domain >= job.domains) {
        return;
    }
    const uint8_t *first = job.plane + (size_t)(domain / job.columns * DOMAIN_SIDE) * job.pitch +
                           (size_t)(domain % job.columns) * DOMAIN_SIDE;
    int values[RANGE_PIXELS], sum = 2 * RANGE_PIXELS;
#pragma unroll
    for (int m = 0; m < RANGE_SIDE; m++) {
        int *fours = values + m * RANGE_SIDE;
        fours[0] = fours[1] = fours[2] = fours[3] = 0;
        add_columns(*(const uint2 *)(first + (size_t)(2 * m) * job.pitch), fours);
        add_columns(*(const uint2 *)(first + (size_t)(2 * m + 1) * job.pitch), fours);
        sum += fours[0] + fours[1] + fours[2] + fours[3];
    }
#pragma unroll
    for (int k = 0; k < RANGE_PIXELS; k++) {
        values[k] = ((values[k] + 2) >> 2) - (sum >> 6);
    }
    store_values(values, job.values + (size_t)domain * 2);
}

/* n n times the covariance. */
__device__ __forceinline__ long long covariance_of(const int x[RANGE_PIXELS],
                                                   const int y[RANGE_PIXELS]) {
    int products = 0, sum_x = 0, sum_y = 0;
#pragma unroll
    for (int k = 0; k < RANGE_PIXELS; k++) {
        products += x[k] * y[k];
        sum_x += x[k];
        sum_y += y[k];
    }
    return (long long)RANGE_PIXELS * products - (long long)sum_x * sum_y;
}

__device__ __forceinline__ bool is_like(const domain_job &job, const int values[RANGE_PIXELS],
                                        unsigned neighbour) {
    int other[RANGE_PIXELS];
    load_values(job.values + (size_t)neighbour * 2, other);
    const long long c = covariance_of(values, other);
    return c > 0 && c * c * 10000 > (long long)(job.pruning * job.pruning) *
                                        covariance_of(values, values) * covariance_of(other, other);
}

/* in: the values of all domains; out: which of them are kept.
 * Grid and block: a thread per domain. Shared memory: none. DRAM: 96 bytes read of each domain,
 * from L2. Syncs: none. */
__global__ void __launch_bounds__(DOMAIN_THREADS) prune_domains(domain_job job) {
    const unsigned domain = blockIdx.x * blockDim.x + threadIdx.x;
    if (domain >= job.domains) {
        return;
    }
    int values[RANGE_PIXELS];
    load_values(job.values + (size_t)domain * 2, values);
    const bool goes =
        domain > 0 && (covariance_of(values, values) == 0 ||
                       (domain % job.columns > 0 && is_like(job, values, domain - 1)) ||
                       (domain >= job.columns && is_like(job, values, domain - job.columns)));
    job.is_kept[domain] = !goes;
}

/* in: which domains are kept; out: their values and numbers one behind the other, and their count.
 * Grid and block: one block, each thread of which has a run of domains. Shared memory: a word a
 * thread. DRAM: 32 bytes read and 36 written of each domain that is kept. Syncs: two for each
 * doubling of the sums. */
__global__ void __launch_bounds__(KEEP_THREADS) keep_domains(domain_job job) {
    WEFT_SHARED(unsigned, sums);
    const unsigned run = (job.domains + blockDim.x - 1) / blockDim.x;
    const unsigned first = threadIdx.x * run < job.domains ? threadIdx.x * run : job.domains;
    const unsigned end = job.domains - first < run ? job.domains : first + run;
    unsigned mine = 0;
    for (unsigned domain = first; domain < end; domain++) {
        mine += job.is_kept[domain];
    }
    unsigned all = mine; /* of this thread and those before it */
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        sums[threadIdx.x] = all;
        __syncthreads();
        all += threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        __syncthreads();
    }
    unsigned to = all - mine;
    for (unsigned domain = first; domain < end; domain++) {
        if (job.is_kept[domain]) {
            job.kept[2 * (size_t)to] = job.values[2 * (size_t)domain];
            job.kept[2 * (size_t)to + 1] = job.values[2 * (size_t)domain + 1];
            job.number[to++] = domain;
        }
    }
    if (threadIdx.x == blockDim.x - 1) {
        *job.count = all;
    }
}

typedef struct scaling_job {
    const uint4 *values;
    const unsigned *kept; /* how many; NULL: most_entries */
    unsigned most_entries;
    uint4 *scaled; /* SCALES copies of each, one behind the other */
} scaling_job;

/* in: values; out: all scaled copies of them.
 * Grid and block: a thread per copy. Shared memory: none. DRAM: 32 bytes read, from L2, and 32
 * written of each copy. Syncs: none. */
__global__ void __launch_bounds__(DOMAIN_THREADS) scale_domains(scaling_job job) {
    const unsigned copy = blockIdx.x * blockDim.x + threadIdx.x, entry = copy / SCALES;
    if (entry >= (job.kept != NULL ? *job.kept : job.most_entries)) {
        return;
    }
    int values[RANGE_PIXELS];
    load_values(job.values + 2 * (size_t)entry, values);
#pragma unroll
    for (int k = 0; k < RANGE_PIXELS; k++) {
        values[k] *= scale_of((int)(copy % SCALES));
    }
    store_values(values, job.scaled + 2 * (size_t)copy);
}

} // namespace

#endif
