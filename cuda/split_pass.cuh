/* SPDX-License-Identifier: MIT
 * A split transform, see passes/split.cuh, where there are kernels for it and the GPU holds all
 * blocks of its row pass concurrently. Larger batches go through the separate passes, whose blocks
 * fetch what comes next while they work; so do transforms in place, rows that are not aligned to 16
 * bytes, and filters of integer pixels, which have no second place for the intermediate.
 */
#ifndef WEFT_CUDA_SPLIT_PASS_CUH
#define WEFT_CUDA_SPLIT_PASS_CUH

#include "class_columns_pass.cuh"
#include "passes/split_rows.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* ---- the kernels of each length, as tables --------------------------------------------------- */

const class_entry split_cols[] = {
#define SPLIT(H, W) class_entry_for<H, false, true>(),
#include <kernels.def>
};

struct split_entry {
    unsigned length, radix;
    void (*forward)(split_job);
    void (*inverse[2])(split_job); /* of PACKED, of HALF */
    void (*filter)(split_job);
    launch_shape block;
};

template <unsigned W, unsigned R> constexpr split_entry split_entry_for() {
    typedef split_shape<W, R> shape;
    return {W,
            R,
            split_forward<W, R>,
            {split_inverse<W, R, shape::is_bulk>, split_inverse<W, R, false>},
            split_filter<W, R>,
            block_shape(shape::threads, shape::shared_bytes, shape::resident)};
}

const split_entry split_rows[] = {
#define SPLIT(H, W) split_entry_for<W, class_line<H, 0>::left_out>(),
#include <kernels.def>
};

/* ---- in a plan ------------------------------------------------------------------------------- */

struct split_pass {
    class_columns_pass columns;
    const split_entry *rows; /* NULL: no transform is split */

    bool is_used() const {
        return rows != NULL;
    }

    void outline(const tuned_problem &on) {
        columns.outline(on, split_cols);
        rows = NULL;
        for (const split_entry &entry : split_rows) {
            if (columns.entry != NULL && entry.length == on.p.width &&
                entry.radix == columns.entry->radix) {
                rows = &entry;
            }
        }
    }

    launch_shape shape_of_rows(const tuned_problem &on) const {
        return on.launch_for(on.all_slots() / rows->radix, rows->block);
    }

    void fit(const tuned_problem &on) {
        if (is_used()) {
            size_t fit = on.shared_most / rows->block.shared_bytes;
            size_t resident = fit < rows->block.resident ? fit : rows->block.resident;
            rows = shape_of_rows(on).blocks <= resident * (size_t)on.processors ? rows : NULL;
        }
    }

    weft_status prepare(const tuned_problem &on) const {
        if (!is_used()) {
            return WEFT_OK;
        }
        TRY(columns.prepare(on));
        return allow_shared_memory({(const void *)rows->forward,
                                    (const void *)rows->inverse[on.p.layout == WEFT_HALF],
                                    (const void *)rows->filter});
    }

    /* A filter has its intermediate in two places. */
    size_t workspace(const tuned_problem &on) const {
        return is_used() ? on.bytes_of_intermediate() : 0;
    }

    /* Whether blocks of the first kernel begin while those of the last kernel of the transform
     * before still run: where there are registers for both. Where a block only begins when the
     * others have ended, prefetching first costs time. */
    bool prefetches(const tuned_problem &on) const {
        return columns.threads(on) + rows->block.threads <= SPLIT_THREADS;
    }

    weft_status run_columns(const tuned_problem &on, int way, const void *image,
                            real_view intermediate, cudaStream_t stream) const {
        return columns.run(on, way, image, intermediate, prefetches(on), stream);
    }

    split_job job_of(const tuned_problem &on, int way, const void *spectrum, real_view intermediate,
                     real_view back) const {
        split_job j = {};
        j.rows = on.rows_job_of(way, spectrum, intermediate);
        j.rows.is_cached = way == 0 && j.rows.is_cached; /* as columns */
        j.back = back;
        j.inverse_twiddles = on.row_twiddles[1];
        j.column_twiddles = on.last_twiddles_of_columns();
        j.prefetches = way == 1 && prefetches(on);
        return j;
    }

    weft_status run_rows(const tuned_problem &on, void (*run)(split_job), const split_job &j,
                         cudaStream_t stream) const {
        return launch(run, on.as_dependent_spread(shape_of_rows(on)), stream, j);
    }

    weft_status forward(const tuned_problem &on, const void *image, const void *spectrum,
                        real_view intermediate, cudaStream_t stream) const {
        TRY(run_columns(on, 0, image, intermediate, stream));
        return run_rows(on, rows->forward, job_of(on, 0, spectrum, intermediate, intermediate),
                        stream);
    }

    weft_status inverse(const tuned_problem &on, const void *spectrum, const void *image,
                        real_view intermediate, cudaStream_t stream) const {
        TRY(run_rows(on, rows->inverse[on.p.layout == WEFT_HALF],
                     job_of(on, 1, spectrum, intermediate, intermediate), stream));
        return run_columns(on, 1, image, intermediate, stream);
    }

    weft_status filter(const tuned_problem &on, const void *image, const void *transfer,
                       weft_transfer kind, void *out, real_view intermediate, real_view back,
                       cudaStream_t stream) const {
        split_job j = job_of(on, 0, NULL, intermediate, back);
        j.transfer = transfer_of(&on.p, transfer, kind);
        TRY(run_columns(on, 0, image, intermediate, stream));
        TRY(run_rows(on, rows->filter, j, stream));
        return run_columns(on, 1, out, back, stream);
    }

    void describe(const tuned_problem &on, text *to) const {
        columns.describe(on, to);
        describe_line(to, "rows", on.p.width, AXIS_ROW, "power");
        text_add(to, "with the last stage of columns, radix %u, a block %u slots: ", rows->radix,
                 rows->radix);
        describe_launch(to, shape_of_rows(on));
        describe_bytes(to, on.bytes_of_intermediate(), spectra_moved(&on.p));
    }
};

} // namespace

#endif
