/* SPDX-License-Identifier: MIT
 * A video in memory, a frame at a time: planes Y, Cb and Cr of 8 bits. Frames come one after the
 * other out of Y4M, raw YUY2, or a picture as a video of one frame, from a file or a pipe of
 * unknown length. What is not taken is refused with its reason. All functions that return int give
 * an exit code and have complained.
 */
#ifndef WEFT_TOOL_FILES_VIDEO_H
#define WEFT_TOOL_FILES_VIDEO_H

#include <stddef.h>
#include <stdint.h>

#include "files/image.h"
#include "shell/input.h"

/* How many colour samples there are, and for 4:2:0 where they lie. */
typedef enum video_chroma {
    VIDEO_MONO,
    VIDEO_420,
    VIDEO_420_JPEG,
    VIDEO_420_MPEG2,
    VIDEO_420_PALDV,
    VIDEO_422,
    VIDEO_444,
    VIDEO_CHROMAS
} video_chroma;
enum { VIDEO_MOST_PLANES = 3, VIDEO_NEUTRAL = 128 }; /* neutral: Cb and Cr of gray */

typedef struct video_ratio {
    uint32_t numerator, denominator; /* both 0: unknown */
} video_ratio;

typedef struct video_format {
    size_t height, width; /* of Y */
    video_chroma chroma;
    video_ratio rate, aspect; /* frames per second; width to height of a pixel */
    char interlacing; /* p none, t top field first, b bottom field first, m mixed, ? unknown */
} video_format;

/* Where a plane lies in a frame: rows * columns samples from `start` on, without gaps. Cb and Cr of
 * an odd side are rounded up. */
typedef struct video_plane {
    size_t start, rows, columns;
} video_plane;

const char *video_chroma_word(video_chroma chroma); /* as Y4M names it, such as 420jpeg */
size_t video_row_step(video_chroma chroma);         /* rows of Y for one of Cb and Cr: 1 or 2 */
size_t video_column_step(video_chroma chroma);      /* the same of columns */
size_t video_planes(video_chroma chroma);           /* 1 or 3: Y, or Y, Cb, Cr, in that order */
video_plane video_plane_at(const video_format *format, size_t plane);
size_t video_frame_bytes(const video_format *format); /* of all planes */

/* Y, Cb and Cr of a colour, all of 0..255, by BT.601 over the full range, as JPEG has it. */
void video_of_rgb(unsigned red, unsigned green, unsigned blue, uint8_t ycc[VIDEO_MOST_PLANES]);
/* And back; what is no colour becomes the nearest red, green and blue each. */
void video_to_rgb(const uint8_t ycc[VIDEO_MOST_PLANES], uint8_t rgb[VIDEO_MOST_PLANES]);

struct video_kind;

typedef struct video {
    video_format format;
    size_t frames; /* read so far */
    const struct video_kind *kind;
    input in;
    uint8_t *row;  /* one of the file, where that is not as the planes are */
    image picture; /* of a picture */
} video;

/* A kind of file. */
typedef struct video_kind {
    const char *name;
    /* The format, out of what comes before the first frame. */
    int (*open)(video *v, size_t max_pixels);
    /* The next frame; *has_frame: 0 if the file ends instead. */
    int (*read)(video *v, uint8_t *samples, int *has_frame);
} video_kind;
extern const video_kind y4m_kind, yuy2_kind, picture_kind;

/* Sides that are not 0 are those of raw YUY2, which does not say them itself. Refuses frames of
 * more than max_pixels, and a regular file that is too short for its first frame: memory for one
 * may follow. */
int video_open(video *v, const char *path, size_t height, size_t width, size_t max_pixels);
int video_read(video *v, uint8_t *samples, int *has_frame);
void video_close(video *v); /* fine after a failure of video_open, and twice */

/* A frame as a picture, gray where it is Y alone; the caller frees it. A colour sample counts for
 * all pixels that it covers. */
int video_to_picture(const video_format *format, const uint8_t *samples, image *picture);

/* For the kinds: */
int video_check_size(const video *v, size_t max_pixels);
int video_expect_frame(video *v, size_t bytes); /* if the file has any more */
int video_truncated(const video *v, size_t got, size_t wanted);

#endif
