/* SPDX-License-Identifier: MIT
 * The DirectX 11 sample's first technique: one launch per butterfly pass, 16x16 threads a group,
 * every pass from global memory to global memory. Where a pass reads and writes is a Source and a
 * Sink: see dx11_planes.cuh for those of the strategies.
 */
#ifndef WEFT_CUDA_PASSES_UAV_CUH
#define WEFT_CUDA_PASSES_UAV_CUH

#include "base/launch.cuh"
#include "line/dx11_butterfly.cuh"

namespace {

enum { UAV_LOG2_SIDE = 4, UAV_THREADS = 1 << 2 * UAV_LOG2_SIDE };

template <class Weights, class Source, class Sink> struct uav_job {
    Weights weights;
    Source source;
    Sink sink;
    dx11_axis axis;
    dx11_extent extent; /* of what the pass covers */
    int pass;
};

static WEFT_HD unsigned uav_log2_groups(int log2) {
    return log2 > UAV_LOG2_SIDE ? (unsigned)(log2 - UAV_LOG2_SIDE) : 0;
}

/* in      source: planes of 2^log2_rows x 2^log2_columns pixels, two read per output
 * out     sink, a pixel per thread; of an axis' last pass, a sink that keeps half of the outputs
 *         asks for no others (dx11_whole_spectrum), and one that wants two for a pixel has them
 *         computed in this thread as well (dx11_untangled, dx11_tangled, column 0 of
 *         dx11_folded_spectrum)
 * grid    16x16 threads a group, groups cover each plane; threads beyond its edge idle
 * shared  none
 * DRAM    reads two pixels per output and writes what the sink keeps, as far as L2 does not hold it
 * sync    none */
template <class Weights, class Source, class Sink>
__global__ void __launch_bounds__(UAV_THREADS) uav_pass(uav_job<Weights, Source, Sink> j) {
    unsigned groups_x = uav_log2_groups(j.extent.log2_columns);
    unsigned groups_y = uav_log2_groups(j.extent.log2_rows);
    unsigned group_x = blockIdx.x & ((1u << groups_x) - 1);
    unsigned group_y = blockIdx.x >> groups_x & ((1u << groups_y) - 1);
    size_t plane = blockIdx.x >> (groups_x + groups_y);
    unsigned x = (group_x << UAV_LOG2_SIDE) + (threadIdx.x & ((1u << UAV_LOG2_SIDE) - 1));
    unsigned y = (group_y << UAV_LOG2_SIDE) + (threadIdx.x >> UAV_LOG2_SIDE);
    if (x >> j.extent.log2_columns != 0 || y >> j.extent.log2_rows != 0) {
        return;
    }
    bool along_y = j.axis.along_y != 0;
    j.sink.store(plane, y, x, along_y ? y : x, [&](unsigned i) {
        return dx11_output<Source::components>(j.weights, j.axis, j.pass, i, [&](unsigned from) {
            return along_y ? j.source.load(plane, from, x) : j.source.load(plane, y, from);
        });
    });
}

template <class Weights, class Source, class Sink>
weft_status uav_one_pass(const launcher &launches, Weights weights, dx11_axis axis,
                         dx11_extent extent, int pass, Source source, Sink sink) {
    uav_job<Weights, Source, Sink> job = {weights, source, sink, axis, extent, pass};
    launch_shape shape = {};
    shape.blocks = (unsigned)(extent.planes << (uav_log2_groups(extent.log2_columns) +
                                                uav_log2_groups(extent.log2_rows)));
    shape.threads = UAV_THREADS;
    return launches(uav_pass<Weights, Source, Sink>, shape, job);
}

/* All passes of one axis: the first writes buffers[first], the others in turn the other one, the
 * last the sink. */
template <class Weights, class Buffer, class Source, class Sink>
weft_status uav_axis(const launcher &launches, Weights weights, dx11_axis axis, dx11_extent extent,
                     const Buffer *buffers, int first, Source source, Sink sink) {
    int last = dx11_passes(axis.log2) - 1;
    if (last == 0) {
        return uav_one_pass(launches, weights, axis, extent, 0, source, sink);
    }
    TRY(uav_one_pass(launches, weights, axis, extent, 0, source, buffers[first]));
    for (int pass = 1; pass < last; pass++) {
        TRY(uav_one_pass(launches, weights, axis, extent, pass, buffers[(first + pass - 1) & 1],
                         buffers[(first + pass) & 1]));
    }
    return uav_one_pass(launches, weights, axis, extent, last, buffers[(first + last - 1) & 1],
                        sink);
}

} // namespace

#endif
