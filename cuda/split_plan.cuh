/* SPDX-License-Identifier: MIT
 * The plan of a split transform, see passes/split.cuh, where there are kernels for it and the GPU
 * holds all blocks of its row pass concurrently. Larger batches go through cuda.twopass's other
 * kernels, whose blocks fetch what comes next while they work; so do transforms in place, rows that
 * are not aligned to 16 bytes, and filters of integer pixels, which have no second place for the
 * intermediate.
 */
#ifndef WEFT_CUDA_SPLIT_PLAN_CUH
#define WEFT_CUDA_SPLIT_PLAN_CUH

#include "passes/class_columns.cuh"
#include "passes/split_rows.cuh"
#include "tuned_plan.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* ---- the kernels of each length, as tables --------------------------------------------------- */

template <class Image> struct class_kernels {
    void (*run[2])(cols_job<Image>); /* forward, inverse */
    launch_shape (*shape)(unsigned all_tiles);
    unsigned resident; /* blocks of a multiprocessor */
};

struct split_cols_kernels {
    unsigned length, radix, tile, threads;
    class_kernels<real_view> cols;    /* of images of reals */
    class_kernels<pixel_view> pixels; /* of U8 and U16 */
};

template <unsigned H, class Image, bool BY_CLASS> constexpr class_kernels<Image> classes_for() {
    return {{class_forward<H, Image>, class_inverse<H, Image, BY_CLASS>},
            class_launch_shape<H, Image>,
            class_shape<H>::resident};
}

template <unsigned H> constexpr split_cols_kernels split_cols_for() {
    typedef class_line<H, 0> line;
    return {H,
            line::left_out,
            line::columns,
            class_shape<H>::threads,
            classes_for<H, real_view, false>(),
            classes_for<H, pixel_view, false>()};
}

const split_cols_kernels split_cols[] = {
#define SPLIT(H, W) split_cols_for<H>(),
#include <kernels.def>
};

struct split_rows_kernels {
    unsigned length, radix, threads;
    void (*forward)(split_job);
    void (*inverse[2])(split_job); /* of PACKED, of HALF */
    void (*filter)(split_job);
    size_t shared_bytes;
    unsigned resident; /* blocks of a multiprocessor */
};

template <unsigned W, unsigned R> constexpr split_rows_kernels split_rows_for() {
    return {W,
            R,
            split_shape<W, R>::threads,
            split_forward<W, R>,
            {split_inverse<W, R, split_shape<W, R>::is_bulk>, split_inverse<W, R, false>},
            split_filter<W, R>,
            split_shape<W, R>::shared_bytes,
            split_shape<W, R>::resident};
}

const split_rows_kernels split_rows[] = {
#define SPLIT(H, W) split_rows_for<W, class_line<H, 0>::left_out>(),
#include <kernels.def>
};

/* NULL for a length that the table has not. */
template <class Kernels, size_t COUNT>
const Kernels *of_length(const Kernels (&table)[COUNT], size_t length) {
    for (const Kernels &k : table) {
        if (k.length == length) {
            return &k;
        }
    }
    return NULL;
}

const split_rows_kernels *split_rows_of(size_t length, unsigned radix) {
    for (const split_rows_kernels &k : split_rows) {
        if (k.length == length && k.radix == radix) {
            return &k;
        }
    }
    return NULL;
}

/* ---- a plan ---------------------------------------------------------------------------------- */

struct split_plan : tuned_plan {
    const split_cols_kernels *split_cols;
    const split_rows_kernels *split_rows; /* NULL where no transform is split */

    void outline_split() {
        split_cols = of_length(::split_cols, p.height);
        split_rows = split_cols != NULL && split_cols->tile <= p.width / 2
                         ? split_rows_of(p.width, split_cols->radix)
                         : NULL;
    }

    /* After upload(). */
    weft_status prepare_split() {
        if (split_rows == NULL) {
            return WEFT_OK;
        }
        size_t fit = shared_most / split_rows->shared_bytes;
        size_t resident_blocks =
            (fit < split_rows->resident ? fit : split_rows->resident) * (size_t)processors;
        if (all_slots() / split_rows->radix > resident_blocks) {
            split_rows = NULL;
            return WEFT_OK;
        }
        const void *const kernels[] = {
            (const void *)split_rows->forward,
            (const void *)split_rows->inverse[p.layout == WEFT_HALF],
            (const void *)split_rows->filter,
            has_integer_pixels() ? (const void *)split_cols->pixels.run[0]
                                 : (const void *)split_cols->cols.run[0],
            has_integer_pixels() ? (const void *)split_cols->pixels.run[1]
                                 : (const void *)split_cols->cols.run[1],
        };
        weft_status status = WEFT_OK;
        for (size_t i = 0; i < sizeof kernels / sizeof *kernels && status == WEFT_OK; i++) {
            status = allow_shared_memory(kernels[i]);
        }
        return status;
    }

    /* A split filter has its intermediate in two places. */
    size_t workspace() const {
        return split_rows != NULL ? bytes_of_intermediate() : tuned_plan::workspace();
    }

    /* The passes load and store 16 bytes of the intermediate, and blocks of the first pass write
     * where others have not yet read. */
    bool splits(const void *from, const real_view &intermediate) const {
        return split_rows != NULL && intermediate.is_wide &&
               (const void *)intermediate.values != from;
    }

    /* Whether blocks of the first kernel begin while those of the last kernel of the transform
     * before still run: where there are registers for both. Where a block only begins when the
     * others have ended, prefetching first costs time. */
    bool prefetches() const {
        return split_cols->threads + split_rows->threads <= SPLIT_THREADS;
    }

    const class_kernels<real_view> &classes_of_images(const real_view &) const {
        return split_cols->cols;
    }

    const class_kernels<pixel_view> &classes_of_images(const pixel_view &) const {
        return split_cols->pixels;
    }

    /* All kernels are dependent, the first one too, and spread over the multiprocessors. */
    weft_status launch_classes(int way, const void *image, real_view intermediate,
                               cudaStream_t stream) const {
        return with_images(image, [&](auto view) {
            auto of = classes_of_images(view);
            auto j = cols_job_of(way, view, intermediate, split_cols->tile);
            /* L2 then evicts this image first, of which nothing has to be written back. */
            j.is_cached = way == 1 && j.is_cached;
            j.prefetches = prefetches();
            return launch(of.run[way], as_dependent_spread(of.shape(j.all_tiles), of.resident),
                          stream, j);
        });
    }

    split_job split_job_of(int way, const void *spectrum, real_view intermediate,
                           real_view back) const {
        split_job j = {};
        j.rows = rows_job_of(way, spectrum, intermediate);
        j.rows.is_cached = way == 0 && j.rows.is_cached; /* as in launch_classes() */
        j.back = back;
        j.inverse_twiddles = row_twiddles[1];
        j.column_twiddles = last_twiddles_of_columns();
        j.prefetches = way == 1 && prefetches();
        return j;
    }

    launch_shape split_launch() const {
        launch_shape shape = {};
        shape.blocks = all_slots() / split_rows->radix;
        shape.threads = split_rows->threads;
        shape.shared_bytes = split_rows->shared_bytes;
        return as_dependent_spread(shape, split_rows->resident);
    }

    weft_status split_forward(const void *image, const void *spectrum, real_view intermediate,
                              cudaStream_t stream) const {
        weft_status status = launch_classes(0, image, intermediate, stream);
        return status != WEFT_OK ? status
                                 : launch(split_rows->forward, split_launch(), stream,
                                          split_job_of(0, spectrum, intermediate, intermediate));
    }

    weft_status split_inverse(const void *spectrum, void *image, real_view intermediate,
                              cudaStream_t stream) const {
        weft_status status = launch(split_rows->inverse[p.layout == WEFT_HALF], split_launch(),
                                    stream, split_job_of(1, spectrum, intermediate, intermediate));
        return status != WEFT_OK ? status : launch_classes(1, image, intermediate, stream);
    }

    weft_status split_filter(const void *image, const void *transfer, weft_transfer kind, void *out,
                             real_view intermediate, real_view back, cudaStream_t stream) const {
        split_job j = split_job_of(0, NULL, intermediate, back);
        j.transfer = transfer_of(&p, transfer, kind);
        weft_status status = launch_classes(0, image, intermediate, stream);
        if (status == WEFT_OK) {
            status = launch(split_rows->filter, split_launch(), stream, j);
        }
        return status != WEFT_OK ? status : launch_classes(1, out, back, stream);
    }
};

} // namespace

#endif
