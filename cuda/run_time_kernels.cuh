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

/* Those of a line; NULL if it is not compiled in. */
inline const compiled_in *compiled_in_for(const run_time_line &line) {
    if (line.chirp != NULL) {
        return REAL_NAME(convolutions_compiled_in)(line.positions);
    }
    const compiled_in *of_picture = REAL_NAME(lists_compiled_in)(line.length);
    return of_picture != NULL ? of_picture : REAL_NAME(short_lists_compiled_in)(line.length);
}

} // namespace

#endif
