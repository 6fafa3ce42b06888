/* SPDX-License-Identifier: MIT
 * What the DirectX 11 sample reads and writes: pictures and textures as Sources and Sinks of
 * uav.cuh and slm.cuh, three values a pixel. A Tally sees the bytes of every access: nothing in the
 * kernels that are timed, a sum in those that count.
 */
#ifndef WEFT_TOOL_REPRODUCE_DX11_TEXTURES_CUH
#define WEFT_TOOL_REPRODUCE_DX11_TEXTURES_CUH

#include "line/dx11_butterfly.cuh"

namespace {

typedef dx11_pixel<3> colour;

/* Most bytes that a layout keeps of a pixel. */
enum { DX11_MOST_PIXEL_BYTES = 32 };

struct no_tally {
    __device__ __forceinline__ void read(unsigned) const {}
    __device__ __forceinline__ void write(unsigned) const {}
};

struct byte_tally {
    unsigned long long *sums; /* read, written */
    __device__ __forceinline__ void read(unsigned bytes) const {
        atomicAdd(&sums[0], (unsigned long long)bytes);
    }
    __device__ __forceinline__ void write(unsigned bytes) const {
        atomicAdd(&sums[1], (unsigned long long)bytes);
    }
};

/* Weights out of the table, each texel of which is counted. */
struct tallied_table {
    table_weights table;
    byte_tally tally;
    __device__ __forceinline__ dx11_butterfly at(dx11_axis a, int pass, unsigned i) const {
        tally.read(sizeof(dx11_texel));
        return table.at(a, pass, i);
    }
};

static WEFT_HD colour real_colour(float red, float green, float blue) {
    colour c = {{cpx_of(red, 0), cpx_of(green, 0), cpx_of(blue, 0)}};
    return c;
}

/* ---- complex textures: bytes a pixel, get and put at an index ------------------------------- */

struct planes4_texture {
    static constexpr unsigned bytes = 32;
    float4 *re, *im;
    static WEFT_HD planes4_texture at(void *memory, size_t pixels) {
        return {(float4 *)memory, (float4 *)memory + pixels};
    }
    WEFT_HD colour get(size_t i) const {
        float4 a = re[i], b = im[i];
        colour c = {{cpx_of(a.x, b.x), cpx_of(a.y, b.y), cpx_of(a.z, b.z)}};
        return c;
    }
    __device__ __forceinline__ void put(size_t i, colour c) const {
        re[i] = make_float4(c.value[0].re, c.value[1].re, c.value[2].re, 0);
        im[i] = make_float4(c.value[0].im, c.value[1].im, c.value[2].im, 0);
    }
};

struct fig14_texture {
    static constexpr unsigned bytes = 24;
    float4 *a; /* R.re, G.re, B.re, R.im */
    float2 *b; /* G.im, B.im */
    static WEFT_HD fig14_texture at(void *memory, size_t pixels) {
        return {(float4 *)memory, (float2 *)((float4 *)memory + pixels)};
    }
    WEFT_HD colour get(size_t i) const {
        float4 first = a[i];
        float2 second = b[i];
        colour c = {
            {cpx_of(first.x, first.w), cpx_of(first.y, second.x), cpx_of(first.z, second.y)}};
        return c;
    }
    __device__ __forceinline__ void put(size_t i, colour c) const {
        a[i] = make_float4(c.value[0].re, c.value[1].re, c.value[2].re, c.value[0].im);
        b[i] = make_float2(c.value[1].im, c.value[2].im);
    }
};

struct planes3_texture {
    static constexpr unsigned bytes = 24;
    float *values; /* R.re, R.im, G.re ... */
    size_t pixels;
    static WEFT_HD planes3_texture at(void *memory, size_t pixels) {
        return {(float *)memory, pixels};
    }
    WEFT_HD colour get(size_t i) const {
        colour c;
        WEFT_UNROLL
        for (size_t k = 0; k < 3; k++) {
            c.value[k] = cpx_of(values[2 * k * pixels + i], values[(2 * k + 1) * pixels + i]);
        }
        return c;
    }
    __device__ __forceinline__ void put(size_t i, colour c) const {
        WEFT_UNROLL
        for (size_t k = 0; k < 3; k++) {
            values[2 * k * pixels + i] = c.value[k].re;
            values[(2 * k + 1) * pixels + i] = c.value[k].im;
        }
    }
};

/* ---- pictures: real colours, alpha opaque --------------------------------------------------- */

struct rgba8_picture {
    static constexpr unsigned bytes = 4;
    uchar4 *pixels;
    static __device__ __forceinline__ unsigned char byte_of(float value) {
        return (unsigned char)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f);
    }
    WEFT_HD colour get(size_t i) const {
        uchar4 p = pixels[i];
        return real_colour((float)p.x / 255, (float)p.y / 255, (float)p.z / 255);
    }
    __device__ __forceinline__ void put(size_t i, colour c) const {
        pixels[i] = make_uchar4(byte_of(c.value[0].re), byte_of(c.value[1].re),
                                byte_of(c.value[2].re), 255);
    }
};

struct float_picture {
    static constexpr unsigned bytes = 16;
    float4 *pixels;
    WEFT_HD colour get(size_t i) const {
        float4 p = pixels[i];
        return real_colour(p.x, p.y, p.z);
    }
    __device__ __forceinline__ void put(size_t i, colour c) const {
        pixels[i] = make_float4(c.value[0].re, c.value[1].re, c.value[2].re, 1);
    }
};

/* ---- any of them as a Source and Sink ------------------------------------------------------- */

template <class Texture, class Tally> struct bound {
    static constexpr int components = 3;
    Texture texture;
    unsigned pitch;
    Tally tally;

    __device__ __forceinline__ colour load(size_t, unsigned y, unsigned x) const {
        tally.read(Texture::bytes);
        return texture.get((size_t)y * pitch + x);
    }
    template <class Output>
    __device__ __forceinline__ void store(size_t, unsigned y, unsigned x, unsigned i,
                                          Output output) const {
        tally.write(Texture::bytes);
        texture.put((size_t)y * pitch + x, output(i));
    }
};

/* ---- the copy of the picture to a texture --------------------------------------------------- */

template <class From, class To> struct copy_job {
    From from;
    To to;
    unsigned width, height;
};

enum { COPY_THREADS = 256 };

/* in      from[H][W]
 * out     to[H][W]
 * grid    one thread a pixel
 * shared  none
 * DRAM    reads and writes the picture once
 * sync    none */
template <class From, class To>
__global__ void __launch_bounds__(COPY_THREADS) copy_picture(copy_job<From, To> j) {
    size_t i = (size_t)blockIdx.x * COPY_THREADS + threadIdx.x;
    if (i < (size_t)j.width * j.height) {
        unsigned y = (unsigned)(i / j.width), x = (unsigned)(i % j.width);
        j.to.store(0, y, x, 0, [&](unsigned) { return j.from.load(0, y, x); });
    }
}

} // namespace

#endif
