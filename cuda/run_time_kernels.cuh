/* SPDX-License-Identifier: MIT
 * The kernels of the two passes over lines of any length: one of each variant, and where to find
 * those of the lengths that are compiled in.
 */
#ifndef WEFT_CUDA_RUN_TIME_KERNELS_CUH
#define WEFT_CUDA_RUN_TIME_KERNELS_CUH

#include "compiled_in.h"
#include "passes/run_time_columns.cuh"
#include "passes/run_time_rows.cuh"

namespace {

typedef void column_kernel(run_time_columns_job);
typedef void row_kernel(run_time_rows_job);

/* Of integer pixels. Few blocks and many share one kernel, since it is slow to compile. */
column_kernel *const direct_pixel_columns =
    run_time_columns<DIRECT_VALUES, code_of<DIRECT_VALUES>, true>;

/* Of reals and of integer pixels, by variant; those of lines that the compiler knows are in tables
 * of their own. */
column_kernel *const column_kernels[2][RUN_TIME_VARIANTS] = {
    {run_time_columns<DIRECT_VALUES>, run_time_columns<FEW_VALUES>, NULL,
     run_time_columns<STAGED_VALUES>, run_time_columns<GLOBAL_VALUES>},
    {direct_pixel_columns, direct_pixel_columns, NULL, run_time_columns<STAGED_VALUES>,
     run_time_columns<GLOBAL_VALUES>}};
row_kernel *const row_kernels[ROWS_OF_ANY_PURPOSE][RUN_TIME_VARIANTS] = {
    {run_time_rows<DIRECT_VALUES, ROWS_FORWARD>, run_time_rows<FEW_VALUES, ROWS_FORWARD>, NULL,
     run_time_rows<STAGED_VALUES, ROWS_OF_ANY_PURPOSE>,
     run_time_rows<GLOBAL_VALUES, ROWS_OF_ANY_PURPOSE>},
    {run_time_rows<DIRECT_VALUES, ROWS_INVERSE>, run_time_rows<DIRECT_VALUES, ROWS_INVERSE>, NULL,
     run_time_rows<STAGED_VALUES, ROWS_OF_ANY_PURPOSE>,
     run_time_rows<GLOBAL_VALUES, ROWS_OF_ANY_PURPOSE>},
    {run_time_rows<DIRECT_VALUES, ROWS_FILTER>, run_time_rows<DIRECT_VALUES, ROWS_FILTER>, NULL,
     run_time_rows<STAGED_VALUES, ROWS_OF_ANY_PURPOSE>,
     run_time_rows<GLOBAL_VALUES, ROWS_OF_ANY_PURPOSE>}};

/* Those of a line on an axis; NULL if it is not compiled in, or not for this GPU: of lists the
 * library has machine code only, which a later GPU does not run. */
inline weft_status find_compiled_in(const run_time_line &line, int axis,
                                    const compiled_in **found) {
    const compiled_in *(*const lists[])(size_t) = {
        REAL_NAME(lists_compiled_in), REAL_NAME(short_lists_compiled_in),
        REAL_NAME(prime_lists_compiled_in), REAL_NAME(long_lists_compiled_in)};
    const compiled_in *entry =
        line.chirp != NULL ? REAL_NAME(convolutions_compiled_in)(line.positions) : NULL;
    for (size_t i = 0; line.chirp == NULL && entry == NULL && i < sizeof lists / sizeof *lists;
         i++) {
        entry = lists[i](line.length);
    }
    const void *kernel = entry == NULL      ? NULL
                         : axis == AXIS_ROW ? entry->rows[0]
                                            : entry->columns[0];
    int is_known = 0;
    if (kernel != NULL) {
        TRY(device_knows_kernel(kernel, &is_known));
    }
    *found = is_known ? entry : NULL;
    return WEFT_OK;
}

} // namespace

#endif
