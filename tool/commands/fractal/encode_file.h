/* SPDX-License-Identifier: MIT
 * A video, or a picture as a video of one frame, out of a file or pipe, coded into another as FVC1:
 * what weft fractal encode does, and weft fractal bench times.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_ENCODE_FILE_H
#define WEFT_TOOL_COMMANDS_FRACTAL_ENCODE_FILE_H

#include "commands/fractal/totals.h"

typedef struct encode_job {
    weft_fractal_desc desc; /* all but what the input says of itself */
    const char *input, *output;
    size_t height, width; /* of raw YUY2; 0: it is none */
    size_t frames;        /* the most to be coded */
    size_t max_pixels;
    int verbose; /* a line for each frame on standard error */
} encode_job;

typedef struct encode_done {
    video_format format;
    const char *search; /* that was chosen, which lives as long as the library */
    totals all;
    double seconds; /* from the first frame on until the stream has its name */
} encode_done;

/* An exit code, after a complaint; then there is no output, and nothing in *done. */
int encode_file(const encode_job *job, encode_done *done);

#endif
