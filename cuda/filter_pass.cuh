/* SPDX-License-Identifier: MIT
 * The middle of a filter in three passes, between columns and columns: rows there, times the
 * transfer, and back, see passes/filter.cuh. Its rows are cut as those of the row pass are, but do
 * not come in bulk.
 */
#ifndef WEFT_CUDA_FILTER_PASS_CUH
#define WEFT_CUDA_FILTER_PASS_CUH

#include "passes/filter.cuh"
#include "rows_pass.cuh"

namespace {

/* ---- the kernels of each length, as tables --------------------------------------------------- */

struct filter_entry {
    unsigned length, lines; /* slots of a block, or of the blocks of a cluster */
    void (*run)(filter_job);
    launch_shape block;
};

template <unsigned N, int TUNING> constexpr filter_entry filter_entry_for() {
    typedef rows_cut_of<N, table_cut<TUNING>, table_cut<MANY_LINES>> Cut;
    return {N, rows_shape<N, Cut>::lines, rows_filter<N, Cut>, rows_block<N, Cut>()};
}

const filter_entry many_filters[] = {
#define LENGTH(N) filter_entry_for<N, MANY_LINES>(),
#include <kernels.def>
};
const filter_entry few_filters[] = {
#define LENGTH(N) filter_entry_for<N, FEW_LINES>(),
#include <kernels.def>
};

/* ---- in a plan ------------------------------------------------------------------------------- */

struct filter_pass {
    const filter_entry *entry;

    /* After the row pass has been fitted to the device. */
    void fit(const tuned_problem &on, const rows_pass &rows) {
        entry = of_length(rows.are_few ? few_filters : many_filters, on.p.width);
    }

    weft_status prepare() const {
        return allow_shared_memory((const void *)entry->run);
    }

    weft_status run(const tuned_problem &on, real_view intermediate, const void *transfer,
                    weft_transfer kind, cudaStream_t stream) const {
        filter_job j;
        j.rows = on.rows_of_batch(0, NULL, intermediate);
        j.transfer = transfer_of(&on.p, transfer, kind);
        j.inverse_twiddles = on.row_twiddles[1];
        launch_shape shape =
            on.launch_for((on.all_slots() + entry->lines - 1) / entry->lines, entry->block);
        return launch(entry->run, on.as_dependent_in_cache(shape), stream, j);
    }
};

} // namespace

#endif
