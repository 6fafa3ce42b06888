/* SPDX-License-Identifier: MIT
 * The row pass of any width, and the middle of a filter: how many slots a block has, and which
 * kernel has them, see passes/run_time_rows.cuh.
 */
#ifndef WEFT_CUDA_RUN_TIME_ROWS_PASS_CUH
#define WEFT_CUDA_RUN_TIME_ROWS_PASS_CUH

#include "kernels/find.cuh"
#include "run_time_problem.cuh"

namespace {

struct run_time_rows_pass {
    run_time_line line[2], back; /* forward, inverse; back: of a filter */
    run_time_cut cut;
    const compiled_in *known; /* NULL: none for this image */

    /* Several short rows share a block, but not where there are too few for all multiprocessors. A
     * block with a slot 0 has work for more threads than a short row. */
    void cut_slots(const run_time_problem &on) {
        const unsigned of_line = places_of_both(line);
        const size_t slots = on.p.batch * folded_lines(on.p.height);
        size_t most = on.shared_most < ROWS_BYTES ? on.shared_most : (size_t)ROWS_BYTES;
        cut.lines = 1;
        on.share_line(&cut, line[0], slots);
        cut.lines = ROWS_THREADS / cut.threads;
        cut.lines = cut.lines < 1 ? 1 : cut.lines;
        while (cut.lines > 1 && (cut.lines * of_line * sizeof(cpx) > most ||
                                 slots / cut.lines < 2 * (size_t)on.processors)) {
            cut.lines /= 2;
        }
        const unsigned full = cut.lines * cut.threads;
        cut.block_threads = (unsigned)larger(full, LEAST_ROWS_THREADS);
        on.place_values(&cut, line, cut.lines * sizeof(column_sum), slots, known != NULL);
        if (known == NULL && !cut.is_few) { /* is_full_block() */
            cut.block_threads = full;
        }
    }

    /* ---- in a plan -------------------------------------------------------------------------- */

    /* Its lines are there. */
    weft_status prepare(const run_time_problem &on) {
        TRY(find_compiled_in(line[0], AXIS_ROW, &known));
        cut_slots(on);
        line[0].outputs = line[1].outputs = back.outputs = cut.outputs;
        for (int purpose = 0; purpose < ROWS_OF_ANY_PURPOSE; purpose++) {
            TRY(allow_shared_memory((const void *)kernel(purpose, false)));
            TRY(allow_shared_memory((const void *)kernel(purpose, true)));
        }
        return WEFT_OK;
    }

    size_t workspace() const {
        return run_time_problem::bytes_of_values(cut);
    }

    bool is_known(int purpose) const {
        return known != NULL && known->rows[purpose] != NULL;
    }

    row_kernel *kernel(int purpose, bool is_direct) const {
        const bool has = is_known(purpose);
        run_time_variant v = run_time_problem::variant_of(cut, line[0], has, is_direct);
        return (row_kernel *)(v == CONSTANT_VALUES ? known->rows[purpose]
                                                   : REAL_NAME(run_time_row_kernel)(purpose, v));
    }

    run_time_rows_job job_of(const run_time_problem &on, run_time_rows_purpose purpose,
                             const void *spectrum, real_view intermediate, void *work) const {
        const problem &p = on.p;
        run_time_rows_job j = {};
        j.spectrum = view_of(&p, (void *)spectrum, 0);
        j.spectrum_reals = spectrum_reals(&p);
        j.intermediate = intermediate;
        j.purpose = purpose;
        j.line = line[purpose == ROWS_INVERSE];
        j.memory = on.memory_of(cut, work);
        j.threads = cut.threads;
        j.lines = cut.lines;
        j.slots = divider_of((unsigned)folded_lines(p.height));
        j.all_slots = (unsigned)p.batch * j.slots.divisor;
        j.scale = untangled_scale((scalar)p.forward_scale);
        j.sums = purpose == ROWS_INVERSE ? NULL : on.sums_of(work);
        j.dc_scale = p.forward_scale;
        return j;
    }

    weft_status launch_job(const run_time_problem &on, const run_time_rows_job &j,
                           cudaStream_t stream) const {
        bool is_direct =
            j.intermediate.is_paired &&
            (j.purpose != ROWS_INVERSE || on.p.layout == WEFT_PACKED || is_known(ROWS_INVERSE));
        return launch(kernel(j.purpose, is_direct), on.shape_of(cut), stream, j);
    }

    weft_status run(const run_time_problem &on, int way, const void *spectrum,
                    real_view intermediate, void *work, cudaStream_t stream) const {
        return launch_job(
            on, job_of(on, way == 0 ? ROWS_FORWARD : ROWS_INVERSE, spectrum, intermediate, work),
            stream);
    }

    weft_status run_filter(const run_time_problem &on, real_view intermediate, const void *transfer,
                           weft_transfer kind, void *work, cudaStream_t stream) const {
        run_time_rows_job j = job_of(on, ROWS_FILTER, NULL, intermediate, work);
        j.back = back;
        j.transfer = transfer_of(&on.p, transfer, kind);
        return launch_job(on, j, stream);
    }

    void describe(const run_time_problem &on, text *to) const {
        describe_line(to, "rows", on.p.width, AXIS_ROW, "mixed");
        text_add(to, "%u row%s a block, ", cut.lines, cut.lines == 1 ? "" : "s");
        on.describe_cut(to, cut, known != NULL);
        describe_bytes(to, on.bytes_between(), spectra_moved(&on.p));
    }
};

} // namespace

#endif
