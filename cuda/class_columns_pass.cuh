/* SPDX-License-Identifier: MIT
 * The column pass of a split transform, class by class: see passes/class_columns.cuh. The row
 * passes that it goes with have tables of their own lengths, and say where classes lie.
 */
#ifndef WEFT_CUDA_CLASS_COLUMNS_PASS_CUH
#define WEFT_CUDA_CLASS_COLUMNS_PASS_CUH

#include "passes/class_columns.cuh"
#include "tuned_problem.cuh"

namespace {

template <class Image> struct class_kernels {
    void (*run[2])(cols_job<Image>); /* forward, inverse */
    launch_shape block;
};

struct class_entry {
    unsigned length, radix; /* of the stage that is left to the rows */
    unsigned tile;
    by_pixel<class_kernels> kernels;
};

template <unsigned H, class Image, bool BY_CLASS>
constexpr class_kernels<Image> class_kernels_for() {
    return {{class_forward<H, Image>, class_inverse<H, Image, BY_CLASS>}, class_block<H, Image>()};
}

/* Classes lie one after another in the intermediate of the inverse, BY_CLASS, or in turn. */
template <unsigned H, bool BY_CLASS, bool HAS_PIXELS> constexpr class_entry class_entry_for() {
    typedef class_line<H, 0> line;
    class_entry entry = {H,
                         line::left_out,
                         line::columns,

                         {class_kernels_for<H, real_view, BY_CLASS>(), {}}};
    if constexpr (HAS_PIXELS) {
        entry.kernels.pixels = class_kernels_for<H, pixel_view, BY_CLASS>();
    }
    return entry;
}

struct class_columns_pass {
    const class_entry *entry; /* NULL: there are no kernels for the height */

    template <size_t COUNT>
    void outline(const tuned_problem &on, const class_entry (&table)[COUNT]) {
        entry = of_length(table, on.p.height);
        if (entry != NULL && entry->tile > on.p.width / 2) {
            entry = NULL;
        }
    }

    unsigned threads(const tuned_problem &on) const {
        return on.with_kernels(entry->kernels, [](const auto &of) { return of.block.threads; });
    }

    weft_status prepare(const tuned_problem &on) const {
        return on.with_kernels(entry->kernels, [&](const auto &of) {
            return allow_shared_memory({(const void *)of.run[0], (const void *)of.run[1]});
        });
    }

    launch_shape shape_of(const tuned_problem &on, const launch_shape &block) const {
        return on.launch_for(on.all_tiles(entry->tile) * entry->radix, block);
    }

    /* All kernels are dependent, the first one of a transform too, and spread over the
     * multiprocessors. L2 evicts the input first, of which nothing has to be written back. */
    weft_status run(const tuned_problem &on, int way, const void *image, real_view intermediate,
                    bool prefetches, cudaStream_t stream) const {
        return on.with_images(image, [&](auto view) {
            const auto &of = entry->kernels.of(view);
            auto j = on.cols_job_of(way, view, intermediate, entry->tile);
            j.is_cached = way == 1 && j.is_cached;
            j.prefetches = prefetches;
            launch_shape shape = shape_of(on, of.block);
            return launch(of.run[way], on.as_dependent_spread(shape), stream, j);
        });
    }

    void describe(const tuned_problem &on, text *to) const {
        factor_list list = list_of_class(on.p.height, 0);
        describe_list(to, "classes", 0, &list, "power");
        text_add(to, "tiles: %u of %u columns, %u classes of each, ", on.all_tiles(entry->tile),
                 2 * entry->tile, entry->radix);
        describe_launch(to, on.with_kernels(entry->kernels, [&](const auto &of) {
            return shape_of(on, of.block);
        }));
        describe_bytes(to, pixels_moved(&on.p), on.bytes_of_intermediate());
    }
};

} // namespace

#endif
