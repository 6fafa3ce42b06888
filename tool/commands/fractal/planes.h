/* SPDX-License-Identifier: MIT
 * Frames as the files of videos have them, with planes Y, Cb, Cr, as pictures of the codec, whose
 * order is Y, Cr, Cb.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_PLANES_H
#define WEFT_TOOL_COMMANDS_FRACTAL_PLANES_H

#include "files/video.h"
#include "weft_fractal.h"

extern const char *const plane_words[WEFT_FRACTAL_PLANES]; /* Y, Cr, Cb */
extern const char *const profile_words[]; /* as weft_fractal_profile; NULL at the end */

weft_fractal_chroma chroma_of_video(video_chroma chroma);
/* How many colour samples there are, "4:2:2". */
const char *chroma_text(weft_fractal_chroma chroma);

/* What the files of decoded frames have; 4:2:0 is that of JPEG, as the stream does not say where
 * colour samples lie. */
video_format video_of_stream(const weft_fractal_stream *stream, size_t height, size_t width);

int planes_of_video(const video_format *format);
/* Which plane of a frame is that of a picture. */
video_plane plane_of_video(const video_format *format, int plane);
/* The planes of a frame where they lie. */
weft_fractal_picture picture_of_frame(const video_format *format, uint8_t *samples);

#endif
