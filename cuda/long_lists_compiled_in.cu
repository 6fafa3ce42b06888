/* SPDX-License-Identifier: MIT
 * Kernels of rows of longer lengths with small primes, forward only: LONG_LENGTHS of kernels.def.
 */
#include "forward_lists.cuh"

namespace {

struct chosen {
    static constexpr bool has_columns = false;
#define LONG_LENGTHS(M, N) static constexpr unsigned first = M + 1, last = N;
#include <kernels.def>
    static constexpr bool has(unsigned length) {
        return has_largest_prime(length, 1, LARGEST_RADIX);
    }
};

} // namespace

extern "C" const compiled_in *REAL_NAME(long_lists_compiled_in)(size_t length) {
    return find_forward_list<chosen>(length);
}
