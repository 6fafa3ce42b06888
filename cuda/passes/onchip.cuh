/* SPDX-License-Identifier: MIT
 * Images on chip: each image lies in the shared memory of a block, or of a cluster of blocks, from
 * its first load to its last store. Each block transforms a tile of columns and sends what comes
 * out to the blocks that have the slots, which transform those; the inverse goes the other way.
 */
#ifndef WEFT_CUDA_PASSES_ONCHIP_CUH
#define WEFT_CUDA_PASSES_ONCHIP_CUH

#include "passes/columns.cuh"
#include "passes/filter.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

template <class Image> struct onchip_job {
    cols_job<Image> cols; /* its intermediate is not used */
    rows_job rows;        /* nor is this one's */
};

/* The columns of a block are its part of an image W wide; a thread has 16 bytes of a row. */
template <unsigned W, unsigned PARTS> struct onchip_cut : worker_cut<ONCHIP_THREADS, 32, 48> {
    static constexpr cols_cut cols(unsigned length) {
        cols_cut cut = table_cut<MANY_LINES>::cols(length);
        cut.tile = W / 2 / PARTS;
        cut.each = 16 / sizeof(cpx);
        cut.is_persistent = cut.uses_tma = false;
        cut.prefetches_twiddles = true;
        return cut;
    }
};

/* A block has the slots that are its part; its threads form workers, each of which takes one slot
 * after another. A slot's place in shared memory is the buffers of its rows and its exchange. */
template <unsigned H, unsigned W, unsigned PARTS> struct onchip_shape {
    typedef onchip_cut<W, PARTS> cut;
    typedef line_of<H, cut, 0, 0> columns;
    typedef line_of<H, cut, 0, 1> inverse_columns;
    typedef line_of<W, cut, 1, 0> forward;
    typedef line_of<W, cut, 1, 1> inverse;
    typedef row_buffers<W> buffers;
    static constexpr unsigned height = H, width = W, parts = PARTS;
    static constexpr unsigned groups = columns::columns / columns::lines;
    static constexpr unsigned threads = groups * columns::threads;
    static constexpr unsigned slots = H / 2 / PARTS;
    static constexpr unsigned workers = threads / forward::threads, turns = slots / workers;
    static constexpr bool is_bulk = true; /* what goes forward */
    static constexpr unsigned size_of_slot = (unsigned)larger(
        buffers::size, larger(exchange_of<forward>::size, exchange_of<inverse>::size));
    /* Slots that a warp works on concurrently lie in different banks, for accesses of one real. */
    static constexpr unsigned banks = 128 / sizeof(cpx), apart = 32 / sizeof(cpx);
    static constexpr unsigned size = size_of_slot + (banks + apart - size_of_slot % banks) % banks;
    static constexpr unsigned all_size = (unsigned)larger(
        slots * size, larger(exchange_of<columns>::size, exchange_of<inverse_columns>::size));
    static constexpr size_t shared_bytes = all_size * sizeof(cpx) + slots * sizeof(scalar);
    static constexpr unsigned resident = blocks_of(ONCHIP_THREADS, threads, shared_bytes);
    static_assert(columns::parts == 1, "whole columns");
    static_assert(forward::is_in_warp || workers <= 15, "a barrier for each worker");
    static_assert(slots % workers == 0 && threads % forward::threads == 0, "whole workers");
    static_assert(size * sizeof(cpx) % BULK_ALIGNMENT == 0, "buffers are aligned");

    static __device__ __forceinline__ buffers input_buffers(cpx *shared, unsigned slot) {
        return {(scalar *)(shared + slot * size)};
    }
    static __device__ __forceinline__ buffers output_buffers(cpx *shared, unsigned slot) {
        return input_buffers(shared, slot);
    }
    static __device__ __forceinline__ scalar *dcs(cpx *shared) {
        return (scalar *)(shared + all_size);
    }
    static __device__ __forceinline__ unsigned *sums(cpx *shared) {
        return (unsigned *)(dcs(shared) + slots);
    }
};

/* The block's image, and which part of it the block has: a tile of columns, and every PARTS-th
 * slot, so that neighbouring threads send to different blocks. */
template <class Shape> struct onchip_place {
    unsigned image, part;
    __device__ __forceinline__ onchip_place() {
        image = blockIdx.x / Shape::parts;
        part = Shape::parts == 1 ? 0 : rank_in_cluster();
    }
    /* Number `own` of the block's slots: which one it is of the image, and of all. */
    __device__ __forceinline__ unsigned slot(unsigned own) const {
        return own * Shape::parts + part;
    }
    __device__ __forceinline__ unsigned index(unsigned own) const {
        return image * (Shape::height / 2) + slot(own);
    }
};

/* A barrier of all the blocks that have the image. */
template <class Shape> __device__ __forceinline__ void sync_image() {
    if constexpr (Shape::parts > 1) {
        WEFT_CLUSTER_SYNC();
    } else {
        __syncthreads();
    }
}

/* What lies at `shared` in the block that has part number `part`. */
template <class Shape, class T> __device__ __forceinline__ T *in_part_of(T *shared, unsigned part) {
    return Shape::parts == 1 ? shared : of_block(shared, part);
}

/* Calls visit(own, t, turn) for the slots of the thread's worker, of which it is thread t. */
template <class Shape, class Visit> __device__ __forceinline__ void each_of_onchip(Visit visit) {
    typedef typename Shape::forward line;
    WEFT_UNROLL
    for (unsigned turn = 0; turn < Shape::turns; turn++) {
        visit(threadIdx.x / line::threads + turn * Shape::workers, threadIdx.x % line::threads,
              turn);
    }
}

/* ---- between columns and slots ----------------------------------------------------------------
 * A slot has rows k and H - k of the intermediate in its buffers, complex columns side by side. */

/* Where row k has complex column number `column`; is_lower says that k is at least H/2. */
template <class Shape>
__device__ __forceinline__ cpx *place_in_slots(cpx *shared, unsigned k, bool is_lower,
                                               unsigned column) {
    constexpr unsigned half = Shape::height / 2;
    unsigned slot = is_lower ? (2 * half - k) % half : k;
    scalar *row = Shape::input_buffers(shared, slot / Shape::parts).values +
                  (is_lower ? Shape::buffers::pitch : 0);
    return (cpx *)in_part_of<Shape>(row + 2 * column, slot % Shape::parts);
}

/* Stores the thread's columns, from `column` on, into the slots. */
template <class Shape>
__device__ __forceinline__ void columns_to_slots(const cpx *x, unsigned t, cpx *shared,
                                                 unsigned column) {
    typedef typename Shape::columns line;
    constexpr unsigned radix = line::last_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < line::points; v++) {
        cpx *to = place_in_slots<Shape>(shared, output_base<line>(t) + output_offset<line>(v),
                                        v % radix >= radix / 2, column);
        if constexpr (line::lines == 2) {
            store_two(to, x[v], x[line::points + v]);
        } else {
            *to = x[v];
        }
    }
}

/* Loads the thread's columns, from `column` on, out of the slots. */
template <class Shape>
__device__ __forceinline__ void slots_to_columns(cpx *x, unsigned t, cpx *shared, unsigned column) {
    typedef typename Shape::inverse_columns line;
    constexpr unsigned radix = line::first_radix;
    WEFT_UNROLL
    for (unsigned v = 0; v < line::points; v++) {
        const cpx *from = place_in_slots<Shape>(shared, input_base<line>(t) + input_offset<line>(v),
                                                v % radix >= radix / 2, column);
        if constexpr (line::lines == 2) {
            load_two(from, &x[v], &x[line::points + v]);
        } else {
            x[v] = *from;
        }
    }
}

/* What the thread has of its block's columns: which thread of those columns it is, where the first
 * one is in the tile and in the image, and where it begins in memory. */
template <class Line, class Shape, class Image> struct onchip_tile {
    unsigned t, within, column;
    size_t first;
    __device__ __forceinline__ onchip_tile(const Image &image, onchip_place<Shape> place) {
        t = threadIdx.x / Shape::groups;
        within = threadIdx.x % Shape::groups * Line::lines;
        column = place.part * Line::columns + within;
        first = place.image * image.stride + 2 * column;
    }
};

/* ---- forward --------------------------------------------------------------------------------- */

/* Transforms the block's columns and sends them to the slots, after the kernel before this one has
 * ended. sync: of the image once; what was sent has arrived after one more */
template <class Shape, class Image>
__device__ __forceinline__ void onchip_columns_forward(const cols_job<Image> &j, cpx *shared,
                                                       onchip_place<Shape> place) {
    typedef typename Shape::columns line;
    onchip_tile<line, Shape, Image> tile(j.image, place);
    unsigned t = tile.t;
    exchange_of<line> exchange = {shared + tile.within};
    auto twiddles = unread_twiddles_of<line>(j.twiddles);
    prefetch_first<line>(twiddles, t);
    wait_for_previous(); /* the image is complete */
    cpx x[line::values];
    load_tile<line>(x, j.image, tile.first + input_base<line>(t) * j.image.pitch, j.is_cached);
    auto transform = [&]() { line_dft<line>(x, t, exchange, twiddles, []() {}); };
    if constexpr (Image::has_means) {
        column_sums<line> all = {Shape::sums(shared)};
        unsigned sums[column_sums<line>::each];
        take_means_of_columns<line>(x, t, sums, all);
        transform();
        put_sums_of_columns<line>(x, t == 0, sums, all);
    } else {
        transform();
    }
    sync_image<Shape>(); /* all have begun, and have read their last values */
    columns_to_slots<Shape>(x, t, shared, tile.column);
}

/* in      images[H][W], of reals or integer pixels
 * out     spectra in either layout, times scale; may be the memory of the images
 * grid    a block an image, or a cluster; H/points threads for 16 bytes of each row, W/points for a
 *         slot, one slot after another
 * shared  the block's part of the image, the padding and a real for each slot; of integer pixels
 *         the sums of each warp's columns; bank conflicts where its slots are accessed by two reals
 * DRAM    reads the image once, writes the spectrum once
 * sync    two of the image; of the block 2 (stages - 1) - 1 and one for the means; for each slot of
 *         a worker 2 (stages - 1) + 2 of its threads; for those in the turn of slot 0 two more,
 *         with means log2 threads + 4 */
template <class Shape, class Image>
__global__ void __launch_bounds__(Shape::threads, Shape::resident)
    onchip_forward(const __grid_constant__ onchip_job<Image> job) {
    typedef typename Shape::forward line;
    const rows_job &j = job.rows;
    WEFT_SHARED(cpx, shared);
    onchip_place<Shape> place;
    let_next_start(); /* what comes next may take its place */
    onchip_columns_forward<Shape>(job.cols, shared, place);
    auto twiddles = twiddles_of<line>(j.twiddles, threadIdx.x % line::threads);
    sync_image<Shape>();
    each_of_onchip<Shape>([&](unsigned own, unsigned t, unsigned turn) {
        unsigned slot = place.index(own);
        bool folds = place.part == 0 && turn == 0;
        exchange_of<line> exchange = {shared + own * Shape::size};
        const scalar *upper = Shape::input_buffers(shared, own).values + input_base<line>(t);
        cpx x[line::points];
        load_rows<line, 1>(x, upper, upper + Shape::buffers::pitch);
        exchange.sync(); /* all have taken their values */
        untangle_slots<line>(x, t, j, slot, exchange, folds, Shape::dcs(shared) + own);
        line_dft<line>(x, t, exchange, twiddles, []() {});
        put_slots<Shape>(x, t, j, slot, shared, own, folds);
    });
    if (HAS_BULK && threadIdx.x % line::threads == 0) {
        wait_for_copies_to_global();
    }
}

/* ---- inverse --------------------------------------------------------------------------------- */

/* Transforms the block's columns, out of the slots when all of those are complete. sync: of the
 * image once */
template <class Shape, class Image>
__device__ __forceinline__ void onchip_columns_inverse(const cols_job<Image> &j, cpx *shared,
                                                       onchip_place<Shape> place) {
    typedef typename Shape::inverse_columns line;
    onchip_tile<line, Shape, Image> tile(j.image, place);
    unsigned t = tile.t;
    exchange_of<line> exchange = {shared + tile.within};
    cpx x[line::values];
    slots_to_columns<Shape>(x, t, shared, tile.column);
    auto twiddles = unread_twiddles_of<line>(j.twiddles);
    prefetch_first<line>(twiddles, t);
    sync_image<Shape>(); /* all have taken their values */
    swap_all<line>(x);
    line_dft<line>(x, t, exchange, twiddles, []() {});
    WEFT_UNROLL
    for (unsigned v = 0; v < line::values; v++) {
        x[v] = cpx_scale(cpx_swap(x[v]), j.scale);
    }
    store_tile<line>(j.image, tile.first + output_base<line>(t) * j.image.pitch, x, j.is_cached);
}

/* in      spectra in either layout
 * out     images[H][W], of reals or integer pixels, times scale; may be the memory of the spectra
 * grid, shared, DRAM as onchip_forward
 * sync    two of the image; of the block 2 (stages - 1) - 1; for each slot of a worker
 *         2 (stages - 1) of its threads
 * Rows do not come in bulk: they are too short for that, see docs/performance.md. */
template <class Shape, class Image>
__global__ void __launch_bounds__(Shape::threads, Shape::resident)
    onchip_inverse(const __grid_constant__ onchip_job<Image> job) {
    typedef typename Shape::inverse line;
    const rows_job &j = job.rows;
    WEFT_SHARED(cpx, shared);
    onchip_place<Shape> place;
    from_spectrum<line> from = {j};
    let_next_start(); /* what comes next may take its place */
    auto twiddles = twiddles_of<line>(j.twiddles, threadIdx.x % line::threads);
    wait_for_previous(); /* the spectrum is complete */
    each_of_onchip<Shape>([&](unsigned own, unsigned t, unsigned) {
        exchange_of<line> exchange = {shared + own * Shape::size};
        scalar *upper = Shape::input_buffers(shared, own).values + output_base<line>(t);
        cpx x[line::points];
        from.load(x, t, place.index(own));
        line_dft<line>(x, t, exchange, twiddles, []() {});
        swap_all<line>(x);
        tangle_rows<line>(x, t, place.slot(own) == 0);
        exchange.sync(); /* the last stage has read its values */
        store_rows<line, 1, 1>(upper, upper + Shape::buffers::pitch, x);
    });
    sync_image<Shape>();
    onchip_columns_inverse<Shape>(job.cols, shared, place);
}

/* ---- a filter -------------------------------------------------------------------------------- */

template <class Image> struct onchip_filter_job {
    cols_job<Image> there, back; /* of the image, and of the result */
    filter_job slots;
};

/* in      images[H][W], of reals or integer pixels, and the transfer
 * out     images of the same kind; may be the memory of those
 * grid, shared as onchip_forward
 * DRAM    reads the image once, writes the result once; the transfer comes from L2
 * sync    four of the image; of the block 4 (stages - 1) - 2 and one for the means; for each slot
 *         of a worker 4 (stages - 1) + 1 of its threads; for those in the turn of slot 0 two more,
 *         with means log2 threads + 4 */
template <class Shape, class Image>
__global__ void __launch_bounds__(Shape::threads, Shape::resident)
    onchip_filter(const __grid_constant__ onchip_filter_job<Image> job) {
    typedef typename Shape::forward forward;
    typedef typename Shape::inverse inverse;
    const filter_job &j = job.slots;
    WEFT_SHARED(cpx, shared);
    onchip_place<Shape> place;
    let_next_start(); /* what comes next may take its place */
    onchip_columns_forward<Shape>(job.there, shared, place);
    sync_image<Shape>();
    each_of_onchip<Shape>([&](unsigned own, unsigned t, unsigned turn) {
        unsigned slot = place.slot(own);
        bool folds = place.part == 0 && turn == 0;
        exchange_of<forward> there = {shared + own * Shape::size};
        exchange_of<inverse> back = {shared + own * Shape::size};
        scalar *rows = Shape::input_buffers(shared, own).values, *dc = Shape::dcs(shared) + own;
        const scalar *in = rows + input_base<forward>(t);
        scalar *out = rows + output_base<inverse>(t);
        cpx x[forward::points];
        load_rows<forward, 1>(x, in, in + Shape::buffers::pitch);
        there.sync(); /* all have taken their values */
        untangle_slots<forward>(x, t, j.rows, place.index(own), there, folds, dc);
        line_dft<forward>(x, t, there, table_twiddles<forward>{j.rows.twiddles}, []() {});
        if (folds) {
            filter_slot_0<forward>(x, t, j, there, there.values, slot == 0, dc);
        }
        if (slot > 0) {
            filter_slot<forward>(x, t, j, slot);
        }
        swap_all<forward>(x);
        back.sync(); /* the values of the exchange before have all been read */
        line_dft<inverse>(x, t, back, table_twiddles<inverse>{j.inverse_twiddles}, []() {});
        swap_all<inverse>(x);
        tangle_rows<inverse>(x, t, slot == 0);
        back.sync(); /* the last stage has read its values */
        store_rows<inverse, 1, 1>(out, out + Shape::buffers::pitch, x);
    });
    sync_image<Shape>();
    onchip_columns_inverse<Shape>(job.back, shared, place);
}

/* What a block of any of the kernels wants. */
template <class Shape, class Image> constexpr size_t onchip_shared_bytes() {
    return Shape::shared_bytes +
           (Image::has_means ? column_sums<typename Shape::columns>::bytes : 0);
}

} // namespace

#endif
