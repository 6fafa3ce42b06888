/* SPDX-License-Identifier: MIT
 * cuda.cooperative: one cooperative launch for the whole batch, of the sizes in kernels.def.
 */
#include "passes/cooperative.cuh"

#include "gpu_strategy.cuh"
#include "tuned_problem.cuh"

namespace {

/* ---- the kernels of each size, as a table ---------------------------------------------------- */

template <class Image> struct cooperative_kernels {
    void (*run[2])(cooperative_job<Image>); /* forward, inverse */
    launch_shape block;
};

struct size_entry {
    size_t height, width;
    unsigned tile; /* complex columns of a block */
    tma_tile_shape tma_tile;
    by_pixel<cooperative_kernels> kernels;
};

template <unsigned H, unsigned W, class Image>
constexpr cooperative_kernels<Image> cooperative_kernels_for() {
    typedef cooperative_shape<H, W, Image> shape;
    return {{cooperative_kernel<H, W, Image, false>, cooperative_kernel<H, W, Image, true>},
            block_shape(shape::threads, shape::shared_bytes, shape::resident)};
}

template <unsigned H, unsigned W> constexpr size_entry size_entry_for() {
    return {
        H,
        W,
        cooperative_cut::cols(H).tile,
        cols_shape<H, cooperative_cut>::tma_tile,
        {cooperative_kernels_for<H, W, real_view>(), cooperative_kernels_for<H, W, pixel_view>()}};
}

const size_entry sizes_with_kernels[] = {
#define GRID(H, W) size_entry_for<H, W>(),
#include <kernels.def>
};

/* ---- a plan ---------------------------------------------------------------------------------- */

struct cooperative_plan : gpu_plan {
    tuned_problem on;
    const size_entry *entry;
    int most_blocks[2]; /* that the device holds concurrently: forward, inverse */

    static constexpr const char *name = "cuda.cooperative";
    static constexpr unsigned flags = EQUAL_BITS;
    static constexpr strategy_sizes sizes = {1, 1, 256, 4096};

    weft_status outline() {
        on.p = p;
        entry = of_size(sizes_with_kernels, p.height, p.width);
        return entry != NULL ? on.check_lines(name) : has_no_kernels(name, p, sizes_with_kernels);
    }

    weft_status ask_device() const {
        TRY(device_can_cooperate(name));
        return on.with_kernels(entry->kernels, [&](const auto &of) {
            TRY(device_has_kernel((const void *)of.run[0]));
            return device_has_shared_memory(name, of.block.shared_bytes);
        });
    }

    weft_status prepare() {
        return on.with_kernels(entry->kernels, [&](const auto &of) {
            TRY(on.prepare((const void *)of.run[0]));
            for (int way = 0; way < 2; way++) {
                const void *kernel = (const void *)of.run[way];
                TRY(allow_shared_memory(kernel));
                TRY(device_resident_blocks(name, kernel, (int)of.block.threads,
                                           of.block.shared_bytes, &most_blocks[way]));
            }
            return WEFT_OK;
        });
    }

    void release() {
        on.release();
    }

    size_t workspace() const {
        return on.workspace();
    }

    /* ---- launches --------------------------------------------------------------------------- */

    /* A group has as many images as give a tile to every block. */
    unsigned images_of_group(unsigned tiles_of_image, unsigned blocks) const {
        size_t images = blocks / tiles_of_image;
        images = images < 1 ? 1 : images;
        return (unsigned)(images < p.batch ? images : p.batch);
    }

    /* No more blocks than there are tasks of columns or of rows. */
    launch_shape shape_of(launch_shape block, int way) const {
        size_t tasks = larger(on.all_tiles(entry->tile), on.all_slots());
        block.blocks =
            (size_t)most_blocks[way] < tasks ? (unsigned)most_blocks[way] : (unsigned)tasks;
        block.syncs_grid = 1;
        return block;
    }

    weft_status run(int way, const void *image, const void *spectrum, real_view intermediate,
                    cudaStream_t stream) const {
        return on.with_images(image, [&](auto view) {
            const auto &of = entry->kernels.of(view);
            cooperative_job<decltype(view)> j;
            j.cols = on.with_tensor_map(on.cols_job_of(way, view, intermediate, entry->tile), view,
                                        entry->tma_tile);
            /* In the inverse, blocks of the same launch have just stored what columns read, and
             * bulk copies would not see it. */
            j.cols.has_tensor_map = j.cols.has_tensor_map && way == 0;
            j.rows = on.rows_job_of(way, spectrum, intermediate);
            launch_shape shape = shape_of(of.block, way);
            unsigned images = images_of_group(j.cols.tile_count.divisor, shape.blocks);
            j.groups = (unsigned)((p.batch + images - 1) / images);
            j.tiles = images * j.cols.tile_count.divisor;
            j.slots = images * j.rows.slots.divisor;
            return launch(of.run[way], shape, stream, j);
        });
    }

    void describe(text *to) const {
        describe_line(to, "columns", p.height, AXIS_COLUMN, "power");
        text_add(to, "tiles: %u of %u columns, ", on.all_tiles(entry->tile), 2 * entry->tile);
        describe_launch(to, on.with_kernels(entry->kernels,
                                            [&](const auto &of) { return shape_of(of.block, 0); }));
        describe_bytes(to, pixels_moved(&p), on.bytes_of_intermediate());
        describe_line(to, "rows", p.width, AXIS_ROW, "power");
        text_add(to, "slots: %u, in the same launch", on.all_slots());
        describe_bytes(to, on.bytes_of_intermediate(), spectra_moved(&p));
    }

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        return run(0, image, spectrum, on.intermediate_of_forward(spectrum, work), stream);
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        return run(1, image, spectrum, on.intermediate_of_inverse(image, work), stream);
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_cooperative);
const strategy REAL_NAME(cuda_cooperative) = gpu_strategy_of<cooperative_plan>(
    "one cooperative launch, images in groups, the intermediate in L2; some squares", nullptr);
