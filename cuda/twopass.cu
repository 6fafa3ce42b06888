/* SPDX-License-Identifier: MIT
 * cuda.twopass: columns, then rows, each of which reads and writes the image once; three passes for
 * a filter. The intermediate is packed into the result's own memory where it can be. Where there
 * are kernels for it, and the result is not in the memory of the input, the transform is split, or
 * its passes are producer and consumer. Sizes without kernels of their own go by radices at run
 * time.
 */
#include "columns_pass.cuh"
#include "filter_pass.cuh"
#include "gpu_strategy.cuh"
#include "producer_consumer_pass.cuh"
#include "rows_pass.cuh"
#include "run_time_passes.cuh"
#include "split_pass.cuh"

namespace {

struct twopass_plan : gpu_plan {
    tuned_problem on;
    columns_pass columns;
    rows_pass rows;
    filter_pass filter_rows;
    split_pass split;
    producer_consumer_pass producer_consumer;
    run_time_passes run_time;

    static constexpr const char *name = "cuda.twopass";
    static constexpr unsigned flags = EQUAL_BITS;
    static constexpr strategy_sizes sizes = {}; /* all */
    static constexpr bool has_filter = true;

    bool is_run_time() const {
        return columns.entry == NULL || rows.entry == NULL;
    }

    /* ---- what is going to run --------------------------------------------------------------- */

    weft_status outline() {
        on.p = p;
        columns.outline(on);
        rows.outline(on);
        if (is_run_time()) {
            return run_time.outline(name, p);
        }
        split.outline(on);
        producer_consumer.outline(on);
        return on.check_lines(name);
    }

    /* What of it the device in use has the memory for. */
    weft_status fit() {
        TRY(on.ask_device());
        rows.fit(on);
        filter_rows.fit(on, rows);
        split.fit(on);
        producer_consumer.fit(on);
        return WEFT_OK;
    }

    weft_status ask_device() {
        if (is_run_time()) {
            return run_time.ask_device();
        }
        TRY(fit());
        TRY(rows.ask_device(name));
        return columns.ask_device(name, on);
    }

    weft_status prepare() {
        if (is_run_time()) {
            return run_time.prepare();
        }
        TRY(fit());
        TRY(on.prepare(rows.kernel(0)));
        TRY(columns.prepare(on));
        TRY(rows.prepare());
        TRY(filter_rows.prepare());
        TRY(split.prepare(on));
        return producer_consumer.prepare(on);
    }

    void release() {
        run_time.release();
        on.release();
    }

    size_t workspace() const {
        return is_run_time() ? run_time.workspace()
                             : larger(on.workspace(),
                                      larger(split.workspace(on), producer_consumer.workspace(on)));
    }

    void describe(text *to) const {
        bool is_fused = !is_run_time() && (producer_consumer.is_used() || split.is_used());
        if (is_run_time()) {
            run_time.describe(to);
        } else if (producer_consumer.is_used()) {
            producer_consumer.describe(on, to);
        } else if (split.is_used()) {
            split.describe(on, to);
        } else {
            columns.describe(on, to);
            rows.describe(on, to);
        }
        if (is_fused) {
            text_add(
                to, "  in place  and where rows are not aligned to 16 bytes: columns, then rows\n");
        }
    }

    /* ---- the transforms --------------------------------------------------------------------- */

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        if (is_run_time()) {
            return run_time.forward(image, spectrum, work, stream);
        }
        real_view intermediate = on.intermediate_of_forward(spectrum, work);
        if (producer_consumer.is_used() && on.is_apart(image, intermediate)) {
            return producer_consumer.forward(on, image, spectrum, intermediate, work, stream);
        }
        if (split.is_used() && on.is_apart(image, intermediate)) {
            return split.forward(on, image, spectrum, intermediate, stream);
        }
        TRY(columns.run(on, 0, image, intermediate, stream));
        return rows.run(on, 0, spectrum, intermediate, stream);
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        if (is_run_time()) {
            return run_time.inverse(spectrum, image, work, stream);
        }
        if (producer_consumer.is_used() && on.is_apart(spectrum, on.intermediate_of_work(work))) {
            return producer_consumer.inverse(on, spectrum, image, work, stream);
        }
        real_view intermediate = on.intermediate_of_inverse(image, work);
        if (split.is_used() && on.is_apart(spectrum, intermediate)) {
            return split.inverse(on, spectrum, image, intermediate, stream);
        }
        TRY(rows.run(on, 1, spectrum, intermediate, stream));
        return columns.run(on, 1, image, intermediate, stream);
    }

    /* Where it is not split, the intermediate is the same both ways. */
    weft_status filter(const void *image, const void *transfer, weft_transfer kind, void *out,
                       void *work, cudaStream_t stream) const {
        if (is_run_time()) {
            return run_time.filter(image, transfer, kind, out, work, stream);
        }
        real_view intermediate = on.intermediate_of_inverse(out, work);
        if (split.is_used() && on.is_apart(work, intermediate)) {
            return split.filter(on, image, transfer, kind, out, on.intermediate_of_work(work),
                                intermediate, stream);
        }
        TRY(columns.run(on, 0, image, intermediate, stream));
        TRY(filter_rows.run(on, intermediate, transfer, kind, stream));
        return columns.run(on, 1, out, intermediate, stream);
    }
};

} // namespace

extern "C" const strategy REAL_NAME(cuda_twopass);
const strategy REAL_NAME(cuda_twopass) =
    gpu_strategy_of<twopass_plan>("two passes, columns and rows; any size", nullptr);
