/* SPDX-License-Identifier: MIT
 * Whether this machine can hold what a bench or a verification of one shape needs.
 */
#ifndef WEFT_TOOL_BENCH_MEMORY_H
#define WEFT_TOOL_BENCH_MEMORY_H

#include "weft.h"

/* GiB that this machine has too little; not above 0 where it has enough or that is not known. */
double memory_lacks(const weft_desc *desc);

/* EXIT_DONE, or EXIT_MEMORY after a complaint. Only height, width, batch and precision count. */
int memory_check(const weft_desc *desc);

#endif
