/* SPDX-License-Identifier: MIT
 * The column pass of a split transform: a block transforms a tile of columns of one class.
 * split.cuh says in which rows a class lies on both sides.
 */
#ifndef WEFT_CUDA_PASSES_CLASS_COLUMNS_CUH
#define WEFT_CUDA_PASSES_CLASS_COLUMNS_CUH

#include "passes/columns.cuh"
#include "passes/split.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

template <unsigned H> struct class_shape {
    typedef class_line<H, 0> forward;
    typedef class_line<H, 1> inverse;
    static constexpr unsigned threads = forward::columns / forward::lines * forward::threads;
    static constexpr unsigned size =
        (unsigned)larger(exchange_of<forward>::size, exchange_of<inverse>::size);
    static constexpr size_t shared_bytes = size * sizeof(cpx);
    static constexpr unsigned resident =
        blocks_of(tuning_of(H).classes.resident, threads, shared_bytes);
};

/* Which tile of which class and image the block has; its neighbour has the tile beside it. */
template <class Line> struct class_place {
    unsigned tile, class_number;
    size_t image;
    __device__ __forceinline__ class_place(divider tile_count) {
        unsigned rest = quotient(blockIdx.x, tile_count);
        tile = remainder_of(blockIdx.x, tile_count);
        class_number = rest % Line::left_out;
        image = rest / Line::left_out;
    }
};

/* The first of the thread's columns in the tile, and which thread of those columns it is. */
template <class Line> __device__ __forceinline__ unsigned first_column_of_thread() {
    return threadIdx.x % (Line::columns / Line::lines) * Line::lines;
}

template <class Line> __device__ __forceinline__ unsigned thread_of_line() {
    return threadIdx.x / (Line::columns / Line::lines);
}

/* Rows of an image or of the intermediate, `step` apart from row `first` on, and where in them the
 * thread's columns are. */
template <class View> struct rows_apart {
    View view;
    size_t place;
    template <class Line>
    __device__ __forceinline__ rows_apart(const View &all, const class_place<Line> &of,
                                          unsigned first, unsigned step, unsigned within)
        : view(all) {
        place = of.image * all.stride + first * all.pitch + 2 * (Line::columns * of.tile + within);
        view.pitch *= step;
    }
};

/* Asks L2 for the rows that the thread begins with; of threads that read the same cache line, the
 * first one asks. */
template <class Line, class View>
__device__ __forceinline__ void prefetch_rows(const rows_apart<View> &from) {
    constexpr unsigned bytes_of_line = 128;
    unsigned t = thread_of_line<Line>();
    if (from.view.bytes(2 * first_column_of_thread<Line>()) % bytes_of_line == 0) {
        WEFT_UNROLL
        for (unsigned v = 0; v < Line::points; v++) {
            size_t row = input_base<Line>(t) + input_offset<Line>(v);
            prefetch_to_cache(from.view.at(from.place + row * from.view.pitch));
        }
    }
}

/* before() and after() see the values in registers, and which thread of the line it is. */
template <class Line, class From, class To, class Twiddles, class Before, class After>
__device__ __forceinline__ void
transform_class(const rows_apart<From> &from, const rows_apart<To> &to, cpx *shared, bool is_cached,
                Twiddles &twiddles, Before before, After after) {
    unsigned t = thread_of_line<Line>();
    exchange_of<Line> exchange = {shared + first_column_of_thread<Line>()};
    /* L2 must keep a cache line that several tiles read until all of them have read it. */
    is_cached = is_cached || Line::columns * sizeof(cpx) < 64;
    cpx x[Line::values];
    load_tile<Line>(x, from.view, from.place + input_base<Line>(t) * from.view.pitch, is_cached);
    before(x, t);
    line_dft<Line>(x, t, exchange, twiddles, []() {});
    after(x, t);
    store_tile<Line>(to.view, to.place + output_base<Line>(t) * to.view.pitch, x);
}

/* in      image[H][W]
 * out     the intermediate, before the last stage of columns; not the memory of the image
 * grid    a block a tile and class; H/R/points threads for the complex columns that a thread has,
 *         neighbouring threads in neighbouring columns
 * shared  H/R complex values a column and the padding, no bank conflicts; of integer pixels the
 *         sums of each warp's columns
 * DRAM    reads and writes the image once
 * sync    2 (stages - 1) - 1, of stages without the last one, and one for the means of
 *         integer pixels */
template <unsigned H, class Image>
__global__ void __launch_bounds__(class_shape<H>::threads, class_shape<H>::resident)
    class_forward(cols_job<Image> j) {
    typedef typename class_shape<H>::forward line;
    WEFT_SHARED(cpx, shared);
    class_place<line> place(j.tile_count);
    unsigned c = place.class_number, within = first_column_of_thread<line>();
    rows_apart<Image> from(j.image, place, c, line::left_out, within);
    rows_apart<real_view> to(j.intermediate, place, c * line::length, 1, within);
    auto twiddles = unread_twiddles<line>(table_twiddles<line>{j.twiddles});
    if (j.prefetches) {
        prefetch_rows<line>(from);
    }
    twiddles.read(thread_of_line<line>());
    wait_for_previous(); /* the image is complete */
    let_next_start();    /* the rows may take their places */
    if constexpr (Image::has_means) {
        column_sums<line> all = {(unsigned *)(shared + class_shape<H>::size)};
        unsigned sums[column_sums<line>::each];
        transform_class<line>(
            from, to, shared, j.is_cached, twiddles,
            [&](cpx *x, unsigned t) { take_means_of_columns<line>(x, t, sums, all); },
            [&](cpx *x, unsigned t) { put_sums_of_columns<line>(x, t == 0, sums, all); });
    } else {
        transform_class<line>(
            from, to, shared, j.is_cached, twiddles, [](cpx *, unsigned) {},
            [](cpx *, unsigned) {});
    }
}

/* in      the intermediate after the first stage of columns, its parts still swapped; class c is
 *         its rows c H/R .. where BY_CLASS, else its rows c, R + c, ..
 * out     image[H][W], times scale; may be the memory of the intermediate, but not BY_CLASS
 * grid, shared, DRAM, sync as class_forward */
template <unsigned H, class Image, bool BY_CLASS>
__global__ void __launch_bounds__(class_shape<H>::threads, class_shape<H>::resident)
    class_inverse(cols_job<Image> j) {
    typedef typename class_shape<H>::inverse line;
    WEFT_SHARED(cpx, shared);
    let_next_start(); /* what comes next may take its place */
    class_place<line> place(j.tile_count);
    unsigned c = place.class_number, within = first_column_of_thread<line>();
    unsigned first = BY_CLASS ? c * line::length : c, step = BY_CLASS ? 1 : line::left_out;
    auto twiddles = unread_twiddles<line>(class_twiddles<line>{j.twiddles, c});
    twiddles.read(thread_of_line<line>());
    wait_for_previous(); /* the intermediate is complete */
    transform_class<line>(
        rows_apart<real_view>(j.intermediate, place, first, step, within),
        rows_apart<Image>(j.image, place, c, line::left_out, within), shared, j.is_cached, twiddles,
        [](cpx *, unsigned) {},
        [&](cpx *x, unsigned) {
            WEFT_UNROLL
            for (unsigned v = 0; v < line::values; v++) {
                x[v] = cpx_scale(cpx_swap(x[v]), j.scale);
            }
        });
}

/* What a block of any of the kernels wants. */
template <unsigned H, class Image> constexpr size_t class_shared_bytes() {
    typedef class_shape<H> of;
    return of::shared_bytes + (Image::has_means ? column_sums<typename of::forward>::bytes : 0);
}

template <unsigned H, class Image> constexpr launch_shape class_block() {
    typedef class_shape<H> of;
    return block_shape(of::threads, class_shared_bytes<H, Image>(), of::resident);
}

} // namespace

#endif
