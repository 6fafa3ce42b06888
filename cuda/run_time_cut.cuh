/* SPDX-License-Identifier: MIT
 * How a pass over lines of any length is cut into blocks on a GPU with so many multiprocessors and
 * so much shared memory.
 */
#ifndef WEFT_CUDA_RUN_TIME_CUT_CUH
#define WEFT_CUDA_RUN_TIME_CUT_CUH

#include "passes/run_time_tiles.cuh"

namespace {

struct run_time_cut {
    unsigned lines;   /* of a block: complex columns of a tile, or slots */
    unsigned threads; /* of a line */
    unsigned outputs; /* of a large prime that a thread computes together */
    unsigned block_threads;
    unsigned of_line, of_block, blocks;
    bool is_global;
    size_t shared_bytes;
    unsigned roots; /* where in shared memory those of large primes lie, if the kernel wants them */
    bool is_few;    /* the GPU holds all blocks with twice as many registers a thread */
};

struct run_time_cutter {
    int processors;
    size_t shared_most;

    /* Tasks of a line: butterflies of the stage that has most of them, or so many outputs of a
     * large prime's. */
    static unsigned tasks_of_line(const run_time_line &line, unsigned outputs) {
        unsigned most = 1;
        for (unsigned s = 0; s < line.count; s++) {
            unsigned radix = (unsigned)line.stages[s].radix, tasks = line.stages[s].butterflies;
            tasks *= radix > LARGEST_RADIX ? large_prime_groups(radix, outputs) : 1;
            most = tasks > most ? tasks : most;
        }
        return most;
    }

    /* Threads of a line: one a task, or so many that in whole rounds none waits in vain. Where
     * multiprocessors have one block at most, that of a long convolution may have all of the
     * registers, and outputs of large primes are spread over as many threads as a block may have.
     */
    void share_line(run_time_cut *cut, const run_time_line &line, size_t lines) const {
        const bool are_few = lines <= (size_t)processors * cut->lines;
        const bool is_long = line.chirp != NULL && !convolution_loads_early(line.positions);
        const unsigned most = RUN_TIME_THREADS * (are_few && is_long ? 2 : 1) / cut->lines;
        cut->outputs = LARGE_PRIME_OUTPUTS;
        while (cut->outputs > 1 && are_few && tasks_of_line(line, cut->outputs / 2) <= most) {
            cut->outputs /= 2;
        }
        unsigned tasks = tasks_of_line(line, cut->outputs), rounds = (tasks + most - 1) / most;
        cut->threads = (tasks + rounds - 1) / rounds;
    }

    /* How many blocks a multiprocessor holds that has registers for so many threads. */
    unsigned held_blocks(const run_time_cut &cut, unsigned threads) const {
        size_t fit = shared_most / (cut.shared_bytes + 1024);
        unsigned held = threads / cut.block_threads;
        return held < fit ? held : (unsigned)fit;
    }
};

} // namespace

#endif
