/* SPDX-License-Identifier: MIT
 * Reading Y4M, and what stands behind the same functions: the input is a video that the tool is to
 * read, once as what it says it is and once as raw YUY2. What it takes must be frames of the size
 * that it says, which are written and read again as the same.
 */
#include <string.h>

#include "files/video.h"
#include "files/y4m.h"
#include "fuzz.h"
#include "input_file.h"
#include "shell/complain.h"

enum { MAX_PIXELS = 1 << 12 };

/* All frames into `out`; an exit code. */
static int copy_frames(video *v, output *out) {
    const size_t bytes = video_frame_bytes(&v->format);
    uint8_t *samples = malloc(bytes); /* AddressSanitizer sees what lies behind */
    int has_frame = 1, code = y4m_write_header(out, &v->format);

    must(bytes >= 1 && bytes <= VIDEO_MOST_PLANES * MAX_PIXELS && samples != NULL, "%zu bytes",
         bytes);
    while (code == EXIT_DONE && has_frame) {
        code = video_read(v, samples, &has_frame);
        must(code == EXIT_DONE || !has_frame, "a frame in spite of code %d", code);
        if (has_frame) {
            must(y4m_write_frame(out, &v->format, samples) == EXIT_DONE, "cannot be written");
        }
    }
    free(samples);
    return code;
}

/* The video as Y4M of *size bytes, or NULL where it was refused before any frame; *code: how its
 * frames ended. */
static char *read_with(const char *path, size_t height, size_t width, size_t *size, int *code) {
    char *file = NULL;
    output out = {0};
    video v;

    *code = video_open(&v, path, height, width, MAX_PIXELS);
    if (*code == EXIT_DONE) {
        out.file = open_memstream(&file, size);
        must(out.file != NULL, "no memory");
        *code = copy_frames(&v, &out);
        must(fclose(out.file) == 0, "no memory");
    }
    video_close(&v);
    return file;
}

static void read_twice(const char *path, size_t height, size_t width) {
    size_t size, size_again;
    int code;
    char *file = read_with(path, height, width, &size, &code), *again;

    if (file != NULL) {
        again = read_with(input_file((uint8_t *)file, size), 0, 0, &size_again, &code);
        must(code == EXIT_DONE && size == size_again && memcmp(file, again, size) == 0,
             "is read as another video, code %d", code);
        free(again);
    }
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    read_twice(input_file(bytes, count), 0, 0);
    read_twice(input_file(bytes, count), 3, 5);
    return 0;
}
