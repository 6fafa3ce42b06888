/* SPDX-License-Identifier: MIT
 * spectra .* transfer between cuFFT's R2C and C2R, as a careful user of cuFFT writes it.
 */
#ifndef WEFT_TOOL_BENCH_PEERS_CUFFT_MULTIPLY_H
#define WEFT_TOOL_BENCH_PEERS_CUFFT_MULTIPLY_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `batch` half spectra of `bins` complex numbers, one behind the other, times one transfer: complex
 * numbers, or reals for WEFT_TRANSFER_GAIN. Enqueues it. */
weft_status cufft_multiply(weft_precision precision, void *spectra, const void *transfer,
                           weft_transfer kind, size_t bins, size_t batch,
                           struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif

#endif
