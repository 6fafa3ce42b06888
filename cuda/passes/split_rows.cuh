/* SPDX-License-Identifier: MIT
 * The row passes of a split transform: the last stage of columns, and the rows of all the slots
 * that it makes, in one block; the inverse; and the middle of a filter, which is both. split.cuh
 * says which rows these are.
 */
#ifndef WEFT_CUDA_PASSES_SPLIT_ROWS_CUH
#define WEFT_CUDA_PASSES_SPLIT_ROWS_CUH

#include "passes/filter.cuh"
#include "passes/split.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct split_job {
    rows_job rows;  /* its intermediate is the input of the forward transform and of a filter */
    real_view back; /* the output of the inverse and of a filter */
    const cpx *inverse_twiddles; /* of rows */
    const cpx *column_twiddles;  /* of the last stage of columns forward */
    transfer_view transfer;
    int prefetches; /* asks L2 for the spectrum while the kernel before it still runs */
};

/* A block has R slots in shared memory. Its threads form workers of as many threads as a row wants,
 * each of which takes one slot after another; in the last stage of columns a thread has the same
 * places of all rows. */
template <unsigned W, unsigned R, bool IS_FILTER = false> struct split_shape {
    static constexpr unsigned unheld = IS_FILTER ? 48 : 32;
    typedef worker_cut<SPLIT_THREADS, unheld, unheld> cut;
    typedef line_of<W, cut, 1, 0> forward;
    typedef line_of<W, cut, 1, 1> inverse;
    typedef row_buffers<W> buffers;
    static constexpr unsigned radix = R;
    static constexpr unsigned each =
        16 / sizeof(cpx); /* neighbouring complex columns of a thread */
    static constexpr unsigned all_pieces = W / 2 / each;
    static constexpr unsigned wanted = R * forward::threads < forward::rows.resident
                                           ? R * forward::threads
                                           : forward::rows.resident;
    static constexpr unsigned threads = all_pieces < wanted ? all_pieces : wanted;
    static constexpr unsigned pieces = all_pieces / threads; /* of a thread */
    static constexpr unsigned workers = threads / forward::threads;
    /* Rows go in bulk where they can while their worker does the next slot. */
    static constexpr bool is_bulk = workers < R;
    static constexpr unsigned size = (unsigned)larger(
        buffers::size, larger(exchange_of<forward>::size, exchange_of<inverse>::size));
    static constexpr size_t shared_bytes =
        R * (size * sizeof(cpx) + sizeof(mbarrier)) + sizeof(scalar);
    static constexpr unsigned resident = blocks_of(forward::rows.resident, threads, shared_bytes);
    /* Whether a thread has registers to hold the twiddles of rows while it does columns. */
    static constexpr bool reads_twiddles_first =
        (pieces * each * 2 * R + forward::held_stages * forward::points) * 2 * WEFT_REAL_BITS / 32 +
            32 <=
        65536 / forward::rows.resident;
    static_assert(threads % forward::threads == 0, "whole workers");
    static_assert(exchange_of<forward>::period == exchange_of<inverse>::period, "one order");
    static_assert(forward::threads >= 32, "a warp has one worker's threads, as slot 0 wants");
    static_assert(workers <= 15, "a barrier for each worker");
    static_assert(size * sizeof(cpx) % BULK_ALIGNMENT == 0, "buffers are aligned");

    /* A slot's place in shared memory is the buffers of its rows, which come and go, and its
     * exchange. */
    static __device__ __forceinline__ buffers input_buffers(cpx *shared, unsigned slot) {
        return {(scalar *)(shared + slot * size)};
    }
    static __device__ __forceinline__ buffers output_buffers(cpx *shared, unsigned slot) {
        return input_buffers(shared, slot);
    }
    static __device__ __forceinline__ mbarrier *mbarrier_of(cpx *shared, unsigned slot) {
        return (mbarrier *)(shared + R * size) + slot;
    }
    static __device__ __forceinline__ scalar *dcs(cpx *shared) {
        return (scalar *)((mbarrier *)(shared + R * size) + R);
    }
};

/* Which rows slot number s has among the 2 R rows of the block, x[v] = row a + v H/R and x[R + v] =
 * row b + v H/R: the upper row, whose number is that of the slot, and its mirror image; of slot 0,
 * rows 0 and H/2. */
template <unsigned R> __device__ __forceinline__ constexpr unsigned upper_of(unsigned s) {
    return s < R / 2 ? s : R + (R - 1 - s);
}

template <unsigned R>
__device__ __forceinline__ constexpr unsigned lower_of(unsigned s, bool is_first) {
    return !is_first   ? (s < R / 2 ? R + (R - 1 - s) : s)
           : s == 0    ? R / 2
           : s < R / 2 ? R - s
                       : R + s;
}

/* ---- between the intermediate and slots ------------------------------------------------------ */

/* Loads 16 bytes of each of the 2 R rows, from their real n on. */
template <class Shape>
__device__ __forceinline__ void load_piece(cpx *x, const real_view &intermediate,
                                           split_place<Shape::radix> p, unsigned n) {
    constexpr unsigned R = Shape::radix;
    const scalar *image = intermediate.values + p.image * intermediate.stride + n;
    const scalar *a = image + p.a * intermediate.pitch, *b = image + p.b * intermediate.pitch;
    size_t step = p.length * intermediate.pitch;
    WEFT_UNROLL
    for (unsigned v = 0; v < R; v++) {
        if constexpr (Shape::each == 2) {
            load_two((const cpx *)(a + v * step), &x[v], &x[2 * R + v]);
            load_two((const cpx *)(b + v * step), &x[R + v], &x[3 * R + v]);
        } else {
            x[v] = load_reals<1>(a + v * step);
            x[R + v] = load_reals<1>(b + v * step);
        }
    }
}

/* Untangles the complex columns of the piece at n into the slots. */
template <class Shape, bool IS_FIRST>
__device__ __forceinline__ void untangle_piece(const cpx *x, cpx *shared, unsigned n) {
    typedef typename Shape::forward line;
    constexpr unsigned R = Shape::radix;
    WEFT_UNROLL
    for (unsigned s = 0; s < R; s++) {
        exchange_of<line> slot = {shared + s * Shape::size};
        WEFT_UNROLL
        for (unsigned c = 0; c < Shape::each; c++) {
            cpx upper = x[2 * R * c + upper_of<R>(s)],
                lower = x[2 * R * c + lower_of<R>(s, IS_FIRST)];
            cpx left, right;
            if (IS_FIRST && s == 0) {
                untangle_self(upper, lower, &left, &right);
            } else {
                untangle(upper, lower, &left, &right);
            }
            store_two(slot.at(n + 2 * c, 0), left, right);
        }
    }
}

/* The sum of the numbers of a block's threads, for all of them. `values` has one for each warp.
 * sync: two */
template <unsigned THREADS>
__device__ __forceinline__ unsigned long long sum_of_block(unsigned long long sum,
                                                           unsigned long long *values) {
    WEFT_UNROLL
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(~0u, sum, (int)distance);
    }
    if (threadIdx.x % 32 == 0) {
        values[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    sum = 0;
    for (unsigned warp = 0; warp < THREADS / 32; warp++) {
        sum += values[warp];
    }
    __syncthreads(); /* all have read them: what follows may write there */
    return sum;
}

/* Takes the means out of the rows that the last stage makes of value 0 of the classes, which holds
 * their sums: see means.h. `first` gets the first of these rows, for each complex column of the
 * thread, and dc gets X[0][0]. Every thread of the block must call it. */
template <class Shape>
__device__ __forceinline__ void take_means(cpx *x, cpx *first, const rows_job &j, cpx *shared) {
    constexpr unsigned R = Shape::radix, W = Shape::forward::whole;
    constexpr unsigned columns = Shape::pieces * Shape::each;
    both_sums totals[columns];
    unsigned long long sum = 0;
    WEFT_UNROLL
    for (unsigned c = 0; c < columns; c++) {
        totals[c] = take_mean_of_classes<R>(x + c * 2 * R);
        sum += (unsigned long long)totals[c].left + totals[c].right;
    }
    sum = sum_of_block<Shape::threads>(sum, (unsigned long long *)shared);
    uint64_t mean = rounded_mean(sum, W);
    WEFT_UNROLL
    for (unsigned c = 0; c < columns; c++) {
        first[c] = cpx_of(sum_off_mean(totals[c].left, mean), sum_off_mean(totals[c].right, mean));
    }
    if (threadIdx.x == 0) {
        *Shape::dcs(shared) = dc_of(sum, j.dc_scale);
    }
}

/* Loads the twiddles of values a and b of the classes in the last stage of columns, R numbers each.
 */
template <unsigned R>
__device__ __forceinline__ void load_value_twiddles(cpx *w, const cpx *stage, split_place<R> p) {
    load_twiddles(w, 0, stage_twiddles(R), stage, p.length, p.a);
    load_twiddles(w + R, 0, stage_twiddles(R), stage, p.length, p.b);
}

/* Does the last stage of columns and untangles them. MAY_HAVE_MEANS is false in a filter: that of
 * integer pixels is not split. Every thread of the block must call it, and synchronise then. */
template <class Shape, bool MAY_HAVE_MEANS>
__device__ __forceinline__ void columns_to_slots(const rows_job &j, const cpx *twiddles,
                                                 split_place<Shape::radix> p, cpx *shared) {
    constexpr unsigned R = Shape::radix, values = 2 * R * Shape::each;
    const real_view &intermediate = j.intermediate;
    cpx x[Shape::pieces * values], first_row[Shape::pieces * Shape::each];
    bool has_means = MAY_HAVE_MEANS && j.has_means && p.is_first();
    WEFT_UNROLL
    for (unsigned i = 0; i < Shape::pieces; i++) {
        load_piece<Shape>(x + i * values, intermediate, p,
                          (threadIdx.x + i * Shape::threads) * 2 * Shape::each);
    }
    if (has_means) {
        take_means<Shape>(x, first_row, j, shared);
    }
    WEFT_UNROLL
    for (unsigned i = 0; i < Shape::pieces; i++) {
        unsigned n = (threadIdx.x + i * Shape::threads) * 2 * Shape::each;
        WEFT_UNROLL
        for (unsigned side = 0; side < 2; side++) {
            WEFT_UNROLL
            for (unsigned c = 0; c < Shape::each; c++) {
                butterfly_turned(x + i * values + (2 * c + side) * R, twiddles + side * R,
                                 CONSTANT_INT((int)R));
            }
        }
        WEFT_UNROLL
        for (unsigned c = 0; has_means && c < Shape::each; c++) {
            x[i * values + c * 2 * R] = first_row[i * Shape::each + c];
        }
        if (p.is_first()) {
            untangle_piece<Shape, true>(x + i * values, shared, n);
        } else {
            untangle_piece<Shape, false>(x + i * values, shared, n);
        }
    }
}

/* Tangles columns out of the slots, and swaps their parts, as the inverse wants them. */
template <class Shape, bool IS_FIRST>
__device__ __forceinline__ void tangle_piece(cpx *x, cpx *shared, unsigned n) {
    typedef typename Shape::inverse line;
    constexpr unsigned R = Shape::radix;
    WEFT_UNROLL
    for (unsigned s = 0; s < R; s++) {
        exchange_of<line> slot = {shared + s * Shape::size};
        WEFT_UNROLL
        for (unsigned c = 0; c < Shape::each; c++) {
            cpx left, right, upper, lower;
            load_two(slot.at(n + 2 * c, 0), &left, &right);
            if (IS_FIRST && s == 0) {
                tangle_self(left, right, &upper, &lower);
            } else {
                upper = tangle(left, right);
                lower = tangle_mirrored(left, right);
            }
            x[2 * R * c + upper_of<R>(s)] = cpx_swap(upper);
            x[2 * R * c + lower_of<R>(s, IS_FIRST)] = cpx_swap(lower);
        }
    }
}

/* Stores rows a R .. and b R .. of the intermediate: row number k of each goes to class k. */
template <class Shape>
__device__ __forceinline__ void store_piece(const real_view &intermediate,
                                            split_place<Shape::radix> p, unsigned n, const cpx *x) {
    constexpr unsigned R = Shape::radix;
    scalar *image = intermediate.values + p.image * intermediate.stride + n;
    scalar *a = image + p.a * R * intermediate.pitch, *b = image + p.b * R * intermediate.pitch;
    WEFT_UNROLL
    for (unsigned k = 0; k < R; k++) {
        if constexpr (Shape::each == 2) {
            write_two((cpx *)(a + k * intermediate.pitch), x[k], x[2 * R + k]);
            write_two((cpx *)(b + k * intermediate.pitch), x[R + k], x[3 * R + k]);
        } else {
            store_reals<1>(a + k * intermediate.pitch, x[k].re, x[k].im);
            store_reals<1>(b + k * intermediate.pitch, x[R + k].re, x[R + k].im);
        }
    }
}

/* Tangles columns and does their first stage. Every thread of the block must call it, after a
 * barrier. */
template <class Shape>
__device__ __forceinline__ void slots_to_columns(const real_view &intermediate,
                                                 split_place<Shape::radix> p, cpx *shared) {
    constexpr unsigned R = Shape::radix, values = 2 * R * Shape::each;
    WEFT_UNROLL
    for (unsigned i = 0; i < Shape::pieces; i++) {
        unsigned n = (threadIdx.x + i * Shape::threads) * 2 * Shape::each;
        cpx x[values];
        if (p.is_first()) {
            tangle_piece<Shape, true>(x, shared, n);
        } else {
            tangle_piece<Shape, false>(x, shared, n);
        }
        WEFT_UNROLL
        for (unsigned first = 0; first < values; first += R) {
            butterfly(x + first, CONSTANT_INT((int)R));
        }
        store_piece<Shape>(intermediate, p, n, x);
    }
}

/* ---- between slots and registers ------------------------------------------------------------- */

/* Loads what the thread begins with out of a slot in natural order; put_slot_back() stores what it
 * ended with. */
template <class Line>
__device__ __forceinline__ void take_slot(cpx *x, unsigned t, exchange_of<Line> slot) {
    constexpr bool is_paired = stage_of<Line, 0>::is_paired;
    WEFT_UNROLL
    for (unsigned v = 0; v < (is_paired ? Line::first_radix : Line::points); v++) {
        const cpx *from = slot.at(input_base<Line>(t), input_offset<Line>(v));
        if constexpr (is_paired) {
            load_two(from, &x[v], &x[Line::first_radix + v]);
        } else {
            x[v] = *from;
        }
    }
}

template <class Line>
__device__ __forceinline__ void leave_slot(const cpx *x, unsigned t, exchange_of<Line> slot) {
    constexpr bool is_paired = stage_of<Line, Line::last_stage>::is_paired;
    WEFT_UNROLL
    for (unsigned v = 0; v < (is_paired ? Line::last_radix : Line::points); v++) {
        cpx *to = slot.at(output_base<Line>(t), output_offset<Line>(v));
        if constexpr (is_paired) {
            store_two(to, x[v], x[Line::last_radix + v]);
        } else {
            *to = x[v];
        }
    }
}

/* Calls visit(s, t) for the slots of the thread's worker, of which it is thread t. */
template <class Shape, class Visit> __device__ __forceinline__ void each_of_own_slots(Visit visit) {
    typedef typename Shape::forward line;
    for (unsigned s = threadIdx.x / line::threads; s < Shape::radix; s += Shape::workers) {
        visit(s, threadIdx.x % line::threads);
    }
}

/* Transforms a slot forward, out of its place into x of thread t. */
template <class Line, class Twiddles>
__device__ __forceinline__ void transform_slot(cpx *x, unsigned t, exchange_of<Line> slot,
                                               Twiddles &twiddles) {
    take_slot<Line>(x, t, slot);
    slot.sync(); /* all have taken their values */
    line_dft<Line>(x, t, slot, twiddles, []() {});
}

/* Stores x back into its place, after an inverse transform or before one. */
template <class Line>
__device__ __forceinline__ void put_slot_back(const cpx *x, unsigned t, exchange_of<Line> slot) {
    slot.sync(); /* the last stage has read its values */
    leave_slot<Line>(x, t, slot);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* in      the intermediate before the last stage of columns
 * out     spectrum in either layout, times scale; may be the memory of the intermediate
 * grid    a block for 2 R rows
 * shared  R slots of W complex values and the padding, an mbarrier for each slot, and a real
 * DRAM    reads the intermediate once, writes the spectrum once
 * sync    one of the block, two more of the one with slot 0 where there are means; for each slot
 *         of a worker 2 (stages - 1) of its threads, two more where rows go in bulk */
template <unsigned W, unsigned R>
__global__ void __launch_bounds__(split_shape<W, R>::threads, split_shape<W, R>::resident)
    split_forward(split_job job) {
    typedef split_shape<W, R> shape;
    typedef typename shape::forward line;
    const rows_job &j = job.rows;
    WEFT_SHARED(cpx, shared);
    split_place<R> place(j, blockIdx.x);
    auto twiddles = unread_twiddles_of<line>(j.twiddles);
    let_next_start(); /* what comes next may take its place */
    if (shape::reads_twiddles_first) {
        twiddles.read(threadIdx.x % line::threads);
    }
    cpx of_values[2 * R];
    load_value_twiddles(of_values, job.column_twiddles, place);
    wait_for_previous(); /* the intermediate is complete */
    columns_to_slots<shape, true>(j, of_values, place, shared);
    if (!shape::reads_twiddles_first) {
        twiddles.read(threadIdx.x % line::threads);
    }
    __syncthreads();
    each_of_own_slots<shape>([&](unsigned s, unsigned t) {
        exchange_of<line> exchange = {shared + s * shape::size};
        cpx x[line::points];
        transform_slot<line>(x, t, exchange, twiddles);
        if (place.is_first() && s == 0) {
            put_both_rows<line>(row_place(j, place.index(s)).spectrum(j, W), x, t, j, exchange,
                                exchange.values, true, shape::dcs(shared));
        } else {
            put_slots<shape>(x, t, j, place.index(s), shared, s, false);
        }
    });
    if (HAS_BULK && threadIdx.x % line::threads == 0) {
        wait_for_copies_to_global();
    }
}

/* in      spectrum in either layout; IN_BULK: its rows come in bulk, those of a worker's later
 *         slots while it is at its first one; else each thread loads its own values
 * out     the intermediate after the first stage of columns, in another memory
 * grid, shared, DRAM as split_forward
 * sync    one of the block; for each slot of a worker 2 (stages - 1) + 1 of its threads; IN_BULK
 *         one more of each, and the mbarrier */
template <unsigned W, unsigned R, bool IN_BULK>
__global__ void __launch_bounds__(split_shape<W, R>::threads, split_shape<W, R>::resident)
    split_inverse(split_job job) {
    typedef split_shape<W, R> shape;
    typedef typename shape::inverse line;
    const rows_job &j = job.rows;
    WEFT_SHARED(cpx, shared);
    split_place<R> place(j, blockIdx.x);
    constexpr bool in_bulk = IN_BULK && HAS_BULK;
    from_spectrum<line> from = {j};
    if (job.prefetches && threadIdx.x < 2 * R) {
        prefetch_spectrum_row(row_place(j, place.first_index).spectrum(j, W),
                              place.row(threadIdx.x), j.is_cached);
    }
    auto twiddles = twiddles_of<line>(j.twiddles, threadIdx.x % line::threads);
    wait_for_previous(); /* the spectrum is complete */
    let_next_start();    /* the columns may take their places */
    if constexpr (in_bulk) {
        each_of_own_slots<shape>([&](unsigned s, unsigned t) {
            if (t == 0) {
                mbarrier_init(shape::mbarrier_of(shared, s));
                from.fetch(shape::input_buffers(shared, s), shape::mbarrier_of(shared, s),
                           place.index(s));
            }
        });
        __syncthreads(); /* the mbarriers are initialized */
    }
    each_of_own_slots<shape>([&](unsigned s, unsigned t) {
        exchange_of<line> exchange = {shared + s * shape::size};
        cpx x[line::points];
        if constexpr (in_bulk) {
            mbarrier_wait(shape::mbarrier_of(shared, s), 0);
            from.take(x, shape::input_buffers(shared, s), t, place.index(s));
            exchange.sync(); /* all have taken their values */
        } else {
            from.load(x, t, place.index(s));
        }
        line_dft<line>(x, t, exchange, twiddles, []() {});
        swap_all<line>(x);
        put_slot_back<line>(x, t, exchange);
    });
    __syncthreads();
    slots_to_columns<shape>(job.back, place, shared);
}

/* in      the intermediate before the last stage of columns
 * out     the intermediate after the first stage of columns, in another memory
 * grid, shared as split_forward
 * DRAM    reads the intermediate and the transfer once, writes the intermediate once
 * sync    two of the block; for each slot of a worker 4 (stages - 1) + 2 of its threads, two more
 *         for the first one of each worker in the block with slot 0
 * All slots go forward before the first one goes back: a thread has registers for the twiddles
 * of one direction. */
template <unsigned W, unsigned R>
__global__ void __launch_bounds__(split_shape<W, R, true>::threads,
                                  split_shape<W, R, true>::resident) split_filter(split_job job) {
    typedef split_shape<W, R, true> shape;
    typedef typename shape::forward forward;
    typedef typename shape::inverse inverse;
    WEFT_SHARED(cpx, shared);
    split_place<R> place(job.rows, blockIdx.x);
    filter_job j = {job.rows, job.transfer, job.inverse_twiddles};
    if (threadIdx.x < 2 * R) {
        prefetch_transfer(job.transfer, place.row(threadIdx.x));
    }
    auto twiddles = unread_twiddles_of<forward>(job.rows.twiddles);
    if (shape::reads_twiddles_first) {
        twiddles.read(threadIdx.x % forward::threads);
    }
    cpx of_values[2 * R];
    load_value_twiddles(of_values, job.column_twiddles, place);
    wait_for_previous(); /* the intermediate is complete */
    let_next_start();    /* the columns may take their places */
    columns_to_slots<shape, false>(job.rows, of_values, place, shared);
    if (!shape::reads_twiddles_first) {
        twiddles.read(threadIdx.x % forward::threads);
    }
    __syncthreads();
    each_of_own_slots<shape>([&](unsigned s, unsigned t) {
        exchange_of<forward> exchange = {shared + s * shape::size};
        unsigned slot = place.index(s) - place.first_index;
        cpx x[forward::points];
        transform_slot<forward>(x, t, exchange, twiddles);
        if (place.is_first() && s < shape::workers) { /* all workers synchronise as often */
            filter_slot_0<forward>(x, t, j, exchange, exchange.values, slot == 0,
                                   shape::dcs(shared));
        }
        if (slot > 0) {
            filter_slot<forward>(x, t, j, slot);
        }
        put_slot_back<forward>(x, t, exchange);
    });
    auto back = twiddles_of<inverse>(job.inverse_twiddles, threadIdx.x % inverse::threads);
    each_of_own_slots<shape>([&](unsigned s, unsigned t) {
        exchange_of<inverse> exchange = {shared + s * shape::size};
        cpx x[inverse::points];
        take_slot<inverse>(x, t, exchange); /* each thread its own values */
        swap_all<inverse>(x);
        exchange.sync(); /* all have taken their values */
        line_dft<inverse>(x, t, exchange, back, []() {});
        swap_all<inverse>(x);
        put_slot_back<inverse>(x, t, exchange);
    });
    __syncthreads();
    slots_to_columns<shape>(job.back, place, shared);
}

} // namespace

#endif
