/* SPDX-License-Identifier: MIT
 * Raw YUY2: frames of bytes Y0 U Y1 V, two pixels in four bytes, and nothing else. The last pixel
 * of an odd row has a Y1 that is not used.
 */
#include "files/video.h"

#include "shell/complain.h"

enum { PAIR_BYTES = 4 };

static size_t pairs(const video *v) {
    return v->format.width / 2 + v->format.width % 2;
}

static int open_yuy2(video *v, size_t max_pixels) {
    int code;

    v->format.chroma = VIDEO_422;
    code = video_check_size(v, max_pixels);
    if (code == EXIT_DONE) {
        code = video_expect_frame(v, v->format.height * pairs(v) * PAIR_BYTES);
    }
    if (code == EXIT_DONE && !(v->row = allocate(pairs(v), PAIR_BYTES))) {
        code = EXIT_MEMORY;
    }
    return code;
}

static void unpack_row(const video *v, size_t row, uint8_t *samples) {
    const size_t width = v->format.width;
    const video_plane cb = video_plane_at(&v->format, 1), cr = video_plane_at(&v->format, 2);
    uint8_t *y = samples + row * width;

    for (size_t n = 0; n < width; n++) {
        y[n] = v->row[2 * n];
    }
    for (size_t n = 0; n < cb.columns; n++) {
        samples[cb.start + row * cb.columns + n] = v->row[PAIR_BYTES * n + 1];
        samples[cr.start + row * cr.columns + n] = v->row[PAIR_BYTES * n + 3];
    }
}

static int read_yuy2(video *v, uint8_t *samples, int *has_frame) {
    const size_t bytes = pairs(v) * PAIR_BYTES;

    for (size_t row = 0; row < v->format.height; row++) {
        size_t got;
        const int code = input_read_most(&v->in, v->row, bytes, &got);

        if (code != EXIT_DONE || (row == 0 && got == 0)) {
            return code;
        }
        if (got < bytes) {
            return video_truncated(v, row * bytes + got, v->format.height * bytes);
        }
        unpack_row(v, row, samples);
    }
    *has_frame = 1;
    return EXIT_DONE;
}

const video_kind yuy2_kind = {"raw YUY2", open_yuy2, read_yuy2};
