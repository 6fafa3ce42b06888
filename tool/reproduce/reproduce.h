/* SPDX-License-Identifier: MIT
 * The experiments of weft reproduce: what their options say, and one function each.
 */
#ifndef WEFT_TOOL_REPRODUCE_REPRODUCE_H
#define WEFT_TOOL_REPRODUCE_REPRODUCE_H

#include "files/image.h"

typedef struct reproduce_options {
    int quick, full;      /* never both */
    int no_seq;           /* fractal: what takes longest is left out */
    const char *json;     /* NULL: no document */
    const image *picture; /* [pictures]; NULL: the scene, in the sizes that the experiment wants */
    size_t pictures, videos;
    const char *const *picture_paths, *const *video_paths;
} reproduce_options;

/* Exit codes; EXIT_CHECK_FAILED where a verification failed. dx11 needs a GPU. */
int reproduce_dx11(const reproduce_options *o);
int reproduce_fractal(const reproduce_options *o);
int reproduce_ladder(const reproduce_options *o);

#endif
