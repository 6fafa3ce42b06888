/* SPDX-License-Identifier: MIT
 * The kernels of the two passes over lines of any length that know no line, one of each variant:
 * those that find.cuh finds besides the tables of compiled_in.h.
 */
#include "kernels/find.cuh"

namespace {

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

} // namespace

extern "C" const void *REAL_NAME(run_time_column_kernel)(int has_pixels, int variant) {
    return (const void *)column_kernels[has_pixels][variant];
}

extern "C" const void *REAL_NAME(run_time_row_kernel)(int purpose, int variant) {
    return (const void *)row_kernels[purpose][variant];
}
