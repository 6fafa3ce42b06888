/* SPDX-License-Identifier: MIT
 * The DirectX 11 sample's second technique: one launch per axis, a group of threads for a line,
 * whose passes stay in shared local memory. Also for several neighbouring columns in one group, so
 * that what it reads and writes lies side by side. Sources and Sinks as in uav.cuh.
 */
#ifndef WEFT_CUDA_PASSES_SLM_CUH
#define WEFT_CUDA_PASSES_SLM_CUH

#include "base/launch.cuh"
#include "line/dx11_butterfly.cuh"

namespace {

enum { SLM_MOST_THREADS = 1024, SLM_MOST_LOG2_TILE = 3 };

template <class Weights, class Source, class Sink> struct slm_job {
    Weights weights;
    Source source;
    Sink sink;
    dx11_axis axis;
    dx11_extent extent;
    int log2_tile; /* lines in a group */
};

/* Pixels in shared memory, a plane for each real and imaginary part. */
template <int C> struct slm_plane {
    scalar *values;
    unsigned count;
    __device__ __forceinline__ dx11_pixel<C> load(unsigned at) const {
        dx11_pixel<C> pixel;
        WEFT_UNROLL
        for (int c = 0; c < C; c++) {
            pixel.value[c] = cpx_of(values[2 * c * count + at], values[(2 * c + 1) * count + at]);
        }
        return pixel;
    }
    __device__ __forceinline__ void store(unsigned at, dx11_pixel<C> pixel) const {
        WEFT_UNROLL
        for (int c = 0; c < C; c++) {
            values[2 * c * count + at] = pixel.value[c].re;
            values[(2 * c + 1) * count + at] = pixel.value[c].im;
        }
    }
};

/* in      source: planes of 2^log2_rows x 2^log2_columns pixels, each read once
 * out     sink, each pixel written once
 * grid    2^log2_tile lines a group, a thread per pixel up to 1024 threads
 * shared  two buffers of the group's pixels; the first pass reads it bit-reversed, with conflicts
 * DRAM    reads the source and writes the sink once; columns one by one use a part of each sector
 *         and leave the rest to L2
 * sync    one of the group before every pass */
template <class Weights, class Source, class Sink>
__global__ void __launch_bounds__(SLM_MOST_THREADS) slm_lines(slm_job<Weights, Source, Sink> j) {
    constexpr int C = Source::components;
    WEFT_SHARED(scalar, shared);
    int log2_lines = j.axis.along_y ? j.extent.log2_columns : j.extent.log2_rows;
    unsigned groups = 1u << (log2_lines - j.log2_tile), tile = 1u << j.log2_tile;
    unsigned first_line = (blockIdx.x & (groups - 1)) << j.log2_tile;
    size_t plane = blockIdx.x >> (log2_lines - j.log2_tile);
    unsigned pixels = 1u << (j.axis.log2 + j.log2_tile);
    slm_plane<C> from = {shared, pixels}, to = {shared + 2 * C * pixels, pixels};
    bool along_y = j.axis.along_y != 0;

    for (unsigned e = threadIdx.x; e < pixels; e += blockDim.x) {
        unsigned i = e >> j.log2_tile, line = first_line + (e & (tile - 1));
        from.store(e, along_y ? j.source.load(plane, i, line) : j.source.load(plane, line, i));
    }
    int last = dx11_passes(j.axis.log2) - 1;
    for (int pass = 0; pass <= last; pass++) {
        __syncthreads(); /* what the others have written is read; what they read is overwritten */
        for (unsigned e = threadIdx.x; e < pixels; e += blockDim.x) {
            unsigned i = e >> j.log2_tile, within = e & (tile - 1), line = first_line + within;
            auto output = [&](unsigned at) {
                return dx11_output<C>(j.weights, j.axis, pass, at, [&](unsigned input) {
                    return from.load((input << j.log2_tile) + within);
                });
            };
            if (pass < last) {
                to.store(e, output(i));
            } else if (along_y) {
                j.sink.store(plane, i, line, i, output);
            } else {
                j.sink.store(plane, line, i, i, output);
            }
        }
        slm_plane<C> other = from;
        from = to;
        to = other;
    }
}

template <int C> size_t slm_shared_bytes(int log2_length, int log2_tile) {
    return (4 * C * sizeof(scalar)) << (log2_length + log2_tile);
}

/* One axis, from source to sink. */
template <class Weights, class Source, class Sink>
weft_status slm_axis(const launcher &launches, Weights weights, dx11_axis axis, dx11_extent extent,
                     int log2_tile, Source source, Sink sink) {
    int log2_lines = axis.along_y ? extent.log2_columns : extent.log2_rows;
    log2_tile = log2_tile < log2_lines ? log2_tile : log2_lines;
    unsigned pixels = 1u << (axis.log2 + log2_tile);
    slm_job<Weights, Source, Sink> job = {weights, source, sink, axis, extent, log2_tile};
    launch_shape shape = {};
    shape.blocks = (unsigned)(extent.planes << (log2_lines - log2_tile));
    shape.threads = pixels < SLM_MOST_THREADS ? pixels : (unsigned)SLM_MOST_THREADS;
    shape.shared_bytes = slm_shared_bytes<Source::components>(axis.log2, log2_tile);
    return launches(slm_lines<Weights, Source, Sink>, shape, job);
}

} // namespace

#endif
