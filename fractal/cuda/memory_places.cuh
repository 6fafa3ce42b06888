/* SPDX-License-Identifier: MIT
 * One block of memory for many arrays, as arena.h has it, for memory of a device and for
 * page-locked memory of the host, which copies to and from a device want.
 */
#ifndef WEFT_FRACTAL_CUDA_MEMORY_PLACES_CUH
#define WEFT_FRACTAL_CUDA_MEMORY_PLACES_CUH

#include "base/device.h"

namespace {

struct memory_places {
    unsigned char *bytes; /* NULL: only measured */
    size_t used;

    /* NULL while it is measured. Aligned as what cudaMalloc() returns. */
    template <class Type> Type *take(size_t count) {
        constexpr size_t line = 256;
        Type *taken = bytes != NULL ? (Type *)(bytes + used) : NULL;
        used += (count * sizeof(Type) + line - 1) / line * line;
        return taken;
    }
};

inline weft_status allocate_locked(size_t bytes, void **memory) {
    *memory = NULL;
    cudaError_t error = cudaMallocHost(memory, bytes);
    if (error == cudaErrorMemoryAllocation) {
        char wanted[BYTES_TEXT_SIZE];
        cudaGetLastError();
        return weft_fail(WEFT_NO_MEMORY, "no page-locked memory: wants %s",
                         bytes_text(bytes, wanted));
    }
    return error == cudaSuccess ? WEFT_OK
                                : device_failed(__FILE__, __LINE__, "cudaMallocHost", error);
}

/* NULL is fine. */
inline void release_locked(void *memory) {
    cudaFreeHost(memory);
}

} // namespace

#endif
