/* SPDX-License-Identifier: MIT
 * Writing Y4M, the format of raw video that most programs for video read and write:
 *     YUV4MPEG2 W704 H576 F30:1 Ip A1:1 C422     one line; F: rate, A: aspect of a pixel, 0:0
 * unknown FRAME                                      one line, then planes Y, Cb, Cr; and so every
 * frame Reading it is video.h's, by way of y4m.c.
 */
#ifndef WEFT_TOOL_FILES_Y4M_H
#define WEFT_TOOL_FILES_Y4M_H

#include "files/video.h"
#include "shell/output.h"

/* Exit codes, after a complaint. */
int y4m_write_header(output *out, const video_format *format);
int y4m_write_frame(output *out, const video_format *format, const uint8_t *samples);

#endif
