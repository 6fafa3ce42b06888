/* SPDX-License-Identifier: MIT
 * Kernels as people write them down: rows of numbers in a text file, an array in a .npy file, or a
 * picture, whose values are divided by their sum.
 */
#ifndef WEFT_TOOL_FILTER_KERNEL_H
#define WEFT_TOOL_FILTER_KERNEL_H

#include <stddef.h>

typedef struct kernel {
    size_t height, width; /* its origin is in row height/2, column width/2 */
    double *taps;         /* [height][width]; NULL: there is no kernel */
} kernel;

enum { MOST_KERNEL_TAPS = 1 << 24 };

/* An exit code, after a complaint. */
int kernel_read(kernel *k, const char *path);
void kernel_free(kernel *k); /* fine when zeroed */

double kernel_sum(const kernel *k);
void kernel_divide(kernel *k, double by);
int kernel_has_negative(const kernel *k);
size_t kernel_reach(const kernel *k); /* pixels, the farthest from its origin in any direction */

#endif
