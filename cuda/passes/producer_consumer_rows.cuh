/* SPDX-License-Identifier: MIT
 * The row pass of a split transform, see split.cuh, whose slots are too long to lie in one
 * multiprocessor together: the last stage of columns, in place, flows into the rows, see flow.cuh.
 * And its inverse, where rows flow into the first stage. A unit is R slots and the 2 R rows of mid
 * that they need.
 */
#ifndef WEFT_CUDA_PASSES_PRODUCER_CONSUMER_ROWS_CUH
#define WEFT_CUDA_PASSES_PRODUCER_CONSUMER_ROWS_CUH

#include "base/producer_consumer.cuh"
#include "passes/rows.cuh"
#include "passes/split.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct flow_job {
    rows_job rows;
    flow_order order;
    const cpx *column_twiddles; /* of the last stage of columns forward */
};

/* Tasks of rows have one slot each; of columns so many complex columns of R rows as a block has
 * threads. */
template <unsigned W, unsigned R> struct flow_shape {
    static constexpr int cut = LITTLE + CUTS * FLOW;
    typedef rows_shape<W, cut> rows;
    static constexpr unsigned threads = rows::threads, resident = rows::resident;
    static constexpr unsigned pieces = W / 2 / threads; /* of a row */
    static constexpr unsigned of_columns = 2 * pieces, of_rows = R;
    static constexpr size_t shared_bytes = rows::shared_bytes;
    static_assert(W / 2 % threads == 0, "whole pieces");
};

/* ---- the stage of columns ---------------------------------------------------------------------
 */

/* R values of a complex column, `step` reals apart from `first` on, through transform(x). */
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

/* transform(x, value) of the task's columns: x has value number `value` of each class. */
template <unsigned W, unsigned R, class Transform>
__device__ __forceinline__ void transform_columns(const flow_job &j, flow_task task,
                                                  Transform transform) {
    typedef flow_shape<W, R> shape;
    split_place<R> place(j.rows, task.unit);
    unsigned value = task.number < shape::pieces ? place.a : place.b;
    unsigned column = task.number % shape::pieces * shape::threads + threadIdx.x;
    const mid_view &mid = j.rows.mid;
    transform_in_place<R>(mid.values + place.image * mid.stride + value * mid.pitch + 2 * column,
                          place.length * mid.pitch, [&](cpx *x) { transform(x, value); });
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* in      mid before the last stage of columns, class c as its rows c H/R ..
 * out     spectrum in either layout, times scale; may be the memory of mid
 * grid    a block a task: first the last stage, of so many columns of R rows as it has threads;
 *         second a slot
 * shared  as rows_forward
 * DRAM    reads mid once, writes the spectrum once; mid too, where it lies in another memory
 * sync    those of the task, taking it, and ending it */
template <unsigned W, unsigned R>
__global__ void __launch_bounds__(flow_shape<W, R>::threads, flow_shape<W, R>::resident)
    flow_forward(const __grid_constant__ flow_job j) {
    typedef flow_shape<W, R> shape;
    WEFT_SHARED(cpx, shared);
    wait_for_previous(); /* mid is complete */
    flow_task task = take_task(j.order, shared);
    if (task.is_second) {
        unsigned slot = split_place<R>(j.rows, task.unit).index(task.number);
        forward_slots<W, shape::cut>(j.rows, row_twiddles_of<typename shape::rows::forward>(j.rows),
                                     shared, slot, slot + 1);
    } else {
        transform_columns<W, R>(j, task, [&](cpx *x, unsigned value) {
            cpx w[R];
            load_twiddles(w, 0, stage_twiddles(R), j.column_twiddles, 2 * j.rows.slots.divisor / R,
                          value);
            butterfly_turned(x, w, (int)R);
        });
        end_first(j.order, task);
    }
}

/* in      spectrum in either layout
 * out     mid after the first stage of columns, its parts swapped, class c as its rows c H/R ..
 * grid    a block a task: first a slot; second the first stage
 * DRAM    reads the spectrum once, writes mid once
 * shared, sync as flow_forward */
template <unsigned W, unsigned R>
__global__ void __launch_bounds__(flow_shape<W, R>::threads, flow_shape<W, R>::resident)
    flow_inverse(const __grid_constant__ flow_job j) {
    typedef flow_shape<W, R> shape;
    WEFT_SHARED(cpx, shared);
    wait_for_previous(); /* the counters are zeros */
    let_next_start();    /* the columns may take their places */
    flow_task task = take_task(j.order, shared);
    if (!task.is_second) {
        unsigned slot = split_place<R>(j.rows, task.unit).index(task.number);
        inverse_slots<W, shape::cut>(j.rows, row_twiddles_of<typename shape::rows::inverse>(j.rows),
                                     shared, slot, slot + 1);
        end_first(j.order, task);
    } else {
        transform_columns<W, R>(j, task, [](cpx *x, unsigned) {
            WEFT_UNROLL
            for (unsigned v = 0; v < R; v++) {
                x[v] = cpx_swap(x[v]);
            }
            butterfly(x, (int)R);
        });
    }
}

} // namespace

#endif
