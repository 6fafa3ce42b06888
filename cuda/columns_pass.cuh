/* SPDX-License-Identifier: MIT
 * The column pass of a plan: the first one of a forward transform, the last one of an inverse. Its
 * kernels are those of passes/columns.cuh, for many columns or for few.
 */
#ifndef WEFT_CUDA_COLUMNS_PASS_CUH
#define WEFT_CUDA_COLUMNS_PASS_CUH

#include "tuned_problem.cuh"

namespace {

/* ---- the kernels of each length, as tables --------------------------------------------------- */

/* Forward and inverse, of one of the two kinds. */
template <class Image> struct cols_kernels {
    void (*run[2])(cols_job<Image>);
    void (*run_tma[2])(tma_job<Image>);
    launch_shape block; /* without buffers of TMA tiles */

    const void *kernel(int way) const {
        return run[way] != NULL ? (const void *)run[way] : (const void *)run_tma[way];
    }
};

struct cols_entry {
    unsigned length;
    unsigned many;           /* from so many complex columns of all images on they are many */
    unsigned tile;           /* complex columns of a block, or of the blocks of a cluster */
    tma_tile_shape tma_tile; /* of a tile of columns */
    size_t bytes_of_buffers;
    by_pixel<cols_kernels> kernels;
};

template <unsigned N, class Cut, class Image> constexpr cols_kernels<Image> cols_kernels_for() {
    cols_kernels<Image> k = {};
    if constexpr (cols_shape<N, Cut>::forward::uses_tma) {
        k.run_tma[0] = cols_kernel<N, Cut, Image, false>;
        k.run_tma[1] = cols_kernel<N, Cut, Image, true>;
    } else {
        k.run[0] = cols_kernel<N, Cut, Image, false>;
        k.run[1] = cols_kernel<N, Cut, Image, true>;
    }
    k.block = cols_block<N, Cut, Image>();
    return k;
}

template <unsigned N, int TUNING> constexpr cols_entry cols_entry_for() {
    typedef cols_cut_of<N, table_cut<TUNING>, table_cut<MANY_LINES>> Cut;
    typedef cols_shape<N, Cut> shape;
    static_assert(TUNING != FEW_LINES || shape::forward::columns <= LEAST_LENGTH / 2,
                  "a tile of the narrowest image");
    return {N,
            tuning_of(N).many.columns,
            shape::forward::columns,
            shape::tma_tile,
            shape::bytes_of_buffers,
            {cols_kernels_for<N, Cut, real_view>(), cols_kernels_for<N, Cut, pixel_view>()}};
}

const cols_entry many_cols[] = {
#define LENGTH(N) cols_entry_for<N, MANY_LINES>(),
#include <kernels.def>
};
const cols_entry few_cols[] = {
#define LENGTH(N) cols_entry_for<N, FEW_LINES>(),
#include <kernels.def>
};

/* ---- in a plan ------------------------------------------------------------------------------- */

struct columns_pass {
    const cols_entry *entry; /* NULL: there are no kernels for the height */

    void outline(const tuned_problem &on) {
        size_t columns = on.p.width / 2;
        entry = of_length(many_cols, on.p.height);
        /* A narrow image has no wide tiles. */
        if (entry != NULL && (on.p.batch * columns < entry->many || entry->tile > columns)) {
            entry = of_length(few_cols, on.p.height);
        }
    }

    weft_status ask_device(const char *name, const tuned_problem &on) const {
        return on.with_kernels(entry->kernels, [&](const auto &of) {
            if (of.block.cluster > 1) {
                TRY(device_has_clusters(name, of.kernel(0)));
            }
            return device_has_shared_memory(name, of.block.shared_bytes);
        });
    }

    weft_status prepare(const tuned_problem &on) const {
        return on.with_kernels(entry->kernels, [&](const auto &of) {
            return allow_shared_memory({of.kernel(0), of.kernel(1)});
        });
    }

    /* What a block has when tiles come in TMA tiles, with their buffers; 0 where they cannot. */
    template <class Image>
    size_t bytes_with_tma(const tuned_problem &on, const cols_kernels<Image> &of) const {
        size_t bytes = of.block.shared_bytes + entry->bytes_of_buffers;
        return of.run_tma[0] != NULL && on.launches_dependents && bytes <= on.shared_most ? bytes
                                                                                          : 0;
    }

    weft_status run(const tuned_problem &on, int way, const void *image, real_view intermediate,
                    cudaStream_t stream) const {
        return on.with_images(image, [&](auto view) {
            const auto &of = entry->kernels.of(view);
            auto j = on.cols_job_of(way, view, intermediate, entry->tile);
            j.resident_tiles = of.block.resident * (unsigned)on.processors;
            launch_shape shape = on.launch_for(j.all_tiles, of.block);
            /* Dependent blocks do not run beside their neighbours, which have the rest of the cache
             * lines of narrow pieces. */
            if (2 * entry->tile * sizeof(scalar) >= 64) {
                shape = on.as_dependent_in_cache(shape);
            }
            if (of.run[way] != NULL) {
                return launch(of.run[way], shape, stream, j);
            }
            auto with_map = way == 0 ? on.with_tensor_map(j, view, entry->tma_tile)
                                     : on.with_tensor_map(j, intermediate, entry->tma_tile);
            size_t bytes = bytes_with_tma(on, of);
            with_map.has_tensor_map = with_map.has_tensor_map && bytes > 0;
            shape.shared_bytes = with_map.has_tensor_map ? bytes : shape.shared_bytes;
            return launch(of.run_tma[way], shape, stream, with_map);
        });
    }

    void describe(const tuned_problem &on, text *to) const {
        unsigned tiles = on.all_tiles(entry->tile);
        describe_line(to, "columns", on.p.height, AXIS_COLUMN, "power");
        text_add(to, "tiles: %u of %u columns, ", tiles, 2 * entry->tile);
        on.with_kernels(entry->kernels, [&](const auto &of) {
            launch_shape shape = on.launch_for(tiles, of.block);
            size_t bytes = has_integer_pixels(&on.p) ? 0 : bytes_with_tma(on, of);
            shape.shared_bytes = bytes > 0 ? bytes : shape.shared_bytes;
            describe_launch(to, shape);
            text_add(to, "%s", bytes > 0 ? ", by TMA" : "");
        });
        describe_bytes(to, pixels_moved(&on.p), on.bytes_of_intermediate());
    }
};

} // namespace

#endif
