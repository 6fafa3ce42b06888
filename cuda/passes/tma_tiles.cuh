/* SPDX-License-Identifier: MIT
 * Tiles of columns that the TMA fetches while their block still works on the tile before. A TMA
 * tile is what all threads of a tile of columns have as one of their values: pieces of neighbouring
 * rows, which one instruction of one thread fetches. Some TMA tiles are buffered: they have buffers
 * of their own and are on their way from one tile of columns to the next. The others come into the
 * exchange, as soon as the last stage has read its values there.
 */
#ifndef WEFT_CUDA_PASSES_TMA_TILES_CUH
#define WEFT_CUDA_PASSES_TMA_TILES_CUH

#include "base/divider.cuh"
#include "base/instructions.cuh"
#include "line/line.cuh"
#include "passes/intermediate.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* In shared memory: the exchange of a tile of columns, the buffers behind it, and two mbarriers. */
template <class Line, unsigned BUFFERED> struct tma_tiles {
    static constexpr unsigned count = Line::points;
    static constexpr unsigned size = Line::threads * Line::columns; /* of a TMA tile, in cpx */
    static_assert(BUFFERED <= count, "TMA tiles of a tile of columns");
    static_assert(Line::is_persistent, "a block takes tile after tile of columns");
    static_assert(Line::parts == 1, "neighbouring threads begin with neighbouring rows");
    bool has_tensor_map; /* else threads load their values themselves */
    const tensor_map *map;
    divider tile_count;
    cpx *exchange, *buffers;
    bool is_cached;

    __device__ __forceinline__ bool are_used() const {
        return has_tensor_map;
    }
    __device__ __forceinline__ mbarrier *mbarrier_of(bool is_buffered) const {
        return (mbarrier *)(buffers + BUFFERED * size) + is_buffered;
    }
    __device__ __forceinline__ cpx *place(unsigned v) const {
        if constexpr (BUFFERED > 0) {
            if (v < BUFFERED) {
                return buffers + v * size;
            }
        }
        return exchange + (v - BUFFERED) * size;
    }
    /* By every thread of the block, before all else. */
    __device__ __forceinline__ void begin() const {
        if (threadIdx.x == 0) {
            mbarrier_init(mbarrier_of(false));
            mbarrier_init(mbarrier_of(true));
        }
        __syncthreads();
    }
    /* Sends for the buffered TMA tiles of a tile of columns, or for the others, when all threads
     * have taken what was there before. */
    template <bool IS_BUFFERED> __device__ __forceinline__ void fetch(unsigned tile) const {
        constexpr unsigned first = IS_BUFFERED ? 0 : BUFFERED, end = IS_BUFFERED ? BUFFERED : count;
        if (threadIdx.x == 0) {
            unsigned column = remainder_of(tile, tile_count) * 2 * Line::columns;
            unsigned image = quotient(tile, tile_count);
            mbarrier_expect(mbarrier_of(IS_BUFFERED), (end - first) * size * (unsigned)sizeof(cpx));
            for (unsigned v = first; v != end; v++) {
                copy_tma_tile(place(v), map, column, input_offset<Line>(v), image,
                              mbarrier_of(IS_BUFFERED), is_cached);
            }
        }
    }
    /* What thread t begins with, of the columns from `within` on. */
    __device__ __forceinline__ void take(cpx *x, unsigned t, unsigned within,
                                         unsigned parity) const {
        mbarrier_wait(mbarrier_of(true), parity);
        mbarrier_wait(mbarrier_of(false), parity);
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            const cpx *own = place(v) + t * Line::columns + within;
            if constexpr (Line::lines == 2) {
                load_two(own, &x[v], &x[Line::points + v]);
            } else {
                WEFT_UNROLL
                for (unsigned l = 0; l < Line::lines; l++) {
                    x[l * Line::points + v] = own[l];
                }
            }
        }
    }
    /* By every thread, after a barrier after the last one took its values. */
    __device__ __forceinline__ void end() const {
        if (threadIdx.x == 0) {
            mbarrier_invalidate(mbarrier_of(false));
            mbarrier_invalidate(mbarrier_of(true));
        }
    }
};

/* For a kernel without code for them: only are_used() is called, and the rest is there to be
 * compiled. */
struct no_tma_tiles {
    static __device__ __forceinline__ constexpr bool are_used() {
        return false;
    }
    __device__ __forceinline__ void begin() const {}
    template <bool> __device__ __forceinline__ void fetch(unsigned) const {}
    __device__ __forceinline__ void take(cpx *, unsigned, unsigned, unsigned) const {}
    __device__ __forceinline__ void end() const {}
};

/* ---- the host's part ------------------------------------------------------------------------- */

/* A TMA tile of a kernel; no reals where the kernel fetches none. */
struct tma_tile_shape {
    unsigned reals, rows;
};

/* The images that TMA tiles are of. */
struct tma_images {
    real_view values;
    size_t height, width, batch;
};

/* The driver's function that makes tensor maps is found when a plan is made; a map is made for each
 * execution, which takes no call to the GPU. */
struct tensor_map_encoder {
    decltype(&cuTensorMapEncodeTiled) make;

    /* 0 where the driver has none: then tiles are loaded by their threads. */
    int find() {
        cudaDriverEntryPointQueryResult result;
        make = NULL;
#if CUDART_VERSION >= 12050
        cudaError_t error = cudaGetDriverEntryPointByVersion(
            "cuTensorMapEncodeTiled", (void **)&make, 12000, cudaEnableDefault, &result);
#else
        cudaError_t error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", (void **)&make,
                                                    cudaEnableDefault, &result);
#endif
        if (error != cudaSuccess) {
            cudaGetLastError();
            make = NULL;
        }
        return make != NULL;
    }
    /* L2 is to fetch whole lines: the tile's neighbours want what is beside it. */
    int encode(tensor_map *map, const tma_images &of, tma_tile_shape tile) const {
        const real_view &m = of.values;
        cuuint64_t sizes[3] = {of.width, of.height, of.batch};
        cuuint64_t strides[2] = {m.pitch * sizeof(scalar),
                                 (of.batch > 1 ? m.stride : m.pitch * of.height) * sizeof(scalar)};
        cuuint32_t shape[3] = {tile.reals, tile.rows, 1}, steps[3] = {1, 1, 1};
        return make != NULL &&
               make(map,
                    WEFT_REAL_BITS == 32 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                         : CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
                    3, m.values, sizes, strides, shape, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                    CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
    }
};

} // namespace

#endif
