/* SPDX-License-Identifier: MIT
 * The row pass of a plan: the last one of a forward transform, the first one of an inverse. Its
 * kernels are those of passes/rows.cuh, for many slots or for few.
 */
#ifndef WEFT_CUDA_ROWS_PASS_CUH
#define WEFT_CUDA_ROWS_PASS_CUH

#include "tuned_problem.cuh"

namespace {

/* ---- the kernels of each length, as tables --------------------------------------------------- */

/* Forward and inverse. */
struct rows_entry {
    unsigned length;
    unsigned many;  /* from so many slots of all images on they are many */
    unsigned lines; /* slots of a block, or of the blocks of a cluster */
    void (*run[2])(rows_job);
    launch_shape block[2];
};

template <unsigned N, int TUNING> constexpr rows_entry rows_entry_for() {
    typedef rows_cut_of<N, bulk_cut<TUNING, 0>, bulk_cut<MANY_LINES, 0>> forward;
    typedef rows_cut_of<N, bulk_cut<TUNING, 1>, bulk_cut<MANY_LINES, 1>> inverse;
    return {N,
            tuning_of(N).many.slots,
            rows_shape<N, forward>::lines,
            {rows_kernel<N, forward, false>, rows_kernel<N, inverse, true>},
            {rows_block<N, forward>(), rows_block<N, inverse>()}};
}

const rows_entry many_rows[] = {
#define LENGTH(N) rows_entry_for<N, MANY_LINES>(),
#include <kernels.def>
};
const rows_entry few_rows[] = {
#define LENGTH(N) rows_entry_for<N, FEW_LINES>(),
#include <kernels.def>
};

/* ---- in a plan ------------------------------------------------------------------------------- */

struct rows_pass {
    const rows_entry *entry; /* NULL: there are no kernels for the width */
    bool are_few;

    void outline(const tuned_problem &on) {
        entry = of_length(many_rows, on.p.width);
        if (entry != NULL && on.p.batch * (on.p.height / 2) < entry->many) {
            cut_as_few(on);
        }
    }

    void cut_as_few(const tuned_problem &on) {
        entry = of_length(few_rows, on.p.width);
        are_few = true;
    }

    /* On a GPU with less shared memory rows do not come in bulk: they are cut as few lines are. */
    void fit(const tuned_problem &on) {
        if (shared_bytes() > on.shared_most) {
            cut_as_few(on);
        }
    }

    /* The larger of the two. */
    size_t shared_bytes() const {
        return larger(entry->block[0].shared_bytes, entry->block[1].shared_bytes);
    }

    const void *kernel(int way) const {
        return (const void *)entry->run[way];
    }

    weft_status ask_device(const char *name) const {
        TRY(device_has_kernel(kernel(0)));
        if (entry->block[0].cluster > 1) {
            TRY(device_has_clusters(name, kernel(0)));
        }
        return device_has_shared_memory(name, shared_bytes());
    }

    weft_status prepare() const {
        return allow_shared_memory({kernel(0), kernel(1)});
    }

    launch_shape shape_of(const tuned_problem &on, int way) const {
        return on.launch_for((on.all_slots() + entry->lines - 1) / entry->lines, entry->block[way]);
    }

    weft_status run(const tuned_problem &on, int way, const void *spectrum, real_view intermediate,
                    cudaStream_t stream) const {
        return launch(entry->run[way], on.as_dependent_in_cache(shape_of(on, way)), stream,
                      on.rows_of_batch(way, spectrum, intermediate));
    }

    void describe(const tuned_problem &on, text *to) const {
        describe_line(to, "rows", on.p.width, AXIS_ROW, "power");
        text_add(to, "slots: %u, ", on.all_slots());
        describe_launch(to, shape_of(on, 0));
        describe_bytes(to, on.bytes_of_intermediate(), spectra_moved(&on.p));
    }
};

} // namespace

#endif
