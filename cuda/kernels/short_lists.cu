/* SPDX-License-Identifier: MIT
 * Kernels of all short lengths with small primes, forward only: SHORT_LENGTHS of kernels.def.
 */
#include "kernels/forward_lists.cuh"

namespace {

struct chosen {
    static constexpr bool has_columns = true;
#define SHORT_LENGTHS(N) static constexpr unsigned first = 1, last = N;
#include <kernels.def>
    static constexpr bool has(unsigned length) {
        return has_largest_prime(length, 1, LARGEST_RADIX);
    }
    static constexpr bool has_row(unsigned) {
        return true;
    }
};

} // namespace

extern "C" const compiled_in *REAL_NAME(short_lists_compiled_in)(size_t length) {
    return find_forward_list<chosen>(length);
}
