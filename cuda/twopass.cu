/* SPDX-License-Identifier: MIT
 * cuda.twopass: two launches, rows and columns, each of which reads and writes the image once;
 * between them lie tiles of folded half spectra in the caller's workspace. Powers of two from 16 to
 * 4096 on each axis.
 */
#include <limits.h>

#include "cols.cuh"
#include "gpu_strategy.cuh"
#include "refusals.h"
#include "rows.cuh"
#include "tables.cuh"

namespace {

/* ---- the kernels of each length, as a table -------------------------------------------------- */

struct rows_kernels {
    void (*forward)(rows_job), (*inverse)(rows_job);
    launch_shape (*shape)(unsigned all_pairs);
};

struct cols_kernels {
    void (*forward)(cols_job), (*inverse)(cols_job);
    launch_shape (*shape)(unsigned all_tiles);
};

#define ROWS(log2)                                                                                 \
    { rows_forward<log2>, rows_inverse<log2>, rows_launch_shape<log2> }
#define COLS(log2)                                                                                 \
    { cols_forward<log2>, cols_inverse<log2>, cols_launch_shape<log2> }

const rows_kernels rows_table[] = {ROWS(4), ROWS(5),  ROWS(6),  ROWS(7), ROWS(8),
                                   ROWS(9), ROWS(10), ROWS(11), ROWS(12)};
const cols_kernels cols_table[] = {COLS(4), COLS(5),  COLS(6),  COLS(7), COLS(8),
                                   COLS(9), COLS(10), COLS(11), COLS(12)};

/* log2 of a length that the table has, else -1. */
int table_log2(size_t length) {
    for (int log2 = TWOPASS_LEAST_LOG2; log2 <= TWOPASS_MOST_LOG2; log2++) {
        if (length == (size_t)1 << log2) {
            return log2;
        }
    }
    return -1;
}

/* ---- a plan -------------------------------------------------------------------------------- */

struct twopass_plan : gpu_plan {
    int log2_height, log2_width;
    int launches_dependents;             /* whether the second kernel may start early */
    cpx *row_twiddles, *column_twiddles; /* on the device */

    static constexpr const char *name = "cuda.twopass";

    weft_status outline() {
        log2_height = table_log2(p.height);
        log2_width = table_log2(p.width);
        if (log2_height < 0 || log2_width < 0) {
            return weft_fail(WEFT_UNSUPPORTED,
                             "%s: %zux%zu: height and width must be powers of two from %d to %d",
                             name, p.height, p.width, 1 << TWOPASS_LEAST_LOG2,
                             1 << TWOPASS_MOST_LOG2);
        }
        if (p.batch > INT_MAX / (p.height / 2) || p.batch > INT_MAX / (p.width / 2)) {
            return weft_fail(WEFT_UNSUPPORTED,
                             "%s: batch %zu of %zux%zu: more than %d row or column pairs", name,
                             p.batch, p.height, p.width, INT_MAX);
        }
        return real_pixels_only(name, &p);
    }

    const rows_kernels &rows() const {
        return rows_table[log2_width - TWOPASS_LEAST_LOG2];
    }

    const cols_kernels &cols() const {
        return cols_table[log2_height - TWOPASS_LEAST_LOG2];
    }

    weft_status ask_device() const {
        weft_status status = device_has_kernel((const void *)rows().forward);
        if (status == WEFT_OK) {
            status = device_has_shared_memory(name, rows_launch().shared_bytes);
        }
        return status == WEFT_OK ? device_has_shared_memory(name, cols_launch().shared_bytes)
                                 : status;
    }

    weft_status prepare() {
        weft_status status;
        if ((status = device_launches_dependents(&launches_dependents)) != WEFT_OK ||
            (status = allow_shared_memory((const void *)rows().forward)) != WEFT_OK ||
            (status = allow_shared_memory((const void *)rows().inverse)) != WEFT_OK ||
            (status = allow_shared_memory((const void *)cols().forward)) != WEFT_OK ||
            (status = allow_shared_memory((const void *)cols().inverse)) != WEFT_OK ||
            (status = upload_twiddles(p.device, p.width, &row_twiddles)) != WEFT_OK) {
            return status;
        }
        return upload_twiddles(p.device, p.height, &column_twiddles);
    }

    void release() {
        device_memory.release(p.device, column_twiddles);
        device_memory.release(p.device, row_twiddles);
    }

    size_t workspace() const {
        return p.batch * p.height * folded_columns(p.width) * sizeof(cpx);
    }

    /* ---- jobs and launches ----------------------------------------------------------------- */

    size_t all_pairs() const {
        return p.batch * (p.height / 2);
    }

    size_t tiles_per_image() const {
        return folded_columns(p.width) >> tuning_of(log2_height).log2_tile;
    }

    tiles tiles_in(void *work) const {
        tiles t;
        t.work = (cpx *)work;
        t.image_values = p.height * folded_columns(p.width);
        t.height = (unsigned)p.height;
        t.log2_tile = tuning_of(log2_height).log2_tile;
        return t;
    }

    rows_job rows_job_of(const void *image, void *work) const {
        rows_job j;
        j.image = (real *)image;
        j.image_pitch = p.image_pitch;
        j.image_stride = p.image_stride;
        j.mid = tiles_in(work);
        j.twiddles = row_twiddles;
        j.pairs = (unsigned)(p.height / 2);
        j.all_pairs = (unsigned)all_pairs();
        j.scale = (real)p.inverse_scale;
        return j;
    }

    cols_job cols_job_of(const void *spectrum, void *work) const {
        cols_job j;
        j.spectrum = view_of(&p, (void *)spectrum, 0);
        j.spectrum_reals = spectrum_reals(&p);
        j.mid = tiles_in(work);
        j.twiddles = column_twiddles;
        j.tile_count = (unsigned)tiles_per_image();
        j.scale = untangled_scale((real)p.forward_scale);
        return j;
    }

    launch_shape rows_launch() const {
        return rows().shape((unsigned)all_pairs());
    }

    launch_shape cols_launch() const {
        return cols().shape((unsigned)(p.batch * tiles_per_image()));
    }

    /* Programmatic dependent launch: the second kernel takes its place while the first one ends. */
    launch_shape as_second(launch_shape shape) const {
        shape.may_start_early = launches_dependents;
        return shape;
    }

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        weft_status status =
            launch(rows().forward, rows_launch(), stream, rows_job_of(image, work));
        return status != WEFT_OK ? status
                                 : launch(cols().forward, as_second(cols_launch()), stream,
                                          cols_job_of(spectrum, work));
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        weft_status status =
            launch(cols().inverse, cols_launch(), stream, cols_job_of(spectrum, work));
        return status != WEFT_OK ? status
                                 : launch(rows().inverse, as_second(rows_launch()), stream,
                                          rows_job_of(image, work));
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_twopass);
const strategy REAL_NAME(cuda_twopass) = gpu_strategy_of<twopass_plan>(
    "two launches, rows and columns, each reads and writes the image once; powers of two 16..4096",
    nullptr);
