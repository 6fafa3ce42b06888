/* SPDX-License-Identifier: MIT
 * Kernels of short lengths with one large prime or two, forward only: PRIME_LENGTHS of
 * kernels.def.
 */
#include "kernels/forward_lists.cuh"

namespace {

struct chosen {
    static constexpr bool has_columns = true;
#define PRIME_LENGTHS(N) static constexpr unsigned first = 1, last = N;
#include <kernels.def>
    static constexpr bool has(unsigned length) {
        return has_largest_prime(length, LARGEST_RADIX, LARGEST_ODD_RADIX);
    }
    /* Odd rows with a prime above 19 have none: there cuFFT takes long enough as it is. */
    static constexpr bool has_row(unsigned length) {
        return length % 2 == 0 || has_largest_prime(length, LARGEST_RADIX, 19);
    }
};

} // namespace

extern "C" const compiled_in *REAL_NAME(prime_lists_compiled_in)(size_t length) {
    return find_forward_list<chosen>(length);
}
