/* SPDX-License-Identifier: MIT
 * The search in integers, two terms an instruction. The sum of |x - y| is twice that of max(x, y),
 * less x and y: so a term is a maximum, and two of them are one instruction, VIMNMX.U16x2. What is
 * added up are words of two halves that never overflow, as all values are made positive by a bias.
 * Maxima go through the ALU, half a warp a cycle, so additions are multiplications by 1, which the
 * other half of the multiprocessor does meanwhile; the compiler must not know that it is 1.
 * For 16 terms of a range: 8 maxima, 7 additions, DP2A, a shift with addition, a minimum: 18
 * instead of the 34 of floats.cuh. For each entry and scale 3 loads, which 8 ranges share.
 */
#ifndef WEFT_FRACTAL_CUDA_PACKED_CUH
#define WEFT_FRACTAL_CUDA_PACKED_CUH

#include "find.cuh"

namespace {

struct packed_form {
    static constexpr int VALUE_WORDS = RANGE_PIXELS / 2;
    static constexpr int WORDS = VALUE_WORDS + 1; /* and what the sum of all maxima is less by */
    static constexpr int RANGES = 8;
    static constexpr int BLOCKS = 2; /* of MOST_BLOCK threads: 128 registers for each */
    /* Of an entry, in a turn of the inner loop: all make it 17 KB long, one 2.5. */
    static constexpr int SCALES_A_TURN = SCALES;
    /* A copy: its values, and where its keys begin; the last three words are not used. */
    static constexpr int COPY_VECTORS = 3;
    static constexpr unsigned ENTRY_BYTES = SCALES * COPY_VECTORS * sizeof(uint4);

    static constexpr unsigned BIAS = 4 * 255, BIASES = BIAS << 16 | BIAS;

    __device__ static __forceinline__ void words_of(const int values[RANGE_PIXELS],
                                                    uint32_t words[WORDS]) {
        int sum = 0;
#pragma unroll
        for (int w = 0; w < VALUE_WORDS; w++) {
            const int lower = values[2 * w], upper = values[2 * w + 1];
            words[w] = ((unsigned)(4 * upper) << 16) + (unsigned)(4 * lower) + BIASES;
            sum += lower + upper;
        }
        words[VALUE_WORDS] = 0u - RANGE_PIXELS * BIAS - 2u * (unsigned)sum;
    }

    /* The sum of two values that lie in a word, each times 65536 or 1. */
    __device__ static __forceinline__ uint32_t joined(uint32_t word) {
        return word - (word << 1 & 0x10000);
    }

    __device__ static __forceinline__ void load_copy(const uint4 values[2], int scale,
                                                     unsigned entry, int z, uint4 *copy) {
        uint32_t words[VALUE_WORDS];
        int sum = 0;
#pragma unroll
        for (int w = 0; w < VALUE_WORDS; w++) {
            const uint32_t word = word_of(values, w);
            words[w] = joined(word) * (unsigned)scale + BIASES;
            sum += lower_of(word) + upper_of(word);
        }
        const uint32_t begins =
            (entry << LOG2_Z | (unsigned)z) - ((unsigned)(scale * sum) << SUM_SHIFT);
        copy[0] = make_uint4(words[0], words[1], words[2], words[3]);
        copy[1] = make_uint4(words[4], words[5], words[6], words[7]);
        copy[2] = make_uint4(begins, 0, 0, 0);
    }

    __device__ static __forceinline__ void load_chunk(const find_job &job,
                                                      const chunk_of_book &book, uint4 *shared) {
        for (unsigned i = threadIdx.x; i < book.filled * SCALES; i += blockDim.x) {
            const unsigned entry = i / SCALES, z = i % SCALES, last = book.count - 1;
            const size_t of = book.first + (entry < last ? entry : last);
            const uint4 *values = job.entries + 2 * (job.is_scaled ? of * SCALES + z : of);
            const uint4 halves[2] = {values[0], values[1]};
            load_copy(halves, job.is_scaled ? 1 : scale_of((int)z), entry, (int)z,
                      shared + (size_t)i * COPY_VECTORS);
        }
    }

    __device__ static __forceinline__ void hold_against(const uint4 *shared, unsigned entry,
                                                        const uint32_t words[RANGES][WORDS],
                                                        unsigned one, uint32_t keys[RANGES]) {
#pragma unroll SCALES_A_TURN
        for (unsigned z = 0; z < SCALES; z++) {
            const uint4 *copy = shared + (size_t)(entry * SCALES + z) * COPY_VECTORS;
            const uint4 values[2] = {copy[0], copy[1]};
            const uint32_t begins = copy[2].x;
#pragma unroll
            for (int k = 0; k < RANGES; k++) {
                uint32_t sums = __vmaxu2(word_of(values, 0), words[k][0]);
#pragma unroll
                for (int w = 1; w < VALUE_WORDS; w++) {
                    sums += __vmaxu2(word_of(values, w), words[k][w]) * one;
                }
                const uint32_t sum = __dp2a_lo(sums, 0x0101u, words[k][VALUE_WORDS]);
                const uint32_t key = (sum << (SUM_SHIFT + 1)) + begins;
                keys[k] = keys[k] < key ? keys[k] : key;
            }
        }
    }
};

} // namespace

#endif
