/* SPDX-License-Identifier: MIT
 * Slots: pairs of rows of the intermediate, as the row passes take them into registers and put them
 * back. Two neighbouring reals of row k, with those of row H - k, are Z[k] and Z[H - k] of one
 * complex column. Untangled, the values of slot k make one complex row, which decides the rows k
 * and H - k of the spectrum; slot 0 has rows 0 and H/2.
 */
#ifndef WEFT_CUDA_PASSES_SLOTS_CUH
#define WEFT_CUDA_PASSES_SLOTS_CUH

#include "base/divider.cuh"
#include "base/residence.cuh"
#include "layout.h"
#include "line/power.cuh"
#include "passes/intermediate.cuh"
#include "passes/means.cuh"
#include "passes/row_buffers.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

struct rows_job {
    spectrum_view spectrum; /* of the first image; written by the forward, read by the inverse */
    size_t spectrum_reals;  /* from image to image */
    real_view intermediate;
    const cpx *twiddles; /* of a row, in the direction of the kernel */
    divider slots;       /* in one image: H/2 */
    unsigned all_slots;  /* in all images */
    scalar scale;
    int is_cached; /* L2 has space for all that is read and written, and is to keep it */
    int from_last; /* the last slots come first */
    int has_means; /* the intermediate holds sums of the image's columns, see means.cuh */
    double dc_scale;
};

template <unsigned W, class Cut> struct rows_shape {
    typedef line_of<W, Cut, 1, 0> forward;
    typedef line_of<W, Cut, 1, 1> inverse;
    static constexpr unsigned parts = forward::parts;
    static constexpr unsigned lines = Cut::rows(W).lines;
    static constexpr unsigned threads = lines / forward::lines * forward::threads;
    typedef row_buffers<W> buffers;
    static constexpr bool is_bulk = forward::is_bulk;
    static constexpr unsigned size =
        (unsigned)larger(is_bulk ? buffers::size : 0,
                         larger(exchange_of<forward>::size, exchange_of<inverse>::size));
    /* In bulk, rows come into buffers behind the exchanges, each slot's with an mbarrier, and go
     * from buffers in the place of the exchanges. Each line may keep its X[0][0]. */
    static constexpr unsigned all_buffers = is_bulk ? lines : 0;
    static constexpr unsigned mbarriers = is_bulk ? lines : 0;
    static constexpr unsigned all_size = lines * size + all_buffers * buffers::size;
    static constexpr size_t shared_bytes =
        all_size * sizeof(cpx) + mbarriers * sizeof(mbarrier) + lines * sizeof(scalar);
    static constexpr unsigned resident = blocks_of(Cut::rows(W).resident, threads, shared_bytes);
    static_assert(!is_bulk || parts == 1, "a slot has its buffers in one block");
    static_assert(size * sizeof(cpx) % BULK_ALIGNMENT == 0, "buffers are aligned");

    static __device__ __forceinline__ buffers input_buffers(cpx *shared, unsigned line) {
        return {(scalar *)(shared + lines * size + line * buffers::size)};
    }
    static __device__ __forceinline__ buffers output_buffers(cpx *shared, unsigned line) {
        return {(scalar *)(shared + line * size)};
    }
    static __device__ __forceinline__ mbarrier *mbarrier_of(cpx *shared, unsigned line) {
        return (mbarrier *)(shared + all_size) + line;
    }
    static __device__ __forceinline__ scalar *dcs(cpx *shared) {
        return (scalar *)((mbarrier *)(shared + all_size) + mbarriers);
    }
};

/* Where the rows of a slot lie. Threads of slots past the last one take part in everything but
 * loads and stores. */
struct row_place {
    unsigned slot;
    size_t image;
    bool is_valid;
    __device__ __forceinline__ row_place(const rows_job &j, unsigned index) {
        is_valid = index < j.all_slots;
        image = quotient(index, j.slots);
        slot = remainder_of(index, j.slots);
    }
    __device__ __forceinline__ spectrum_view spectrum(const rows_job &j, unsigned width) const {
        spectrum_view s = j.spectrum;
        s.values += image * j.spectrum_reals;
        s.width = width;
        return s;
    }
    /* Row k of the intermediate, and row H - k; of slot 0 rows 0 and H/2. */
    __device__ __forceinline__ scalar *upper_row(const rows_job &j) const {
        return j.intermediate.values + image * j.intermediate.stride + slot * j.intermediate.pitch;
    }
    __device__ __forceinline__ scalar *lower_row(const rows_job &j) const {
        return upper_row(j) +
               (slot == 0 ? j.slots.divisor : 2 * (j.slots.divisor - slot)) * j.intermediate.pitch;
    }
};

template <class Line> __device__ __forceinline__ void clear(cpx *x) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        x[v] = cpx_of(0, 0);
    }
}

/* ---- untangling, and tangling again ----------------------------------------------------------
 * A complex column's values Z[k] and Z[H - k] are two neighbouring reals of each row. Either a
 * thread has both reals, or it has one, and the neighbouring thread the other. */

/* What a thread begins with, as it lies in the two rows: with pairs, x[v] is a pair of the upper
 * row and x[radix + v] one of the lower row; otherwise x[v] is one real of each. */
template <class Line, int IS_PAIRED>
__device__ __forceinline__ void load_rows(cpx *x, const scalar *upper, const scalar *lower) {
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? Line::first_radix : Line::points); v++) {
        unsigned n = input_offset<Line>(v);
        if constexpr (Line::has_pairs) {
            x[v] = load_reals<IS_PAIRED>(upper + n);
            x[Line::first_radix + v] = load_reals<IS_PAIRED>(lower + n);
        } else {
            x[v] = cpx_of(upper[n], lower[n]);
        }
    }
}

/* Slot 0 has rows 0 and H/2, each its own mirror image, folded. The last store divides by the
 * factor 2, as after untangle(). */
__device__ __forceinline__ void untangle_self(cpx row_0, cpx row_middle, cpx *left, cpx *right) {
    *left = cpx_of(row_0.re + row_0.re, row_middle.re + row_middle.re);
    *right = cpx_of(row_0.im + row_0.im, row_middle.im + row_middle.im);
}

/* The inverse of untangle_self(); adding 0 makes of -0 what tangle() makes of it. */
__device__ __forceinline__ void tangle_self(cpx left, cpx right, cpx *row_0, cpx *row_middle) {
    *row_0 = cpx_of(left.re, 0 + right.re);
    *row_middle = cpx_of(left.im, 0 + right.im);
}

template <class Line> __device__ __forceinline__ void untangle_slot_0(cpx *x) {
    constexpr unsigned radix = Line::first_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? radix : Line::points); v++) {
        if constexpr (Line::has_pairs) {
            untangle_self(x[v], x[radix + v], &x[v], &x[radix + v]);
        } else {
            x[v] = cpx_add(x[v], x[v]);
        }
    }
}

/* Without pairs every thread of the warp must call it. */
template <class Line> __device__ __forceinline__ void untangle_slot(cpx *x, unsigned t) {
    constexpr unsigned radix = Line::first_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? radix : Line::points); v++) {
        if constexpr (Line::has_pairs) {
            untangle(x[v], x[radix + v], &x[v], &x[radix + v]);
        } else {
            scalar difference = __shfl_xor_sync(~0u, x[v].re - x[v].im, 1);
            x[v] = cpx_of(x[v].re + x[v].im, t % 2 == 0 ? difference : -difference);
        }
    }
}

template <class Line> __device__ __forceinline__ void tangle_slot_0(cpx *x, unsigned t) {
    constexpr unsigned radix = Line::last_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? radix : Line::points); v++) {
        if constexpr (Line::has_pairs) {
            tangle_self(x[v], x[radix + v], &x[v], &x[radix + v]);
        } else {
            x[v] = t % 2 == 0 ? x[v] : cpx_of(0 + x[v].re, 0 + x[v].im);
        }
    }
}

template <class Line> __device__ __forceinline__ void tangle_slot(cpx *x, unsigned t) {
    constexpr unsigned radix = Line::last_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? radix : Line::points); v++) {
        if constexpr (Line::has_pairs) {
            cpx left = x[v], right = x[radix + v];
            x[v] = tangle(left, right);
            x[radix + v] = tangle_mirrored(left, right);
        } else {
            scalar other = __shfl_xor_sync(~0u, x[v].im, 1);
            x[v] = t % 2 == 0 ? cpx_of(x[v].re - other, x[v].re + other)
                              : cpx_of(other + x[v].re, x[v].re - other);
        }
    }
}

/* Calls slot_0(x) for slot 0 and slot(x) for all others. Where threads of a warp work on different
 * slots, all of them go through slot(). */
template <class Line, class Slot0, class Slot>
__device__ __forceinline__ void either(cpx *x, bool is_slot_0, Slot0 slot_0, Slot slot) {
    if constexpr (Line::has_pairs || Line::threads >= 32) {
        if (is_slot_0) {
            slot_0(x);
        } else {
            slot(x);
        }
    } else {
        cpx y[Line::points];
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            y[v] = x[v];
        }
        slot(x);
        slot_0(y);
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            x[v] = is_slot_0 ? y[v] : x[v];
        }
    }
}

template <class Line>
__device__ __forceinline__ void untangle_rows(cpx *x, unsigned t, bool is_slot_0) {
    either<Line>(
        x, is_slot_0, [](cpx *y) { untangle_slot_0<Line>(y); },
        [&](cpx *y) { untangle_slot<Line>(y, t); });
}

template <class Line>
__device__ __forceinline__ void tangle_rows(cpx *x, unsigned t, bool is_slot_0) {
    either<Line>(
        x, is_slot_0, [&](cpx *y) { tangle_slot_0<Line>(y, t); },
        [&](cpx *y) { tangle_slot<Line>(y, t); });
}

/* Two neighbouring reals to a row in shared memory. */
template <int IS_PAIRED>
__device__ __forceinline__ void place_reals(scalar *to, scalar first, scalar second) {
    if (IS_PAIRED) {
        *(scalar_2 *)to = scalar_2_of(first, second);
    } else {
        to[0] = first;
        to[1] = second;
    }
}

template <class Line, int IS_PAIRED, int IS_SHARED>
__device__ __forceinline__ void store_rows(scalar *upper, scalar *lower, const cpx *x) {
    WEFT_UNROLL
    for (unsigned v = 0; v < (Line::has_pairs ? Line::last_radix : Line::points); v++) {
        unsigned n = output_offset<Line>(v);
        if constexpr (Line::has_pairs) {
            cpx below = x[Line::last_radix + v];
            if constexpr (IS_SHARED) {
                place_reals<IS_PAIRED>(upper + n, x[v].re, x[v].im);
                place_reals<IS_PAIRED>(lower + n, below.re, below.im);
            } else {
                store_reals<IS_PAIRED>(upper + n, x[v].re, x[v].im);
                store_reals<IS_PAIRED>(lower + n, below.re, below.im);
            }
        } else {
            upper[n] = x[v].re;
            lower[n] = x[v].im;
        }
    }
}

/* ---- from the intermediate ------------------------------------------------------------------- */

/* What the thread begins with, of the slots of the intermediate from `index` on: load() gets it
 * from global memory; or fetch() sends for a slot's rows, and take() gets it from their buffers. */
template <class Line> struct from_intermediate {
    const rows_job &j;
    __device__ __forceinline__ void load(cpx *x, unsigned t, unsigned index) const {
        WEFT_UNROLL
        for (unsigned l = 0; l < Line::lines; l++) {
            row_place place(j, index + l);
            load_slot(x + l * Line::points, t, place.is_valid, place.upper_row(j),
                      place.lower_row(j));
        }
    }
    /* By one thread. */
    template <class Buffers>
    __device__ __forceinline__ void fetch(Buffers buffers, mbarrier *b, unsigned index) const {
        row_place place(j, index);
        if (place.is_valid) {
            buffers.fetch(place.upper_row(j), place.lower_row(j), Line::whole, b, j.is_cached);
        } else {
            mbarrier_expect(b, 0);
        }
    }
    template <class Buffers>
    __device__ __forceinline__ void take(cpx *x, Buffers buffers, unsigned t,
                                         unsigned index) const {
        row_place place(j, index);
        load_slot(x, t, place.is_valid, buffers.place(place.upper_row(j), 0),
                  buffers.place(place.lower_row(j), 1));
    }

  private:
    __device__ __forceinline__ void load_slot(cpx *x, unsigned t, bool is_valid,
                                              const scalar *upper, const scalar *lower) const {
        unsigned in = input_base<Line>(t);
        if (!is_valid) {
            clear<Line>(x);
        } else if (j.intermediate.is_paired) {
            load_rows<Line, 1>(x, upper + in, lower + in);
        } else {
            load_rows<Line, 0>(x, upper + in, lower + in);
        }
    }
};

/* Takes the mean of row 0 out of it, where columns have lost theirs; thread 0 of the slot keeps
 * X[0][0] in dc. Every thread of the block must call it. */
template <class Line>
__device__ __forceinline__ void take_mean_of_slot_0(cpx *x, unsigned t, const rows_job &j,
                                                    exchange_of<Line> exchange, cpx *values,
                                                    bool is_slot_0, scalar *dc) {
    unsigned long long sum = take_mean_of_row_0<Line>(x, t, exchange, values, is_slot_0);
    if (is_slot_0 && t == 0) {
        *dc = dc_of(sum, j.dc_scale);
    }
}

/* Untangles columns into the complex rows of the thread's slots. */
template <class Line>
__device__ __forceinline__ void untangle_slots(cpx *x, unsigned t, const rows_job &j,
                                               unsigned index, exchange_of<Line> exchange,
                                               bool block_folds, scalar *dc) {
    if (j.has_means && block_folds) {
        WEFT_UNROLL
        for (unsigned l = 0; l < Line::lines; l++) {
            row_place place(j, index + l);
            take_mean_of_slot_0<Line>(x + l * Line::points, t, j, exchange,
                                      exchange.values + l * exchange_of<Line>::size,
                                      place.is_valid && place.slot == 0, dc + l);
        }
    }
    WEFT_UNROLL
    for (unsigned l = 0; l < Line::lines; l++) {
        untangle_rows<Line>(x + l * Line::points, t, row_place(j, index + l).slot == 0);
    }
}

/* ---- to memory, directly or by way of buffers ------------------------------------------------ */

/* Sends the rows that a worker has put into its slots' buffers: one thread calls send(l) for slot l
 * of them. Every thread of the block must call this. */
template <class Line, class Send>
__device__ __forceinline__ void send_buffers(unsigned t, exchange_of<Line> exchange, Send send) {
    let_copies_see_shared();
    exchange.sync();
    if (t == 0) {
        for (unsigned l = 0; l < Line::lines; l++) {
            send(l);
        }
    }
}

template <class Line, int IS_SHARED>
__device__ __forceinline__ void store_slot(const rows_job &j, scalar *upper, scalar *lower,
                                           const cpx *x) {
    if (j.intermediate.is_paired) {
        store_rows<Line, 1, IS_SHARED>(upper, lower, x);
    } else {
        store_rows<Line, 0, IS_SHARED>(upper, lower, x);
    }
}

/* Tangles columns and stores them into the intermediate: the thread's slots from `index` on, which
 * are the lines from `own` on of its block. */
template <class Shape, class Line>
__device__ __forceinline__ void store_slots(cpx *x, unsigned t, const rows_job &j, unsigned index,
                                            cpx *shared, unsigned own) {
    constexpr bool by_bulk = Shape::is_bulk && HAS_BULK;
    exchange_of<Line> exchange = {shared + own * Shape::size};
    unsigned out = output_base<Line>(t);
    if (by_bulk) {
        exchange.sync(); /* the last stage has read its values */
    }
    WEFT_UNROLL
    for (unsigned l = 0; l < Line::lines; l++) {
        row_place place(j, index + l);
        cpx *y = x + l * Line::points;
        tangle_rows<Line>(y, t, place.slot == 0);
        scalar *upper = place.upper_row(j), *lower = place.lower_row(j);
        if (by_bulk) {
            typename Shape::buffers buffers = Shape::output_buffers(shared, own + l);
            store_slot<Line, 1>(j, buffers.place(upper, 0) + out, buffers.place(lower, 1) + out, y);
        } else if (place.is_valid) {
            store_slot<Line, 0>(j, upper + out, lower + out, y);
        }
    }
    if constexpr (by_bulk) {
        send_buffers<Line>(t, exchange, [&](unsigned l) {
            row_place place(j, index + l);
            if (place.is_valid) {
                Shape::output_buffers(shared, own + l)
                    .send(place.upper_row(j), place.lower_row(j), Line::whole, true);
            }
        });
    }
}

} // namespace

#endif
