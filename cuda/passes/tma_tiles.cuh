/* SPDX-License-Identifier: MIT
 * Tiles of columns that come in boxes while their block still works on the tile before. A box is
 * what the threads of all of the tile's columns have as one of their values: pieces of neighbouring
 * rows, fetched by one instruction of one thread (bulk.cuh). Some boxes are early: they have a room
 * of their own and are on their way all the time; the others are late: they come into the exchange,
 * when the last stage has read its values there.
 */
#ifndef WEFT_CUDA_PASSES_TMA_TILES_CUH
#define WEFT_CUDA_PASSES_TMA_TILES_CUH

#include "base/bulk.cuh"
#include "base/divider.cuh"
#include "line/line.cuh"
#include "passes/intermediate.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* In shared memory: a tile's exchange, the room of its early boxes behind it, and two gates. */
template <class Line, unsigned EARLY> struct tile_boxes {
    static constexpr unsigned count = Line::points;
    static constexpr unsigned size = Line::threads * Line::columns; /* of a box, complex values */
    static_assert(EARLY <= count, "boxes of a tile");
    static_assert(Line::parts == 1, "neighbouring threads begin with neighbouring rows");
    const box_map *map;
    divider tile_count;
    cpx *exchange, *room;
    bool stays_in_cache;

    __device__ __forceinline__ gate *gate_of(bool is_early) const {
        return (gate *)(room + EARLY * size) + is_early;
    }
    __device__ __forceinline__ cpx *place(unsigned v) const {
        if constexpr (EARLY > 0) {
            if (v < EARLY) {
                return room + v * size;
            }
        }
        return exchange + (v - EARLY) * size;
    }
    /* By every thread of the block, before all else. */
    __device__ __forceinline__ void begin() const {
        if (threadIdx.x == 0) {
            gate_make(gate_of(false));
            gate_make(gate_of(true));
        }
        __syncthreads();
    }
    /* The early boxes of a tile, or the late ones, on their way; when all have taken what was
     * there before. */
    template <bool IS_EARLY> __device__ __forceinline__ void fetch(unsigned tile) const {
        constexpr unsigned first = IS_EARLY ? 0 : EARLY, end = IS_EARLY ? EARLY : count;
        if (threadIdx.x == 0) {
            unsigned column = remainder_of(tile, tile_count) * 2 * Line::columns;
            unsigned image = quotient(tile, tile_count);
            gate_expect(gate_of(IS_EARLY), (end - first) * size * (unsigned)sizeof(cpx));
            for (unsigned v = first; v != end; v++) {
                copy_box(place(v), map, column, input_offset<Line>(v), image, gate_of(IS_EARLY),
                         stays_in_cache);
            }
        }
    }
    /* What thread t begins with, of the columns from `within` on. */
    __device__ __forceinline__ void take(cpx *x, unsigned t, unsigned within, unsigned turn) const {
        gate_wait(gate_of(true), turn);
        gate_wait(gate_of(false), turn);
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
            gate_end(gate_of(false));
            gate_end(gate_of(true));
        }
    }
};

/* ---- the host's part ----------------------------------------------------------------------------
 */

/* A box of a kernel's tiles; no rows where it fetches none. */
struct box_shape {
    unsigned reals, rows;
};

/* The images that boxes are of. */
struct boxed_images {
    mid_view values;
    size_t height, width, batch;
};

#if defined(WEFT_CUEMU)
struct box_encoder {
    int find() {
        return 1;
    }
    int encode(box_map *map, const boxed_images &of, box_shape box) const {
        const mid_view &m = of.values;
        constexpr unsigned bytes = sizeof(scalar);
        *map = {(const char *)m.values, m.pitch * bytes,
                m.stride * bytes,       box.rows,
                box.reals * bytes,      bytes};
        return of.height >= box.rows;
    }
};
#else
/* The driver's function that makes maps, found when a plan is made; a map is made for each
 * execution, which takes no call to the GPU. */
struct box_encoder {
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
    int encode(box_map *map, const boxed_images &of, box_shape box) const {
        const mid_view &m = of.values;
        cuuint64_t sizes[3] = {of.width, of.height, of.batch};
        cuuint64_t strides[2] = {m.pitch * sizeof(scalar),
                                 (of.batch > 1 ? m.stride : m.pitch * of.height) * sizeof(scalar)};
        cuuint32_t shape[3] = {box.reals, box.rows, 1}, steps[3] = {1, 1, 1};
        return make != NULL &&
               make(map,
                    WEFT_REAL_BITS == 32 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                         : CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
                    3, m.values, sizes, strides, shape, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                    CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
    }
};
#endif

} // namespace

#endif
