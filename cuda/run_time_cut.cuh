/* SPDX-License-Identifier: MIT
 * How a pass over lines of any length is cut into blocks on a GPU with so many multiprocessors and
 * so much shared memory, and where its blocks have their values.
 */
#ifndef WEFT_CUDA_RUN_TIME_CUT_CUH
#define WEFT_CUDA_RUN_TIME_CUT_CUH

#include "base/residence.cuh"
#include "line/run_time_tables.cuh"
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

/* Of a line there and of one back, which have the same memory. */
inline unsigned places_of_both(const run_time_line (&lines)[2]) {
    return (unsigned)larger(places_of(lines[0]), places_of(lines[1]));
}

struct run_time_cutter {
    int processors;
    size_t shared_most;

    enum { MOST_GLOBAL = 1 << 28 }; /* bytes of the workspace for values of all blocks, at most */

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

    /* How many threads a line has at least: as many as compute all outputs of a large prime's
     * butterfly in one go. */
    static unsigned least_threads(const run_time_line &line, unsigned outputs) {
        unsigned least = 1;
        for (unsigned s = 0; s < line.count; s++) {
            unsigned radix = (unsigned)line.stages[s].radix;
            unsigned groups = radix > LARGEST_RADIX ? large_prime_groups(radix, outputs) : 1;
            least = groups > least ? groups : least;
        }
        return least;
    }

    /* Whether each of so many lines of a block has these threads, whatever its primes: a line that
     * has not one thread a task has at least half of those that there are for it. */
    static constexpr bool has_threads_for_all(unsigned lines) {
        return RUN_TIME_THREADS / lines / 2 >=
               large_prime_groups(LARGEST_ODD_RADIX, LARGE_PRIME_OUTPUTS);
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
        size_t fit = shared_most / (cut.shared_bytes + SHARED_BYTES_OF_SYSTEM);
        unsigned held = threads / cut.block_threads;
        return held < fit ? held : (unsigned)fit;
    }

    /* Memory for `lines` lines of a block, in shared memory, or, where they do not fit there, in
     * the workspace. Behind them lie sums, and the roots of large primes, for kernels of few blocks
     * and of lines that the compiler knows. */
    void place_values(run_time_cut *cut, const run_time_line (&lines)[2], size_t sums_bytes,
                      size_t tasks, bool is_known) const {
        cut->of_line = places_of_both(lines);
        cut->of_block = cut->of_line * cut->lines;
        const size_t bytes = cut->of_block * sizeof(cpx);
        const size_t before_roots = (bytes + sums_bytes + 15) / 16 * 16;
        const size_t with_roots = before_roots + lines[0].root_count * sizeof(cpx);
        cut->roots = (unsigned)(before_roots / sizeof(cpx));
        cut->is_global = (is_known ? with_roots : bytes + sums_bytes) > shared_most;
        cut->shared_bytes = cut->is_global ? sums_bytes : with_roots;
        size_t blocks = (tasks + cut->lines - 1) / cut->lines;
        if (cut->is_global) {
            size_t fit = MOST_GLOBAL / bytes, held = 2 * (size_t)processors;
            blocks = blocks < fit ? blocks : fit;
            blocks = blocks < held ? blocks : held;
        }
        cut->blocks = blocks < 1 ? 1 : (unsigned)blocks;
        cut->is_few = cut->blocks <= (size_t)processors * held_blocks(*cut, RUN_TIME_THREADS);
        if (!cut->is_global && !cut->is_few && !is_known) {
            cut->shared_bytes = bytes + sums_bytes;
        }
    }
};

} // namespace

#endif
