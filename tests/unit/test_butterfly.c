/* SPDX-License-Identifier: MIT
 * Butterflies in both precisions, see butterflies.c.
 */
#include "butterflies.h"

int main(void) {
    int failed = run_butterfly_tests_f32();
    return run_butterfly_tests_f64() + failed;
}
