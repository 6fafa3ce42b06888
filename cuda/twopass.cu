/* SPDX-License-Identifier: MIT
 * cuda.twopass: two launches, columns and rows, each of which reads and writes the image once, and
 * for a filter three;
 * what lies between them is packed into the result's own memory. Powers of two from 16 on.
 */
#include <limits.h>

#include "cols.cuh"
#include "filter.cuh"
#include "gpu_strategy.cuh"
#include "refusals.h"
#include "rows.cuh"
#include "tables.cuh"

namespace {

/* ---- the kernels of each length, as a table -------------------------------------------------- */

template <class Image> struct cols_kernels {
    void (*run[2])(cols_job<Image>); /* forward, inverse */
    launch_shape (*shape)(unsigned all_tiles, unsigned processors);
};

struct length_kernels {
    unsigned length;
    unsigned tile, parts;      /* complex columns of a block, and blocks that share them */
    int pairs;                 /* the row pass begins with pairs */
    void (*rows[2])(rows_job); /* forward, inverse */
    void (*filter)(filter_job);
    launch_shape (*rows_shape)(unsigned all_slots);
    cols_kernels<mid_view> cols;     /* of images of reals */
    cols_kernels<pixel_view> pixels; /* of U8 and U16 */
};

template <unsigned N, int IS_LITTLE, class Image> constexpr cols_kernels<Image> cols_for() {
    return {{cols_forward<N, IS_LITTLE, Image>, cols_inverse<N, IS_LITTLE, Image>},
            cols_launch_shape<N, IS_LITTLE, Image>};
}

template <unsigned N, int IS_LITTLE> constexpr length_kernels kernels_for() {
    length_kernels k = {};
    k.length = N;
    k.tile = tuning_of(N).cols[IS_LITTLE].tile;
    k.parts = tuning_of(N).cols[IS_LITTLE].parts;
    k.cols = cols_for<N, IS_LITTLE, mid_view>();
    k.pixels = cols_for<N, IS_LITTLE, pixel_view>();
    if constexpr (N <= MOST_WIDTH) {
        k.rows[0] = rows_forward<N, IS_LITTLE>;
        k.rows[1] = rows_inverse<N, IS_LITTLE>;
        k.filter = rows_filter<N, IS_LITTLE>;
        k.rows_shape = rows_launch_shape<N, IS_LITTLE>;
        k.pairs = rows_shape<N, IS_LITTLE>::forward::has_pairs;
    }
    return k;
}

/* Of each length those for much work, then those for little. */
#define KERNELS(N)                                                                                 \
    { kernels_for<N, 0>(), kernels_for<N, 1>() }

const length_kernels kernels[][2] = {
    KERNELS(16),   KERNELS(32),   KERNELS(64),   KERNELS(128),  KERNELS(256),   KERNELS(512),
    KERNELS(1024), KERNELS(2048), KERNELS(4096), KERNELS(8192), KERNELS(16384),
};

/* NULL for a length that the table has not. */
const length_kernels *kernels_of(size_t length, int is_little) {
    for (const length_kernels(&k)[2] : kernels) {
        if (length == k[0].length) {
            return &k[is_little];
        }
    }
    return NULL;
}

/* ---- a plan -------------------------------------------------------------------------------- */

struct twopass_plan : gpu_plan {
    const length_kernels *rows, *cols;
    int processors;
    int launches_dependents;                   /* whether the second kernel may start early */
    cpx *row_twiddles[2], *column_twiddles[2]; /* on the device; forward, inverse */

    static constexpr const char *name = "cuda.twopass";
    static constexpr bool has_filter = true;

    weft_status outline() {
        int is_little = p.batch * p.height * p.width <= LITTLE_WORK;
        rows = kernels_of(p.width, is_little);
        cols = kernels_of(p.height, is_little);
        if (rows == NULL || cols == NULL || rows->rows_shape == NULL) {
            return weft_fail(
                WEFT_UNSUPPORTED,
                "%s: %zux%zu: height and width must be powers of two, in %s from %d to "
                "%d rows and to %d columns",
                name, p.height, p.width, WEFT_REAL_BITS == 32 ? "f32" : "f64", LEAST_LENGTH,
                MOST_HEIGHT, MOST_WIDTH);
        }
        if (p.batch > INT_MAX / (p.height / 2) || p.batch > INT_MAX / (p.width / 2)) {
            return weft_fail(WEFT_UNSUPPORTED,
                             "%s: batch %zu of %zux%zu: more than %d row or column pairs", name,
                             p.batch, p.height, p.width, INT_MAX);
        }
        return WEFT_OK;
    }

    weft_status ask_device() const {
        weft_status status = device_has_kernel((const void *)rows->rows[0]);
        if (status == WEFT_OK) {
            status = device_has_shared_memory(name, rows_launch().shared_bytes);
        }
        if (status == WEFT_OK && cols->parts > 1) {
            status = device_has_clusters(name);
        }
        return status == WEFT_OK ? device_has_shared_memory(name, cols_shared_bytes()) : status;
    }

    weft_status prepare() {
        weft_status status = device_launches_dependents(&launches_dependents);
        if (status == WEFT_OK) {
            status = device_processors(&processors);
        }
        if (status == WEFT_OK) {
            status = allow_shared_memory((const void *)rows->filter);
        }
        for (int way = 0; way < 2 && status == WEFT_OK; way++) {
            if ((status = allow_shared_memory((const void *)rows->rows[way])) == WEFT_OK &&
                (status = allow_shared_memory(cols_kernel(way))) == WEFT_OK &&
                (status = upload_twiddles(p.device, p.width, way, way == 0 && rows->pairs,
                                          &row_twiddles[way])) == WEFT_OK) {
                status = upload_twiddles(p.device, p.height, way, 0, &column_twiddles[way]);
            }
        }
        return status;
    }

    void release() {
        for (int way = 0; way < 2; way++) {
            device_memory.release(p.device, column_twiddles[way]);
            device_memory.release(p.device, row_twiddles[way]);
        }
    }

    bool has_whole_pixels() const {
        return p.pixel != WEFT_PIXEL_REAL;
    }

    /* The intermediate lies in the result. But rows of half spectra are of no even pitch that a
     * tile of columns could be written to in whole sectors; and whole pixels are too small. */
    size_t workspace() const {
        return p.layout == WEFT_HALF || has_whole_pixels()
                   ? p.batch * p.height * p.width * sizeof(real)
                   : 0;
    }

    mid_view mid_of_work(const void *work) const {
        return mid_of(work, p.width, p.height * p.width);
    }

    mid_view mid_of_forward(const void *spectrum, const void *work) const {
        return p.layout == WEFT_HALF ? mid_of_work(work)
                                     : mid_of(spectrum, p.spectrum_pitch, p.spectrum_stride);
    }

    mid_view mid_of_inverse(const void *image, const void *work) const {
        return has_whole_pixels() ? mid_of_work(work)
                                  : mid_of(image, p.image_pitch, p.image_stride);
    }

    /* ---- columns ---------------------------------------------------------------------------- */

    size_t tiles_per_image() const {
        return p.width / 2 / cols->tile;
    }

    unsigned all_tiles() const {
        return (unsigned)(p.batch * tiles_per_image());
    }

    const void *cols_kernel(int way) const {
        return has_whole_pixels() ? (const void *)cols->pixels.run[way]
                                  : (const void *)cols->cols.run[way];
    }

    size_t cols_shared_bytes() const {
        launch_shape shape = has_whole_pixels()
                                 ? cols->pixels.shape(all_tiles(), (unsigned)processors)
                                 : cols->cols.shape(all_tiles(), (unsigned)processors);
        return shape.shared_bytes;
    }

    template <class Image>
    weft_status launch_cols_of(const cols_kernels<Image> &of, Image image, int way, mid_view mid,
                               cudaStream_t stream) const {
        cols_job<Image> j;
        j.image = image;
        j.mid = mid;
        j.twiddles = column_twiddles[way];
        j.tile_count = divider_of((unsigned)tiles_per_image());
        j.all_tiles = all_tiles();
        j.scale = (real)p.inverse_scale;
        launch_shape shape = of.shape(all_tiles(), (unsigned)processors);
        return launch(of.run[way], way == 0 ? shape : as_second(shape), stream, j);
    }

    /* First of a forward transform, last of an inverse one. */
    weft_status launch_cols(int way, const void *image, mid_view mid, cudaStream_t stream) const {
        return has_whole_pixels()
                   ? launch_cols_of(cols->pixels,
                                    pixels_of(image, p.pixel, p.image_pitch, p.image_stride), way,
                                    mid, stream)
                   : launch_cols_of(cols->cols, mid_of(image, p.image_pitch, p.image_stride), way,
                                    mid, stream);
    }

    /* ---- rows ------------------------------------------------------------------------------- */

    size_t all_slots() const {
        return p.batch * folded_lines(p.height);
    }

    rows_job rows_job_of(int way, const void *spectrum, mid_view mid) const {
        rows_job j;
        j.spectrum = view_of(&p, (void *)spectrum, 0);
        j.spectrum_reals = spectrum_reals(&p);
        j.mid = mid;
        j.twiddles = row_twiddles[way];
        j.slots = divider_of((unsigned)folded_lines(p.height));
        j.all_slots = (unsigned)all_slots();
        j.scale = untangled_scale((real)p.forward_scale);
        j.has_means = way == 0 && has_whole_pixels();
        j.dc_scale = p.forward_scale;
        return j;
    }

    launch_shape rows_launch() const {
        return rows->rows_shape((unsigned)all_slots());
    }

    /* ---- the transforms --------------------------------------------------------------------- */

    /* Programmatic dependent launch: the second kernel takes its place while the first one ends. */
    launch_shape as_second(launch_shape shape) const {
        shape.may_start_early = launches_dependents;
        return shape;
    }

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        mid_view mid = mid_of_forward(spectrum, work);
        weft_status status = launch_cols(0, image, mid, stream);
        return status != WEFT_OK ? status
                                 : launch(rows->rows[0], as_second(rows_launch()), stream,
                                          rows_job_of(0, spectrum, mid));
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        mid_view mid = mid_of_inverse(image, work);
        weft_status status =
            launch(rows->rows[1], rows_launch(), stream, rows_job_of(1, spectrum, mid));
        return status != WEFT_OK ? status : launch_cols(1, image, mid, stream);
    }

    /* Three launches, the same intermediate both ways. */
    weft_status filter(const void *image, const void *transfer, weft_transfer kind, void *out,
                       void *work, cudaStream_t stream) const {
        mid_view mid = mid_of_inverse(out, work);
        filter_job j;
        j.rows = rows_job_of(0, NULL, mid);
        j.transfer = transfer_of(&p, transfer, kind);
        j.inverse_twiddles = row_twiddles[1];
        weft_status status = launch_cols(0, image, mid, stream);
        if (status == WEFT_OK) {
            status = launch(rows->filter, as_second(rows_launch()), stream, j);
        }
        return status != WEFT_OK ? status : launch_cols(1, out, mid, stream);
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_twopass);
const strategy REAL_NAME(cuda_twopass) = gpu_strategy_of<twopass_plan>(
    "two launches, columns and rows, each reads and writes the image once; powers of two from 16",
    nullptr);
