/* SPDX-License-Identifier: MIT
 * The tests of butterflies, once for each precision.
 */
#ifndef WEFT_TESTS_UNIT_BUTTERFLIES_H
#define WEFT_TESTS_UNIT_BUTTERFLIES_H

int run_butterfly_tests_f32(void);
int run_butterfly_tests_f64(void);

#if defined(WEFT_REAL_BITS)
#define run_butterfly_tests REAL_NAME(run_butterfly_tests)
#endif

#endif
