/* SPDX-License-Identifier: MIT
 * Columns and rows of any length, the part of a plan for sizes that have no kernels of their own:
 * the lines' tables, and the two passes, one after another. Three passes for a filter.
 */
#ifndef WEFT_CUDA_RUN_TIME_PASSES_CUH
#define WEFT_CUDA_RUN_TIME_PASSES_CUH

#include "convolutions.h"
#include "run_time_columns_pass.cuh"
#include "run_time_rows_pass.cuh"

namespace {

struct run_time_passes {
    run_time_problem on;
    run_time_columns_pass columns;
    run_time_rows_pass rows;
    void *tables[5];

    /* WEFT_UNSUPPORTED and the reason, in the name of a strategy, if they cannot run it. */
    weft_status outline(const char *name, const problem &p) {
        on.p = p;
        TRY(on.check_lines(name));
        return short_convolutions_only(name, &p);
    }

    weft_status ask_device() const {
        return device_has_kernel(any_kernel());
    }

    static const void *any_kernel() {
        return REAL_NAME(run_time_row_kernel)(ROWS_FORWARD, DIRECT_VALUES);
    }

    /* The device's memory for all tables is taken before the first is made. */
    weft_status make_lines(void *const (&angles)[2]) {
        const problem &p = on.p;
        const struct {
            size_t length;
            int axis, way;
            line_entry entry;
            run_time_line *line;
        } lines[] = {{p.width, AXIS_ROW, 0, FROM_NATURAL, &rows.line[0]},
                     {p.height, AXIS_COLUMN, 0, FROM_NATURAL, &columns.line[0]},
                     {p.width, AXIS_ROW, 1, FROM_NATURAL, &rows.line[1]},
                     {p.height, AXIS_COLUMN, 1, FROM_NATURAL, &columns.line[1]},
                     {p.width, AXIS_ROW, 1, FROM_PLACES, &rows.back}};
        static_assert(sizeof lines / sizeof *lines == sizeof tables / sizeof *tables,
                      "a table each");
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            const table_size size = size_of_tables(lines[i].length, lines[i].axis, lines[i].way);
            TRY(device_memory.allocate(p.device, size.bytes(), &tables[i]));
        }
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            TRY(make_run_time_line(p.device, lines[i].length, lines[i].axis, lines[i].way,
                                   lines[i].entry, angles[lines[i].axis], lines[i].line,
                                   tables[i]));
        }
        return WEFT_OK;
    }

    weft_status prepare() {
        void *angles[2] = {NULL, NULL}; /* by axis */
        const weft_status status = prepare_with(angles);
        free(angles[AXIS_ROW]);
        free(angles[AXIS_COLUMN]);
        return status;
    }

    weft_status prepare_with(void *(&angles)[2]) {
        TRY(on.ask_device(any_kernel()));
        TRY(allocate_angles(on.p.width, AXIS_ROW, &angles[AXIS_ROW]));
        TRY(allocate_angles(on.p.height, AXIS_COLUMN, &angles[AXIS_COLUMN]));
        TRY(make_lines(angles));
        TRY(columns.prepare(on, angles[AXIS_COLUMN]));
        return rows.prepare(on);
    }

    void release() {
        columns.release(on);
        for (void *table : tables) {
            device_memory.release(on.p.device, table);
        }
    }

    size_t workspace() const {
        return on.bytes_before_values() + larger(rows.workspace(), columns.workspace(on));
    }

    void describe(text *to) const {
        columns.describe(on, to);
        rows.describe(on, to);
    }

    weft_status forward(const void *image, void *spectrum, void *work, cudaStream_t stream) const {
        real_view intermediate = on.intermediate_of_forward(spectrum, work);
        TRY(columns.run(on, 0, image, intermediate, work, stream));
        return rows.run(on, 0, spectrum, intermediate, work, stream);
    }

    weft_status inverse(const void *spectrum, void *image, void *work, cudaStream_t stream) const {
        real_view intermediate = on.intermediate_of_inverse(image, work);
        TRY(rows.run(on, 1, spectrum, intermediate, work, stream));
        return columns.run(on, 1, image, intermediate, work, stream);
    }

    weft_status filter(const void *image, const void *transfer, weft_transfer kind, void *out,
                       void *work, cudaStream_t stream) const {
        real_view intermediate = on.intermediate_of_inverse(out, work);
        TRY(columns.run(on, 0, image, intermediate, work, stream));
        TRY(rows.run_filter(on, intermediate, transfer, kind, work, stream));
        return columns.run(on, 1, out, intermediate, work, stream);
    }
};

} // namespace

#endif
