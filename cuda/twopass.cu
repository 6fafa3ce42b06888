/* SPDX-License-Identifier: MIT
 * cuda.twopass: two passes, columns and rows, each of which reads and writes the image once, and
 * for a filter three; what lies between them is packed into the result's own memory where it can
 * be. Powers of two from 16 on. Where there are kernels for it, and the result is another memory
 * than what comes, the transform is split as split.cuh says, or flows as flow_rows.cuh does.
 */
#include "passes/filter.cuh"
#include "producer_consumer_plan.cuh"

namespace {

/* ---- the kernels of each length, as a table -------------------------------------------------- */

/* Forward, inverse: one of both kinds. */
template <class Image> struct cols_kernels {
    void (*run[2])(cols_job<Image>);
    void (*run_boxed[2])(boxed_job<Image>);
    launch_shape (*shape)(unsigned all_tiles, unsigned processors);
    unsigned resident; /* blocks of a multiprocessor */
    size_t shared_bytes, bytes_of_boxes;

    const void *kernel(int way) const {
        return run[way] != NULL ? (const void *)run[way] : (const void *)run_boxed[way];
    }
};

struct length_kernels {
    unsigned length;
    much_tuning much;            /* from where on those for it are taken */
    unsigned tile;               /* complex columns of a block */
    box_shape boxes;             /* of a tile */
    bool cols_share, rows_share; /* a cluster shares its columns, its rows */
    void (*rows[2])(rows_job);   /* forward, inverse */
    void (*filter)(filter_job);
    launch_shape (*rows_shape[2])(unsigned all_slots, unsigned processors);
    launch_shape (*filter_shape)(unsigned all_slots, unsigned processors);
    unsigned rows_resident[2], filter_resident; /* blocks of a multiprocessor */
    size_t rows_shared_bytes;
    cols_kernels<mid_view> cols;     /* of images of reals */
    cols_kernels<pixel_view> pixels; /* of U8 and U16 */
};

template <unsigned N, int CUT, class Image> constexpr cols_kernels<Image> cols_for() {
    typedef cols_shape<N, CUT> shape;
    cols_kernels<Image> k = {};
    if constexpr (shape::forward::is_late) {
        k.run_boxed[0] = cols_forward<N, CUT, Image>;
        k.run_boxed[1] = cols_inverse<N, CUT, Image>;
    } else {
        k.run[0] = cols_forward<N, CUT, Image>;
        k.run[1] = cols_inverse<N, CUT, Image>;
    }
    k.shape = cols_launch_shape<N, CUT, Image>;
    k.resident = shape::resident;
    k.shared_bytes = cols_shared_bytes<N, CUT, Image>();
    k.bytes_of_boxes = shape::bytes_of_boxes;
    return k;
}

template <unsigned N, int CUT> constexpr length_kernels kernels_for() {
    static_assert(CUT != LITTLE || cols_of(N, CUT).tile <= LEAST_LENGTH / 2,
                  "a tile of the narrowest image");
    length_kernels k = {};
    k.length = N;
    k.much = much_of(N);
    k.tile = cols_of(N, CUT).tile;
    k.boxes = cols_shape<N, CUT>::boxes;
    k.cols_share = cols_of(N, CUT).parts > 1;
    k.rows_share = rows_of(N, CUT).parts > 1;
    k.cols = cols_for<N, CUT, mid_view>();
    k.pixels = cols_for<N, CUT, pixel_view>();
    constexpr int to = rows_cut(N, CUT, 0), back = rows_cut(N, CUT, 1), filter = CUT;
    k.rows[0] = rows_forward<N, to>;
    k.rows[1] = rows_inverse<N, back>;
    k.filter = rows_filter<N, filter>;
    k.rows_shape[0] = rows_launch_shape<N, to>;
    k.rows_shape[1] = rows_launch_shape<N, back>;
    k.filter_shape = rows_launch_shape<N, filter>;
    k.rows_resident[0] = rows_shape<N, to>::resident;
    k.rows_resident[1] = rows_shape<N, back>::resident;
    k.filter_resident = rows_shape<N, filter>::resident;
    k.rows_shared_bytes = rows_shape<N, to>::shared_bytes > rows_shape<N, back>::shared_bytes
                              ? rows_shape<N, to>::shared_bytes
                              : rows_shape<N, back>::shared_bytes;
    return k;
}

/* Of each length those for MUCH and for LITTLE work. */
#define KERNELS(N)                                                                                 \
    { kernels_for<N, MUCH>(), kernels_for<N, LITTLE>() }

const length_kernels kernels[][2] = {
    KERNELS(16),   KERNELS(32),   KERNELS(64),   KERNELS(128),  KERNELS(256),   KERNELS(512),
    KERNELS(1024), KERNELS(2048), KERNELS(4096), KERNELS(8192), KERNELS(16384),
};

/* For MUCH or LITTLE work; NULL for a length that the table has not. */
const length_kernels *kernels_of(size_t length, cut work) {
    for (const length_kernels(&k)[2] : kernels) {
        if (length == k[work].length) {
            return &k[work];
        }
    }
    return NULL;
}

/* ---- a plan -------------------------------------------------------------------------------- */

struct twopass_plan : flow_plan {
    const length_kernels *rows, *cols;

    static constexpr const char *name = "cuda.twopass";
    /* Longer lines need the shared memory of newer GPUs. */
    static constexpr strategy_sizes sizes = {1, 0, 0, 4096};
    static constexpr bool has_filter = true;

    weft_status outline() {
        rows = kernels_of(p.width, MUCH);
        cols = kernels_of(p.height, MUCH);
        if (rows == NULL || cols == NULL) {
            return weft_fail(WEFT_UNSUPPORTED,
                             "%s: %zux%zu: height and width must be powers of two from %d to %d",
                             name, p.height, p.width, LEAST_LENGTH, MOST_LENGTH);
        }
        if (p.batch * (p.height / 2) < rows->much.slots) {
            rows = kernels_of(p.width, LITTLE);
        }
        /* A narrow image has no wide tiles. */
        if (p.batch * (p.width / 2) < cols->much.columns || cols->tile > p.width / 2) {
            cols = kernels_of(p.height, LITTLE);
        }
        outline_split();
        outline_flow();
        return check_lines(name);
    }

    /* On a GPU with less shared memory rows do not come in bulk, as where there is little work. */
    void fit_rows() {
        if (rows->rows_shared_bytes > shared_most) {
            rows = kernels_of(p.width, LITTLE);
        }
    }

    weft_status ask_device() {
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
                   ? device_has_shared_memory(name, has_whole_pixels() ? cols->pixels.shared_bytes
                                                                       : cols->cols.shared_bytes)
                   : status;
    }

    weft_status prepare() {
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
                status = allow_shared_memory(has_whole_pixels() ? cols->pixels.kernel(way)
                                                                : cols->cols.kernel(way));
            }
        }
        status = status == WEFT_OK ? prepare_split() : status;
        return status == WEFT_OK ? prepare_flow() : status;
    }

    /* ---- launches --------------------------------------------------------------------------- */

    const cols_kernels<mid_view> &kernels_of_images(const mid_view &) const {
        return cols->cols;
    }

    const cols_kernels<pixel_view> &kernels_of_images(const pixel_view &) const {
        return cols->pixels;
    }

    /* What columns read. */
    template <class Image, class Use>
    static weft_status with_source(int way, const Image &image, const mid_view &mid, Use use) {
        return way == 0 ? use(image) : use(mid);
    }

    /* Kernels of a transform that is not split and does not flow start early where all of it stays
     * in L2. Where it does not, that costs up to a tenth: docs/performance.md. */
    launch_shape as_early_in_cache(launch_shape shape, unsigned resident) const {
        return stays_in_cache() ? as_early_spread(shape, resident) : shape;
    }

    /* First of a forward transform, last of an inverse one. A GPU may have too little shared memory
     * for boxes. */
    weft_status launch_cols(int way, const void *image, mid_view mid, cudaStream_t stream) const {
        return with_images(image, [&](auto view) {
            auto of = kernels_of_images(view);
            auto j = cols_job_of(way, view, mid, cols->tile);
            j.at_once = of.resident * (unsigned)processors;
            launch_shape shape = of.shape(j.all_tiles, (unsigned)processors);
            /* What starts early is not beside its neighbours, who have the rest of narrow pieces'
             * lines of the cache. */
            if (2 * cols->tile * sizeof(scalar) >= 64) {
                shape = as_early_in_cache(shape, of.resident);
            }
            if (of.run[way] != NULL) {
                return launch(of.run[way], shape, stream, j);
            }
            return with_source(way, view, mid, [&](const auto &source) {
                auto boxed = with_boxes(j, source, cols->boxes);
                size_t with_boxes = of.shared_bytes + of.bytes_of_boxes;
                boxed.has_boxes = boxed.has_boxes && with_boxes <= shared_most;
                shape.shared_bytes = boxed.has_boxes ? with_boxes : shape.shared_bytes;
                return launch(of.run_boxed[way], shape, stream, boxed);
            });
        });
    }

    launch_shape rows_launch(int way) const {
        return as_early_in_cache(rows->rows_shape[way](all_slots(), (unsigned)processors),
                                 rows->rows_resident[way]);
    }

    /* ---- the transforms --------------------------------------------------------------------- */

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        mid_view mid = mid_of_forward(spectrum, work);
        if (flows(image, mid)) {
            return flow_forward(image, spectrum, mid, work, stream);
        }
        if (splits(image, mid)) {
            return split_forward(image, spectrum, mid, stream);
        }
        weft_status status = launch_cols(0, image, mid, stream);
        return status != WEFT_OK
                   ? status
                   : launch(rows->rows[0], rows_launch(0), stream, rows_of_batch(0, spectrum, mid));
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        if (flows(spectrum, mid_of_work(work))) {
            return flow_inverse(spectrum, image, work, stream);
        }
        mid_view mid = mid_of_inverse(image, work);
        if (splits(spectrum, mid)) {
            return split_inverse(spectrum, image, mid, stream);
        }
        weft_status status =
            launch(rows->rows[1], rows_launch(1), stream, rows_of_batch(1, spectrum, mid));
        return status != WEFT_OK ? status : launch_cols(1, image, mid, stream);
    }

    /* Three launches; not split, the same intermediate both ways. */
    weft_status filter(const void *image, const void *transfer, weft_transfer kind, void *out,
                       void *work, cudaStream_t stream) const {
        mid_view mid = mid_of_inverse(out, work);
        if (splits(work, mid)) {
            return split_filter(image, transfer, kind, out, mid_of_work(work), mid, stream);
        }
        filter_job j;
        j.rows = rows_of_batch(0, NULL, mid);
        j.transfer = transfer_of(&p, transfer, kind);
        j.inverse_twiddles = row_twiddles[1];
        weft_status status = launch_cols(0, image, mid, stream);
        if (status == WEFT_OK) {
            launch_shape shape = rows->filter_shape(all_slots(), (unsigned)processors);
            status =
                launch(rows->filter, as_early_in_cache(shape, rows->filter_resident), stream, j);
        }
        return status != WEFT_OK ? status : launch_cols(1, out, mid, stream);
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_twopass);
const strategy REAL_NAME(cuda_twopass) = gpu_strategy_of<twopass_plan>(
    "two passes, columns and rows; powers of two from 16 to 16384", nullptr);
