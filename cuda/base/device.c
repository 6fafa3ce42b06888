/* SPDX-License-Identifier: MIT
 * The GPU's memory and errors. The memory calls wait for their work; transforms never come through
 * here.
 */
#include "base/device.h"

#include <string.h>

/* ---- errors ---------------------------------------------------------------------------------- */

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What is free on the device in use, for a text; the question itself must leave no error behind. */
static const char *free_text(char buffer[BYTES_TEXT_SIZE]) {
    size_t available = 0, total = 0;
    cudaMemGetInfo(&available, &total);
    cudaGetLastError();
    return bytes_text(available, buffer);
}

weft_status device_failed(const char *file, int line, const char *call, cudaError_t error) {
    char text[BYTES_TEXT_SIZE];
    cudaGetLastError();
    if (error == cudaErrorMemoryAllocation) {
        return weft_fail(WEFT_NO_MEMORY, "no memory on the GPU: %s:%d: %.100s, %s free",
                         file_name(file), line, call, free_text(text));
    }
    return weft_fail(WEFT_DEVICE_FAILED, "%s:%d: %.100s: %s (CUDA error %d)", file_name(file), line,
                     call, cudaGetErrorString(error), (int)error);
}

weft_status device_out_of_memory(size_t wanted) {
    char wants[BYTES_TEXT_SIZE], there[BYTES_TEXT_SIZE];
    cudaGetLastError();
    return weft_fail(WEFT_NO_MEMORY, "no memory on the GPU: wants %s, %s free",
                     bytes_text(wanted, wants), free_text(there));
}

/* ---- which device ---------------------------------------------------------------------------- */

/* CUDA says of a missing driver that it is too old, which would mislead. */
static const char *why_no_device(cudaError_t error) {
    int driver = 0;
    if (error == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
        driver == 0) {
        return "there is no NVIDIA driver on this machine";
    }
    return cudaGetErrorString(error);
}

weft_status device_usable(int device) {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return weft_fail(WEFT_NO_DEVICE, "no usable GPU: %s; cpu strategies can run",
                         why_no_device(error));
    }
    if (device >= count) {
        return weft_fail(WEFT_NO_DEVICE, "device %d: there %s %d GPU%s, numbered from 0", device,
                         count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
    }
    return WEFT_OK;
}

weft_status device_knows_kernel(const void *kernel, int *is_known) {
    struct cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    *is_known = error == cudaSuccess;
    if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction ||
        error == cudaErrorUnsupportedPtxVersion) {
        cudaGetLastError();
        error = cudaSuccess;
    }
    return error == cudaSuccess ? WEFT_OK
                                : device_failed(__FILE__, __LINE__, "cudaFuncGetAttributes", error);
}

weft_status device_has_kernel(const void *kernel) {
    int is_known;
    TRY(device_knows_kernel(kernel, &is_known));
    return is_known ? WEFT_OK
                    : weft_fail(WEFT_NO_DEVICE, "no kernel for this GPU: the library has none for "
                                                "its architecture");
}

weft_status device_shared_memory(size_t *bytes) {
    int device = 0, most = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    *bytes = (size_t)most;
    return WEFT_OK;
}

weft_status device_has_shared_memory(const char *strategy_name, size_t bytes) {
    size_t most = 0;
    char wanted[BYTES_TEXT_SIZE], there[BYTES_TEXT_SIZE];
    weft_status status = device_shared_memory(&most);
    return status != WEFT_OK || bytes <= most
               ? status
               : weft_fail(WEFT_UNSUPPORTED,
                           "%s: wants %s of shared memory a block, this GPU has %s", strategy_name,
                           bytes_text(bytes, wanted), bytes_text(most, there));
}

/* What only sm_90 has is in a kernel only if it was compiled for sm_90. A kernel that the driver
 * has made of older code runs on such a device too, and has none of it. */
static weft_status made_for_sm_90(const void *kernel, int *is) {
    struct cudaFuncAttributes attributes;
    CUDA_TRY(cudaFuncGetAttributes(&attributes, kernel));
    *is = attributes.ptxVersion >= 90;
    return WEFT_OK;
}

weft_status device_launches_dependents(const void *kernel, int *can) {
    int device = 0, major = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    *can = 0;
    return major >= 9 ? made_for_sm_90(kernel, can) : WEFT_OK;
}

weft_status device_processors(int *count) {
    int device = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(count, cudaDevAttrMultiProcessorCount, device));
    return WEFT_OK;
}

weft_status device_cache(size_t *bytes) {
    int device = 0, value = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, device));
    *bytes = (size_t)value;
    return WEFT_OK;
}

static weft_status can(enum cudaDeviceAttr attribute, const char *strategy_name, const char *what) {
    int device = 0, value = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&value, attribute, device));
    return value ? WEFT_OK
                 : weft_fail(WEFT_UNSUPPORTED, "%s: this GPU has no %s", strategy_name, what);
}

weft_status device_has_clusters(const char *strategy_name, const void *kernel) {
    int is = 0;
    weft_status status =
        can(cudaDevAttrClusterLaunch, strategy_name, "clusters, which this size wants");
    if (status == WEFT_OK) {
        status = made_for_sm_90(kernel, &is);
    }
    return status != WEFT_OK || is
               ? status
               : weft_fail(WEFT_UNSUPPORTED,
                           "%s: this size wants clusters, and this build has no code for them",
                           strategy_name);
}

weft_status device_can_cooperate(const char *strategy_name) {
    return can(cudaDevAttrCooperativeLaunch, strategy_name, "cooperative launch");
}

weft_status device_resident_blocks(const char *strategy_name, const void *kernel, int threads,
                                   size_t shared_bytes, int *blocks) {
    int processors = 0;
    weft_status status = device_processors(&processors);
    if (status != WEFT_OK) {
        return status;
    }
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared_bytes));
    *blocks *= processors;
    return *blocks > 0
               ? WEFT_OK
               : weft_fail(WEFT_UNSUPPORTED, "%s: this GPU cannot hold one block of its kernel",
                           strategy_name);
}

weft_status device_enter(int device, int *previous) {
    *previous = device;
    CUDA_TRY(cudaGetDevice(previous));
    if (*previous != device) {
        CUDA_TRY(cudaSetDevice(device));
    }
    return WEFT_OK;
}

void device_leave(int previous) {
    int current = previous;
    if (cudaGetDevice(&current) == cudaSuccess && current != previous) {
        cudaSetDevice(previous);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static weft_status allocate(int device, size_t bytes, void **memory) {
    int previous;
    cudaError_t error;
    weft_status status = device_enter(device, &previous);
    *memory = NULL;
    if (status != WEFT_OK) {
        return status;
    }
    error = cudaMalloc(memory, bytes ? bytes : 1);
    if (error == cudaErrorMemoryAllocation) {
        status = device_out_of_memory(bytes);
    } else if (error != cudaSuccess) {
        status = device_failed(__FILE__, __LINE__, "cudaMalloc", error);
    }
    device_leave(previous);
    return status;
}

static void release(int device, void *memory) {
    (void)device; /* CUDA finds it by the pointer */
    cudaFree(memory);
}

static weft_status copy(int device, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind direction) {
    int previous;
    weft_status status = device_enter(device, &previous);
    if (status == WEFT_OK) {
        cudaError_t error = cudaMemcpy(to, from, bytes, direction);
        if (error == cudaSuccess && direction == cudaMemcpyHostToDevice) {
            error = cudaStreamSynchronize(
                NULL); /* the copy may return when it has read the host's memory */
        }
        status =
            error == cudaSuccess ? WEFT_OK : device_failed(__FILE__, __LINE__, "cudaMemcpy", error);
        device_leave(previous);
    }
    return status;
}

static weft_status copy_in(int device, void *to, const void *from_host, size_t bytes) {
    return copy(device, to, from_host, bytes, cudaMemcpyHostToDevice);
}

static weft_status copy_out(int device, void *to_host, const void *from, size_t bytes) {
    return copy(device, to_host, from, bytes, cudaMemcpyDeviceToHost);
}

static weft_status wait_for_default_stream(int device) {
    int previous;
    weft_status status = device_enter(device, &previous);
    if (status == WEFT_OK) {
        cudaError_t error = cudaStreamSynchronize(NULL);
        status = error == cudaSuccess
                     ? WEFT_OK
                     : device_failed(__FILE__, __LINE__, "cudaStreamSynchronize", error);
        device_leave(previous);
    }
    return status;
}

/* Plain host memory would end in a fault on the GPU that no later call survives; refuse it before.
 */
static weft_status check_pointer(int device, const char *what, const void *memory) {
    struct cudaPointerAttributes attributes;
    cudaError_t error = cudaPointerGetAttributes(&attributes, memory);
    if (error != cudaSuccess) {
        return device_failed(__FILE__, __LINE__, "cudaPointerGetAttributes", error);
    }
    if (attributes.type == cudaMemoryTypeUnregistered) {
        return weft_fail(WEFT_BAD_ARGUMENT,
                         "%s %p: is host memory; a cuda.* plan wants device memory", what, memory);
    }
    if (attributes.type == cudaMemoryTypeDevice && attributes.device != device) {
        return weft_fail(WEFT_BAD_ARGUMENT, "%s %p: lies on GPU %d, the plan runs on GPU %d", what,
                         memory, attributes.device, device);
    }
    return WEFT_OK;
}

const memory_space device_memory = {
    .name = "cuda",
    .is_device = 1,
    .allocate = allocate,
    .release = release,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .wait = wait_for_default_stream,
    .check_pointer = check_pointer,
};
