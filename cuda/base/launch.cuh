/* SPDX-License-Identifier: MIT
 * The one way in which host code launches a kernel: with a shape, a stream and the arguments;
 * errors become statuses.
 */
#ifndef WEFT_CUDA_BASE_LAUNCH_CUH
#define WEFT_CUDA_BASE_LAUNCH_CUH

#include "base/device.h"
#include "base/kernel.cuh"

template <class Job>
static weft_status launch(void (*kernel)(Job), launch_shape shape, cudaStream_t stream, Job job) {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attributes[3] = {};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = stream;
    config.attrs = attributes;
    if (shape.syncs_grid) {
        attributes[config.numAttrs].id = cudaLaunchAttributeCooperative;
        attributes[config.numAttrs++].val.cooperative = 1;
    }
    if (shape.cluster > 1) {
        attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
        attributes[config.numAttrs].val.clusterDim.x = shape.cluster;
        attributes[config.numAttrs].val.clusterDim.y = 1;
        attributes[config.numAttrs++].val.clusterDim.z = 1;
    }
    if (shape.is_dependent) {
        attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[config.numAttrs++].val.programmaticStreamSerializationAllowed = 1;
    }
    CUDA_TRY(cudaLaunchKernelEx(&config, kernel, job));
    return WEFT_OK;
}

/* Runs host code with `device` current, and the caller's device again afterwards. */
template <class Run> static weft_status on_device(int device, Run run) {
    int previous;
    TRY(device_enter(device, &previous));
    weft_status status = run();
    device_leave(previous);
    return status;
}

/* Beyond 48 KiB a kernel gets shared memory only after the host has asked for it. That holds for
 * the kernel, not for a plan: each plan asks for all that a block may have, so that no plan takes
 * any from another. */
static inline weft_status allow_shared_memory(const void *kernel) {
    size_t most = 0;
    TRY(device_shared_memory(&most));
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most));
    return WEFT_OK;
}

template <size_t COUNT>
static weft_status allow_shared_memory(const void *const (&kernels)[COUNT]) {
    for (const void *kernel : kernels) {
        TRY(allow_shared_memory(kernel));
    }
    return WEFT_OK;
}

/* Enqueues kernels; or, when a plan is made, is called for the same launches and only prepares
 * their kernels: they are loaded, and get the shared memory that they will want. */
typedef struct launcher {
    cudaStream_t stream;
    int only_prepares;

    template <class Job>
    weft_status operator()(void (*kernel)(Job), launch_shape shape, Job job) const {
        return only_prepares ? allow_shared_memory((const void *)kernel)
                             : launch(kernel, shape, stream, job);
    }
} launcher;

#endif
