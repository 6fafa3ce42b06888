/* SPDX-License-Identifier: MIT
 * Tables on the device, filled in on the host when a plan is made; twiddles are those of src/arith,
 * so that CPU and GPU multiply by the same bits.
 */
#ifndef WEFT_CUDA_TABLES_CUH
#define WEFT_CUDA_TABLES_CUH

#include <stdlib.h>

#include "arith/twiddle.h"
#include "device.h"

/* *table is new device memory with what fill(host memory) wrote, or NULL on failure. */
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

static inline weft_status upload_twiddles(int device, size_t length, cpx **table) {
    factor_list factors;
    factor_length(length, &factors);
    return upload(device, twiddle_count(length, &factors) * sizeof(cpx), (void **)table,
                  [&](void *host) { twiddle_fill(length, &factors, (cpx *)host); });
}

#endif
