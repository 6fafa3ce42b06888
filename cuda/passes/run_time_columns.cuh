/* SPDX-License-Identifier: MIT
 * The column pass of any height: a block transforms a tile of neighbouring complex columns, which
 * lie side by side in its memory. What comes out is tangled still, as of columns.cuh. An odd width
 * tangles its last column with zeros.
 */
#ifndef WEFT_CUDA_PASSES_RUN_TIME_COLUMNS_CUH
#define WEFT_CUDA_PASSES_RUN_TIME_COLUMNS_CUH

#include "line/run_time.cuh"
#include "means.h"
#include "passes/intermediate.cuh"
#include "passes/run_time_tiles.cuh"
#include "pixels.h"

/* Each precision has its own: the same names, compiled twice, must not be taken for one another. */
namespace {

/* Images of a batch, of any pixels. */
struct image_view {
    void *values;
    weft_pixel type;
    size_t pitch, stride; /* in pixels, from row to row and from image to image */
    int is_paired;        /* of reals: as real_view has it */
};

struct run_time_columns_job {
    image_view image;
    real_view intermediate;
    run_time_line line;
    run_time_memory memory;
    unsigned width;     /* of the image, in reals */
    unsigned columns;   /* complex ones of a tile */
    divider tiles;      /* of an image */
    unsigned all_tiles; /* of all images */
    unsigned classes;   /* of a column, see means.h: a power of two */
    column_sum *sums;   /* [batch][width] of integer pixels */
    int is_inverse;
    scalar scale; /* of the inverse */
};

/* A thread's complex column. */
struct column_place {
    size_t image;
    unsigned column; /* the first of its two real ones */
    bool has_left, has_right;
    __device__ __forceinline__ column_place(const run_time_columns_job &j, unsigned tile) {
        image = quotient(tile, j.tiles);
        column = 2 * (remainder_of(tile, j.tiles) * j.columns + threadIdx.x % j.columns);
        has_left = column < j.width;
        has_right = column + 1 < j.width;
    }
};

/* Where a thread reads: one past the image's last column reads that one, and nothing of it is
 * stored. So no code is there for threads that have no column. It is of the same tile, for another
 * one's columns may be written in place meanwhile. */
__device__ __forceinline__ column_place place_to_read(const run_time_columns_job &j,
                                                      column_place place) {
    place.column = place.has_left ? place.column : (j.width - 1) & ~1u;
    place.has_left = true;
    place.has_right = place.column + 1 < j.width;
    return place;
}

/* An image with a type that the compiler knows. */
template <int TYPE> struct image_of_type : image_view {
    static constexpr weft_pixel type = (weft_pixel)TYPE;
};

template <class Use>
__device__ __forceinline__ void with_constant_type(const image_view &image, Use use) {
    switch (image.type) {
    case WEFT_PIXEL_U8:
        return use(image_of_type<WEFT_PIXEL_U8>{image});
    case WEFT_PIXEL_U16:
        return use(image_of_type<WEFT_PIXEL_U16>{image});
    default:
        return use(image_of_type<WEFT_PIXEL_REAL>{image});
    }
}

/* Of a place to read, without a branch. */
template <class Image>
__device__ __forceinline__ cpx load_image(const Image &image, const column_place &place,
                                          unsigned row, cpx mean) {
    size_t index = place.image * image.stride + row * image.pitch + place.column;
    const scalar right = load_pixel(image.values, image.type, index + place.has_right, mean.im);
    return cpx_of(load_pixel(image.values, image.type, index, mean.re),
                  place.has_right ? right : 0);
}

__device__ __forceinline__ void store_image(const image_view &image, const column_place &place,
                                            unsigned row, cpx value) {
    size_t index = place.image * image.stride + row * image.pitch + place.column;
    if (image.is_paired && place.has_right) {
        store_pair((scalar *)image.values + index, value);
    } else {
        if (place.has_left) {
            store_pixel(image.values, image.type, index, value.re);
        }
        if (place.has_right) {
            store_pixel(image.values, image.type, index + 1, value.im);
        }
    }
}

/* ---- the exact means of integer pixels ---------------------------------------------------------
 */

/* The sums of the tile's classes, [classes][2 columns], in shared memory. A thread has only rows of
 * one class. */
__device__ __forceinline__ void sum_classes(const run_time_columns_job &j,
                                            const column_place &place, const line_workers &workers,
                                            column_sum *sums) {
    for (unsigned i = threadIdx.x; i < j.classes * 2 * j.columns; i += blockDim.x) {
        sums[i] = 0;
    }
    __syncthreads();
    column_sum left = 0, right = 0;
    const bool has_right = place.has_right;
    with_constant_type(j.image, [&](auto image) {
#pragma unroll 8
        for (unsigned row = workers.t; row < j.line.length; row += workers.threads) {
            size_t index = place.image * image.stride + row * image.pitch + place.column;
            const unsigned beside = integer_pixel(image.values, image.type, index + has_right);
            left += integer_pixel(image.values, image.type, index);
            right += has_right ? beside : 0;
        }
    });
    column_sum *own = sums + (workers.t % j.classes * j.columns + threadIdx.x % j.columns) * 2;
    atomicAdd(own, left);
    atomicAdd(own + 1, right);
    __syncthreads();
}

/* What a block has of a class of a column whose pixels go straight to the first stage, in the place
 * of a column_sum: as the block's values lie in shared memory, these are fewer than 2^16. */
struct class_sum {
    unsigned sum, mean;
    __device__ __forceinline__ operator column_sum() const {
        return sum;
    }
};

static_assert(sizeof(class_sum) == sizeof(column_sum),
              "a plan has memory for the one or the other");

/* The sums of one complex column, out of those of its tile. */
template <class Sum> struct sums_of_column {
    const Sum *sums;
    unsigned columns, classes;
    __device__ __forceinline__ column_sum of_class(unsigned c, unsigned part) const {
        return sums[c * 2 * columns + part];
    }
    __device__ __forceinline__ column_sum of_all(unsigned part) const {
        column_sum sum = 0;
        for (unsigned c = 0; c < classes; c++) {
            sum += of_class(c, part);
        }
        return sum;
    }
    __device__ __forceinline__ scalar mean_of_class(unsigned c, unsigned part,
                                                    unsigned count) const {
        return (scalar)rounded_mean(of_class(c, part), count);
    }
    __device__ __forceinline__ scalar class_off_mean(unsigned c, unsigned part) const {
        return sum_off_mean(of_class(c, part), rounded_mean(of_all(part), classes));
    }
};

/* Makes the rows of the intermediate anew that the last stage makes of value 0 of each class. Row 0
 * is left to the row pass. */
template <int CLASSES, class Sum>
__device__ __forceinline__ void restore_rows_of(const run_time_columns_job &j,
                                                const column_place &place,
                                                sums_of_column<Sum> sums) {
    cpx z[CLASSES];
    sums.classes = CLASSES; /* as a constant, by which nothing is divided at run time */
    WEFT_UNROLL
    for (unsigned c = 0; c < CLASSES; c++) {
        z[c] = cpx_of(sums.class_off_mean(c, 0), sums.class_off_mean(c, 1));
    }
    butterfly(z, CONSTANT_INT(CLASSES));
    WEFT_UNROLL
    for (unsigned v = 1; v < CLASSES; v++) {
        store_columns_of(j.intermediate, place.image, v * (j.line.length / CLASSES), place.column,
                         place.has_left, z[v]);
    }
}

/* By one thread of each column. */
template <class Sum>
__device__ __forceinline__ void put_sums(const run_time_columns_job &j, const column_place &place,
                                         sums_of_column<Sum> sums) {
    column_sum *to = j.sums + place.image * j.width + place.column;
    if (place.has_left) {
        to[0] = sums.of_all(0);
    }
    if (place.has_right) {
        to[1] = sums.of_all(1);
    }
    switch (sums.classes) {
    case 2:
        return restore_rows_of<2>(j, place, sums);
    case 4:
        return restore_rows_of<4>(j, place, sums);
    case 8:
        return restore_rows_of<8>(j, place, sums);
    default:
        return;
    }
}

/* ---- the kernel --------------------------------------------------------------------------------
 */

/* Reals, whichever way: an inverse is a forward transform of swapped values. Columns past the
 * image's last one are zeros, and nothing of them is stored. Only an image may have rows that are
 * not aligned to pairs. Of an image's pairs there are fewer than 2^32, so that a step is one
 * operation. */
struct reals_of_column {
    scalar *values;
    unsigned pitch;
    bool is_there, has_right, is_paired, is_inverse;
    scalar scale;
    __device__ __forceinline__ reals_of_column(const run_time_columns_job &j,
                                               const column_place &place, bool inverse,
                                               bool is_image) {
        scalar *all = is_image ? (scalar *)j.image.values : j.intermediate.values;
        is_there = place.has_left;
        has_right = place.has_right;
        is_paired = !is_image || (j.image.is_paired && has_right);
        is_inverse = inverse;
        pitch = (unsigned)(is_image ? j.image.pitch : j.intermediate.pitch);
        values =
            all + place.image * (is_image ? j.image.stride : j.intermediate.stride) + place.column;
        scale = j.scale;
    }
};

struct reals_source : reals_of_column {
    __device__ __forceinline__ reals_source(const run_time_columns_job &j,
                                            const column_place &place, bool inverse)
        : reals_of_column(j, place, inverse, !inverse) {}
    template <class Use>
    __device__ __forceinline__ void each(unsigned first, unsigned apart, Use use) const {
        const scalar *from = values + (size_t)first * pitch;
        const unsigned step = apart * pitch;
        const bool swaps = is_inverse, is_whole = has_right;
        if (!is_there) {
            use([](unsigned, line_part, const cpx *) { return cpx_of(0, 0); });
        } else if (is_paired) {
            use([=](unsigned k, line_part, const cpx *) {
                cpx z = load_pair(from + (size_t)k * step);
                return swaps ? cpx_swap(z) : z;
            });
        } else {
            use([=](unsigned k, line_part, const cpx *) {
                const scalar *left = from + (size_t)k * step;
                const scalar right = left[is_whole]; /* loaded without a branch */
                return cpx_of(left[0], is_whole ? right : 0);
            });
        }
    }
};

struct reals_sink : reals_of_column {
    static constexpr bool is_places = false;
    __device__ __forceinline__ reals_sink(const run_time_columns_job &j, const column_place &place,
                                          bool inverse)
        : reals_of_column(j, place, inverse, inverse) {}
    template <class Use>
    __device__ __forceinline__ void each(unsigned first, unsigned apart, Use use) const {
        scalar *to = values + (size_t)first * pitch;
        const unsigned step = apart * pitch;
        const bool swaps = is_inverse, is_whole = has_right;
        const scalar by = scale;
        if (is_there && is_paired) {
            use([=](unsigned k, line_part, cpx z, const cpx *) {
                store_pair(to + (size_t)k * step, swaps ? cpx_scale(cpx_swap(z), by) : z);
            });
        } else if (is_there) {
            use([=](unsigned k, line_part, cpx z, const cpx *) {
                scalar *left = to + (size_t)k * step;
                left[0] = z.im * by;
                if (is_whole) {
                    left[1] = z.re * by;
                }
            });
        }
    }
};

/* The same of integer pixels, one by one. */
struct pixels_of_column {
    void *values; /* the column's first */
    unsigned pitch;
    bool is_u16, has_right;
    __device__ __forceinline__ pixels_of_column(const run_time_columns_job &j,
                                                const column_place &place) {
        is_u16 = j.image.type == WEFT_PIXEL_U16;
        has_right = place.has_right;
        pitch = (unsigned)j.image.pitch;
        values = (char *)j.image.values +
                 (place.image * j.image.stride + place.column) * (is_u16 ? 2 : 1);
    }

    /* Calls use(column) once, with the type that its pixels have. */
    template <class Use> __device__ __forceinline__ void with_type(Use use) const {
        if (is_u16) {
            use((unsigned short *)values);
        } else {
            use((unsigned char *)values);
        }
    }
};

/* Of each class of the tile's columns the sum, as sum_classes() has it, and the mean. */
__device__ __forceinline__ void find_means(const pixels_of_column &pixels, unsigned rows,
                                           unsigned classes, unsigned columns,
                                           const line_workers &workers, class_sum *sums) {
    for (unsigned i = threadIdx.x; i < classes * 2 * columns; i += blockDim.x) {
        sums[i].sum = 0;
    }
    __syncthreads(); /* all are 0 */
    unsigned left = 0, right = 0;
    pixels.with_type([&](const auto *column) {
        const bool is_whole = pixels.has_right;
        for (unsigned first = workers.t; first < rows; first += IN_FLIGHT * workers.threads) {
            WEFT_UNROLL
            for (unsigned v = 0; v < IN_FLIGHT; v++) {
                unsigned row = first + v * workers.threads;
                const auto *from = column + (size_t)row * pixels.pitch;
                left += row < rows ? from[0] : 0;
                right += row < rows && is_whole ? from[1] : 0;
            }
        }
    });
    class_sum *own = sums + ((workers.t & (classes - 1)) * columns + threadIdx.x % columns) * 2;
    atomicAdd(&own[0].sum, left);
    atomicAdd(&own[1].sum, right);
    __syncthreads(); /* the sums are complete */
    for (unsigned i = threadIdx.x; i < classes * 2 * columns; i += blockDim.x) {
        sums[i].mean = (unsigned)rounded_mean(sums[i].sum, rows / classes);
    }
    __syncthreads(); /* the means are there */
}

/* Of a forward transform pixels, less the means of their classes; of an inverse reals. All rows of
 * a butterfly of the first stage are of one class: they are a multiple of the classes apart, which
 * are the last stage's radix. */
struct pixels_source {
    reals_source reals;
    pixels_of_column pixels;
    bool is_inverse;
    sums_of_column<class_sum> sums;
    template <class Use>
    __device__ __forceinline__ void each(unsigned first, unsigned apart, Use use) const {
        if (is_inverse) {
            reals.each(first, apart, use);
            return;
        }
        const class_sum *of_class = sums.sums + (first & (sums.classes - 1)) * 2 * sums.columns;
        const scalar left = on_ones(of_class[0].mean), right = on_ones(of_class[1].mean);
        const unsigned step = apart * pixels.pitch;
        const bool is_whole = pixels.has_right;
        pixels.with_type([&](const auto *column) {
            const auto *from = column + (size_t)first * pixels.pitch;
            use([=](unsigned k, line_part, const cpx *) {
                const auto *at = from + (size_t)k * step;
                return cpx_of(on_ones(at[0]) - left, on_ones(is_whole ? at[1] : 0) - right);
            });
        });
    }
};

template <class Pixel> __device__ __forceinline__ void store_rounded(Pixel *to, scalar value) {
    *to = (Pixel)round_to_pixel(value, (Pixel)-1);
}

struct pixels_sink {
    static constexpr bool is_places = false;
    reals_sink reals;
    pixels_of_column pixels;
    bool is_inverse;
    template <class Use>
    __device__ __forceinline__ void each(unsigned first, unsigned apart, Use use) const {
        if (!is_inverse) {
            reals.each(first, apart, use);
            return;
        }
        const unsigned step = apart * pixels.pitch;
        const bool is_whole = pixels.has_right;
        const scalar by = reals.scale;
        if (!reals.is_there) {
            return;
        }
        pixels.with_type([&](auto *column) {
            auto *to = column + (size_t)first * pixels.pitch;
            use([=](unsigned k, line_part, cpx z, const cpx *) {
                store_rounded(to + (size_t)k * step, z.im * by);
                if (is_whole) {
                    store_rounded(to + (size_t)k * step + 1, z.re * by);
                }
            });
        });
    }
};

template <class Code>
__device__ __forceinline__ void
transform_pixels(const run_time_columns_job &j, const column_place &place,
                 const line_workers &workers, class_sum *all_sums, bool is_inverse) {
    const column_place from = place_to_read(j, place);
    const pixels_of_column pixels(j, from);
    const sums_of_column<class_sum> sums = {all_sums + 2 * (threadIdx.x % j.columns), j.columns,
                                            j.classes};
    if (!is_inverse) {
        find_means(pixels, j.line.length, j.classes, j.columns, workers, all_sums);
    }
    run_line<Code>(j.line, workers,
                   pixels_source{reals_source(j, from, true), pixels, is_inverse, sums},
                   pixels_sink{reals_sink(j, place, false), pixels, is_inverse});
    /* It has written the rows that it makes anew: they are the last stage's first butterfly. */
    if (!is_inverse && workers.t == 0) {
        put_sums(j, place, sums);
    }
}

template <class Code>
__device__ __forceinline__ void transform_any(const run_time_columns_job &j,
                                              const column_place &place,
                                              const line_workers &workers, column_sum *all_sums) {
    const unsigned last_class = j.classes - 1, count = j.line.length / j.classes;
    const bool has_means = !j.is_inverse && j.image.type != WEFT_PIXEL_REAL;
    const column_place from = place_to_read(j, place);
    sums_of_column<column_sum> sums = {all_sums + 2 * (threadIdx.x % j.columns), j.columns,
                                       j.classes};
    cpx mean = cpx_of(0, 0);
    if (has_means) {
        /* A thread has only rows of one class. */
        sum_classes(j, from, workers, all_sums);
        mean = cpx_of(sums.mean_of_class(workers.t & last_class, 0, count),
                      sums.mean_of_class(workers.t & last_class, 1, count));
    }
    if (j.is_inverse) {
        with_constant_pairing(j.intermediate, [&](auto intermediate) {
            fill_places(j.line, workers, [&](unsigned row) {
                return cpx_swap(load_columns_of(intermediate, from.image, row, from.column));
            });
        });
    } else {
        with_constant_type(j.image, [&](auto image) {
            fill_places(j.line, workers,
                        [&](unsigned row) { return load_image(image, from, row, mean); });
        });
    }
    __syncthreads(); /* all of the tile is there */
    run_line<Code>(j.line, workers, from_places(), to_places());
    __syncthreads(); /* the column is complete */
    take_values(j.line, workers, [&](unsigned k, const cpx *at) {
        if (j.is_inverse) {
            store_image(j.image, place, k, cpx_scale(cpx_swap(*at), j.scale));
        } else {
            store_columns_of(j.intermediate, place.image, k, place.column, place.has_left, *at);
        }
    });
    /* It has written the rows that it makes anew: they are a multiple of the threads apart. */
    if (has_means && workers.t == 0) {
        put_sums(j, place, sums);
    }
}

/* in, out image[H][W], of any pixels, and the intermediate, the tangled spectra of columns; of
 *         integer pixels also their sums. The inverse goes the other way, times scale.
 * grid    a block a tile, neighbouring threads in neighbouring columns; of long lines as many
 *         blocks as have memory, each of which takes tile after tile
 * shared  the values of a tile, if it has space for them; sums of classes; roots of large primes
 * DRAM    reads the one once, of integer pixels twice, writes the other once
 * sync    one less than stages, two more where values are staged; for the means of integer pixels
 *         two more still, or three where values are not staged; no value is written before all of
 *         the column are read */
template <int VARIANT, class Code = code_of<VARIANT>, bool HAS_PIXELS = false>
__global__ void __launch_bounds__(most_threads<Code>(), resident_blocks<Code>())
    run_time_columns(const __grid_constant__ run_time_columns_job j) {
    WEFT_SHARED(cpx, shared);
    const line_workers workers = workers_of_columns<VARIANT>(j.memory, shared, j.columns);
    column_sum *sums = sums_of_block<VARIANT>(j.memory, shared);
    keep_roots<Code>(j.line, shared + j.memory.roots);
    if constexpr (is_direct(VARIANT)) {
        const column_place place(j, blockIdx.x);
        const bool is_inverse =
            Code::direction == EITHER_WAY ? j.is_inverse : Code::direction == INVERSE_ONLY;
        if constexpr (HAS_PIXELS) {
            wait_and_let_next_start();
            transform_pixels<Code>(j, place, workers, (class_sum *)sums, is_inverse);
        } else {
            const reals_source source(j, place, is_inverse);
            const reals_sink sink(j, place, is_inverse);
            wait_and_let_next_start();
            run_line<Code>(j.line, workers, source, sink);
        }
    } else {
        wait_and_let_next_start();
        for (unsigned tile = blockIdx.x; tile < j.all_tiles; tile += gridDim.x) {
            transform_any<Code>(j, column_place(j, tile), workers, sums);
            if (VARIANT == GLOBAL_VALUES) {
                __syncthreads(); /* the memory is free for the next tile */
            }
        }
    }
}

} // namespace

#endif
