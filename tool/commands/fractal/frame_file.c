/* SPDX-License-Identifier: MIT
 * Frames to Y4M or PNG; see frame_file.h.
 */
#include "commands/fractal/frame_file.h"

#include "files/y4m.h"
#include "shell/complain.h"
#include "shell/parse.h"

const char *const frame_suffixes[] = {".y4m", ".png", NULL};

int frame_file_is_picture(const char *path) {
    return path != NULL && has_suffix(path, ".png");
}

int frame_file_open(frame_file *f, const char *path, const video_format *format) {
    int code;

    *f = (frame_file){.path = path, .format = *format};
    code = path != NULL ? output_open_data(&f->out, path) : EXIT_DONE;
    if (code == EXIT_DONE && path != NULL && !frame_file_is_picture(path)) {
        code = y4m_write_header(&f->out, format);
    }
    return code;
}

static int write_picture(frame_file *f, const uint8_t *samples) {
    image picture = {0};
    int code = video_to_picture(&f->format, samples, &picture);

    if (code == EXIT_DONE) {
        code = image_write_png(&picture, &f->out);
    }
    image_free(&picture);
    return code;
}

int frame_file_write(frame_file *f, const uint8_t *samples) {
    if (f->path == NULL) {
        return EXIT_DONE;
    }
    return frame_file_is_picture(f->path) ? write_picture(f, samples)
                                          : y4m_write_frame(&f->out, &f->format, samples);
}

int frame_file_commit(frame_file *f) {
    return f->path != NULL ? output_commit(&f->out) : EXIT_DONE;
}

void frame_file_abandon(frame_file *f) {
    if (f->path != NULL) {
        output_abandon(&f->out);
    }
}
