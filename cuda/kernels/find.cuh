/* SPDX-License-Identifier: MIT
 * Where the two passes over lines of any length find their kernels: those that know no line in
 * any_length.cu, those of lines that the compiler knows in the tables of compiled_in.h. Both
 * are compiled by themselves, so that this is done at the same time.
 */
#ifndef WEFT_CUDA_KERNELS_FIND_CUH
#define WEFT_CUDA_KERNELS_FIND_CUH

#include "kernels/compiled_in.h"
#include "passes/run_time_columns.cuh"
#include "passes/run_time_rows.cuh"

/* A column_kernel, of reals or of integer pixels, and a row_kernel, by run_time_variant; of one
 * that is CONSTANT there is none. */
extern "C" const void *REAL_NAME(run_time_column_kernel)(int has_pixels, int variant);
extern "C" const void *REAL_NAME(run_time_row_kernel)(int purpose, int variant);

namespace {

typedef void column_kernel(run_time_columns_job);
typedef void row_kernel(run_time_rows_job);

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
