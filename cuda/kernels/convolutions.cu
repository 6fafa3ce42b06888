/* SPDX-License-Identifier: MIT
 * Kernels of convolutions, by their positions: CONVOLUTION of kernels.def.
 */
#include "kernels/entries.cuh"

static const compiled_in convolutions[] = {
#define CONVOLUTION(N)                                                                             \
    both_ways<N, convolution_code<N>, convolution_code<N>, convolution_code<N>,                    \
              convolution_code<N>>(),
#include <kernels.def>
};

extern "C" const compiled_in *REAL_NAME(convolutions_compiled_in)(size_t positions) {
    return of_length(convolutions, positions);
}
