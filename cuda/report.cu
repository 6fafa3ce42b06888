/* SPDX-License-Identifier: MIT
 * cuda.report: the report's GPU program, one cooperative launch per image; powers of two. It is
 * there to reproduce the report's figures.
 */
#include "passes/report_pairs.cuh"

#include "gpu_strategy.cuh"

namespace {

struct report_plan : gpu_plan {
    launch_shape forward_shape, inverse_shape;

    static constexpr const char *name = "cuda.report";

    weft_status outline() {
        return report_supports(name, &p);
    }

    weft_status ask_device() const {
        TRY(device_can_cooperate(name));
        return device_has_kernel((const void *)report_forward);
    }

    /* The grid has as many blocks of this kernel as this device holds concurrently. */
    weft_status shape_for(const void *kernel, launch_shape *shape) const {
        int blocks = 0;
        TRY(device_resident_blocks(name, kernel, REPORT_BLOCK_THREADS, 0, &blocks));
        *shape = report_shape(p.height, p.width, (unsigned)blocks);
        return WEFT_OK;
    }

    weft_status prepare() {
        TRY(shape_for((const void *)report_forward, &forward_shape));
        return shape_for((const void *)report_inverse, &inverse_shape);
    }

    void release() {}

    size_t workspace() const {
        return report_workspace(&p);
    }

    /* A step of the recurrence is a stage of radix 2. */
    void describe(text *to) const {
        size_t between = p.batch * p.height * p.width * sizeof(scalar);
        factor_list rows = stages_of_two(p.width), columns = stages_of_two(p.height);
        describe_list(to, "rows", 0, &rows, "stockham");
        text_add(to, "pairs: %zu, an image a launch, ", report_row_pairs(p.height));
        describe_launch(to, forward_shape);
        describe_bytes(to, pixels_moved(&p), between);
        describe_list(to, "columns", 0, &columns, "stockham");
        text_add(to, "pairs: %zu, in the same launch", folded_lines(p.width));
        describe_bytes(to, between, spectra_moved(&p));
    }

    weft_status run(void (*kernel)(report_job), launch_shape shape, const void *image,
                    const void *spectrum, void *work, cudaStream_t stream) const {
        for (size_t i = 0; i < p.batch; i++) {
            spectrum_view spectrum_of_image = view_of(&p, (void *)spectrum, i);
            TRY(launch(kernel, shape, stream,
                       report_job_of(&p, (void *)image, spectrum_of_image, work, i)));
        }
        return WEFT_OK;
    }

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        return run(report_forward, forward_shape, image, spectrum, work, stream);
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        return run(report_inverse, inverse_shape, image, spectrum, work, stream);
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_report);
const strategy REAL_NAME(cuda_report) = gpu_strategy_of<report_plan>(
    "the report's GPU program: a thread per row pair, one cooperative launch; powers of two",
    nullptr);
