/* SPDX-License-Identifier: MIT
 * The kernels of lines that the compiler knows, by length: a table for each row of kernels.def that
 * asks for such, in a file of its own, so that they are compiled at the same time; and those of
 * halves of columns.
 */
#ifndef WEFT_CUDA_KERNELS_COMPILED_IN_H
#define WEFT_CUDA_KERNELS_COMPILED_IN_H

#include <stddef.h>

#include "arith/numbers.h"

/* Of a line; kernels of its columns, forward and inverse, and of its rows, those of a filter too,
 * as the host calls them. They are of the types column_kernel and row_kernel; NULL: none for that.
 */
typedef struct compiled_in {
    size_t length; /* of convolutions, their positions */
    const void *columns[2], *rows[3];
} compiled_in;

/* NULL: none for that length. */
extern "C" const compiled_in *REAL_NAME(lists_compiled_in)(size_t length);
extern "C" const compiled_in *REAL_NAME(short_lists_compiled_in)(size_t length);
extern "C" const compiled_in *REAL_NAME(long_lists_compiled_in)(size_t length);
extern "C" const compiled_in *REAL_NAME(prime_lists_compiled_in)(size_t length);
extern "C" const compiled_in *REAL_NAME(convolutions_compiled_in)(size_t positions);

/* Of a half of a column, as column_half_kernel: for rows that are not aligned to pairs, and for
 * those that are; where the compiler knows none, for any radices. */
typedef struct half_kernels {
    const void *of[2];
    int is_compiled_in;
} half_kernels;

/* is_few: the GPU holds all blocks with twice as many registers a thread. */
extern "C" half_kernels REAL_NAME(kernels_of_half)(int half, int stages, const int *radices,
                                                   int is_few);

#endif
