/* SPDX-License-Identifier: MIT
 * A PNG picture as a video of one frame: gray as Y alone, colours as 4:4:4.
 */
#include "files/video.h"

#include <string.h>

#include "shell/complain.h"

static int open_png(video *v, size_t max_pixels) {
    const image *picture = &v->picture;
    const int code = image_read_open_png(&v->picture, &v->in, max_pixels);

    if (code != EXIT_DONE) {
        return code;
    }
    if (picture->depth != 8) {
        return complain(EXIT_BAD_INPUT, "%s: %d bits a sample; a video has 8", v->in.path,
                        picture->depth);
    }
    if (picture->alpha != NULL) {
        return complain(EXIT_BAD_INPUT, "%s: has alpha; a video has none", v->in.path);
    }
    v->format = (video_format){.height = picture->height,
                               .width = picture->width,
                               .chroma = picture->planes == 1 ? VIDEO_MONO : VIDEO_444,
                               .interlacing = 'p'};
    return EXIT_DONE;
}

static int read_png(video *v, uint8_t *samples, int *has_frame) {
    const image *picture = &v->picture;
    const size_t count = image_plane_samples(picture);
    const uint8_t *pixels = picture->pixels;

    *has_frame = v->frames == 0;
    if (*has_frame && picture->planes == 1) {
        memcpy(samples, pixels, count);
    }
    for (size_t i = 0; *has_frame && picture->planes > 1 && i < count; i++) {
        uint8_t ycc[VIDEO_MOST_PLANES];

        video_of_rgb(pixels[i], pixels[count + i], pixels[2 * count + i], ycc);
        samples[i] = ycc[0];
        samples[count + i] = ycc[1];
        samples[2 * count + i] = ycc[2];
    }
    return EXIT_DONE;
}

const video_kind png_kind = {"PNG", 0x89, open_png, read_png};
