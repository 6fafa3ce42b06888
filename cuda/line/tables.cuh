/* SPDX-License-Identifier: MIT
 * Tables on the device, which the host fills in when a plan is made. Twiddles are those of
 * src/arith, so that CPU and GPU multiply by the same bits.
 */
#ifndef WEFT_CUDA_LINE_TABLES_CUH
#define WEFT_CUDA_LINE_TABLES_CUH

#include <stdlib.h>

#include "arith/twiddle.h"
#include "base/device.h"
#include "line/pairs.cuh"

/* *table is new device memory with what fill(host memory) wrote; NULL on failure. */
template <class Fill> static weft_status upload(int device, size_t bytes, void **table, Fill fill) {
    void *host = malloc(bytes ? bytes : 1), *block = NULL;
    if (host == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a table of %zu bytes", bytes);
    }
    fill(host);
    weft_status status = device_memory.allocate(device, bytes, &block);
    if (status == WEFT_OK) {
        status = device_memory.copy_in(device, block, host, bytes);
    }
    if (status != WEFT_OK) {
        device_memory.release(device, block);
        block = NULL;
    }
    free(host);
    *table = block;
    return status;
}

/* *table gets the twiddles of a line in one direction. Threads load two at a time, so that of each
 * stage numbers k and k + 1 of each sub-line's twiddles lie side by side, for all sub-lines. */
static inline weft_status upload_twiddles(int device, size_t length, int axis, int is_inverse,
                                          cpx **table) {
    factor_list factors;
    factor_line(length, axis, is_inverse, &factors);
    size_t count = twiddles_before(&factors, factors.count);
    cpx *natural = (cpx *)malloc(count * sizeof(cpx) + 1);
    if (natural == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a table of %zu bytes", count * sizeof(cpx));
    }
    twiddle_fill(&factors, NULL, natural);
    weft_status status = upload(device, count * sizeof(cpx), (void **)table, [&](void *host) {
        for (int stage = 1; stage < factors.count; stage++) {
            size_t begin = twiddles_before(&factors, stage),
                   each = stage_twiddles((size_t)factors.radix[stage]),
                   sub_lines = (twiddles_before(&factors, stage + 1) - begin) / each;
            for (size_t q = 0; q < sub_lines; q++) {
                for (size_t k = 0; k < each; k++) {
                    ((cpx *)host)[begin + (k / 2 * sub_lines + q) * 2 + k % 2] =
                        natural[begin + q * each + k];
                }
            }
        }
    });
    free(natural);
    return status;
}

/* Loads the twiddles of sub-line q out of its stage of such a table: numbers `first` to before
 * `end`, or one more. */
__device__ __forceinline__ void load_twiddles(cpx *w, unsigned first, unsigned end,
                                              const cpx *stage, unsigned sub_lines, unsigned q) {
    WEFT_UNROLL
    for (unsigned k = (first + 1) / 2 * 2; k < end; k += 2) {
        load_two_constant(stage + k * sub_lines + 2 * q, &w[k], &w[k + 1]);
    }
}

/* Loads number k of them. */
__device__ __forceinline__ cpx load_twiddle(const cpx *stage, unsigned sub_lines, unsigned q,
                                            unsigned k) {
    return load_constant(stage + (k / 2 * sub_lines + q) * 2 + k % 2);
}

#endif
