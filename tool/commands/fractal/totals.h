/* SPDX-License-Identifier: MIT
 * What was done for the frames of a stream, added up and printed: bytes, ratio to the input, PSNR,
 * shares of changed ranges and of new codes, for each plane and for all of them.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_TOTALS_H
#define WEFT_TOOL_COMMANDS_FRACTAL_TOTALS_H

#include "commands/fractal/quality.h"

/* Of a plane; the last of them are of the whole stream. `later`: of frames that are no references.
 */
typedef struct plane_totals {
    double raw, bytes, later_raw, later_bytes; /* in the input, in the stream */
    double later_ranges, later_changed, later_coded;
} plane_totals;

typedef struct totals {
    size_t frames, references;
    plane_totals plane[QUALITY_ROWS];
    quality decoded;
    double terms_decided, terms_evaluated, search_seconds;
} totals;

void totals_add(totals *t, const video_format *format, const weft_fractal_frame *frame);

/* One line, short enough for progress: PSNR of the mean error of all planes, and ratio so far. */
enum { TOTALS_TEXT = 80 };
const char *totals_so_far(const totals *t, char text[TOTALS_TEXT]);

/* A line of one frame. */
void totals_print_frame(FILE *to, size_t number, const video_format *format,
                        const weft_fractal_frame *frame);
/* The table of all, seconds: that it took. */
void totals_print(FILE *to, const totals *t, const video_format *format, double seconds);

#endif
