/* SPDX-License-Identifier: MIT
 * Which slots a block of rows works on, one turn after another, and how it gets their rows: each
 * thread loads its own values; or rows come in bulk, while the block still works on the slots of
 * the turn before.
 */
#ifndef WEFT_CUDA_PASSES_SLOT_TURNS_CUH
#define WEFT_CUDA_PASSES_SLOT_TURNS_CUH

#include "passes/slots.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Whether one of the block's slots is the slot 0 of an image. */
__device__ __forceinline__ bool folds(const rows_job &j, unsigned first, unsigned lines) {
    unsigned first_slot = remainder_of(first, j.slots);
    return first_slot == 0 || first_slot + lines > j.slots.divisor;
}

template <unsigned W, class Cut> __device__ __forceinline__ unsigned first_slot_of_block() {
    return blockIdx.x / rows_shape<W, Cut>::parts * rows_shape<W, Cut>::lines;
}

/* The first slot of a turn: `task` itself, or, when slots are taken from the last one on, the slot
 * that is as far from the end. */
template <class Shape>
__device__ __forceinline__ unsigned turned_slot(const rows_job &j, unsigned task, unsigned end) {
    return j.from_last ? (end - 1) / Shape::lines * Shape::lines - task : task;
}

/* Calls transform(x, t, own, slot) for the block's, or the cluster's, slots from `first` to before
 * `end`, or for as many from the last one on: x is what the thread begins with, as thread t of its
 * lines, which are the slots from slot + own on.
 * The threads that share a line, or several lines, are a worker. Where rows come in bulk, thread 0
 * of the worker fetches the next ones when all of its threads have taken those that came. */
template <class Shape, class Line, class From, class Transform>
__device__ __forceinline__ void each_of_slots(const From &from, cpx *shared, unsigned first,
                                              unsigned end, Transform transform) {
    constexpr bool by_bulk = Shape::is_bulk && HAS_BULK;
    unsigned t = number_in_line<Line>(threadIdx.x % Line::threads), parity = 0;
    unsigned own = threadIdx.x / Line::threads * Line::lines;
    exchange_of<Line> exchange = {shared + own * Shape::size};
    auto turned = [&](unsigned slot) { return turned_slot<Shape>(from.j, slot, end); };
    auto fetch = [&](unsigned slot) {
        for (unsigned l = 0; l < Line::lines; l++) {
            from.fetch(Shape::input_buffers(shared, own + l), Shape::mbarrier_of(shared, own + l),
                       slot + own + l);
        }
    };
    if constexpr (by_bulk) {
        if (t == 0) {
            for (unsigned l = 0; l < Line::lines; l++) {
                mbarrier_init(Shape::mbarrier_of(shared, own + l));
            }
            fetch(turned(first));
        }
        exchange.sync();
    }
    for (unsigned task = first, next;; task = next) {
        unsigned slot = turned(task);
        cpx x[Line::values];
        next = Line::is_persistent ? task + gridDim.x / Line::parts * Shape::lines : end;
        bool comes = Line::is_persistent && next < end;
        if constexpr (by_bulk) {
            WEFT_UNROLL
            for (unsigned l = 0; l < Line::lines; l++) {
                mbarrier_wait(Shape::mbarrier_of(shared, own + l), parity);
                from.take(x + l * Line::points, Shape::input_buffers(shared, own + l), t,
                          slot + own + l);
            }
            if (t == 0) {
                wait_for_copies_to_global();
            }
            exchange.sync(); /* what came has been taken, and what was sent has left */
            if (comes && t == 0) {
                fetch(turned(next));
            }
        } else {
            from.load(x, t, slot + own);
            sync_before_task<Line>(task == first);
        }
        transform(x, t, own, slot);
        if (!comes) {
            break;
        }
        parity = 1 - parity;
    }
    if (by_bulk && t == 0) {
        wait_for_copies_to_global();
    }
}

} // namespace

#endif
