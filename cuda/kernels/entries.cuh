/* SPDX-License-Identifier: MIT
 * What the tables of compiled_in.h are made of.
 */
#ifndef WEFT_CUDA_KERNELS_ENTRIES_CUH
#define WEFT_CUDA_KERNELS_ENTRIES_CUH

#include "kernel_table.cuh"
#include "kernels/compiled_in.h"
#include "passes/run_time_columns.cuh"
#include "passes/run_time_rows.cuh"

namespace {

template <class Code> const void *columns_of() {
    return (const void *)run_time_columns<CONSTANT_VALUES, Code>;
}

template <int PURPOSE, class Code> const void *rows_of() {
    return (const void *)run_time_rows<CONSTANT_VALUES, PURPOSE, Code>;
}

/* Convolutions are the same code both ways. */
template <unsigned N, class Columns, class ColumnsBack, class Rows, class RowsBack>
compiled_in both_ways() {
    return {N,
            {columns_of<Columns>(), columns_of<ColumnsBack>()},
            {rows_of<ROWS_FORWARD, Rows>(), rows_of<ROWS_INVERSE, RowsBack>(), NULL}};
}

/* In double precision rows of a filter are left to the kernels of any length, for the sake of the
 * build's time. */
template <unsigned N> compiled_in all_ways() {
    compiled_in of =
        both_ways<N, constant_code<N, AXIS_COLUMN, 0>, constant_code<N, AXIS_COLUMN, 1>,
                  constant_code<N, AXIS_ROW, 0>, constant_code<N, AXIS_ROW, 1>>();
    if constexpr (WEFT_REAL_BITS == 32) {
        of.rows[ROWS_FILTER] = rows_of<ROWS_FILTER, constant_code<N, AXIS_ROW, 0>>();
    }
    return of;
}

template <unsigned N, bool HAS_COLUMNS = true, bool HAS_ROWS = true> compiled_in forward_only() {
    compiled_in of = {};
    of.length = N;
    if constexpr (HAS_COLUMNS) {
        of.columns[0] = columns_of<constant_code<N, AXIS_COLUMN, 0>>();
    }
    if constexpr (HAS_ROWS) {
        of.rows[ROWS_FORWARD] = rows_of<ROWS_FORWARD, constant_code<N, AXIS_ROW, 0>>();
    }
    return of;
}

} // namespace

#endif
