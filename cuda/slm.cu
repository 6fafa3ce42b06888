/* SPDX-License-Identifier: MIT
 * cuda.slm: the DirectX 11 sample's second technique, a launch per axis with the passes in shared
 * memory; powers of two, as long as a line fits there.
 */
#include "passes/slm.cuh"

#include "dx11_plan.cuh"

namespace {

enum { SLM_CHOICE_COLUMNS = DX11_CHOICES };

struct slm_technique {
    const dx11_plan &plan;
    launcher launches;
    int log2_tile; /* of columns */

    template <class Source, class Sink>
    weft_status operator()(dx11_axis axis, dx11_extent extent, const dx11_planes *, int,
                           Source source, Sink sink) const {
        int lines = axis.along_y ? log2_tile : 0;
        return plan.has_tables()
                   ? slm_axis(launches, plan.table_for(axis), axis, extent, lines, source, sink)
                   : slm_axis(launches, computed_weights{}, axis, extent, lines, source, sink);
    }
};

struct slm_plan : dx11_strategy<slm_plan> {
    int log2_tile;

    static constexpr const char *name = "cuda.slm";
    static constexpr bool passes_in_memory = false;

    weft_status ask_device() const {
        TRY(device_has_kernel(
            (const void *)slm_lines<computed_weights, dx11_planes, dx11_row_pairs>));
        int longest = log2_height > log2_width ? log2_height : log2_width;
        return device_has_shared_memory(name, slm_shared_bytes<1>(longest, 0));
    }

    /* As many columns side by side as shared memory holds. */
    weft_status prepare() {
        if (p.choice[SLM_CHOICE_COLUMNS] == 1) {
            size_t most = 0;
            TRY(device_shared_memory(&most));
            while (log2_tile < SLM_MOST_LOG2_TILE &&
                   slm_shared_bytes<1>(log2_height, log2_tile + 1) <= most) {
                log2_tile++;
            }
        }
        return dx11_strategy::prepare();
    }

    size_t workspace() const {
        return buffer_bytes();
    }

    slm_technique technique_on(launcher launches) const {
        return {*this, launches, log2_tile};
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_slm);
const strategy REAL_NAME(cuda_slm) = gpu_strategy_of<slm_plan>(
    "the DirectX 11 sample's SLM technique: a launch per axis, a group per line; powers of two",
    DX11_OPTIONS " columns=naive|tile");
