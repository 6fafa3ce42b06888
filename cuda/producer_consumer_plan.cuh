/* SPDX-License-Identifier: MIT
 * The plan of a transform that flows, see flow_rows.cuh: where there are kernels for it, lengths of
 * which no other way of columns moves pieces as wide. Not in place forward, where classes would
 * write what others have not read; not of rows that are not aligned to 16 bytes; not of whole
 * pixels.
 */
#ifndef WEFT_CUDA_PRODUCER_CONSUMER_PLAN_CUH
#define WEFT_CUDA_PRODUCER_CONSUMER_PLAN_CUH

#include "passes/class_columns.cuh"
#include "passes/producer_consumer_rows.cuh"
#include "split_plan.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* ---- the kernels of each length, as tables ----------------------------------------------------
 */

struct flow_cols_kernels {
    unsigned length, radix, tile;
    class_kernels<mid_view> classes;
};

template <unsigned H> constexpr flow_cols_kernels flow_cols_for() {
    typedef class_line<H, 0> line;
    return {H, line::left_out, line::columns, classes_for<H, mid_view, true>()};
}

struct flow_rows_kernels {
    unsigned length, radix;
    void (*run[2])(flow_job);     /* forward, inverse */
    unsigned of_columns, of_rows; /* tasks of a unit */
    unsigned threads;
    size_t shared_bytes;
};

template <unsigned W, unsigned R> constexpr flow_rows_kernels flow_rows_for() {
    typedef flow_shape<W, R> shape;
    return {W,
            R,
            {flow_forward<W, R>, flow_inverse<W, R>},
            shape::of_columns,
            shape::of_rows,
            shape::threads,
            shape::shared_bytes};
}

#if defined(WEFT_CUEMU)
const flow_cols_kernels flow_cols[] = {flow_cols_for<256>()};
const flow_rows_kernels flow_rows[] = {flow_rows_for<512, 16>()};
#elif WEFT_REAL_BITS == 32
const flow_cols_kernels flow_cols[] = {flow_cols_for<8192>(), flow_cols_for<16384>()};
const flow_rows_kernels flow_rows[] = {flow_rows_for<8192, 16>(), flow_rows_for<16384, 16>()};
#else
const flow_cols_kernels flow_cols[] = {{}};
const flow_rows_kernels flow_rows[] = {{}};
#endif

/* ---- a plan ----------------------------------------------------------------------------------
 */

struct flow_plan : split_plan {
    const flow_cols_kernels *through; /* NULL where no transform flows */
    const flow_rows_kernels *flowing;

    /* After outline_split(). */
    void outline_flow() {
        through = of_length(flow_cols, p.height);
        flowing = of_length(flow_rows, p.width);
        if (through != NULL && (flowing == NULL || flowing->radix != through->radix ||
                                through->tile > p.width / 2 || has_whole_pixels())) {
            through = NULL;
        }
    }

    /* After prepare_split(). */
    weft_status prepare_flow() {
        weft_status status = WEFT_OK;
        if (through != NULL && flowing->shared_bytes > shared_most) {
            through = NULL;
        }
        for (int way = 0; way < 2 && status == WEFT_OK && through != NULL; way++) {
            status = allow_shared_memory((const void *)flowing->run[way]);
            if (status == WEFT_OK) {
                status = allow_shared_memory((const void *)through->classes.run[way]);
            }
        }
        return status;
    }

    unsigned units() const {
        return all_slots() / flowing->radix;
    }

    /* Room for mid, which the inverse does not find in the image, and for the counters. */
    size_t workspace() const {
        return through != NULL ? bytes_of_mid() + flow_order::bytes(units())
                               : split_plan::workspace();
    }

    bool flows(const void *from, const mid_view &mid) const {
        return through != NULL && mid.is_wide && (const void *)mid.values != from;
    }

    flow_order order_of(int way, void *work) const {
        flow_order order;
        order.counters = (unsigned *)((char *)work + bytes_of_mid());
        order.units = units();
        order.firsts = way == 0 ? flowing->of_columns : flowing->of_rows;
        order.seconds = way == 0 ? flowing->of_rows : flowing->of_columns;
        size_t lag = cache / PART_OF_FLOW / (2 * flowing->radix * p.width * sizeof(scalar));
        order.lag = (unsigned)(lag < 1 ? 1 : lag < order.units ? lag : order.units);
        return order;
    }

    weft_status launch_begin(const flow_order &order, cudaStream_t stream) const {
        launch_shape shape = {};
        shape.blocks = 1;
        shape.threads = FLOW_BEGIN_THREADS;
        return launch(begin_flow, as_early(shape), stream, order);
    }

    weft_status launch_flow(int way, const void *spectrum, mid_view mid, const flow_order &order,
                            cudaStream_t stream) const {
        launch_shape shape = {};
        shape.blocks = order.tasks();
        shape.threads = flowing->threads;
        shape.shared_bytes = flowing->shared_bytes;
        return launch(flowing->run[way], as_early(shape), stream,
                      {rows_job_of(way, spectrum, mid), order, last_twiddles_of_columns()});
    }

    weft_status launch_columns(int way, const void *image, mid_view mid,
                               cudaStream_t stream) const {
        const class_kernels<mid_view> &of = through->classes;
        auto j = cols_job_of(way, mid_of(image, p.image_pitch, p.image_stride), mid, through->tile);
        return launch(of.run[way], as_early_spread(of.shape(j.all_tiles), of.resident), stream, j);
    }

    weft_status flow_forward(const void *image, const void *spectrum, mid_view mid, void *work,
                             cudaStream_t stream) const {
        flow_order order = order_of(0, work);
        weft_status status = launch_begin(order, stream);
        if (status == WEFT_OK) {
            status = launch_columns(0, image, mid, stream);
        }
        return status != WEFT_OK ? status : launch_flow(0, spectrum, mid, order, stream);
    }

    weft_status flow_inverse(const void *spectrum, void *image, void *work,
                             cudaStream_t stream) const {
        mid_view mid = mid_of_work(work);
        flow_order order = order_of(1, work);
        weft_status status = launch_begin(order, stream);
        if (status == WEFT_OK) {
            status = launch_flow(1, spectrum, mid, order, stream);
        }
        return status != WEFT_OK ? status : launch_columns(1, image, mid, stream);
    }
};

} // namespace

#endif
