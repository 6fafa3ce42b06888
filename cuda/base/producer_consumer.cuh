/* SPDX-License-Identifier: MIT
 * Producer and consumer: two passes in one launch, so that the second one reads what the first has
 * just written while L2 still has it, and not from DRAM. Work is cut into units, and a unit into
 * tasks of both kinds; its consumers wait until all of its producers are done. Consumers begin so
 * many units later that they need not wait long, and not so many that L2 has evicted what they
 * read. A block has one task, the next one in this order when the block begins: so it waits only
 * for blocks that run.
 */
#ifndef WEFT_CUDA_BASE_PRODUCER_CONSUMER_CUH
#define WEFT_CUDA_BASE_PRODUCER_CONSUMER_CUH

#include "base/kernel.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct task_order {
    unsigned *counters; /* of tasks taken; then, of each unit, of producers that are done */
    unsigned units, producers, consumers; /* so many tasks of a unit */
    unsigned lag; /* of consumers behind producers, in units: no more than there are */
    unsigned tasks() const {
        return units * (producers + consumers);
    }
    static size_t bytes(unsigned units) {
        return (1 + (size_t)units) * sizeof(unsigned);
    }
};

struct unit_task {
    unsigned unit, number; /* of the unit, among those of its kind */
    bool is_consumer;
};

/* First come the producers of `lag` units; then producers and consumers, mixed evenly; then
 * consumers. */
__device__ __forceinline__ unit_task task_of(const task_order &order, unsigned place) {
    unsigned both = order.producers + order.consumers;
    unsigned before = order.lag * order.producers, mixed = (order.units - order.lag) * both;
    if (place < before) {
        return {place / order.producers, place % order.producers, false};
    }
    if (place >= before + mixed) {
        unsigned rest = place - before - mixed;
        return {order.units - order.lag + rest / order.consumers, rest % order.consumers, true};
    }
    unsigned unit = (place - before) / both, i = (place - before) % both;
    unsigned produced = i * order.producers / both; /* producers of the unit before this task */
    if ((i + 1) * order.producers / both > produced) {
        return {order.lag + unit, produced, false};
    }
    return {unit, i - produced, true};
}

/* The block's task, when what it reads is complete. `shared` is memory for a unit_task, which is
 * free again when this returns. sync: two */
__device__ __forceinline__ unit_task take_task(const task_order &order, void *shared) {
    unit_task *own = (unit_task *)shared;
    if (threadIdx.x == 0) {
        *own = task_of(order, atomicAdd(order.counters, 1u));
        if (own->is_consumer) {
            wait_for_count(order.counters + 1 + own->unit, order.producers);
        }
    }
    __syncthreads();
    unit_task task = *own;
    __syncthreads(); /* all have read it */
    return task;
}

/* By a producer, when its block has written all. sync: one */
__device__ __forceinline__ void end_producer(const task_order &order, unit_task task) {
    __syncthreads();
    if (threadIdx.x == 0) {
        count_up(order.counters + 1 + task.unit);
    }
}

enum { CLEAR_THREADS = 256 };

/* Runs before each launch of producers and consumers.
 * out     the counters: zeros
 * grid    one block of CLEAR_THREADS
 * shared  none
 * DRAM    writes the counters
 * sync    none */
__global__ void __launch_bounds__(CLEAR_THREADS) clear_counters(task_order order) {
    let_next_start();    /* which waits for the zeros */
    wait_for_previous(); /* nobody counts here any more */
    for (unsigned i = threadIdx.x; i <= order.units; i += CLEAR_THREADS) {
        order.counters[i] = 0;
    }
}

} // namespace

#endif
