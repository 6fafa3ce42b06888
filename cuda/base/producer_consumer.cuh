/* SPDX-License-Identifier: MIT
 * A flow: two passes in one launch, so that the second one reads what the first has just written
 * while L2 still has it, and not from DRAM. Work is cut into units, a unit into first and
 * second tasks; its second ones wait until all of its first ones are done. They begin so many units
 * later that they need not wait long, and not so many that L2 has forgotten. A block has one task,
 * the next in this order when it begins: what it waits for is in the hands of blocks that run.
 */
#ifndef WEFT_CUDA_BASE_PRODUCER_CONSUMER_CUH
#define WEFT_CUDA_BASE_PRODUCER_CONSUMER_CUH

#include "base/kernel.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct flow_order {
    unsigned *counters; /* of tasks taken; then, of each unit, of first tasks that are done */
    unsigned units, firsts, seconds; /* so many tasks of a unit */
    unsigned lag;                    /* of the second ones, in units: no more than there are */
    unsigned tasks() const {
        return units * (firsts + seconds);
    }
    static size_t bytes(unsigned units) {
        return (1 + (size_t)units) * sizeof(unsigned);
    }
};

struct flow_task {
    unsigned unit, number; /* of the unit, among those of its kind */
    bool is_second;
};

/* First tasks of `lag` units; then first and second ones, mixed evenly; then second ones. */
__device__ __forceinline__ flow_task task_of(const flow_order &order, unsigned place) {
    unsigned both = order.firsts + order.seconds;
    unsigned before = order.lag * order.firsts, mixed = (order.units - order.lag) * both;
    if (place < before) {
        return {place / order.firsts, place % order.firsts, false};
    }
    if (place >= before + mixed) {
        unsigned rest = place - before - mixed;
        return {order.units - order.lag + rest / order.seconds, rest % order.seconds, true};
    }
    unsigned unit = (place - before) / both, i = (place - before) % both;
    unsigned first = i * order.firsts / both; /* so many of the unit have come before it */
    if ((i + 1) * order.firsts / both > first) {
        return {order.lag + unit, first, false};
    }
    return {unit, i - first, true};
}

/* The block's task, when what it reads is there. `shared`: room for it, until then. sync: two */
__device__ __forceinline__ flow_task take_task(const flow_order &order, void *shared) {
    flow_task *own = (flow_task *)shared;
    if (threadIdx.x == 0) {
        *own = task_of(order, atomicAdd(order.counters, 1u));
        if (own->is_second) {
            wait_for_count(order.counters + 1 + own->unit, order.firsts);
        }
    }
    __syncthreads();
    flow_task task = *own;
    __syncthreads(); /* all have read it */
    return task;
}

/* Of a first task, when the block has written all. sync: one */
__device__ __forceinline__ void end_first(const flow_order &order, flow_task task) {
    __syncthreads();
    if (threadIdx.x == 0) {
        count_up(order.counters + 1 + task.unit);
    }
}

enum { FLOW_BEGIN_THREADS = 256 };

/* Before each launch of a flow.
 * out     the counters: zeros
 * grid    one block
 * shared  none
 * DRAM    writes the counters
 * sync    none */
__global__ void __launch_bounds__(FLOW_BEGIN_THREADS) begin_flow(flow_order order) {
    let_next_start();    /* which waits for the zeros */
    wait_for_previous(); /* nobody counts here any more */
    for (unsigned i = threadIdx.x; i <= order.units; i += FLOW_BEGIN_THREADS) {
        order.counters[i] = 0;
    }
}

} // namespace

#endif
