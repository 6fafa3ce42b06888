/* SPDX-License-Identifier: MIT
 * Where decoded frames go: a Y4M file of all of them, or a PNG picture of one, by its name.
 * Functions that return int give an exit code.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_FRAME_FILE_H
#define WEFT_TOOL_COMMANDS_FRACTAL_FRAME_FILE_H

#include "files/video.h"
#include "shell/output.h"

extern const char *const frame_suffixes[];

int frame_file_is_picture(const char *path); /* 1 or 0 */

typedef struct frame_file {
    output out;
    const char *path; /* NULL: nothing is written */
    video_format format;
} frame_file;

int frame_file_open(frame_file *f, const char *path, const video_format *format);
int frame_file_write(frame_file *f, const uint8_t *samples);
int frame_file_commit(frame_file *f);
void frame_file_abandon(frame_file *f); /* fine after commit, and when zeroed */

#endif
