/* SPDX-License-Identifier: MIT
 * Which slots a block of rows works on, one turn after another, and how their rows come to it: each
 * thread loads its own; or in bulk, while the block still works on those before.
 */
#ifndef WEFT_CUDA_PASSES_SLOT_TURNS_CUH
#define WEFT_CUDA_PASSES_SLOT_TURNS_CUH

#include "passes/slots.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Whether some of the block's slots is a slot 0. */
__device__ __forceinline__ bool folds(const rows_job &j, unsigned first, unsigned lines) {
    unsigned first_slot = remainder_of(first, j.slots);
    return first_slot == 0 || first_slot + lines > j.slots.divisor;
}

template <unsigned W, int CUT> __device__ __forceinline__ unsigned first_slot_of_block() {
    return blockIdx.x / rows_shape<W, CUT>::parts * rows_shape<W, CUT>::lines;
}

/* The slots from `task` on; or as many from the last one on. */
template <class Shape>
__device__ __forceinline__ unsigned turned_slot(const rows_job &j, unsigned task, unsigned end) {
    return j.from_last ? (end - 1) / Shape::lines * Shape::lines - task : task;
}

/* transform(x, t, own, slot) for the slots from `first` to before `end` that are the block's, or
 * the cluster's, or as many from the last one on: x is what the thread begins with, thread t of its
 * lines, those from slot + own on.
 * In bulk the threads of a line, or of those of a thread, are a worker: thread 0 of it fetches what
 * comes next, when all have taken what came. */
template <class Shape, class Line, class From, class Transform>
__device__ __forceinline__ void each_of_slots(const From &from, cpx *shared, unsigned first,
                                              unsigned end, Transform transform) {
    constexpr bool by_bulk = Shape::is_bulk && HAS_BULK;
    unsigned t = number_in_line<Line>(threadIdx.x % Line::threads), turn = 0;
    unsigned own = threadIdx.x / Line::threads * Line::lines;
    exchange_of<Line> exchange = {shared + own * Shape::size};
    auto turned = [&](unsigned slot) { return turned_slot<Shape>(from.j, slot, end); };
    auto fetch = [&](unsigned slot) {
        for (unsigned l = 0; l < Line::lines; l++) {
            from.fetch(Shape::came(shared, own + l), Shape::mbarrier_of(shared, own + l),
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
                mbarrier_wait(Shape::mbarrier_of(shared, own + l), turn);
                from.take(x + l * Line::points, Shape::came(shared, own + l), t, slot + own + l);
            }
            if (t == 0) {
                wait_for_copies_to_global();
            }
            exchange.sync(); /* what came has been taken, what went is gone */
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
        turn = 1 - turn;
    }
    if (by_bulk && t == 0) {
        wait_for_copies_to_global();
    }
}

} // namespace

#endif
