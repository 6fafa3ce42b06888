/* SPDX-License-Identifier: MIT
 * Tables of compiled_in.h with all lengths of a range whose largest prime is of a range, forward
 * only. Some tables have rows only, and some have rows of only a few odd widths, which few pictures
 * have. Each has a file of its own.
 */
#ifndef WEFT_CUDA_KERNELS_FORWARD_LISTS_CUH
#define WEFT_CUDA_KERNELS_FORWARD_LISTS_CUH

#include <utility>

#include "kernels/entries.cuh"

namespace {

/* Whether the table of lists has it. */
constexpr bool has_own_row(unsigned length) {
    return false
#define MIXED_LENGTH(N) || length == N
#define FORWARD_LENGTH(N) || length == N
#include <kernels.def>
        ;
}

/* Whether the largest prime of n is above `least` and at most `most`. */
constexpr bool has_largest_prime(unsigned n, unsigned least, unsigned most) {
    unsigned largest = 1;
    for (unsigned p = 2; p <= most && n > 1; p++) {
        for (; n % p == 0; n /= p) {
            largest = p;
        }
    }
    return n == 1 && largest > least;
}

/* Whether a list has two radices or more, which the compiler can know. */
constexpr bool has_constant_code(unsigned length, int axis) {
    factor_list list = {};
    return factor_line(length, axis, 0, &list) && list.count > 1;
}

/* Of length 0, if there are none here: Chosen says which there are. It is asked first, for a list
 * takes the compiler long to find. */
template <class Chosen, unsigned N> compiled_in forward_if_any() {
    if constexpr (!Chosen::has(N) || has_own_row(N)) {
        return {};
    } else if constexpr (!has_constant_code(N, AXIS_ROW) || !has_constant_code(N, AXIS_COLUMN)) {
        return {};
    } else {
        return forward_only<N, Chosen::has_columns, Chosen::has_row(N)>();
    }
}

template <class Chosen, class Lengths> struct forward_lists;
template <class Chosen, unsigned... I>
struct forward_lists<Chosen, std::integer_sequence<unsigned, I...>> {
    static inline const compiled_in table[sizeof...(I)] = {
        forward_if_any<Chosen, Chosen::first + I>()...};
};

/* The entry of a length from Chosen::first to Chosen::last. */
template <class Chosen> const compiled_in *find_forward_list(size_t length) {
    return of_length(
        forward_lists<
            Chosen, std::make_integer_sequence<unsigned, Chosen::last - Chosen::first + 1>>::table,
        length);
}

} // namespace

#endif
