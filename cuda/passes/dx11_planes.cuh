/* SPDX-License-Identifier: MIT
 * What the DirectX 11 sample's techniques read and write as strategies: a Source gives the pixel at
 * (plane, y, x), a Sink takes the one there from output(i), i = y or x along the axis at hand, and
 * may ask for others of the same line: that is where two lines tangled into one come apart and
 * together again. A pixel has one value. Forward, real=zero makes planes of the image, and of them
 * the whole spectrum; real=tangle makes untangled, folded planes of pairs of rows, and of them the
 * columns of the spectrum.
 */
#ifndef WEFT_CUDA_PASSES_DX11_PLANES_CUH
#define WEFT_CUDA_PASSES_DX11_PLANES_CUH

#include "line/dx11_butterfly.cuh"
#include "spectra.h"

namespace {

__device__ __forceinline__ dx11_pixel<1> pixel_of(scalar re, scalar im) {
    dx11_pixel<1> pixel = {{cpx_of(re, im)}};
    return pixel;
}

/* Real and imaginary planes apart, as the sample's textures. */
struct dx11_planes {
    static constexpr int components = 1;
    scalar *re, *im;
    size_t plane_values;
    unsigned pitch;

    __device__ __forceinline__ size_t at(size_t plane, unsigned y, unsigned x) const {
        return plane * plane_values + (size_t)y * pitch + x;
    }
    __device__ __forceinline__ dx11_pixel<1> load(size_t plane, unsigned y, unsigned x) const {
        return pixel_of(re[at(plane, y, x)], im[at(plane, y, x)]);
    }
    __device__ __forceinline__ void put(size_t plane, unsigned y, unsigned x, cpx value) const {
        re[at(plane, y, x)] = value.re;
        im[at(plane, y, x)] = value.im;
    }
    template <class Output>
    __device__ __forceinline__ void store(size_t plane, unsigned y, unsigned x, unsigned i,
                                          Output output) const {
        put(plane, y, x, output(i).value[0]);
    }
};

/* ---- images -------------------------------------------------------------------------------- */

/* Rows of reals; there is no imaginary part to read, and none is written. */
struct dx11_image {
    static constexpr int components = 1;
    scalar *values;
    size_t pitch, stride;
    scalar scale; /* of what is written */

    __device__ __forceinline__ scalar *at(size_t plane, size_t y, unsigned x) const {
        return values + plane * stride + y * pitch + x;
    }
    __device__ __forceinline__ dx11_pixel<1> load(size_t plane, unsigned y, unsigned x) const {
        return pixel_of(*at(plane, y, x), 0);
    }
    template <class Output>
    __device__ __forceinline__ void store(size_t plane, unsigned y, unsigned x, unsigned i,
                                          Output output) const {
        *at(plane, y, x) = output(i).value[0].re * scale;
    }
};

/* The same rows in pairs: y counts pairs, and the lower row is the imaginary part. */
struct dx11_row_pairs {
    static constexpr int components = 1;
    dx11_image image;
    size_t height;

    __device__ __forceinline__ dx11_pixel<1> load(size_t plane, unsigned y, unsigned x) const {
        size_t upper = 2 * (size_t)y;
        return pixel_of(*image.at(plane, upper, x),
                        upper + 1 < height ? *image.at(plane, upper + 1, x) : 0);
    }
    template <class Output>
    __device__ __forceinline__ void store(size_t plane, unsigned y, unsigned x, unsigned i,
                                          Output output) const {
        size_t upper = 2 * (size_t)y;
        cpx value = cpx_scale(output(i).value[0], image.scale);
        *image.at(plane, upper, x) = value.re;
        if (upper + 1 < height) {
            *image.at(plane, upper + 1, x) = value.im;
        }
    }
};

/* ---- rows, tangled and apart --------------------------------------------------------------- */

/* Along x, from the spectrum of row pair y to the folded half spectra of its two rows, times 2. */
struct dx11_untangled {
    dx11_planes planes;
    size_t height, width;

    __device__ __forceinline__ void put(size_t plane, unsigned pair, unsigned slot, cpx upper,
                                        cpx lower) const {
        planes.put(plane, 2 * pair, slot, upper);
        if (2 * (size_t)pair + 1 < height) {
            planes.put(plane, 2 * pair + 1, slot, lower);
        }
    }
    template <class Output>
    __device__ __forceinline__ void store(size_t plane, unsigned y, unsigned x, unsigned i,
                                          Output output) const {
        cpx upper, lower;
        if (x >= folded_lines(width)) {
            return;
        }
        cpx z = output(i).value[0];
        cpx mirrored = x == 0 ? z : output((unsigned)mirror(i, width)).value[0];
        untangle(z, mirrored, &upper, &lower);
        if (x == 0) {
            cpx upper_middle = cpx_of(0, 0), lower_middle = cpx_of(0, 0);
            if (width % 2 == 0) {
                cpx middle = output((unsigned)(width / 2)).value[0];
                untangle(middle, middle, &upper_middle, &lower_middle);
            }
            upper = fold(upper, upper_middle);
            lower = fold(lower, lower_middle);
        }
        put(plane, y, x, upper, lower);
    }
};

/* Along y, from the folded half spectra of rows y and y + 1, y even, to the spectrum of the pair.
 */
struct dx11_tangled {
    dx11_planes planes;
    size_t height, width;

    __device__ __forceinline__ void put(size_t plane, unsigned pair, unsigned n, cpx upper,
                                        cpx lower) const {
        planes.put(plane, pair, n, tangle(unfold(upper, n, width), unfold(lower, n, width)));
    }
    template <class Output>
    __device__ __forceinline__ void store(size_t plane, unsigned y, unsigned x, unsigned i,
                                          Output output) const {
        if (y % 2 != 0) {
            return;
        }
        cpx upper = output(i).value[0];
        cpx lower = y + 1 < height ? output(i + 1).value[0] : cpx_of(0, 0);
        put(plane, y / 2, x, upper, lower);
        if (x > 0) {
            put(plane, y / 2, (unsigned)mirror(x, width), upper, lower);
        } else if (width % 2 == 0) {
            put(plane, y / 2, (unsigned)(width / 2), upper, lower);
        }
    }
};

/* ---- spectra ------------------------------------------------------------------------------- */

struct dx11_spectra {
    spectrum_view first;
    size_t reals; /* from one to the next */
    scalar scale; /* of what is written */

    __device__ __forceinline__ spectrum_view of(size_t plane) const {
        spectrum_view s = first;
        s.values += plane * reals;
        return s;
    }
};

/* Every value of X; only those that a layout keeps are written. */
struct dx11_whole_spectrum {
    static constexpr int components = 1;
    dx11_spectra spectra;

    __device__ __forceinline__ dx11_pixel<1> load(size_t plane, unsigned y, unsigned x) const {
        dx11_pixel<1> pixel = {{get_any(spectra.of(plane), y, x)}};
        return pixel;
    }
    template <class Output>
    __device__ __forceinline__ void store(size_t plane, unsigned y, unsigned x, unsigned i,
                                          Output output) const {
        spectrum_view s = spectra.of(plane);
        size_t partner = mirror(x, s.width);
        if (x < partner) {
            put_paired(s, y, x, cpx_scale(output(i).value[0], spectra.scale));
        } else if (x == partner && y <= mirror(y, s.height)) {
            put_self_paired(s, y, x, cpx_scale(output(i).value[0], spectra.scale));
        }
    }
};

/* Folded columns: x counts slots, along y. */
struct dx11_folded_spectrum {
    static constexpr int components = 1;
    dx11_spectra spectra;

    __device__ __forceinline__ dx11_pixel<1> load(size_t plane, unsigned y, unsigned x) const {
        spectrum_view s = spectra.of(plane);
        dx11_pixel<1> pixel = {{x > 0 ? get_paired(s, y, x) : get_folded(s, y)}};
        return pixel;
    }
    template <class Output>
    __device__ __forceinline__ void store(size_t plane, unsigned y, unsigned x, unsigned i,
                                          Output output) const {
        spectrum_view s = spectra.of(plane);
        size_t partner = mirror(y, s.height);
        scalar scale = untangled_scale(spectra.scale);
        if (x > 0) {
            put_paired(s, y, x, cpx_scale(output(i).value[0], scale));
        } else if (y <= partner) {
            put_folded(s, y, output(i).value[0], output((unsigned)partner).value[0], scale);
        }
    }
};

} // namespace

#endif
