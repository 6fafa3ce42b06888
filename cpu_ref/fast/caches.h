/* SPDX-License-Identifier: MIT
 * How large the caches of this CPU are, and who made it. Speed depends on them, and workspaces; no
 * bits do.
 */
#ifndef WEFT_CPU_REF_FAST_CACHES_H
#define WEFT_CPU_REF_FAST_CACHES_H

#include <stddef.h>

/* As far as cpu.fast is tuned for them. */
typedef enum cpu_maker { CPU_OF_AMD, CPU_OF_OTHERS } cpu_maker;

typedef struct cpu_caches {
    size_t second, last; /* bytes of the second-level cache and of the last one */
    cpu_maker maker;
} cpu_caches;

/* Sizes as Linux has them in /sys; where it has not, those of a common CPU. */
cpu_caches caches_of_cpu(void);

/* The same out of a folder like that: index0, index1, .., each with files `level` and `size`. */
cpu_caches caches_in(const char *folder);

#endif
