/* SPDX-License-Identifier: MIT
 * The experiments of weft reproduce: what their options say, and two functions each, one that
 * measures and makes a document, and one that prints such a document. experiments.c lists them.
 */
#ifndef WEFT_TOOL_REPRODUCE_REPRODUCE_H
#define WEFT_TOOL_REPRODUCE_REPRODUCE_H

#include <jansson.h>

#include "files/image.h"
#include "reproduce/page.h"

typedef struct reproduce_options {
    int quick, full;      /* never both */
    int no_seq;           /* fractal: what takes longest is left out */
    const char *device;   /* ladder: "cpu" or "gpu" alone; NULL: both */
    const image *picture; /* [pictures]; NULL: the scene, in the sizes that the experiment wants */
    size_t pictures, videos;
    const char *const *picture_paths, *const *video_paths;
} reproduce_options;

/* An exit code, after a complaint. The document is a new reference, or NULL where memory ran out
 * for it; that a verification failed, it says itself. */
typedef int reproduce_measure(const reproduce_options *o, json_t *machine, json_t **document);
/* A document of the experiment's schema, of which nothing else is known. */
typedef void reproduce_print(page *p, const json_t *document);

reproduce_measure report_measure, dx11_measure, fractal_measure, ladder_measure, weft_measure;
reproduce_print report_print, dx11_print, fractal_print, ladder_print, weft_print;

/* ---- all of them ----------------------------------------------------------------------------- */

enum { MOST_IMAGES = 4, MOST_VIDEOS = 3, MOST_EXPERIMENTS = 16 };

typedef struct reproduction {
    const char *name, *about, *schema;
    int needs_gpu;
    size_t images, videos;       /* that may be given */
    unsigned quick, usual, full; /* about how many seconds it takes */
    reproduce_measure *measure;  /* NULL in a build without CUDA, where no GPU is found */
    reproduce_print *print;
} reproduction;

extern const reproduction reproductions[];
extern const size_t reproduction_count;

#endif
