/* SPDX-License-Identifier: MIT
 * The GPU as the library sees it: which device a plan runs on, its memory, and CUDA's errors turned
 * into statuses with file, line, call and CUDA's own words. Plain C against the CUDA runtime.
 */
#ifndef WEFT_CUDA_BASE_DEVICE_H
#define WEFT_CUDA_BASE_DEVICE_H

#include <cuda_runtime_api.h>

#include "memory_space.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const memory_space device_memory;

/* WEFT_OK if CUDA device `device` can be used, else WEFT_NO_DEVICE with the reason. */
weft_status device_usable(int device);

/* Whether `kernel` was compiled for the device in use, or can be. */
weft_status device_knows_kernel(const void *kernel, int *is_known);

/* WEFT_OK if so; else WEFT_NO_DEVICE. */
weft_status device_has_kernel(const void *kernel);

/* The most that a block of the device in use can have. */
weft_status device_shared_memory(size_t *bytes);

/* WEFT_OK if a block of the device in use can have this much shared memory; else WEFT_UNSUPPORTED.
 */
weft_status device_has_shared_memory(const char *strategy_name, size_t bytes);

/* *can: whether the device in use lets this kernel, and those compiled with it, start before the
 * one that they depend on has ended. */
weft_status device_launches_dependents(const void *kernel, int *can);

/* Multiprocessors of the device in use. */
weft_status device_processors(int *count);

/* Bytes of the L2 cache of the device in use. */
weft_status device_cache(size_t *bytes);

/* WEFT_OK if blocks of this kernel, and of those compiled with it, can form clusters on the device
 * in use; else WEFT_UNSUPPORTED. */
weft_status device_has_clusters(const char *strategy_name, const void *kernel);

/* WEFT_OK if the device in use can launch cooperatively; else WEFT_UNSUPPORTED. */
weft_status device_can_cooperate(const char *strategy_name);

/* *blocks: how many of this kernel the device in use holds concurrently; WEFT_UNSUPPORTED if none.
 */
weft_status device_resident_blocks(const char *strategy_name, const void *kernel, int threads,
                                   size_t shared_bytes, int *blocks);

/* The status and text of a failed call: WEFT_NO_MEMORY when that is what CUDA lacked, to load a
 * kernel for instance, else WEFT_DEVICE_FAILED. Also clears CUDA's record of it, so that no later
 * call is blamed. */
weft_status device_failed(const char *file, int line, const char *call, cudaError_t error);

/* WEFT_NO_MEMORY with bytes wanted and free. */
weft_status device_out_of_memory(size_t wanted);

/* Makes `device` current; *previous is for device_leave. */
weft_status device_enter(int device, int *previous);
void device_leave(int previous);

/* Returns what `call` returned, unless that is WEFT_OK. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        weft_status status_ = (call);                                                              \
        if (status_ != WEFT_OK) {                                                                  \
            return status_;                                                                        \
        }                                                                                          \
    } while (0)

#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        cudaError_t cuda_error_ = (call);                                                          \
        if (cuda_error_ != cudaSuccess) {                                                          \
            return device_failed(__FILE__, __LINE__, #call, cuda_error_);                          \
        }                                                                                          \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
