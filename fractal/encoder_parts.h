/* SPDX-License-Identifier: MIT
 * What an encoder consists of, and what is done with a frame before its search; see encoder.c.
 */
#ifndef WEFT_FRACTAL_ENCODER_PARTS_H
#define WEFT_FRACTAL_ENCODER_PARTS_H

#include "arena.h"
#include "payload.h"
#include "search.h"
#include "stream.h"
#include "threads.h"

typedef struct encoder_plane {
    plane_blocks blocks;
    payload_format format;
    /* Pictures, padded: this frame, the one before, the reference, and what the last code of each
     * range was found for. */
    uint8_t *now, *before, *original, *searched;
    uint8_t *reference, *changed; /* decoded */
    uint16_t *half;               /* of the reference, or of what it is made of */
    codebook book;
    int book_is_of_reference;
    weft_fractal_code *codes, *next; /* of the frame before, of this one */
    /* What is searched. */
    range_list list;
    uint32_t *number;
    int16_t *values;
    search_answer *answers;
    weft_fractal_counts counts;
} encoder_plane;

struct weft_fractal_encoder {
    weft_fractal_desc desc;
    weft_fractal_stream stream;
    int domain_bits, planes, has_failed;
    const search *search;
    search_problem problem;
    void *state;
    arena memory;
    size_t bound;
    unsigned frames;        /* that were encoded, up to UINT32_MAX */
    unsigned since_refresh; /* the same since the last reference */
    double search_seconds;
    search_work work;
    encoder_plane plane[WEFT_FRACTAL_PLANES];
};

/* Threads share the work on a plane by parts, which are rows of ranges. */
enum { PARTS = 4 };

static inline size_t first_of_part(const plane_blocks *b, size_t part) {
    return b->ranges / b->range_columns * part / PARTS * b->range_columns;
}

/* Threads that do the parts: no more than that. */
static inline size_t threads_of(const weft_fractal_encoder *e) {
    const size_t threads = threads_asked_for(e->desc.threads), parts = (size_t)e->planes * PARTS;
    return threads < parts ? threads : parts;
}

/* Loads the frame, marks what of it changed, and lists what is to be searched. Returns whether it
 * becomes a reference. */
int prepare_frame(weft_fractal_encoder *e, const weft_fractal_picture *picture);

#endif
