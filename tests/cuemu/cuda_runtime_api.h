/* SPDX-License-Identifier: MIT
 * The part of the CUDA runtime that the host code of cuda/ calls, over cuemu: one GPU whose memory
 * is the host's, exactly sized and full of NaN, whose launches run in a new order each time.
 */
#ifndef WEFT_TESTS_CUEMU_CUDA_RUNTIME_API_H
#define WEFT_TESTS_CUEMU_CUDA_RUNTIME_API_H

#include "cuda.h"
#include "cuemu.h"

#define CUDART_VERSION 13000

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorInsufficientDriver = 35,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorInvalidDevice = 101,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorCooperativeLaunchTooLarge = 720
};

/* What was enqueued in a stream that a host made, and is done when the host waits for it: as late
 * as it may be. The default stream, NULL, begins with each call. */
struct CUstream_st {
    std::deque<std::function<void()>> work;
};
typedef CUstream_st *cudaStream_t;

// ---- The device --------------------------------------------------------------------------------

namespace cuemu {

struct device_state {
    int processors = 2; /* a test may change it: the number of blocks of a cooperative grid */
    unsigned seed = 1;  /* of the next launch */
    std::map<const void *, size_t> blocks, shared_bytes_allowed;
    const size_t shared_bytes_always = 48 << 10;
    size_t shared_bytes_most = 227 << 10;
    bool has_clusters = true;
    int cache_bytes = 1 << 16;          /* L2, which is not emulated, but plans ask for its size */
    size_t allocations_left = SIZE_MAX; /* after these there is no memory */
    size_t enqueued_left = SIZE_MAX;    /* after these, copies and launches in streams fail */
    size_t streams_and_events = 0;      /* that were made and not destroyed */
    double now = 0;                     /* milliseconds: each event is one later */

    device_state() {
        world.programmatic = true; /* results are the host's only after a copy or a wait */
    }
};
inline device_state device;

/* As a driver may, in both units of the CPU: what the library gives back to its caller. */
inline void raise_flags() {
    static const volatile double three = 3;
    static const volatile long double long_three = 3;
    [[maybe_unused]] volatile double third = 1 / three;
    [[maybe_unused]] volatile long double long_third = 1 / long_three;
}

} // namespace cuemu

enum cudaDeviceAttr {
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrCooperativeLaunch,
    cudaDevAttrClusterLaunch,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrL2CacheSize
};

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
    *value = attribute == cudaDevAttrMultiProcessorCount      ? cuemu::device.processors
             : attribute == cudaDevAttrCooperativeLaunch      ? 1
             : attribute == cudaDevAttrClusterLaunch          ? (int)cuemu::device.has_clusters
             : attribute == cudaDevAttrComputeCapabilityMajor ? 9
             : attribute == cudaDevAttrL2CacheSize            ? cuemu::device.cache_bytes
                                                   : (int)cuemu::device.shared_bytes_most;
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}

inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t cudaGetLastError() {
    return cudaSuccess;
}
inline const char *cudaGetErrorString(cudaError_t) {
    return "an error of the emulated GPU";
}

/* Finds the one function that the host code asks for. */
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess };
enum { cudaEnableDefault };

inline cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned,
                                                    unsigned long long,
                                                    cudaDriverEntryPointQueryResult *result) {
    if (strcmp(name, "cuTensorMapEncodeTiled"))
        return cudaErrorInvalidValue;
    *function = (void *)&cuTensorMapEncodeTiled;
    *result = cudaDriverEntryPointSuccess;
    return cudaSuccess;
}

// ---- Memory ------------------------------------------------------------------------------------

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice };
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
};

inline cudaError_t cudaMalloc(void **memory, size_t bytes) {
    cuemu::raise_flags();
    if (!cuemu::device.allocations_left-- || posix_memalign(memory, 256, bytes))
        return cudaErrorMemoryAllocation;
    memset(*memory, 0xff, bytes);
    cuemu::device.blocks[*memory] = bytes;
    return cudaSuccess;
}
inline cudaError_t cudaMallocHost(void **memory, size_t bytes) {
    return cudaMalloc(memory, bytes);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    cuemu::raise_flags();
    while (stream && !stream->work.empty()) {
        const std::function<void()> first = std::move(stream->work.front());
        stream->work.pop_front();
        first();
    }
    cuemu::synchronize();
    return cudaSuccess;
}
inline cudaError_t cudaFree(void *memory) {
    cuemu::raise_flags();
    cuemu::synchronize();
    if (memory && !cuemu::device.blocks.erase(memory))
        return cudaErrorInvalidValue;
    free(memory);
    return cudaSuccess;
}
inline cudaError_t cudaFreeHost(void *memory) {
    return cudaFree(memory);
}
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
    cuemu::raise_flags();
    cuemu::synchronize();
    memcpy(to, from, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
    if (!stream)
        return cudaMemcpy(to, from, bytes, kind);
    if (!cuemu::device.enqueued_left--)
        return cudaErrorInvalidValue;
    stream->work.push_back([=] { cudaMemcpy(to, from, bytes, kind); });
    return cudaSuccess;
}
inline cudaError_t cudaMemset(void *memory, int byte, size_t bytes) {
    cuemu::synchronize();
    memset(memory, byte, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    *available = *total = (size_t)1 << 30;
    return cudaSuccess;
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory) {
    auto next = cuemu::device.blocks.upper_bound(memory);
    const bool ours = next != cuemu::device.blocks.begin() &&
                      (const char *)memory < (const char *)(--next)->first + next->second;
    *attributes = {ours ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, 0};
    return cudaSuccess;
}

// ---- Streams and events ------------------------------------------------------------------------

enum { cudaStreamNonBlocking = 1 };

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    *stream = new CUstream_st;
    cuemu::device.streams_and_events++;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (!stream->work.empty())
        cuemu::die("a stream is destroyed with work that nobody waited for");
    delete stream;
    cuemu::device.streams_and_events--;
    return cudaSuccess;
}

struct CUevent_st {
    double time; /* 0: never recorded */
};
typedef CUevent_st *cudaEvent_t;

inline cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = new CUevent_st{0};
    cuemu::device.streams_and_events++;
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    cuemu::device.streams_and_events--;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    stream->work.push_back([=] { event->time = ++cuemu::device.now; });
    return cudaSuccess;
}
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    if (from->time == 0 || to->time == 0)
        return cudaErrorInvalidResourceHandle;
    *milliseconds = (float)(to->time - from->time);
    return cudaSuccess;
}

// ---- Kernels -----------------------------------------------------------------------------------

struct cudaFuncAttributes {
    int ptxVersion;
};
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };

inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *) {
    attributes->ptxVersion = 90;
    return cudaSuccess;
}
inline cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute, int bytes) {
    if ((size_t)bytes > cuemu::device.shared_bytes_most)
        return cudaErrorInvalidValue;
    cuemu::device.shared_bytes_allowed[kernel] = (size_t)bytes;
    return cudaSuccess;
}
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int,
                                                                 size_t) {
    *blocks = 1;
    return cudaSuccess;
}

enum cudaLaunchAttributeID {
    cudaLaunchAttributeCooperative,
    cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeProgrammaticStreamSerialization
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        int cooperative, programmaticStreamSerializationAllowed;
        uint3 clusterDim;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

template <class... Parameters>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               Parameters... arguments) {
    bool cooperative = false, programmatic = false;
    dim3 cluster;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute &a = config->attrs[i];
        cooperative |= a.id == cudaLaunchAttributeCooperative && a.val.cooperative;
        programmatic |= a.id == cudaLaunchAttributeProgrammaticStreamSerialization &&
                        a.val.programmaticStreamSerializationAllowed;
        if (a.id == cudaLaunchAttributeClusterDimension)
            cluster = dim3(a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z);
    }
    const size_t allowed = cuemu::device.shared_bytes_allowed[(const void *)kernel];
    if (config->dynamicSmemBytes > std::max(allowed, cuemu::device.shared_bytes_always))
        return cudaErrorInvalidValue;
    if (!config->gridDim.count() || !config->blockDim.count() || config->blockDim.count() > 1024)
        return cudaErrorInvalidConfiguration;
    if (cooperative && config->gridDim.count() > (size_t)cuemu::device.processors)
        return cudaErrorCooperativeLaunchTooLarge;
    if (config->stream && !cuemu::device.enqueued_left--)
        return cudaErrorInvalidConfiguration;
    const cudaLaunchConfig_t shape = *config;
    const auto run = [=] {
        if (!programmatic)
            cuemu::synchronize();
        cuemu::launch(
            shape.gridDim, shape.blockDim, shape.dynamicSmemBytes, cooperative,
            cuemu::device.seed++, [=] { kernel(arguments...); }, cluster);
    };
    if (config->stream)
        config->stream->work.push_back(run);
    else
        run();
    return cudaSuccess;
}

#endif
