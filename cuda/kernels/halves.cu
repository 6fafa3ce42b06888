/* SPDX-License-Identifier: MIT
 * Kernels of columns in two passes: of halves with any radices, and of those in halves.def.
 */
#include "kernels/compiled_in.h"
#include "passes/column_halves.cuh"

namespace {

struct constant_row {
    int half, stages, radices[2];
    column_half_kernel *kernel;
};

template <int HALF, int R, int S> constexpr constant_row row_of() {
    return {HALF, S > 1 ? 2 : 1, {R, S}, run_column_half<HALF, true, constant_half<R, S>>};
}

const constant_row constant_rows[] = {
#define FIRST_HALF(r, s) row_of<FIRST_OF_LINE, r, s>(),
#define SECOND_HALF(r, s) row_of<SECOND_OF_LINE, r, s>(),
#include <halves.def>
};

/* By half; not paired, paired; for many blocks and for few. */
column_half_kernel *const any_radices[2][2][2] = {
    {{run_column_half<FIRST_OF_LINE, false, half_code<false>>,
      run_column_half<FIRST_OF_LINE, false, half_code<false>>},
     {run_column_half<FIRST_OF_LINE, true, half_code<false>>,
      run_column_half<FIRST_OF_LINE, true, half_code<true>>}},
    {{run_column_half<SECOND_OF_LINE, false, half_code<false>>,
      run_column_half<SECOND_OF_LINE, false, half_code<false>>},
     {run_column_half<SECOND_OF_LINE, true, half_code<false>>,
      run_column_half<SECOND_OF_LINE, true, half_code<true>>}}};

} // namespace

extern "C" half_kernels REAL_NAME(kernels_of_half)(int half, int stages, const int *radices,
                                                   int is_few) {
    half_kernels k = {
        {(const void *)any_radices[half][0][is_few], (const void *)any_radices[half][1][is_few]},
        0};
    for (const constant_row &row : constant_rows) {
        if (row.half == half && row.stages == stages && row.radices[0] == radices[0] &&
            (stages == 1 || row.radices[1] == radices[1])) {
            k.of[1] = (const void *)row.kernel;
            k.is_compiled_in = 1;
        }
    }
    return k;
}
