/* SPDX-License-Identifier: MIT
 * Kernels of rows of longer even lengths with small primes, and of multiples of 8 with a 17 or a
 * 19, forward only: LONG_LENGTHS of kernels.def.
 */
#include "kernels/forward_lists.cuh"

namespace {

struct chosen {
    static constexpr bool has_columns = false;
#define LONG_LENGTHS(M, N) static constexpr unsigned first = M + 1, last = N;
#include <kernels.def>
    static constexpr bool has(unsigned length) {
        const unsigned prime = length % 17 == 0 ? 17 : length % 19 == 0 ? 19 : 1;
        return length % (prime == 1 ? 2 : 8) == 0 &&
               has_largest_prime(length / prime, 0, LARGEST_RADIX);
    }
    static constexpr bool has_row(unsigned) {
        return true;
    }
};

} // namespace

extern "C" const compiled_in *REAL_NAME(long_lists_compiled_in)(size_t length) {
    return find_forward_list<chosen>(length);
}
