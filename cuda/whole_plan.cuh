/* SPDX-License-Identifier: MIT
 * The plan of whole images, see whole.cuh: of which sizes there are kernels, and how they are
 * launched.
 */
#ifndef WEFT_CUDA_WHOLE_PLAN_CUH
#define WEFT_CUDA_WHOLE_PLAN_CUH

#include "tuned_plan.cuh"
#include "whole.cuh"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* ---- the kernels of each size, as a table ---------------------------------------------------- */

template <class Image> struct whole_kernels {
    void (*run[2])(whole_job<Image>); /* forward, inverse */
    size_t shared_bytes;
};

struct whole_size {
    size_t height, width;
    unsigned parts, threads;
    int pairs; /* the rows forward begin with pairs */
    whole_kernels<mid_view> images;
    whole_kernels<pixel_view> pixels;
};

template <class Shape, class Image> constexpr whole_kernels<Image> whole_kernels_for() {
    return {{whole_forward<Shape, Image>, whole_inverse<Shape, Image>},
            whole_shared_bytes<Shape, Image>()};
}

template <unsigned H, unsigned W, unsigned PARTS> constexpr whole_size whole_for() {
    typedef whole_shape<H, W, PARTS> shape;
    return {H,
            W,
            PARTS,
            shape::threads,
            shape::forward::has_pairs,
            whole_kernels_for<shape, mid_view>(),
            whole_kernels_for<shape, pixel_view>()};
}

/* 64 KB a block at most, so that a multiprocessor holds two: chosen on an H200 on 2026-11-22, see
 * docs/performance.md. Their lines are cut as those for much work in tuning.def. */
const whole_size whole_sizes[] = {
#if defined(WEFT_CUEMU)
    whole_for<32, 32, 1>(),
#else
    whole_for<128, 128, WEFT_REAL_BITS / 32>(),
#endif
    whole_for<64, 64, PARTS_OF_64>(),
};

/* ---- a plan ----------------------------------------------------------------------------------
 */

struct whole_plan : tuned_plan {
    const whole_size *whole; /* NULL for a size that has no kernel */

    void outline_whole() {
        whole = NULL;
        for (const whole_size &of : whole_sizes) {
            if (of.height == p.height && of.width == p.width) {
                whole = &of;
            }
        }
    }

    const void *whole_kernel(int way) const {
        return has_whole_pixels() ? (const void *)whole->pixels.run[way]
                                  : (const void *)whole->images.run[way];
    }

    size_t whole_bytes() const {
        return has_whole_pixels() ? whole->pixels.shared_bytes : whole->images.shared_bytes;
    }

    weft_status ask_device_of_whole(const char *name) const {
        weft_status status = device_has_kernel(whole_kernel(0));
        if (status == WEFT_OK && whole->parts > 1) {
            status = device_has_clusters(name, whole_kernel(0));
        }
        return status == WEFT_OK ? device_has_shared_memory(name, whole_bytes()) : status;
    }

    weft_status prepare_whole() {
        weft_status status = upload(whole->pairs);
        if (status == WEFT_OK) {
            status = device_launches_dependents(whole_kernel(0), &launches_dependents);
        }
        for (int way = 0; way < 2 && status == WEFT_OK; way++) {
            status = allow_shared_memory(whole_kernel(way));
        }
        return status;
    }

    const whole_kernels<mid_view> &whole_of_images(const mid_view &) const {
        return whole->images;
    }

    const whole_kernels<pixel_view> &whole_of_images(const pixel_view &) const {
        return whole->pixels;
    }

    unsigned tile_of_whole() const {
        return (unsigned)p.width / 2 / whole->parts;
    }

    weft_status launch_whole(int way, const void *image, const void *spectrum,
                             cudaStream_t stream) const {
        return with_images(image, [&](auto view) {
            auto of = whole_of_images(view);
            whole_job<decltype(view)> j;
            j.cols = cols_job_of(way, view, {}, tile_of_whole());
            j.rows = rows_job_of(way, spectrum, {});
            /* What is read leaves L2 first: nothing of it is to be written when it does. */
            j.cols.stays_in_cache = way == 1 && j.cols.stays_in_cache;
            j.rows.stays_in_cache = way == 0 && j.rows.stays_in_cache;
            launch_shape shape = {};
            shape.blocks = (unsigned)p.batch * whole->parts;
            shape.threads = whole->threads;
            shape.cluster = whole->parts;
            shape.shared_bytes = of.shared_bytes;
            return launch(of.run[way], as_early(shape), stream, j);
        });
    }
};

} // namespace

#endif
