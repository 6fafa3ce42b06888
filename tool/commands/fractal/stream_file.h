/* SPDX-License-Identifier: MIT
 * FVC1 out of a file or a pipe, a frame at a time. What is damaged, or larger than allowed, is bad
 * input, and the message says which frame it was. Functions that return int give an exit code.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_STREAM_FILE_H
#define WEFT_TOOL_COMMANDS_FRACTAL_STREAM_FILE_H

#include <argp.h>
#include <stdint.h>

#include "shell/input.h"
#include "weft_fractal.h"

typedef struct stream_file {
    input in;
    weft_fractal_decoder *decoder;
    uint8_t *bytes; /* of the header, then of the frame */
    size_t count, capacity;
    size_t frames; /* read so far */
    size_t length; /* of a regular file behind the header; SIZE_MAX of any other */
} stream_file;

/* The header stays in `bytes` until the first frame is read. */
int stream_file_open(stream_file *s, const char *path, const weft_fractal_decoding *how);
/* The next frame into `bytes`; *has_frame: 0 if the stream ends instead, as it should. */
int stream_file_read(stream_file *s, int *has_frame);
/* That frame; picture NULL: no pixels. */
int stream_file_decode(stream_file *s, const weft_fractal_picture *picture);
/* How much of the file was read, for progress_step(). */
double stream_file_fraction(stream_file *s);
void stream_file_close(stream_file *s); /* fine after a failure of stream_file_open, and twice */

/* The limits of what is decoded, as options. */
enum { KEY_MOST_PIXELS = 0x400, KEY_MOST_WORK };
extern const char most_pixels_about[], most_work_about[];
size_t most_option(struct argp_state *state, const char *option, const char *text);

#endif
