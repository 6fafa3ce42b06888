/* SPDX-License-Identifier: MIT
 * The kernel of cufft_multiply.h: 16 bytes of the spectrum an access where its length allows.
 */
#include "bench/peers/cufft_multiply.h"

#include "base/device.h"

namespace {

enum { BLOCK_THREADS = 256, MOST_BLOCKS_Y = 65535 };

template <class Real, int COUNT> struct alignas(COUNT * sizeof(Real)) reals { Real v[COUNT]; };

/* in/out  spectra: `batch` of `chunks` chunks of BINS complex numbers; transfer of one of them
 * grid    x: a thread per chunk; y: spectra, each block takes some
 * DRAM    reads spectra and writes them once, reads the transfer once (it stays in registers) */
template <class Real, int BINS, bool IS_GAIN>
__global__ void multiply(reals<Real, 2 * BINS> *spectra,
                         const reals<Real, IS_GAIN ? BINS : 2 * BINS> *transfer, size_t chunks,
                         size_t batch) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= chunks) {
        return;
    }
    reals<Real, IS_GAIN ? BINS : 2 *BINS> by = transfer[i];
    for (size_t b = blockIdx.y; b < batch; b += gridDim.y) {
        reals<Real, 2 *BINS> x = spectra[b * chunks + i];
        for (int n = 0; n < 2 * BINS; n += 2) {
            Real re = x.v[n], im = x.v[n + 1];
            if constexpr (IS_GAIN) {
                x.v[n] = re * by.v[n / 2];
                x.v[n + 1] = im * by.v[n / 2];
            } else {
                x.v[n] = re * by.v[n] - im * by.v[n + 1];
                x.v[n + 1] = re * by.v[n + 1] + im * by.v[n];
            }
        }
        spectra[b * chunks + i] = x;
    }
}

template <class Real, int BINS, bool IS_GAIN>
weft_status run(void *spectra, const void *transfer, size_t bins, size_t batch,
                cudaStream_t stream) {
    size_t chunks = bins / BINS;
    dim3 grid((unsigned)((chunks + BLOCK_THREADS - 1) / BLOCK_THREADS),
              (unsigned)(batch < MOST_BLOCKS_Y ? batch : MOST_BLOCKS_Y));
    multiply<Real, BINS, IS_GAIN><<<grid, BLOCK_THREADS, 0, stream>>>(
        (reals<Real, 2 * BINS> *)spectra, (const reals<Real, IS_GAIN ? BINS : 2 * BINS> *)transfer,
        chunks, batch);
    CUDA_TRY(cudaGetLastError());
    return WEFT_OK;
}

template <class Real, int BINS>
weft_status run_kind(void *spectra, const void *transfer, weft_transfer kind, size_t bins,
                     size_t batch, cudaStream_t stream) {
    return kind == WEFT_TRANSFER_GAIN
               ? run<Real, BINS, true>(spectra, transfer, bins, batch, stream)
               : run<Real, BINS, false>(spectra, transfer, bins, batch, stream);
}

} // namespace

weft_status cufft_multiply(weft_precision precision, void *spectra, const void *transfer,
                           weft_transfer kind, size_t bins, size_t batch,
                           struct CUstream_st *stream) {
    if (precision == WEFT_F64) {
        return run_kind<double, 1>(spectra, transfer, kind, bins, batch, stream);
    }
    return bins % 2 == 0 ? run_kind<float, 2>(spectra, transfer, kind, bins, batch, stream)
                         : run_kind<float, 1>(spectra, transfer, kind, bins, batch, stream);
}
