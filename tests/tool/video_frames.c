/* SPDX-License-Identifier: MIT
 * Reads a video as the tool does, for test_video.py: video_frames IN HxW|0 [OUT.y4m]. The size is
 * that of raw YUY2. Prints what the video is, and a number and a CRC-32 for each frame; or writes
 * it as Y4M.
 */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "files/video.h"
#include "files/y4m.h"
#include "shell/complain.h"
#include "shell/interrupt.h"
#include "shell/options.h"
#include "shell/output.h"
#include "shell/parse.h"

typedef struct task {
    video *v;
    uint8_t *samples;
} task;

static int print_frames(const task *t) {
    const video_format *f = &t->v->format;
    const size_t bytes = video_frame_bytes(f);
    int has_frame, code;

    printf("%s %zux%zu %s %u:%u %u:%u %c\n", t->v->kind->name, f->height, f->width,
           video_chroma_word(f->chroma), f->rate.numerator, f->rate.denominator,
           f->aspect.numerator, f->aspect.denominator, f->interlacing);
    while ((code = video_read(t->v, t->samples, &has_frame)) == EXIT_DONE && has_frame) {
        printf("%zu %08lx\n", t->v->frames - 1, crc32(0, t->samples, (uInt)bytes));
    }
    return code;
}

static int write_frames(output *out, void *context) {
    const task *t = context;
    int has_frame = 1, code = y4m_write_header(out, &t->v->format);

    while (code == EXIT_DONE && has_frame) {
        code = video_read(t->v, t->samples, &has_frame);
        if (code == EXIT_DONE && has_frame) {
            code = y4m_write_frame(out, &t->v->format, t->samples);
        }
    }
    return code;
}

int main(int argc, char **argv) {
    size_t height = 0, width = 0;
    video v;
    task t = {.v = &v};
    int code;

    output_watch_standard_streams();
    interrupt_catch();
    if (argc < 3 || argc > 4 ||
        (parse_size(argv[2], &height, &width) != 0 && parse_count(argv[2], 0, 0, &width) != 0)) {
        return interrupt_over(complain(EXIT_USAGE, "video_frames IN HxW|0 [OUT.y4m]"));
    }
    code = video_open(&v, argv[1], height, width, DEFAULT_MAX_PIXELS);
    if (code == EXIT_DONE) {
        t.samples = allocate(video_frame_bytes(&v.format), 1);
        code = t.samples ? EXIT_DONE : EXIT_MEMORY;
    }
    if (code == EXIT_DONE) {
        code = argc == 4 ? output_whole(argv[3], write_frames, &t) : print_frames(&t);
    }
    free(t.samples);
    video_close(&v);
    return interrupt_over(code);
}
