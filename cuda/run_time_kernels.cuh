/* SPDX-License-Identifier: MIT
 * The kernels of the two passes over lines of any length: one of each variant, and those of the
 * lengths that kernels.def has compiled in.
 */
#ifndef WEFT_CUDA_RUN_TIME_KERNELS_CUH
#define WEFT_CUDA_RUN_TIME_KERNELS_CUH

#include "kernel_table.cuh"
#include "passes/run_time_columns.cuh"
#include "passes/run_time_rows.cuh"

namespace {

typedef void column_kernel(run_time_columns_job);
typedef void row_kernel(run_time_rows_job);

/* By variant; those of lines that the compiler knows are below. */
column_kernel *const column_kernels[RUN_TIME_VARIANTS] = {
    run_time_columns<DIRECT_VALUES>, run_time_columns<FEW_VALUES>, NULL,
    run_time_columns<STAGED_VALUES>, run_time_columns<GLOBAL_VALUES>};
row_kernel *const row_kernels[RUN_TIME_VARIANTS] = {
    run_time_rows<DIRECT_VALUES>, run_time_rows<FEW_VALUES>, NULL, run_time_rows<STAGED_VALUES>,
    run_time_rows<GLOBAL_VALUES>};

struct constant_kernels {
    size_t length;             /* of convolutions, their positions */
    column_kernel *columns[2]; /* forward, inverse */
    row_kernel *rows;
};

template <unsigned N, class Forward, class Inverse, class Rows>
constexpr constant_kernels kernels_of() {
    return {
        N,
        {run_time_columns<CONSTANT_VALUES, Forward>, run_time_columns<CONSTANT_VALUES, Inverse>},
        run_time_rows<CONSTANT_VALUES, Rows>};
}

const constant_kernels constant_lengths[] = {
#define MIXED_LENGTH(N)                                                                            \
    kernels_of<N, constant_code<N, AXIS_COLUMN, 0>, constant_code<N, AXIS_COLUMN, 1>,              \
               constant_code<N, AXIS_ROW, 0>>(),
#include <kernels.def>
};

const constant_kernels constant_convolutions[] = {
#define CONVOLUTION(N)                                                                             \
    kernels_of<N, convolution_code<N, AXIS_COLUMN>, convolution_code<N, AXIS_COLUMN>,              \
               convolution_code<N, AXIS_ROW>>(),
#include <kernels.def>
};

/* Those of a line; NULL if it is not compiled in. */
inline const constant_kernels *constant_kernels_of(const run_time_line &line) {
    return line.chirp != NULL ? of_length(constant_convolutions, line.positions)
                              : of_length(constant_lengths, line.length);
}

} // namespace

#endif
