/* SPDX-License-Identifier: MIT
 * The plan of a transform whose passes are producer and consumer, see
 * passes/producer_consumer_rows.cuh, where there are kernels for it. It does not serve a forward
 * transform in place, where classes would write what others have not read, nor rows that are not
 * aligned to 16 bytes, nor integer pixels.
 */
#ifndef WEFT_CUDA_PRODUCER_CONSUMER_PLAN_CUH
#define WEFT_CUDA_PRODUCER_CONSUMER_PLAN_CUH

#include "passes/class_columns.cuh"
#include "passes/producer_consumer_rows.cuh"
#include "split_plan.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* ---- the kernels of each length, as tables --------------------------------------------------- */

struct producer_consumer_cols_kernels {
    unsigned length, radix, tile;
    class_kernels<real_view> classes;
};

template <unsigned H> constexpr producer_consumer_cols_kernels producer_consumer_cols_for() {
    typedef class_line<H, 0> line;
    return {H, line::left_out, line::columns, classes_for<H, real_view, true>()};
}

struct producer_consumer_rows_kernels {
    unsigned length, radix;
    void (*run[2])(producer_consumer_job); /* forward, inverse */
    unsigned of_columns, of_rows;          /* tasks of a unit */
    unsigned threads;
    size_t shared_bytes;
};

template <unsigned W, unsigned R>
constexpr producer_consumer_rows_kernels producer_consumer_rows_for() {
    typedef producer_consumer_shape<W, R> shape;
    return {W,
            R,
            {producer_consumer_forward<W, R>, producer_consumer_inverse<W, R>},
            shape::of_columns,
            shape::of_rows,
            shape::threads,
            shape::shared_bytes};
}

/* Each ends with an empty row: in double precision there are no others. */
const producer_consumer_cols_kernels producer_consumer_cols[] = {
#define PRODUCER_CONSUMER(H, W) producer_consumer_cols_for<H>(),
#include <kernels.def>
    {}};
const producer_consumer_rows_kernels producer_consumer_rows[] = {
#define PRODUCER_CONSUMER(H, W) producer_consumer_rows_for<W, class_line<H, 0>::left_out>(),
#include <kernels.def>
    {}};

/* ---- a plan ---------------------------------------------------------------------------------- */

struct producer_consumer_plan : split_plan {
    const producer_consumer_cols_kernels *class_cols; /* NULL where there are none */
    const producer_consumer_rows_kernels *joint_rows;

    /* After outline_split(). */
    void outline_producer_consumer() {
        class_cols = of_length(producer_consumer_cols, p.height);
        joint_rows = of_length(producer_consumer_rows, p.width);
        if (class_cols != NULL && (joint_rows == NULL || joint_rows->radix != class_cols->radix ||
                                   class_cols->tile > p.width / 2 || has_integer_pixels())) {
            class_cols = NULL;
        }
    }

    /* After prepare_split(). */
    weft_status prepare_producer_consumer() {
        weft_status status = WEFT_OK;
        if (class_cols != NULL && joint_rows->shared_bytes > shared_most) {
            class_cols = NULL;
        }
        for (int way = 0; way < 2 && status == WEFT_OK && class_cols != NULL; way++) {
            status = allow_shared_memory((const void *)joint_rows->run[way]);
            if (status == WEFT_OK) {
                status = allow_shared_memory((const void *)class_cols->classes.run[way]);
            }
        }
        return status;
    }

    unsigned units() const {
        return all_slots() / joint_rows->radix;
    }

    /* The intermediate, which of the inverse does not lie in the image, and the counters. */
    size_t workspace() const {
        return class_cols != NULL ? bytes_of_intermediate() + task_order::bytes(units())
                                  : split_plan::workspace();
    }

    bool has_producers(const void *from, const real_view &intermediate) const {
        return class_cols != NULL && intermediate.is_wide &&
               (const void *)intermediate.values != from;
    }

    task_order order_of(int way, void *work) const {
        task_order order;
        order.counters = (unsigned *)((char *)work + bytes_of_intermediate());
        order.units = units();
        order.producers = way == 0 ? joint_rows->of_columns : joint_rows->of_rows;
        order.consumers = way == 0 ? joint_rows->of_rows : joint_rows->of_columns;
        size_t lag = cache / LAG_OF_CACHE / (2 * joint_rows->radix * p.width * sizeof(scalar));
        order.lag = (unsigned)(lag < 1 ? 1 : lag < order.units ? lag : order.units);
        return order;
    }

    weft_status launch_clear(const task_order &order, cudaStream_t stream) const {
        launch_shape shape = {};
        shape.blocks = 1;
        shape.threads = CLEAR_THREADS;
        return launch(clear_counters, as_dependent(shape), stream, order);
    }

    weft_status launch_joint(int way, const void *spectrum, real_view intermediate,
                             const task_order &order, cudaStream_t stream) const {
        launch_shape shape = {};
        shape.blocks = order.tasks();
        shape.threads = joint_rows->threads;
        shape.shared_bytes = joint_rows->shared_bytes;
        return launch(
            joint_rows->run[way], as_dependent(shape), stream,
            {rows_job_of(way, spectrum, intermediate), order, last_twiddles_of_columns()});
    }

    weft_status launch_columns(int way, const void *image, real_view intermediate,
                               cudaStream_t stream) const {
        const class_kernels<real_view> &of = class_cols->classes;
        auto j = cols_job_of(way, real_view_of(image, p.image_pitch, p.image_stride), intermediate,
                             class_cols->tile);
        return launch(of.run[way], as_dependent_spread(of.shape(j.all_tiles), of.resident), stream,
                      j);
    }

    weft_status producer_consumer_forward(const void *image, const void *spectrum,
                                          real_view intermediate, void *work,
                                          cudaStream_t stream) const {
        task_order order = order_of(0, work);
        weft_status status = launch_clear(order, stream);
        if (status == WEFT_OK) {
            status = launch_columns(0, image, intermediate, stream);
        }
        return status != WEFT_OK ? status : launch_joint(0, spectrum, intermediate, order, stream);
    }

    weft_status producer_consumer_inverse(const void *spectrum, void *image, void *work,
                                          cudaStream_t stream) const {
        real_view intermediate = intermediate_of_work(work);
        task_order order = order_of(1, work);
        weft_status status = launch_clear(order, stream);
        if (status == WEFT_OK) {
            status = launch_joint(1, spectrum, intermediate, order, stream);
        }
        return status != WEFT_OK ? status : launch_columns(1, image, intermediate, stream);
    }
};

} // namespace

#endif
