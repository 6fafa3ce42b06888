/* SPDX-License-Identifier: MIT
 * The part of the CUDA driver that the host code of cuda/ calls, over cuemu: a tensor map, which
 * the TMA copies tiles of (base/instructions.cuh). cudaGetDriverEntryPointByVersion() finds it.
 */
#ifndef WEFT_TESTS_CUEMU_CUDA_H
#define WEFT_TESTS_CUEMU_CUDA_H

#include <cstddef>
#include <cstdint>

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 } CUresult;
typedef enum {
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64 = 8
} CUtensorMapDataType;
typedef enum { CU_TENSOR_MAP_INTERLEAVE_NONE } CUtensorMapInterleave;
typedef enum { CU_TENSOR_MAP_SWIZZLE_NONE } CUtensorMapSwizzle;
typedef enum { CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2 } CUtensorMapL2promotion;
typedef enum { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE } CUtensorMapFloatOOBfill;

/* Tiles of `rows` pieces of rows; pitch and stride in bytes. */
struct CUtensorMap {
    const char *values;
    size_t pitch, stride;
    unsigned rows, row_bytes, element_bytes;
};

/* A map of three dimensions, whose tiles have one image; all that the driver wants aligned is. */
inline CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                       void *values, const cuuint64_t *sizes,
                                       const cuuint64_t *strides, const cuuint32_t *tile,
                                       const cuuint32_t *steps, CUtensorMapInterleave,
                                       CUtensorMapSwizzle, CUtensorMapL2promotion,
                                       CUtensorMapFloatOOBfill) {
    const unsigned bytes = type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 ? 4 : 8;
    *map = {(const char *)values, strides[0], strides[1], tile[1], tile[0] * bytes, bytes};
    return rank == 3 && (uintptr_t)values % 16 == 0 && strides[0] % 16 == 0 &&
                   strides[1] % 16 == 0 && map->row_bytes % 16 == 0 && tile[0] <= 256 &&
                   tile[1] >= 1 && tile[1] <= 256 && tile[1] <= sizes[1] && tile[2] == 1 &&
                   steps[0] == 1 && steps[1] == 1 && steps[2] == 1
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

#endif
