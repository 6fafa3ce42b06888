/* SPDX-License-Identifier: MIT
 * A picture as a video of one frame, gray as Y alone, colours as 4:4:4; and a frame as a picture.
 */
#include "files/video.h"

#include <string.h>

#include "shell/complain.h"

static int open_picture(video *v, size_t max_pixels) {
    const image *picture = &v->picture;
    const int code = image_read_open(&v->picture, &v->in, max_pixels,
                                     "neither Y4M nor a picture; raw YUY2 needs --size HxW");

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

static int read_picture(video *v, uint8_t *samples, int *has_frame) {
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

const video_kind picture_kind = {"picture", open_picture, read_picture};

/* Y, Cb and Cr of a pixel. */
static void sample_pixel(const video_format *f, const uint8_t *samples, size_t row, size_t column,
                         uint8_t ycc[VIDEO_MOST_PLANES]) {
    ycc[0] = samples[row * f->width + column];
    for (size_t plane = 1; plane < VIDEO_MOST_PLANES; plane++) {
        const video_plane at = video_plane_at(f, plane);

        ycc[plane] = samples[at.start + row / video_row_step(f->chroma) * at.columns +
                             column / video_column_step(f->chroma)];
    }
}

int video_to_picture(const video_format *format, const uint8_t *samples, image *picture) {
    const size_t planes = video_planes(format->chroma);
    const int code = image_allocate(picture, format->height, format->width, planes, 8, 0);
    const size_t count = image_plane_samples(picture);
    uint8_t *pixels = picture->pixels;

    if (code == EXIT_DONE && planes == 1) {
        memcpy(pixels, samples, count);
    }
    for (size_t i = 0; code == EXIT_DONE && planes > 1 && i < count; i++) {
        uint8_t ycc[VIDEO_MOST_PLANES], rgb[VIDEO_MOST_PLANES];

        sample_pixel(format, samples, i / format->width, i % format->width, ycc);
        video_to_rgb(ycc, rgb);
        for (size_t plane = 0; plane < planes; plane++) {
            pixels[plane * count + i] = rgb[plane];
        }
    }
    return code;
}
