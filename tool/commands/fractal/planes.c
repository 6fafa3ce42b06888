/* SPDX-License-Identifier: MIT
 * The two orders of planes, and the two names of a chroma format; see planes.h.
 */
#include "commands/fractal/planes.h"

const char *const plane_words[WEFT_FRACTAL_PLANES] = {"Y", "Cr", "Cb"};
const char *const profile_words[] = {"seed", "dense", NULL};

static const weft_fractal_chroma of_video[VIDEO_CHROMAS] = {
    [VIDEO_MONO] = WEFT_FRACTAL_MONO,     [VIDEO_420] = WEFT_FRACTAL_420,
    [VIDEO_420_JPEG] = WEFT_FRACTAL_420,  [VIDEO_420_MPEG2] = WEFT_FRACTAL_420,
    [VIDEO_420_PALDV] = WEFT_FRACTAL_420, [VIDEO_422] = WEFT_FRACTAL_422,
    [VIDEO_444] = WEFT_FRACTAL_444};

static const struct {
    const char *text;
    video_chroma of_video;
} chromas[] = {[WEFT_FRACTAL_MONO] = {"Y alone", VIDEO_MONO},
               [WEFT_FRACTAL_422] = {"4:2:2", VIDEO_422},
               [WEFT_FRACTAL_420] = {"4:2:0", VIDEO_420_JPEG},
               [WEFT_FRACTAL_444] = {"4:4:4", VIDEO_444}};

weft_fractal_chroma chroma_of_video(video_chroma chroma) {
    return of_video[chroma];
}

const char *chroma_text(weft_fractal_chroma chroma) {
    return chromas[chroma].text;
}

video_format video_of_stream(const weft_fractal_stream *stream, size_t height, size_t width) {
    return (video_format){.height = height,
                          .width = width,
                          .chroma = chromas[stream->chroma].of_video,
                          .rate = {stream->fps_numerator, stream->fps_denominator},
                          .interlacing = '?'};
}

int planes_of_video(const video_format *format) {
    return (int)video_planes(format->chroma);
}

video_plane plane_of_video(const video_format *format, int plane) {
    static const size_t places[WEFT_FRACTAL_PLANES] = {0, 2, 1};

    return video_plane_at(format, places[plane]);
}

weft_fractal_picture picture_of_frame(const video_format *format, uint8_t *samples) {
    weft_fractal_picture picture = {{NULL}, {0}};

    for (int i = 0; i < planes_of_video(format); i++) {
        picture.plane[i] = samples + plane_of_video(format, i).start;
    }
    return picture;
}
