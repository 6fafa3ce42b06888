/* SPDX-License-Identifier: MIT
 * A transform whose passes are producer and consumer, see passes/producer_consumer_rows.cuh, where
 * there are kernels for it. It does not serve a forward transform in place, where classes would
 * write what others have not read, nor rows that are not aligned to 16 bytes, nor integer pixels.
 */
#ifndef WEFT_CUDA_PRODUCER_CONSUMER_PASS_CUH
#define WEFT_CUDA_PRODUCER_CONSUMER_PASS_CUH

#include "class_columns_pass.cuh"
#include "passes/producer_consumer_rows.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* ---- the kernels of each length, as tables --------------------------------------------------- */

struct producer_consumer_entry {
    unsigned length, radix;
    void (*run[2])(producer_consumer_job); /* forward, inverse */
    unsigned of_columns, of_rows;          /* tasks of a unit */
    launch_shape block;
};

template <unsigned W, unsigned R> constexpr producer_consumer_entry producer_consumer_entry_for() {
    typedef producer_consumer_shape<W, R> shape;
    return {W,
            R,
            {producer_consumer_forward<W, R>, producer_consumer_inverse<W, R>},
            shape::of_columns,
            shape::of_rows,
            block_shape(shape::threads, shape::shared_bytes, shape::resident)};
}

/* Each ends with an empty entry: in double precision there are no others. */
const class_entry producer_consumer_cols[] = {
#define PRODUCER_CONSUMER(H, W) class_entry_for<H, true, false>(),
#include <kernels.def>
    {}};
const producer_consumer_entry producer_consumer_rows[] = {
#define PRODUCER_CONSUMER(H, W) producer_consumer_entry_for<W, class_line<H, 0>::left_out>(),
#include <kernels.def>
    {}};

/* ---- in a plan ------------------------------------------------------------------------------- */

struct producer_consumer_pass {
    class_columns_pass columns;
    const producer_consumer_entry *rows; /* NULL: no transform is done so */

    bool is_used() const {
        return rows != NULL;
    }

    void outline(const tuned_problem &on) {
        columns.outline(on, producer_consumer_cols);
        rows = of_length(producer_consumer_rows, on.p.width);
        if (columns.entry == NULL || has_integer_pixels(&on.p) ||
            (rows != NULL && rows->radix != columns.entry->radix)) {
            rows = NULL;
        }
    }

    void fit(const tuned_problem &on) {
        if (is_used() && rows->block.shared_bytes > on.shared_most) {
            rows = NULL;
        }
    }

    weft_status prepare(const tuned_problem &on) const {
        if (!is_used()) {
            return WEFT_OK;
        }
        TRY(columns.prepare(on));
        return allow_shared_memory({(const void *)rows->run[0], (const void *)rows->run[1]});
    }

    unsigned units(const tuned_problem &on) const {
        return on.all_slots() / rows->radix;
    }

    /* The intermediate, which of the inverse does not lie in the image, and the counters. */
    size_t workspace(const tuned_problem &on) const {
        return is_used() ? on.bytes_of_intermediate() + task_order::bytes(units(on)) : 0;
    }

    /* work: NULL for one that does not run. */
    task_order order_of(const tuned_problem &on, int way, void *work) const {
        task_order order = {};
        if (work != NULL) {
            order.counters = (unsigned *)((char *)work + on.bytes_of_intermediate());
        }
        order.units = units(on);
        order.producers = way == 0 ? rows->of_columns : rows->of_rows;
        order.consumers = way == 0 ? rows->of_rows : rows->of_columns;
        size_t lag = on.cache / LAG_OF_CACHE / (2 * rows->radix * on.p.width * sizeof(scalar));
        order.lag = (unsigned)(lag < 1 ? 1 : lag < order.units ? lag : order.units);
        return order;
    }

    weft_status clear(const tuned_problem &on, const task_order &order, cudaStream_t stream) const {
        launch_shape shape = on.launch_for(1, block_shape(CLEAR_THREADS, 0, 0));
        return launch(clear_counters, on.as_dependent(shape), stream, order);
    }

    launch_shape shape_of_rows(const tuned_problem &on, const task_order &order) const {
        return on.launch_for(order.tasks(), rows->block);
    }

    weft_status run_rows(const tuned_problem &on, int way, const void *spectrum,
                         real_view intermediate, const task_order &order,
                         cudaStream_t stream) const {
        return launch(
            rows->run[way], on.as_dependent(shape_of_rows(on, order)), stream,
            {on.rows_job_of(way, spectrum, intermediate), order, on.last_twiddles_of_columns()});
    }

    weft_status forward(const tuned_problem &on, const void *image, const void *spectrum,
                        real_view intermediate, void *work, cudaStream_t stream) const {
        task_order order = order_of(on, 0, work);
        TRY(clear(on, order, stream));
        TRY(columns.run(on, 0, image, intermediate, false, stream));
        return run_rows(on, 0, spectrum, intermediate, order, stream);
    }

    weft_status inverse(const tuned_problem &on, const void *spectrum, const void *image,
                        void *work, cudaStream_t stream) const {
        real_view intermediate = on.intermediate_of_work(work);
        task_order order = order_of(on, 1, work);
        TRY(clear(on, order, stream));
        TRY(run_rows(on, 1, spectrum, intermediate, order, stream));
        return columns.run(on, 1, image, intermediate, false, stream);
    }

    /* Consumers find in L2 what producers wrote. */
    void describe(const tuned_problem &on, text *to) const {
        columns.describe(on, to);
        describe_line(to, "rows", on.p.width, AXIS_ROW, "power");
        text_add(to, "consumers of the last stage of columns, radix %u: ", rows->radix);
        describe_launch(to, shape_of_rows(on, order_of(on, 0, NULL)));
        describe_bytes(to, on.bytes_of_intermediate(), spectra_moved(&on.p));
    }
};

} // namespace

#endif
