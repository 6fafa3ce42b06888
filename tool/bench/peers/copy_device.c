/* SPDX-License-Identifier: MIT
 * The roofline on the GPU: cudaMemcpyAsync, device to device, of an image as large as what a
 * transform must read and write, halved.
 */
#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "base/device.h"
#include "bench/peers/peers.h"
#include "problem.h"

static weft_status supports(const problem *p) {
    weft_status status = peer_copy_shape(p);
    return status == WEFT_OK ? device_usable(p->device) : status;
}

static weft_status create(const problem *p, void **state, size_t *workspace) {
    size_t *bytes = malloc(sizeof *bytes);
    if (bytes == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
    }
    *bytes = image_batch_bytes(p);
    *state = bytes;
    *workspace = 0;
    return WEFT_OK;
}

static weft_status copy(const void *state, const void *from, void *to, void *work,
                        struct CUstream_st *stream) {
    const size_t *bytes = state;
    (void)work;
    CUDA_TRY(cudaMemcpyAsync(to, from, *bytes, cudaMemcpyDeviceToDevice, stream));
    return WEFT_OK;
}

const strategy peer_copy_device = {
    .name = "copy",
    .about = "cudaMemcpyAsync of the bytes a transform must move: the roofline",
    .space = &device_memory,
    .supports = supports,
    .create = create,
    .destroy = free,
    .forward = copy,
    .inverse = copy,
    .multiply = peer_no_multiply,
};
