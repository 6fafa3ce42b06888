/* SPDX-License-Identifier: MIT
 * How large the caches of this CPU are, whether it is one of AMD's, and from what size on images
 * had better pass them by. Speed depends on them, and workspaces; no bits do.
 */
#ifndef WEFT_CPU_CACHES_H
#define WEFT_CPU_CACHES_H

#include <stddef.h>

typedef struct cpu_caches {
    size_t second, last; /* bytes of the second-level cache and of the last one */
    int is_amd;
} cpu_caches;

/* Sizes as Linux has them in /sys; where it has not, those of a common CPU. */
cpu_caches caches_of_cpu(void);

/* The same out of a folder like that: index0, index1, .., each with files `level` and `size`. */
cpu_caches caches_in(const char *folder);

/* Whether what a pass writes of an image of so many bytes would not be there any more when the next
 * one reads it, or mostly: then it is better stored past the caches. Forward the next one reads
 * whole rows, of an inverse pieces of them, which take longer from memory. */
int are_outgrown(const cpu_caches *caches, size_t bytes, int is_inverse);

#endif
