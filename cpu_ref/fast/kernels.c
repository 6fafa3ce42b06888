/* SPDX-License-Identifier: MIT
 * The kernels of cpu.fast for one precision (WEFT_REAL_BITS), instruction set (WEFT_KERNELS_OF,
 * given to the compiler as options too) and number of lanes (WEFT_LANES). kernels.cmake compiles
 * this file once for each combination; plan.c lists the tables that come of it.
 */
#include "fast/columns.inc"
#include "fast/largest.inc"
#include "fast/pixels.inc"
#include "fast/rows.inc"

#define JOINED(bits, isa, lanes) fast_kernels_f##bits##_##isa##_##lanes
#define NAMED(bits, isa, lanes) JOINED(bits, isa, lanes)

extern const fast_kernels NAMED(WEFT_REAL_BITS, WEFT_KERNELS_OF, WEFT_LANES);
const fast_kernels NAMED(WEFT_REAL_BITS, WEFT_KERNELS_OF, WEFT_LANES) = {
    .lanes = WEFT_LANES,
    .can_stream = TWO_ARE_LINES,
    .columns = columns,
    .columns_inverse = columns_inverse,
    .rows = rows,
    .rows_inverse = rows_inverse,
    .multiply = multiply,
    .sum_pixels = sum_pixels,
    .restore_classes = restore_classes,
    .load_pixels = load_pixels,
    .store_pixels = store_pixels,
    .folded_rows = folded_rows,
    .folded_rows_inverse = folded_rows_inverse,
    .part_folded = part_folded,
    .join_folded = join_folded,
    .largest = largest,
};
