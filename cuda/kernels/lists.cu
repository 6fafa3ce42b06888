/* SPDX-License-Identifier: MIT
 * Kernels of the lengths that pictures have: MIXED_LENGTH and FORWARD_LENGTH of kernels.def.
 */
#include "kernels/entries.cuh"

static const compiled_in lengths[] = {
#define MIXED_LENGTH(N) all_ways<N>(),
#define FORWARD_LENGTH(N) forward_only<N>(),
#include <kernels.def>
};

extern "C" const compiled_in *REAL_NAME(lists_compiled_in)(size_t length) {
    return of_length(lengths, length);
}
