/* SPDX-License-Identifier: MIT
 * What the passes over lines of any length have in common: the problem, what its device has, and
 * where the intermediate and all else in the workspace lies. It is for them what tuned_problem.cuh
 * is for passes of powers of two.
 */
#ifndef WEFT_CUDA_RUN_TIME_PROBLEM_CUH
#define WEFT_CUDA_RUN_TIME_PROBLEM_CUH

#include <limits.h>

#include "base/launch.cuh"
#include "describe_launch.cuh"
#include "problem.h"
#include "run_time_cut.cuh"

namespace {

struct run_time_problem : run_time_cutter {
    problem p;
    int launches_dependents;

    enum { MOST_VALUES = INT_MAX / 2 }; /* of a line, and lines: kernels count in 32 bits */

    weft_status check_lines(const char *name) const {
        const size_t longest = larger(p.height, p.width);
        return p.batch * longest <= MOST_VALUES
                   ? WEFT_OK
                   : weft_fail(WEFT_UNSUPPORTED, "%s: batch %zu of %zux%zu: more than %d lines",
                               name, p.batch, p.height, p.width, MOST_VALUES);
    }

    /* `kernel` is any of those that are going to run. */
    weft_status ask_device(const void *kernel) {
        TRY(device_processors(&processors));
        TRY(device_shared_memory(&shared_most));
        return device_launches_dependents(kernel, &launches_dependents);
    }

    /* Complex columns of an image. */
    size_t column_pairs() const {
        return (p.width + 1) / 2;
    }

    launch_shape shape_of(const run_time_cut &cut) const {
        launch_shape shape = {};
        shape.blocks = cut.blocks;
        shape.threads = cut.block_threads;
        shape.shared_bytes = cut.shared_bytes;
        shape.is_dependent = launches_dependents;
        return shape;
    }

    void describe_cut(text *to, const run_time_cut &cut, bool is_known) const {
        describe_launch(to, shape_of(cut));
        text_add(to, "%s",
                 cut.is_global ? ", values in the workspace"
                 : is_known    ? ", compiled in"
                               : "");
    }

    static run_time_variant variant_of(const run_time_cut &cut, const run_time_line &line,
                                       bool is_known, bool is_direct) {
        return cut.is_global        ? GLOBAL_VALUES
               : !is_direct         ? STAGED_VALUES
               : is_known           ? CONSTANT_VALUES
               : line.chirp != NULL ? STAGED_VALUES
               : cut.is_few         ? FEW_VALUES
                                    : DIRECT_VALUES;
    }

    /* ---- the intermediate ------------------------------------------------------------------- */

    /* In reals: complex columns are pairs of them, aligned to 16 bytes. */
    size_t pitch_of_intermediate() const {
        const size_t wide = 16 / sizeof(scalar);
        return (p.width + wide - 1) / wide * wide;
    }

    /* An odd width has a real column more; rows of HALF spectra have no even pitch; integer pixels
     * are too small. */
    bool has_intermediate() const {
        return p.width % 2 != 0 || p.layout == WEFT_HALF || has_integer_pixels(&p);
    }

    size_t bytes_between() const {
        return p.batch * p.height * pitch_of_intermediate() * sizeof(scalar);
    }

    /* In `result` where it has space. */
    real_view intermediate_of(bool is_result_packed, const void *result, size_t pitch,
                              size_t stride, void *work) const {
        return is_result_packed ? real_view_of(result, pitch, stride)
                                : real_view_of(work, pitch_of_intermediate(),
                                               p.height * pitch_of_intermediate());
    }

    real_view intermediate_of_forward(const void *spectrum, void *work) const {
        return intermediate_of(!has_intermediate(), spectrum, p.spectrum_pitch, p.spectrum_stride,
                               work);
    }

    real_view intermediate_of_inverse(const void *image, void *work) const {
        bool fits = p.width % 2 == 0 && !has_integer_pixels(&p);
        return intermediate_of(fits, image, p.image_pitch, p.image_stride, work);
    }

    /* ---- the workspace: the intermediate, sums, values between stages --------------------------
     */

    size_t bytes_of_intermediate() const {
        return has_intermediate() ? bytes_between() : 0;
    }

    size_t bytes_of_sums() const {
        return !has_integer_pixels(&p) ? 0
                                       : (p.batch * p.width * sizeof(column_sum) + 15) / 16 * 16;
    }

    /* Columns and rows, one after the other, have them in the same place. */
    size_t bytes_before_values() const {
        return bytes_of_intermediate() + bytes_of_sums();
    }

    static size_t bytes_of_values(const run_time_cut &cut) {
        return !cut.is_global ? 0 : (size_t)cut.blocks * cut.of_block * sizeof(cpx);
    }

    column_sum *sums_of(void *work) const {
        return has_integer_pixels(&p) ? (column_sum *)((char *)work + bytes_of_intermediate())
                                      : NULL;
    }

    run_time_memory memory_of(const run_time_cut &cut, void *work) const {
        run_time_memory m = {cut.of_line, cut.of_block, NULL, cut.roots};
        if (cut.is_global) {
            m.global = (cpx *)((char *)work + bytes_before_values());
        }
        return m;
    }

    real_view view_between(void *work) const {
        return real_view_of((char *)work + bytes_before_values(), pitch_of_intermediate(),
                            p.height * pitch_of_intermediate());
    }
};

} // namespace

#endif
