/* SPDX-License-Identifier: MIT
 * cuda.uav: the DirectX 11 sample's first technique, a launch per butterfly pass and axis; any
 * power of two.
 */
#include "passes/uav.cuh"

#include "dx11_plan.cuh"

namespace {

struct uav_technique {
    const dx11_plan &plan;
    launcher launches;

    template <class Source, class Sink>
    weft_status operator()(dx11_axis axis, dx11_extent extent, const dx11_planes *buffers,
                           int is_second, Source source, Sink sink) const {
        /* The second axis reads buffer 0. The last pass of the first one writes it, or may. */
        int first = is_second ? 1 : (dx11_passes(axis.log2) - 1) & 1;
        return plan.has_tables() ? uav_axis(launches, plan.table_for(axis), axis, extent, buffers,
                                            first, source, sink)
                                 : uav_axis(launches, computed_weights{}, axis, extent, buffers,
                                            first, source, sink);
    }
};

struct uav_plan : dx11_strategy<uav_plan> {
    static constexpr const char *name = "cuda.uav";
    static constexpr bool passes_in_memory = true;

    weft_status ask_device() const {
        return device_has_kernel(
            (const void *)uav_pass<computed_weights, dx11_planes, dx11_planes>);
    }

    size_t workspace() const {
        return 2 * buffer_bytes();
    }

    uav_technique technique_on(launcher launches) const {
        return {*this, launches};
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_uav);
const strategy REAL_NAME(cuda_uav) = gpu_strategy_of<uav_plan>(
    "the DirectX 11 sample's UAV technique: a launch per butterfly pass; powers of two",
    DX11_OPTIONS);
