/* SPDX-License-Identifier: MIT
 * Factor lists of any length: odd primes first, then the list of the power of two. Called when a
 * line is prepared; kernels use the constant functions of the header.
 */
#include "arith/factors.h"

int factor_length(size_t n, factor_list *list) {
    int log2n = 0;
    list->count = 0;
    while (n % 2 == 0) {
        n /= 2;
        log2n++;
    }
    static const int odd_radices[] = {LARGEST_ODD_RADIX, 11, 7, 5, 3};
    for (size_t i = 0; i < sizeof odd_radices / sizeof *odd_radices; i++) {
        while (n % (size_t)odd_radices[i] == 0) {
            n /= (size_t)odd_radices[i];
            list->radix[list->count++] = odd_radices[i];
        }
    }
    for (int stage = 0; stage < power_stages(log2n); stage++) {
        list->radix[list->count++] = 1 << power_radix_log2(log2n, stage);
    }
    return n == 1;
}
