/* SPDX-License-Identifier: MIT
 * cuda.twopass: two launches, columns and rows, each of which reads and writes the image once;
 * what lies between them is packed into the result's own memory. Powers of two from 16 to 4096 on
 * each axis.
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

    /* The intermediate lies in the result; but rows of half spectra are of no even pitch that a
     * tile of columns could be written to in whole sectors. */
    size_t workspace() const {
        return p.layout == WEFT_HALF ? p.batch * p.height * p.width * sizeof(real) : 0;
    }

    /* ---- jobs and launches ------------------------------------------------------------------ */

    size_t all_slots() const {
        return p.batch * folded_lines(p.height);
    }

    size_t tiles_per_image() const {
        return p.width / 2 >> tuning_of(log2_height).log2_tile;
    }

    cols_job cols_job_of(const void *image, mid_view mid) const {
        mid_view pairs = mid_of(image, p.image_pitch, p.image_stride);
        cols_job j;
        j.image = pairs.values;
        j.image_pitch = pairs.pitch;
        j.image_stride = pairs.stride;
        j.image_is_paired = pairs.is_paired;
        j.mid = mid;
        j.twiddles = column_twiddles;
        j.tile_count = (unsigned)tiles_per_image();
        j.scale = (real)p.inverse_scale;
        return j;
    }

    rows_job rows_job_of(const void *spectrum, mid_view mid) const {
        rows_job j;
        j.spectrum = view_of(&p, (void *)spectrum, 0);
        j.spectrum_reals = spectrum_reals(&p);
        j.mid = mid;
        j.twiddles = row_twiddles;
        j.slots = (unsigned)folded_lines(p.height);
        j.all_slots = (unsigned)all_slots();
        j.scale = untangled_scale((real)p.forward_scale);
        return j;
    }

    mid_view mid_of_forward(const void *spectrum, const void *work) const {
        return p.layout == WEFT_HALF ? mid_of(work, p.width, p.height * p.width)
                                     : mid_of(spectrum, p.spectrum_pitch, p.spectrum_stride);
    }

    mid_view mid_of_inverse(const void *image) const {
        return mid_of(image, p.image_pitch, p.image_stride);
    }

    launch_shape rows_launch() const {
        return rows().shape((unsigned)all_slots());
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
        mid_view mid = mid_of_forward(spectrum, work);
        weft_status status = launch(cols().forward, cols_launch(), stream, cols_job_of(image, mid));
        return status != WEFT_OK ? status
                                 : launch(rows().forward, as_second(rows_launch()), stream,
                                          rows_job_of(spectrum, mid));
    }

    weft_status inverse(const void *spectrum, void *image, void *, cudaStream_t stream) const {
        mid_view mid = mid_of_inverse(image);
        weft_status status =
            launch(rows().inverse, rows_launch(), stream, rows_job_of(spectrum, mid));
        return status != WEFT_OK ? status
                                 : launch(cols().inverse, as_second(cols_launch()), stream,
                                          cols_job_of(image, mid));
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_twopass);
const strategy REAL_NAME(cuda_twopass) = gpu_strategy_of<twopass_plan>(
    "two launches, columns and rows, each reads and writes the image once; powers of two 16..4096",
    nullptr);
