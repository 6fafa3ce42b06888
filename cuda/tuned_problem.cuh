/* SPDX-License-Identifier: MIT
 * What the passes of tuned strategies have in common: the problem, what its device has, the
 * twiddles there, where the intermediate lies, and the jobs of column and row passes. A strategy
 * has one, and hands it to each of its passes; it knows none of them.
 */
#ifndef WEFT_CUDA_TUNED_PROBLEM_CUH
#define WEFT_CUDA_TUNED_PROBLEM_CUH

#include <limits.h>

#include "base/launch.cuh"
#include "describe_launch.cuh"
#include "kernel_table.cuh"
#include "line/tables.cuh"
#include "passes/columns.cuh"
#include "passes/rows.cuh"
#include "spectra.h"

namespace {

struct tuned_problem {
    problem p;
    int processors;
    size_t cache;                              /* bytes of L2 */
    size_t shared_most;                        /* bytes that a block may have */
    cpx *row_twiddles[2], *column_twiddles[2]; /* on the device; forward, inverse */
    /* Whether a kernel may begin before the one before it has ended: on GPUs that have bulk copies
     * too. */
    int launches_dependents;
    tensor_map_encoder tensor_maps;

    /* Lines are counted by unsigned numbers. */
    weft_status check_lines(const char *name) const {
        return p.batch > INT_MAX / (p.height / 2) || p.batch > INT_MAX / (p.width / 2)
                   ? weft_fail(WEFT_UNSUPPORTED,
                               "%s: batch %zu of %zux%zu: more than %d row or column pairs", name,
                               p.batch, p.height, p.width, INT_MAX)
                   : WEFT_OK;
    }

    weft_status ask_device() {
        TRY(device_processors(&processors));
        TRY(device_cache(&cache));
        return device_shared_memory(&shared_most);
    }

    /* What execution needs; `kernel` is any of those that are going to run. */
    weft_status prepare(const void *kernel) {
        TRY(ask_device());
        TRY(device_launches_dependents(kernel, &launches_dependents));
        tensor_maps.find();
        for (int way = 0; way < 2; way++) {
            TRY(upload_twiddles(p.device, p.width, AXIS_ROW, way, &row_twiddles[way]));
            TRY(upload_twiddles(p.device, p.height, AXIS_COLUMN, way, &column_twiddles[way]));
        }
        return WEFT_OK;
    }

    void release() {
        for (int way = 0; way < 2; way++) {
            device_memory.release(p.device, column_twiddles[way]);
            device_memory.release(p.device, row_twiddles[way]);
        }
    }

    /* The twiddles of the last stage of columns forward, for kernels that do it by itself. */
    const cpx *last_twiddles_of_columns() const {
        const factor_list factors = list_of(p.height, AXIS_COLUMN, 0);
        return column_twiddles[0] + twiddles_before(&factors, factors.count - 1);
    }

    /* ---- where the data lies ---------------------------------------------------------------- */

    size_t bytes_of_intermediate() const {
        return p.batch * p.height * p.width * sizeof(scalar);
    }

    /* The intermediate lies in the result, with two exceptions: rows of HALF spectra have no even
     * pitch, so that a tile of columns could not be stored in whole sectors; and integer pixels are
     * too small. */
    size_t workspace() const {
        return p.layout == WEFT_HALF || has_integer_pixels(&p) ? bytes_of_intermediate() : 0;
    }

    size_t bytes_in_and_out() const {
        return pixels_moved(&p) + spectra_moved(&p);
    }

    bool bytes_fit_cache(size_t bytes) const {
        return bytes <= cache / 4 * 3;
    }

    /* Whether L2 has space for all that a transform reads or writes. */
    bool fits_cache() const {
        return bytes_fit_cache(bytes_in_and_out() + workspace());
    }

    real_view intermediate_of_work(const void *work) const {
        return real_view_of(work, p.width, p.height * p.width);
    }

    real_view intermediate_of_forward(const void *spectrum, const void *work) const {
        return p.layout == WEFT_HALF ? intermediate_of_work(work)
                                     : real_view_of(spectrum, p.spectrum_pitch, p.spectrum_stride);
    }

    real_view intermediate_of_inverse(const void *image, const void *work) const {
        return has_integer_pixels(&p) ? intermediate_of_work(work)
                                      : real_view_of(image, p.image_pitch, p.image_stride);
    }

    /* Whether a pass may write the intermediate before all of the input has been read, and 16 bytes
     * of its rows at a time. Only the pointers of a call tell. */
    static bool is_apart(const void *input, const real_view &intermediate) {
        return intermediate.is_wide && (const void *)intermediate.values != input;
    }

    /* ---- jobs ------------------------------------------------------------------------------- */

    /* Calls use() with the kernels of the problem's images. */
    template <class Kernels, class Use> auto with_kernels(const Kernels &all, Use use) const {
        return has_integer_pixels(&p) ? use(all.pixels) : use(all.reals);
    }

    /* Calls run() with the images as the kernels see them: a view of reals or of integer pixels. */
    template <class Run> weft_status with_images(const void *image, Run run) const {
        return has_integer_pixels(&p)
                   ? run(pixels_of(image, p.pixel, p.image_pitch, p.image_stride))
                   : run(real_view_of(image, p.image_pitch, p.image_stride));
    }

    /* A view of another image of the same kind. */
    real_view view_like(const real_view &, const void *image) const {
        return real_view_of(image, p.image_pitch, p.image_stride);
    }

    pixel_view view_like(const pixel_view &, const void *image) const {
        return pixels_of(image, p.pixel, p.image_pitch, p.image_stride);
    }

    /* Of all images, each of so many complex columns. */
    unsigned all_tiles(unsigned tile) const {
        return (unsigned)(p.batch * (p.width / 2 / tile));
    }

    template <class Image>
    cols_job<Image> cols_job_of(int way, Image image, real_view intermediate, unsigned tile) const {
        cols_job<Image> j = {};
        j.image = image;
        j.intermediate = intermediate;
        j.twiddles = column_twiddles[way];
        j.tile_count = divider_of((unsigned)(p.width / 2 / tile));
        j.all_tiles = all_tiles(tile);
        j.scale = (scalar)p.inverse_scale;
        j.is_cached = fits_cache();
        return j;
    }

    /* The same job with a tensor map of `of`, which its kernel reads, where all is aligned. */
    template <class Image>
    tma_job<Image> with_tensor_map(const cols_job<Image> &job, const real_view &of,
                                   tma_tile_shape tile) const {
        tma_job<Image> j = {job, 0, {}};
        j.has_tensor_map = tile.reals > 0 && launches_dependents && of.is_wide &&
                           tensor_maps.encode(&j.map, {of, p.height, p.width, p.batch}, tile);
        return j;
    }

    /* Integer pixels do not come in TMA tiles. */
    template <class Image>
    tma_job<Image> with_tensor_map(const cols_job<Image> &job, const pixel_view &,
                                   tma_tile_shape) const {
        return {job, 0, {}};
    }

    unsigned all_slots() const {
        return (unsigned)(p.batch * folded_lines(p.height));
    }

    rows_job rows_job_of(int way, const void *spectrum, real_view intermediate) const {
        rows_job j;
        j.spectrum = view_of(&p, (void *)spectrum, 0);
        j.spectrum_reals = spectrum_reals(&p);
        j.intermediate = intermediate;
        j.twiddles = row_twiddles[way];
        j.slots = divider_of((unsigned)folded_lines(p.height));
        j.all_slots = all_slots();
        j.scale = untangled_scale((scalar)p.forward_scale);
        j.is_cached = fits_cache();
        j.from_last = 0;
        j.has_means = way == 0 && has_integer_pixels(&p);
        j.dc_scale = p.forward_scale;
        return j;
    }

    /* Columns go through a batch from its first image to its last, rows from the last to the first:
     * so rows begin with what L2 still has of the intermediate. */
    rows_job rows_of_batch(int way, const void *spectrum, real_view intermediate) const {
        rows_job j = rows_job_of(way, spectrum, intermediate);
        j.from_last = p.batch > 1 && !fits_cache();
        return j;
    }

    /* ---- launches --------------------------------------------------------------------------- */

    launch_shape launch_for(unsigned tasks, const launch_shape &block) const {
        return ::launch_for(tasks, block, (unsigned)processors);
    }

    /* Programmatic dependent launch: blocks of a kernel begin while the kernel before it ends. */
    launch_shape as_dependent(launch_shape shape) const {
        shape.is_dependent = launches_dependents;
        return shape;
    }

    /* The same, with blocks spread over the multiprocessors: a block gets so much shared memory
     * that no multiprocessor takes more than its part of the blocks only because it is free first.
     */
    launch_shape as_dependent_spread(launch_shape shape) const {
        unsigned part = (shape.blocks + (unsigned)processors - 1) / (unsigned)processors;
        size_t of_part = shared_most / (part + 1) + 1;
        if (launches_dependents && part < shape.resident && of_part > shape.shared_bytes) {
            shape.shared_bytes = of_part;
        }
        return as_dependent(shape);
    }

    /* The kernels of two separate passes are launched dependent on one another where L2 holds all
     * that the transform touches. Where L2 does not, that costs time: docs/performance.md. */
    launch_shape as_dependent_in_cache(launch_shape shape) const {
        return fits_cache() ? as_dependent_spread(shape) : shape;
    }
};

} // namespace

#endif
