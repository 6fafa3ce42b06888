/* SPDX-License-Identifier: MIT
 * How large the caches of this CPU are, and who made it. Speed and workspaces depend on them; no
 * bits do.
 */
#ifndef WEFT_CPU_REF_FAST_CACHES_H
#define WEFT_CPU_REF_FAST_CACHES_H

#include <stddef.h>

/* The makers whose CPUs cpu.fast has a tuning for. */
typedef enum cpu_maker { CPU_OF_AMD, CPU_OF_OTHERS } cpu_maker;

typedef struct cpu_caches {
    size_t second, last; /* bytes of the second-level cache and of the last one */
    cpu_maker maker;
} cpu_caches;

/* The sizes that Linux reports in /sys, or those of a common CPU where it reports none. */
cpu_caches caches_of_cpu(void);

/* The same, read from another folder of that form: index0, index1, .., each with files `level` and
 * `size`. */
cpu_caches caches_in(const char *folder);

#endif
