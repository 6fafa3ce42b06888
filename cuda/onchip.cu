/* SPDX-License-Identifier: MIT
 * cuda.onchip: a batch of small images in one launch, each of them in shared memory from its first
 * load to its last store; kernels.def has its sizes.
 */
#include "passes/onchip.cuh"

#include "gpu_strategy.cuh"
#include "tuned_problem.cuh"

namespace {

/* ---- the kernels of each size, as a table ---------------------------------------------------- */

template <class Image> struct onchip_kernels {
    void (*run[2])(onchip_job<Image>); /* forward, inverse */
    void (*filter)(onchip_filter_job<Image>);
    launch_shape block;
};

struct size_entry {
    size_t height, width;
    unsigned parts; /* blocks that share an image */
    by_pixel<onchip_kernels> kernels;
};

template <class Shape, class Image> constexpr onchip_kernels<Image> onchip_kernels_for() {
    return {{onchip_forward<Shape, Image>, onchip_inverse<Shape, Image>},
            onchip_filter<Shape, Image>,
            block_shape(Shape::threads, onchip_shared_bytes<Shape, Image>(), Shape::resident,
                        Shape::parts)};
}

template <unsigned H, unsigned W, unsigned PARTS> constexpr size_entry size_entry_for() {
    typedef onchip_shape<H, W, PARTS> shape;
    return {H,
            W,
            PARTS,
            {onchip_kernels_for<shape, real_view>(), onchip_kernels_for<shape, pixel_view>()}};
}

/* Their columns and rows are cut as many lines are. */
const size_entry sizes_with_kernels[] = {
#define ONCHIP(H, W, parts) size_entry_for<H, W, parts>(),
#include <kernels.def>
};

/* ---- a plan ---------------------------------------------------------------------------------- */

struct onchip_plan : gpu_plan {
    tuned_problem on;
    const size_entry *entry;

    static constexpr const char *name = "cuda.onchip";
    static constexpr unsigned flags = EQUAL_BITS | IS_ONE_PASS;
    /* Larger ones need the shared memory of newer GPUs, or their clusters. */
    static constexpr strategy_sizes sizes = {1, 1, 64, WEFT_REAL_BITS == 32 ? 128 : 64};
    static constexpr bool has_filter = true;

    weft_status outline() {
        on.p = p;
        entry = of_size(sizes_with_kernels, p.height, p.width);
        return entry != NULL ? on.check_lines(name) : has_no_kernels(name, p, sizes_with_kernels);
    }

    weft_status ask_device() const {
        return on.with_kernels(entry->kernels, [&](const auto &of) {
            const void *kernel = (const void *)of.run[0];
            TRY(device_has_kernel(kernel));
            if (entry->parts > 1) {
                TRY(device_has_clusters(name, kernel));
            }
            return device_has_shared_memory(name, of.block.shared_bytes);
        });
    }

    weft_status prepare() {
        return on.with_kernels(entry->kernels, [&](const auto &of) {
            TRY(on.prepare((const void *)of.run[0]));
            return allow_shared_memory(
                {(const void *)of.run[0], (const void *)of.run[1], (const void *)of.filter});
        });
    }

    void release() {
        on.release();
    }

    /* Nothing lies in memory between columns and rows. */
    size_t workspace() const {
        return 0;
    }

    /* ---- launches --------------------------------------------------------------------------- */

    /* A block an image, or a cluster. */
    launch_shape shape_of(const launch_shape &block) const {
        return on.launch_for((unsigned)p.batch, block);
    }

    /* L2 evicts first what is only read: nothing of it has to be written back then. */
    template <class Image> cols_job<Image> columns_of(int way, Image image) const {
        auto j = on.cols_job_of(way, image, {}, (unsigned)p.width / 2 / entry->parts);
        j.is_cached = way == 1 && on.bytes_fit_cache(on.bytes_in_and_out());
        return j;
    }

    rows_job slots_of(int way, const void *spectrum) const {
        rows_job j = on.rows_job_of(way, spectrum, {});
        j.is_cached = way == 0 && on.bytes_fit_cache(on.bytes_in_and_out());
        return j;
    }

    weft_status run(int way, const void *image, const void *spectrum, cudaStream_t stream) const {
        return on.with_images(image, [&](auto view) {
            const auto &of = entry->kernels.of(view);
            return launch(of.run[way], on.as_dependent_spread(shape_of(of.block)), stream,
                          {columns_of(way, view), slots_of(way, spectrum)});
        });
    }

    void describe(text *to) const {
        describe_line(to, "columns", p.height, AXIS_COLUMN, "power");
        describe_launch(to, on.with_kernels(entry->kernels,
                                            [&](const auto &of) { return shape_of(of.block); }));
        describe_bytes(to, pixels_moved(&p), 0);
        describe_line(to, "rows", p.width, AXIS_ROW, "power");
        text_add(to, "in the same launch, out of shared memory");
        describe_bytes(to, 0, spectra_moved(&p));
    }

    weft_status forward(const void *image, void *spectrum, void *, cudaStream_t stream) const {
        return run(0, image, spectrum, stream);
    }

    weft_status inverse(const void *spectrum, void *image, void *, cudaStream_t stream) const {
        return run(1, image, spectrum, stream);
    }

    weft_status filter(const void *image, const void *transfer, weft_transfer kind, void *out,
                       void *, cudaStream_t stream) const {
        filter_job slots = {slots_of(0, NULL), transfer_of(&p, transfer, kind), on.row_twiddles[1]};
        return on.with_images(image, [&](auto view) {
            const auto &of = entry->kernels.of(view);
            return launch(of.filter, on.as_dependent_spread(shape_of(of.block)), stream,
                          {columns_of(0, view), columns_of(1, on.view_like(view, out)), slots});
        });
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_onchip);
const strategy REAL_NAME(cuda_onchip) = gpu_strategy_of<onchip_plan>(
    "one launch, each image in shared memory from load to store; 64x64, 128x128, f32 256x256",
    nullptr);
