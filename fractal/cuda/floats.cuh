/* SPDX-License-Identifier: MIT
 * The search in floats, as the paper's program has it: a term is a multiplication with addition,
 * and an addition of an absolute value: FFMA, FADD. All numbers are integers below 2^24, so that
 * nothing is rounded and the answers are those of integers. A sum begins at 2^23, where the bits of
 * a float are those of its integer: so a key takes one instruction, and a minimum. For 16 terms of
 * a range 34 instructions; for each entry 4 loads, which 4 ranges and all scales share. If scaled
 * copies are stored, a term is two additions, and each copy takes 4 loads.
 */
#ifndef WEFT_FRACTAL_CUDA_FLOATS_CUH
#define WEFT_FRACTAL_CUDA_FLOATS_CUH

#include "find.cuh"

namespace {

template <int IS_SCALED> struct float_form {
    static constexpr int WORDS = RANGE_PIXELS; /* floats of -4 r */
    static constexpr int RANGES = 4;
    static constexpr int BLOCKS = 2;
    static constexpr int COPIES = IS_SCALED ? SCALES : 1;
    static constexpr int COPY_VECTORS = RANGE_PIXELS / 4;
    static constexpr unsigned ENTRY_BYTES = COPIES * COPY_VECTORS * sizeof(float4);

    __device__ static __forceinline__ void words_of(const int values[RANGE_PIXELS],
                                                    uint32_t words[WORDS]) {
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            words[w] = __float_as_uint((float)(-4 * values[w]));
        }
    }

    __device__ static __forceinline__ void load_chunk(const find_job &job,
                                                      const chunk_of_book &book, uint4 *shared) {
        float4 *to = (float4 *)shared;
        for (unsigned i = threadIdx.x; i < book.filled * COPIES; i += blockDim.x) {
            const unsigned entry = i / COPIES, last = book.count - 1;
            const size_t of = book.first + (entry < last ? entry : last);
            const uint4 *from = job.entries + 2 * (of * COPIES + i % COPIES);
            const uint4 halves[2] = {from[0], from[1]};
#pragma unroll
            for (int v = 0; v < COPY_VECTORS; v++) {
                const uint32_t one = word_of(halves, 2 * v), other = word_of(halves, 2 * v + 1);
                to[(size_t)i * COPY_VECTORS + v] =
                    make_float4((float)lower_of(one), (float)upper_of(one), (float)lower_of(other),
                                (float)upper_of(other));
            }
        }
    }

    __device__ static __forceinline__ void load_values(const uint4 *shared, unsigned copy,
                                                       float values[RANGE_PIXELS]) {
        const float4 *from = (const float4 *)shared + (size_t)copy * COPY_VECTORS;
#pragma unroll
        for (int v = 0; v < COPY_VECTORS; v++) {
            const float4 four = from[v];
            values[4 * v] = four.x;
            values[4 * v + 1] = four.y;
            values[4 * v + 2] = four.z;
            values[4 * v + 3] = four.w;
        }
    }

    __device__ static __forceinline__ void hold_against(const uint4 *shared, unsigned entry,
                                                        const uint32_t words[RANGES][WORDS],
                                                        unsigned, uint32_t keys[RANGES]) {
        float values[RANGE_PIXELS];
        if (!IS_SCALED) {
            load_values(shared, entry, values);
        }
#pragma unroll
        for (unsigned z = 0; z < SCALES; z++) {
            const float scale = IS_SCALED ? 1.0f : (float)scale_of((int)z);
            if (IS_SCALED) {
                load_values(shared, entry * SCALES + z, values);
            }
#pragma unroll
            for (int k = 0; k < RANGES; k++) {
                float sum = 8388608.0f;
#pragma unroll
                for (int i = 0; i < RANGE_PIXELS; i++) {
                    sum += fabsf(fmaf(scale, values[i], __uint_as_float(words[k][i])));
                }
                const uint32_t key = (__float_as_uint(sum) << SUM_SHIFT) + (entry << LOG2_Z | z);
                keys[k] = keys[k] < key ? keys[k] : key;
            }
        }
    }
};

} // namespace

#endif
