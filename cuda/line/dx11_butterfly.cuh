/* SPDX-License-Identifier: MIT
 * The arithmetic of the DirectX 11 sample: one thread computes one output of one butterfly pass,
 * first + weight * second, and finds indices and weight by computing them or in a table. Inputs are
 * in natural order, the first pass reads them bit-reversed; the inverse takes conjugate weights and
 * one half per pass. A pixel has C values: 1 in the strategies, 3 in the sample's colours.
 */
#ifndef WEFT_CUDA_LINE_DX11_BUTTERFLY_CUH
#define WEFT_CUDA_LINE_DX11_BUTTERFLY_CUH

#include <limits.h>

#include "arith/twiddle.h"
#include "base/kernel.cuh"
#include "line/tables.cuh"
#include "refusals.h"

/* A line of one point has one pass, which copies it. */
static WEFT_CONSTANT int dx11_passes(int log2) {
    return log2 > 0 ? log2 : 1;
}

/* Of a power of two. */
static inline int log2_of(size_t n) {
    int log2 = 0;
    while (n >> (log2 + 1) != 0) {
        log2++;
    }
    return log2;
}

/* WEFT_OK, or WEFT_UNSUPPORTED: a table has indices as reals, and a pixel is an int in a grid. */
static inline weft_status dx11_takes(const char *name, const problem *p) {
    weft_status status = powers_of_two_only(name, p);
    if (status == WEFT_OK && (p->height > (size_t)1 << 24 || p->width > (size_t)1 << 24 ||
                              p->batch > INT_MAX / p->height / p->width)) {
        return weft_fail(WEFT_UNSUPPORTED,
                         "%s: batch %zu of %zux%zu: more than %d pixels, or sides above 2^24", name,
                         p->batch, p->height, p->width, INT_MAX);
    }
    return status;
}

struct dx11_inputs {
    unsigned first, second;
};

static WEFT_HD unsigned reverse_bits(unsigned i, int log2) {
#if defined(__CUDA_ARCH__)
    return __brev(i) >> (32 - log2);
#else
    unsigned reversed = 0;
    for (int bit = 0; bit < log2; bit++) {
        reversed |= (i >> bit & 1) << (log2 - 1 - bit);
    }
    return reversed;
#endif
}

/* Which values output i of a pass is made of, in lines of 2^log2 > 1 points. */
static WEFT_HD dx11_inputs dx11_inputs_of(int log2, int pass, unsigned i) {
    unsigned half = 1u << pass;
    dx11_inputs in;
    in.first = i & ~half;
    in.second = i | half;
    if (pass == 0) {
        in.first = reverse_bits(in.first, log2);
        in.second = reverse_bits(in.second, log2);
    }
    return in;
}

namespace {

/* A texel of the sample's table: indices as reals, then the weight. */
struct __align__(4 * sizeof(scalar) < 16 ? 4 * sizeof(scalar) : 16) dx11_texel {
    scalar first, second, cosine, minus_sine;
};

/* The lines that are transformed: rows, or columns where along_y. */
struct dx11_axis {
    int log2; /* of a line's length */
    int along_y, inverse;
};

/* A plane of the pixels that a launch covers, and how many of them. */
struct dx11_extent {
    int log2_rows, log2_columns;
    size_t planes;
};

struct dx11_butterfly {
    dx11_inputs in;
    cpx weight;
};

/* Where a butterfly comes from; a type, as a #define chose it in the sample. */
struct computed_weights {
    __device__ __forceinline__ dx11_butterfly at(dx11_axis a, int pass, unsigned i) const {
        dx11_butterfly b = {{0, 0}, cpx_of(0, 0)};
        if (a.log2 > 0) {
            unsigned half = 1u << pass;
            scalar s, c, half_turns = (scalar)(i & (2 * half - 1)) * (1 / (scalar)half);
#if WEFT_REAL_BITS == 32
            sincospif(half_turns, &s, &c);
#else
            sincospi(half_turns, &s, &c);
#endif
            b.in = dx11_inputs_of(a.log2, pass, i);
            b.weight = cpx_of(c, -s);
        }
        return b;
    }
};

struct table_weights {
    const dx11_texel *table; /* [passes][length] */
    __device__ __forceinline__ dx11_butterfly at(dx11_axis a, int pass, unsigned i) const {
        dx11_texel texel = table[((size_t)pass << a.log2) + i];
        dx11_butterfly b;
        b.in.first = (unsigned)texel.first;
        b.in.second = (unsigned)texel.second;
        b.weight = cpx_of(texel.cosine, texel.minus_sine);
        return b;
    }
};

template <int C> struct dx11_pixel { cpx value[C]; };

/* load(i) is the pixel at index i along the line. */
template <int C, class Weights, class Load>
__device__ __forceinline__ dx11_pixel<C> dx11_output(const Weights &weights, dx11_axis a, int pass,
                                                     unsigned i, Load load) {
    dx11_butterfly b = weights.at(a, pass, i);
    cpx weight = a.inverse ? cpx_conj(b.weight) : b.weight;
    scalar factor = a.inverse && a.log2 > 0 ? (scalar)0.5 : 1;
    dx11_pixel<C> first = load(b.in.first), second = load(b.in.second);
    WEFT_UNROLL
    for (int c = 0; c < C; c++) {
        first.value[c] =
            cpx_scale(cpx_add(first.value[c], cpx_mul(weight, second.value[c])), factor);
    }
    return first;
}

/* ---- the table ---------------------------------------------------------------------------- */

inline void dx11_fill_table(int log2, dx11_texel *table) {
    for (int pass = 0; pass < dx11_passes(log2); pass++) {
        for (unsigned i = 0; i < 1u << log2; i++) {
            dx11_texel texel = {0, 0, 0, 0};
            if (log2 > 0) {
                unsigned section = 2u << pass;
                dx11_inputs in = dx11_inputs_of(log2, pass, i);
                cpx weight = unit_root(i & (section - 1), section);
                texel = {(scalar)in.first, (scalar)in.second, weight.re, weight.im};
            }
            table[((size_t)pass << log2) + i] = texel;
        }
    }
}

inline weft_status upload_dx11_table(int device, int log2, const dx11_texel **table) {
    size_t bytes = ((size_t)dx11_passes(log2) << log2) * sizeof(dx11_texel);
    return upload(device, bytes, (void **)table,
                  [&](void *host) { dx11_fill_table(log2, (dx11_texel *)host); });
}

} // namespace

#endif
