/* SPDX-License-Identifier: MIT
 * Some frames of a film, coded: how good, how small, how fast.
 */
#ifndef WEFT_TOOL_REPRODUCE_FRACTAL_PASSAGE_H
#define WEFT_TOOL_REPRODUCE_FRACTAL_PASSAGE_H

#include "commands/fractal/coding_sample.h"
#include "commands/fractal/film.h"
#include "reproduce/findings.h"

/* Some frames of a film, coded once by a search. */
typedef struct passage_sample {
    const char *film, *search;
    size_t frames;
    coding_sample of;
} passage_sample;

/* Frames before `end` are coded, those from `first` on are counted and timed, in so many samples.
 */
typedef struct passage {
    const film *of, *part_of; /* part_of: what it was cut from; NULL: nothing */
    size_t first, end, samples;
} passage;

enum { MOST_SAMPLES_OF_PASSAGE = 3 };

/* Means of a frame; times are of the sample that took least. */
typedef struct passage_coded {
    char reason[MOST_REASON]; /* "": it was coded */
    double search_ms, kernel_ms, transfer_ms, ms;
    passage_sample sample[MOST_SAMPLES_OF_PASSAGE];
    size_t samples;
    double terms, changed; /* of all planes: terms computed, share of ranges that were coded */
    double domains;        /* of Y, that were searched */
    double psnr[WEFT_FRACTAL_PLANES]; /* of the mean error */
    double bits_of_range;             /* of Y */
    double ratio_of_y, ratio;         /* of bytes of pixels to bytes of stream */
} passage_coded;

/* An exit code; a search that refuses, or that this build lacks, is a reason. Sides and chroma of
 * the description are those of the film. */
int passage_code(const passage *p, const weft_fractal_desc *desc, passage_coded *coded);

/* A row gets the samples. */
void passage_note_samples(const passage_coded *coded, finding_row *row);

#endif
