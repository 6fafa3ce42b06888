/* SPDX-License-Identifier: MIT
 * cpu.fast's kernels for one precision, instruction set and number of lanes: WEFT_LANES is that
 * number, WEFT_ISA the instruction set, which the compiler was told too.
 */
#include "fast_columns.h"
#include "fast_rows.h"

#define JOINED(bits, isa, lanes) fast_kernels_f##bits##_##isa##_##lanes
#define NAMED(bits, isa, lanes) JOINED(bits, isa, lanes)

extern const fast_kernels NAMED(WEFT_REAL_BITS, WEFT_ISA, WEFT_LANES);
const fast_kernels NAMED(WEFT_REAL_BITS, WEFT_ISA, WEFT_LANES) = {
    .lanes = WEFT_LANES,
    .columns = columns,
    .columns_inverse = columns_inverse,
    .rows = rows,
    .rows_inverse = rows_inverse,
    .multiply = multiply,
    .folded_rows = folded_rows,
    .folded_rows_inverse = folded_rows_inverse,
};
