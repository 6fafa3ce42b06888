/* SPDX-License-Identifier: MIT
 * Kernels of all short lengths with small primes, forward only: SHORT_LENGTHS of kernels.def.
 */
#include <utility>

#include "compiled_in_kernels.cuh"

namespace {

/* Whether the table of lists has it. */
constexpr bool has_own_row(unsigned length) {
    return false
#define MIXED_LENGTH(N) || length == N
#define FORWARD_LENGTH(N) || length == N
#include <kernels.def>
        ;
}

/* Asked first, for a list takes the compiler long to find. */
constexpr bool has_small_primes(unsigned length) {
    for (unsigned p = 2; p <= 13 && length > 0; p++) {
        while (length % p == 0) {
            length /= p;
        }
    }
    return length == 1;
}

/* Whether a list has two radices or more, which the compiler can know. */
constexpr bool has_constant_code(unsigned length, int axis) {
    factor_list list = {};
    return has_small_primes(length) && factor_line(length, axis, 0, &list) && list.count > 1 &&
           list.radix[0] <= LARGEST_RADIX && list.radix[list.count - 1] <= LARGEST_RADIX;
}

/* Of length 0, if there are none here. */
template <unsigned N> compiled_in forward_if_any() {
    if constexpr (has_constant_code(N, AXIS_ROW) && has_constant_code(N, AXIS_COLUMN) &&
                  !has_own_row(N)) {
        return forward_only<N>();
    } else {
        return {};
    }
}

template <class Lengths> struct forward_lists;
template <unsigned... N> struct forward_lists<std::integer_sequence<unsigned, N...>> {
    static inline const compiled_in table[sizeof...(N)] = {forward_if_any<N>()...};
};

} // namespace

extern "C" const compiled_in *REAL_NAME(short_lists_compiled_in)(size_t length) {
#define SHORT_LENGTHS(N)                                                                           \
    return of_length(forward_lists<std::make_integer_sequence<unsigned, N + 1>>::table, length);
#include <kernels.def>
}
