/* SPDX-License-Identifier: MIT
 * Loads and stores tiles of columns of U8 and U16 pixels. A pixel that is loaded is a real with
 * ONES added, see pixels.h; subtracting the mean, which is done to every pixel anyway, takes ONES
 * away.
 */
#ifndef WEFT_CUDA_PASSES_PIXEL_TILES_CUH
#define WEFT_CUDA_PASSES_PIXEL_TILES_CUH

#include "line/power.cuh"
#include "pixels.h"

namespace {

/* Images of a batch, of integer pixels. */
struct pixel_view {
    static constexpr bool has_means = true;
    void *values;
    int is_u16;
    size_t pitch, stride; /* in pixels, from row to row and from image to image */
    int is_wide;          /* four neighbouring pixels are one word, everywhere */
    __device__ __forceinline__ const void *at(size_t place) const {
        return (const char *)values + bytes(place);
    }
    __device__ __forceinline__ size_t bytes(size_t count) const {
        return is_u16 ? 2 * count : count;
    }
};

inline pixel_view pixels_of(const void *memory, weft_pixel type, size_t pitch, size_t stride) {
    pixel_view p;
    p.values = (void *)memory;
    p.is_u16 = type == WEFT_PIXEL_U16;
    p.pitch = pitch;
    p.stride = stride;
    p.is_wide = (size_t)memory % (p.is_u16 ? 8 : 4) == 0 && pitch % 4 == 0 && stride % 4 == 0;
    return p;
}

/* COUNT neighbouring pixels, 2 or 4, as one word. */
template <unsigned BYTES> struct word_of;
template <> struct word_of<2> { typedef unsigned short type; };
template <> struct word_of<4> { typedef unsigned type; };
template <> struct word_of<8> { typedef unsigned long long type; };

/* Loads the pixels of the thread's columns in one row; its lines are neighbours. */
template <class Pixel, unsigned COUNT, bool IS_WIDE>
__device__ __forceinline__ void load_pixels(const Pixel *from, unsigned *pixels) {
    if constexpr (IS_WIDE) {
        typedef typename word_of<COUNT * sizeof(Pixel)>::type word;
        word all = *(const word *)from;
        WEFT_UNROLL
        for (unsigned i = 0; i < COUNT; i++) {
            pixels[i] = (Pixel)(all >> (8 * sizeof(Pixel) * i));
        }
    } else {
        WEFT_UNROLL
        for (unsigned i = 0; i < COUNT; i++) {
            pixels[i] = from[i];
        }
    }
}

template <class Pixel, unsigned COUNT, bool IS_WIDE>
__device__ __forceinline__ void store_pixels(Pixel *to, const unsigned *pixels) {
    if constexpr (IS_WIDE) {
        typedef typename word_of<COUNT * sizeof(Pixel)>::type word;
        word all = 0;
        WEFT_UNROLL
        for (unsigned i = 0; i < COUNT; i++) {
            all = (word)(all | (word)pixels[i] << (8 * sizeof(Pixel) * i));
        }
        *(word *)to = all;
    } else {
        WEFT_UNROLL
        for (unsigned i = 0; i < COUNT; i++) {
            to[i] = (Pixel)pixels[i];
        }
    }
}

template <class Line, class Pixel, bool IS_WIDE>
__device__ __forceinline__ void load_pixel_columns(cpx *x, const Pixel *from, size_t pitch) {
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned pixels[2 * Line::lines];
        load_pixels<Pixel, 2 * Line::lines, IS_WIDE>(from + input_offset<Line>(v) * pitch, pixels);
        WEFT_UNROLL
        for (unsigned l = 0; l < Line::lines; l++) {
            x[l * Line::points + v] = cpx_of(on_ones(pixels[2 * l]), on_ones(pixels[2 * l + 1]));
        }
    }
}

template <class Line, class Pixel, bool IS_WIDE>
__device__ __forceinline__ void store_pixel_columns(Pixel *to, size_t pitch, const cpx *x) {
    constexpr scalar most = (Pixel)-1;
    WEFT_UNROLL
    for (unsigned v = 0; v < Line::points; v++) {
        unsigned pixels[2 * Line::lines];
        WEFT_UNROLL
        for (unsigned l = 0; l < Line::lines; l++) {
            cpx value = x[l * Line::points + v];
            pixels[2 * l] = round_to_pixel(value.re, most);
            pixels[2 * l + 1] = round_to_pixel(value.im, most);
        }
        store_pixels<Pixel, 2 * Line::lines, IS_WIDE>(to + output_offset<Line>(v) * pitch, pixels);
    }
}

template <class Line>
__device__ __forceinline__ void load_tile(cpx *x, const pixel_view &p, size_t first, bool) {
    const unsigned char *bytes = (const unsigned char *)p.values + first;
    const unsigned short *shorts = (const unsigned short *)p.values + first;
    if (p.is_u16) {
        if (p.is_wide) {
            load_pixel_columns<Line, unsigned short, true>(x, shorts, p.pitch);
        } else {
            load_pixel_columns<Line, unsigned short, false>(x, shorts, p.pitch);
        }
    } else if (p.is_wide) {
        load_pixel_columns<Line, unsigned char, true>(x, bytes, p.pitch);
    } else {
        load_pixel_columns<Line, unsigned char, false>(x, bytes, p.pitch);
    }
}

/* Rounds to nearest, and clamps. */
template <class Line>
__device__ __forceinline__ void store_tile(const pixel_view &p, size_t first, const cpx *x,
                                           bool = true) {
    unsigned char *bytes = (unsigned char *)p.values + first;
    unsigned short *shorts = (unsigned short *)p.values + first;
    if (p.is_u16) {
        if (p.is_wide) {
            store_pixel_columns<Line, unsigned short, true>(shorts, p.pitch, x);
        } else {
            store_pixel_columns<Line, unsigned short, false>(shorts, p.pitch, x);
        }
    } else if (p.is_wide) {
        store_pixel_columns<Line, unsigned char, true>(bytes, p.pitch, x);
    } else {
        store_pixel_columns<Line, unsigned char, false>(bytes, p.pitch, x);
    }
}

} // namespace

#endif
