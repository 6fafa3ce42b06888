/* SPDX-License-Identifier: MIT
 * The pixels that are timed: a PNG file's, one plane an image, or those of the deterministic scene.
 */
#ifndef WEFT_TOOL_BENCH_INPUT_H
#define WEFT_TOOL_BENCH_INPUT_H

#include "weft.h"

#include "bench/task.h"
#include "files/image.h"

typedef struct bench_input {
    image picture;
    const char *path; /* of the PNG, or NULL for the scene */
} bench_input;

/* An exit code, after a complaint, also where the memory would not do. A picture sets the task's
 * size, and its batch if that is 0. */
int bench_input_open(bench_input *in, bench_task *task);
void bench_input_close(bench_input *in);

/* Image b of a batch in the element type asked for; integer types are scaled between 8 and 16 bits.
 */
void bench_input_pixels(const bench_input *in, const bench_task *task, size_t b, void *pixels);

#endif
