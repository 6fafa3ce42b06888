/* SPDX-License-Identifier: MIT
 * cuda.twopass: two passes, columns and rows, each of which reads and writes the image once; three
 * for a filter. The intermediate is packed into the result's own memory where it can be. Lengths
 * that are powers of two have kernels of their own. Where there are kernels for it, and the result
 * is not in the memory of the input, the transform is split (passes/split.cuh), or its passes are
 * producer and consumer (passes/producer_consumer_rows.cuh).
 */
#include "passes/filter.cuh"
#include "producer_consumer_plan.cuh"

namespace {

/* ---- the kernels of each length, as a table -------------------------------------------------- */

/* Forward and inverse, of one of the two kinds. */
template <class Image> struct cols_kernels {
    void (*run[2])(cols_job<Image>);
    void (*run_tma[2])(tma_job<Image>);
    launch_shape (*shape)(unsigned all_tiles, unsigned processors);
    unsigned resident; /* blocks of a multiprocessor */
    size_t shared_bytes, bytes_of_buffers;

    const void *kernel(int way) const {
        return run[way] != NULL ? (const void *)run[way] : (const void *)run_tma[way];
    }
};

struct length_kernels {
    unsigned length;
    many_tuning many;            /* how many lines are many */
    unsigned tile;               /* complex columns of a block */
    tma_tile_shape tma_tile;     /* of a tile of columns */
    bool cols_share, rows_share; /* a cluster shares its columns, its rows */
    void (*rows[2])(rows_job);   /* forward, inverse */
    void (*filter)(filter_job);
    launch_shape (*rows_shape[2])(unsigned all_slots, unsigned processors);
    launch_shape (*filter_shape)(unsigned all_slots, unsigned processors);
    unsigned rows_resident[2], filter_resident; /* blocks of a multiprocessor */
    size_t rows_shared_bytes;
    cols_kernels<real_view> cols;    /* of images of reals */
    cols_kernels<pixel_view> pixels; /* of U8 and U16 */
};

template <unsigned N, class Cut, class Image> constexpr cols_kernels<Image> cols_for() {
    typedef cols_shape<N, Cut> shape;
    cols_kernels<Image> k = {};
    if constexpr (shape::forward::uses_tma) {
        k.run_tma[0] = cols_forward<N, Cut, Image>;
        k.run_tma[1] = cols_inverse<N, Cut, Image>;
    } else {
        k.run[0] = cols_forward<N, Cut, Image>;
        k.run[1] = cols_inverse<N, Cut, Image>;
    }
    k.shape = cols_launch_shape<N, Cut, Image>;
    k.resident = shape::resident;
    k.shared_bytes = cols_shared_bytes<N, Cut, Image>();
    k.bytes_of_buffers = shape::bytes_of_buffers;
    return k;
}

template <unsigned N, int TUNING> constexpr length_kernels kernels_for() {
    typedef table_cut<TUNING> Cut;
    typedef bulk_cut<TUNING, 0> to;
    typedef bulk_cut<TUNING, 1> back;
    static_assert(TUNING != FEW_LINES || Cut::cols(N).tile <= LEAST_LENGTH / 2,
                  "a tile of the narrowest image");
    length_kernels k = {};
    k.length = N;
    k.many = tuning_of(N).many;
    k.tile = Cut::cols(N).tile;
    k.tma_tile = cols_shape<N, Cut>::tma_tile;
    k.cols_share = Cut::cols(N).parts > 1;
    k.rows_share = Cut::rows(N).parts > 1;
    k.cols = cols_for<N, Cut, real_view>();
    k.pixels = cols_for<N, Cut, pixel_view>();
    k.rows[0] = rows_forward<N, to>;
    k.rows[1] = rows_inverse<N, back>;
    k.filter = rows_filter<N, Cut>;
    k.rows_shape[0] = rows_launch_shape<N, to>;
    k.rows_shape[1] = rows_launch_shape<N, back>;
    k.filter_shape = rows_launch_shape<N, Cut>;
    k.rows_resident[0] = rows_shape<N, to>::resident;
    k.rows_resident[1] = rows_shape<N, back>::resident;
    k.filter_resident = rows_shape<N, Cut>::resident;
    k.rows_shared_bytes = rows_shape<N, to>::shared_bytes > rows_shape<N, back>::shared_bytes
                              ? rows_shape<N, to>::shared_bytes
                              : rows_shape<N, back>::shared_bytes;
    return k;
}

/* Of each length the kernels for many lines and those for few. */
const length_kernels kernels[][2] = {
#define LENGTH(N) {kernels_for<N, MANY_LINES>(), kernels_for<N, FEW_LINES>()},
#include <kernels.def>
};

/* NULL for a length that the table has not. */
const length_kernels *kernels_of(size_t length, tuning lines) {
    for (const length_kernels(&k)[2] : kernels) {
        if (length == k[lines].length) {
            return &k[lines];
        }
    }
    return NULL;
}

/* ---- a plan -------------------------------------------------------------------------------- */

} // namespace

/* The passes of all other sizes, see run_time.cu. */
extern "C" const strategy REAL_NAME(cuda_run_time);

namespace {

const strategy &run_time = REAL_NAME(cuda_run_time);

struct twopass_plan : producer_consumer_plan {
    const length_kernels *rows, *cols; /* NULL where a side has none */
    void *run_time_state;              /* then, see run_time.cu */
    size_t run_time_workspace;

    static constexpr const char *name = "cuda.twopass";
    static constexpr strategy_sizes sizes = {}; /* all */
    static constexpr bool has_filter = true;

    bool is_run_time() const {
        return rows == NULL || cols == NULL;
    }

    weft_status outline() {
        rows = kernels_of(p.width, MANY_LINES);
        cols = kernels_of(p.height, MANY_LINES);
        if (is_run_time()) {
            return WEFT_OK;
        }
        if (p.batch * (p.height / 2) < rows->many.slots) {
            rows = kernels_of(p.width, FEW_LINES);
        }
        /* A narrow image has no wide tiles. */
        if (p.batch * (p.width / 2) < cols->many.columns || cols->tile > p.width / 2) {
            cols = kernels_of(p.height, FEW_LINES);
        }
        outline_split();
        outline_producer_consumer();
        return check_lines(name);
    }

    /* On a GPU with less shared memory rows do not come in bulk: they are cut as few lines are. */
    void fit_rows() {
        if (rows->rows_shared_bytes > shared_most) {
            rows = kernels_of(p.width, FEW_LINES);
        }
    }

    weft_status ask_device() {
        if (is_run_time()) {
            return run_time.supports(&p);
        }
        weft_status status = device_shared_memory(&shared_most);
        if (status == WEFT_OK) {
            fit_rows();
            status = device_has_kernel((const void *)rows->rows[0]);
        }
        if (status == WEFT_OK) {
            status = device_has_shared_memory(name, rows->rows_shared_bytes);
        }
        if (status == WEFT_OK && (cols->cols_share || rows->rows_share)) {
            status = device_has_clusters(name, (const void *)rows->rows[0]);
        }
        return status == WEFT_OK
                   ? device_has_shared_memory(name, has_integer_pixels() ? cols->pixels.shared_bytes
                                                                         : cols->cols.shared_bytes)
                   : status;
    }

    weft_status prepare() {
        if (is_run_time()) {
            return run_time.create(&p, &run_time_state, &run_time_workspace);
        }
        weft_status status = upload();
        if (status == WEFT_OK) {
            fit_rows();
            status = device_launches_dependents((const void *)rows->rows[0], &launches_dependents);
        }
        if (status == WEFT_OK) {
            status = allow_shared_memory((const void *)rows->filter);
        }
        for (int way = 0; way < 2 && status == WEFT_OK; way++) {
            status = allow_shared_memory((const void *)rows->rows[way]);
            if (status == WEFT_OK) {
                status = allow_shared_memory(has_integer_pixels() ? cols->pixels.kernel(way)
                                                                  : cols->cols.kernel(way));
            }
        }
        status = status == WEFT_OK ? prepare_split() : status;
        return status == WEFT_OK ? prepare_producer_consumer() : status;
    }

    void release() {
        run_time.destroy(run_time_state);
        producer_consumer_plan::release();
    }

    size_t workspace() const {
        return is_run_time() ? run_time_workspace : producer_consumer_plan::workspace();
    }

    /* ---- launches --------------------------------------------------------------------------- */

    const cols_kernels<real_view> &kernels_of_images(const real_view &) const {
        return cols->cols;
    }

    const cols_kernels<pixel_view> &kernels_of_images(const pixel_view &) const {
        return cols->pixels;
    }

    /* Calls use() with what columns read. */
    template <class Image, class Use>
    static weft_status with_source(int way, const Image &image, const real_view &intermediate,
                                   Use use) {
        return way == 0 ? use(image) : use(intermediate);
    }

    /* The kernels of two separate passes are launched dependent on one another where L2 holds all
     * that the transform touches. Where L2 does not, that costs time: docs/performance.md. */
    launch_shape as_dependent_in_cache(launch_shape shape, unsigned resident) const {
        return fits_cache() ? as_dependent_spread(shape, resident) : shape;
    }

    /* The first kernel of a forward transform, the last one of an inverse. A GPU may have too
     * little shared memory for the buffers of TMA tiles. */
    weft_status launch_cols(int way, const void *image, real_view intermediate,
                            cudaStream_t stream) const {
        return with_images(image, [&](auto view) {
            auto of = kernels_of_images(view);
            auto j = cols_job_of(way, view, intermediate, cols->tile);
            j.resident_tiles = of.resident * (unsigned)processors;
            launch_shape shape = of.shape(j.all_tiles, (unsigned)processors);
            /* Dependent blocks do not run beside their neighbours, which have the rest of the cache
             * lines of narrow pieces. */
            if (2 * cols->tile * sizeof(scalar) >= 64) {
                shape = as_dependent_in_cache(shape, of.resident);
            }
            if (of.run[way] != NULL) {
                return launch(of.run[way], shape, stream, j);
            }
            return with_source(way, view, intermediate, [&](const auto &source) {
                auto with_map = with_tensor_map(j, source, cols->tma_tile);
                size_t bytes = of.shared_bytes + of.bytes_of_buffers;
                with_map.has_tensor_map = with_map.has_tensor_map && bytes <= shared_most;
                shape.shared_bytes = with_map.has_tensor_map ? bytes : shape.shared_bytes;
                return launch(of.run_tma[way], shape, stream, with_map);
            });
        });
    }

    launch_shape rows_launch(int way) const {
        return as_dependent_in_cache(rows->rows_shape[way](all_slots(), (unsigned)processors),
                                     rows->rows_resident[way]);
    }

    /* ---- the transforms --------------------------------------------------------------------- */

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        if (is_run_time()) {
            return run_time.forward(run_time_state, image, spectrum, work, stream);
        }
        real_view intermediate = intermediate_of_forward(spectrum, work);
        if (has_producers(image, intermediate)) {
            return producer_consumer_forward(image, spectrum, intermediate, work, stream);
        }
        if (splits(image, intermediate)) {
            return split_forward(image, spectrum, intermediate, stream);
        }
        weft_status status = launch_cols(0, image, intermediate, stream);
        return status != WEFT_OK ? status
                                 : launch(rows->rows[0], rows_launch(0), stream,
                                          rows_of_batch(0, spectrum, intermediate));
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        if (is_run_time()) {
            return run_time.inverse(run_time_state, spectrum, image, work, stream);
        }
        if (has_producers(spectrum, intermediate_of_work(work))) {
            return producer_consumer_inverse(spectrum, image, work, stream);
        }
        real_view intermediate = intermediate_of_inverse(image, work);
        if (splits(spectrum, intermediate)) {
            return split_inverse(spectrum, image, intermediate, stream);
        }
        weft_status status =
            launch(rows->rows[1], rows_launch(1), stream, rows_of_batch(1, spectrum, intermediate));
        return status != WEFT_OK ? status : launch_cols(1, image, intermediate, stream);
    }

    /* Three launches; where it is not split, the intermediate is the same both ways. */
    weft_status filter(const void *image, const void *transfer, weft_transfer kind, void *out,
                       void *work, cudaStream_t stream) const {
        if (is_run_time()) {
            return run_time.filter(run_time_state, image, transfer, kind, out, work, stream);
        }
        real_view intermediate = intermediate_of_inverse(out, work);
        if (splits(work, intermediate)) {
            return split_filter(image, transfer, kind, out, intermediate_of_work(work),
                                intermediate, stream);
        }
        filter_job j;
        j.rows = rows_of_batch(0, NULL, intermediate);
        j.transfer = transfer_of(&p, transfer, kind);
        j.inverse_twiddles = row_twiddles[1];
        weft_status status = launch_cols(0, image, intermediate, stream);
        if (status == WEFT_OK) {
            launch_shape shape = rows->filter_shape(all_slots(), (unsigned)processors);
            status = launch(rows->filter, as_dependent_in_cache(shape, rows->filter_resident),
                            stream, j);
        }
        return status != WEFT_OK ? status : launch_cols(1, out, intermediate, stream);
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_twopass);
const strategy REAL_NAME(cuda_twopass) =
    gpu_strategy_of<twopass_plan>("two passes, columns and rows; any size", nullptr);
