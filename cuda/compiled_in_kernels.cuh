/* SPDX-License-Identifier: MIT
 * What the tables of compiled_in.h are made of.
 */
#ifndef WEFT_CUDA_COMPILED_IN_KERNELS_CUH
#define WEFT_CUDA_COMPILED_IN_KERNELS_CUH

#include "compiled_in.h"
#include "kernel_table.cuh"
#include "passes/run_time_columns.cuh"
#include "passes/run_time_rows.cuh"

namespace {

template <class Code> const void *columns_of() {
    return (const void *)run_time_columns<CONSTANT_VALUES, Code>;
}

template <int PURPOSE, class Code> const void *rows_of() {
    return (const void *)run_time_rows<CONSTANT_VALUES, PURPOSE, Code>;
}

template <unsigned N, class Columns, class ColumnsBack, class Rows, class RowsBack>
compiled_in both_ways() {
    return {N,
            {columns_of<Columns>(), columns_of<ColumnsBack>()},
            {rows_of<ROWS_FORWARD, Rows>(), rows_of<ROWS_INVERSE, RowsBack>()}};
}

template <unsigned N> compiled_in forward_only() {
    return {N,
            {columns_of<constant_code<N, AXIS_COLUMN, 0>>(), NULL},
            {rows_of<ROWS_FORWARD, constant_code<N, AXIS_ROW, 0>>(), NULL}};
}

} // namespace

#endif
