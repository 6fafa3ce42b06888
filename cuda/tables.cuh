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

/* Of a line in one direction, in the order in which threads load two at a time: for one k those of
 * neighbouring butterflies in a first stage that is paired, as they are in twiddle.h; otherwise
 * those of k and k + 1 side by side. */
static inline weft_status upload_twiddles(int device, size_t length, int axis, int is_inverse,
                                          int first_is_paired, cpx **table) {
    factor_list factors;
    factor_line(length, axis, is_inverse, &factors);
    size_t count = twiddles_before(length, &factors, factors.count);
    cpx *natural = (cpx *)malloc(count * sizeof(cpx) + 1);
    if (natural == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a table of %zu bytes", count * sizeof(cpx));
    }
    twiddle_fill(length, &factors, natural);
    weft_status status = upload(device, count * sizeof(cpx), (void **)table, [&](void *host) {
        size_t m = length;
        for (int stage = 0; stage + 1 < factors.count; stage++) {
            size_t radix = (size_t)factors.radix[stage],
                   begin = twiddles_before(length, &factors, stage);
            m /= radix;
            for (size_t k = 0; k < radix; k++) {
                for (size_t j = 0; j < m; j++) {
                    size_t place =
                        stage == 0 && first_is_paired ? k * m + j : (k / 2 * m + j) * 2 + k % 2;
                    ((cpx *)host)[begin + place] = natural[begin + twiddle_index(m, j, k)];
                }
            }
        }
    });
    free(natural);
    return status;
}

#endif
