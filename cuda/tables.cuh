/* SPDX-License-Identifier: MIT
 * Twiddle tables on the device: computed on the host by src/arith, so that CPU and GPU multiply by
 * the same bits. Called when a plan is made.
 */
#ifndef WEFT_CUDA_TABLES_CUH
#define WEFT_CUDA_TABLES_CUH

#include <stdlib.h>

#include "arith/twiddle.h"
#include "device.h"

/* *table is new device memory, or NULL on failure. */
static inline weft_status upload_twiddles(int device, size_t length, cpx **table) {
    factor_list factors;
    factor_length(length, &factors);
    size_t count = twiddle_count(length, &factors);
    cpx *host = (cpx *)malloc((count ? count : 1) * sizeof *host);
    void *block = NULL;
    if (host == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for twiddles of %zu", length);
    }
    twiddle_fill(length, &factors, host);
    weft_status status = device_memory.allocate(device, count * sizeof *host, &block);
    if (status == WEFT_OK) {
        status = device_memory.copy_in(device, block, host, count * sizeof *host);
    }
    if (status != WEFT_OK) {
        device_memory.release(device, block);
        block = NULL;
    }
    free(host);
    *table = (cpx *)block;
    return status;
}

#endif
