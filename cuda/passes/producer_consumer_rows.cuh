/* SPDX-License-Identifier: MIT
 * The row pass of a split transform (split.cuh) whose slots are too long to lie in one
 * multiprocessor together. The last stage of columns, in place, is the producer, and rows are the
 * consumer (base/producer_consumer.cuh); in the inverse, rows are the producer, and the first stage
 * is the consumer. A unit is R slots and the 2 R rows of the intermediate that they need.
 */
#ifndef WEFT_CUDA_PASSES_PRODUCER_CONSUMER_ROWS_CUH
#define WEFT_CUDA_PASSES_PRODUCER_CONSUMER_ROWS_CUH

#include "base/producer_consumer.cuh"
#include "passes/rows.cuh"
#include "passes/split.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct producer_consumer_job {
    rows_job rows;
    task_order order;
    const cpx *column_twiddles; /* of the last stage of columns forward */
};

typedef one_row_cut<FEW_LINES> one_slot_cut;

/* A task of rows is one slot; a task of columns is as many complex columns of R rows as a block has
 * threads. */
template <unsigned W, unsigned R> struct producer_consumer_shape {
    typedef rows_shape<W, one_slot_cut> rows;
    static constexpr unsigned threads = rows::threads, resident = rows::resident;
    static constexpr unsigned pieces = W / 2 / threads; /* of a row */
    static constexpr unsigned of_columns = 2 * pieces, of_rows = R;
    static constexpr size_t shared_bytes = rows::shared_bytes;
    static_assert(W / 2 % threads == 0, "whole pieces");
};

/* ---- the stage of columns -------------------------------------------------------------------- */

/* Puts R values of a complex column, `step` reals apart from `first` on, through transform(x). */
template <unsigned R, class Transform>
__device__ __forceinline__ void transform_in_place(scalar *first, size_t step,
                                                   Transform transform) {
    cpx x[R];
    WEFT_UNROLL
    for (unsigned v = 0; v < R; v++) {
        x[v] = load_reals<1>(first + v * step);
    }
    transform(x);
    WEFT_UNROLL
    for (unsigned v = 0; v < R; v++) {
        store_reals<1>(first + v * step, x[v].re, x[v].im);
    }
}

/* Calls transform(x, value) for the task's columns: x has value number `value` of each class. */
template <unsigned W, unsigned R, class Transform>
__device__ __forceinline__ void transform_columns(const producer_consumer_job &j, unit_task task,
                                                  Transform transform) {
    typedef producer_consumer_shape<W, R> shape;
    split_place<R> place(j.rows, task.unit);
    unsigned value = task.number < shape::pieces ? place.a : place.b;
    unsigned column = task.number % shape::pieces * shape::threads + threadIdx.x;
    const real_view &intermediate = j.rows.intermediate;
    transform_in_place<R>(intermediate.values + place.image * intermediate.stride +
                              value * intermediate.pitch + 2 * column,
                          place.length * intermediate.pitch, [&](cpx *x) { transform(x, value); });
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* in      the intermediate before the last stage of columns, class c as its rows c H/R ..
 * out     spectrum in either layout, times scale; may be the memory of the intermediate
 * grid    a block a task: a producer does the last stage of as many columns of R rows as it has
 *         threads, a consumer a slot
 * shared  as rows_kernel
 * DRAM    reads the intermediate once and writes the spectrum once; writes the intermediate once,
 *         where it lies in another memory
 * sync    those of the task, and of take_task() and end_producer() */
template <unsigned W, unsigned R>
__global__ void __launch_bounds__(producer_consumer_shape<W, R>::threads,
                                  producer_consumer_shape<W, R>::resident)
    producer_consumer_forward(const __grid_constant__ producer_consumer_job j) {
    typedef producer_consumer_shape<W, R> shape;
    WEFT_SHARED(cpx, shared);
    wait_for_previous(); /* the intermediate is complete */
    unit_task task = take_task(j.order, shared);
    if (task.is_consumer) {
        unsigned slot = split_place<R>(j.rows, task.unit).index(task.number);
        forward_slots<W, one_slot_cut>(
            j.rows, row_twiddles_of<typename shape::rows::forward>(j.rows), shared, slot, slot + 1);
    } else {
        transform_columns<W, R>(j, task, [&](cpx *x, unsigned value) {
            cpx w[R];
            load_twiddles(w, 0, stage_twiddles(R), j.column_twiddles, 2 * j.rows.slots.divisor / R,
                          value);
            butterfly_turned(x, w, CONSTANT_INT((int)R));
        });
        end_producer(j.order, task);
    }
}

/* in      spectrum in either layout
 * out     the intermediate after the first stage of columns, its parts swapped, class c as its rows
 *         c H/R ..
 * grid    a block a task: a producer does a slot, a consumer the first stage
 * DRAM    reads the spectrum once, writes the intermediate once
 * shared, sync as producer_consumer_forward */
template <unsigned W, unsigned R>
__global__ void __launch_bounds__(producer_consumer_shape<W, R>::threads,
                                  producer_consumer_shape<W, R>::resident)
    producer_consumer_inverse(const __grid_constant__ producer_consumer_job j) {
    typedef producer_consumer_shape<W, R> shape;
    WEFT_SHARED(cpx, shared);
    wait_for_previous(); /* the counters are zeros */
    let_next_start();    /* the columns may take their places */
    unit_task task = take_task(j.order, shared);
    if (!task.is_consumer) {
        unsigned slot = split_place<R>(j.rows, task.unit).index(task.number);
        inverse_slots<W, one_slot_cut>(
            j.rows, row_twiddles_of<typename shape::rows::inverse>(j.rows), shared, slot, slot + 1);
        end_producer(j.order, task);
    } else {
        transform_columns<W, R>(j, task, [](cpx *x, unsigned) {
            WEFT_UNROLL
            for (unsigned v = 0; v < R; v++) {
                x[v] = cpx_swap(x[v]);
            }
            butterfly(x, CONSTANT_INT((int)R));
        });
    }
}

} // namespace

#endif
