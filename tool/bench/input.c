/* SPDX-License-Identifier: MIT
 * Pixels from a PNG or from the scene; see input.h. A scene larger than scene_render makes
 * repeats itself.
 */
#include "bench/input.h"

#include "bench/memory.h"
#include "elements.h"
#include "files/scene.h"
#include "shell/complain.h"

enum { SCALE_8_TO_16 = 257 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static int render(bench_input *in, const bench_task *task) {
    const size_t height = smaller(task->height, SCENE_LONGEST_SIDE);
    const size_t width = smaller(task->width, SCENE_LONGEST_SIDE);
    int code = image_allocate(&in->picture, height, width, 1, 16, 0);
    return code == EXIT_DONE ? scene_render(height, width, 16, 1, bench_seed, in->picture.pixels)
                             : code;
}

static int read_picture(bench_input *in, bench_task *task) {
    int code = image_read_png(&in->picture, in->path, task->max_pixels);
    if (code == EXIT_DONE) {
        task->height = in->picture.height;
        task->width = in->picture.width;
        task->batch = task->batch ? task->batch : in->picture.planes;
    }
    return code;
}

int bench_input_open(bench_input *in, bench_task *task) {
    int code = EXIT_DONE;
    *in = (bench_input){.path = task->picture};
    if (in->path != NULL) {
        code = read_picture(in, task);
    }
    task->batch = task->batch ? task->batch : 1;
    if (code == EXIT_DONE) {
        const weft_desc desc = task_desc(task);
        code = memory_check(&desc);
    }
    return code == EXIT_DONE && in->path == NULL ? render(in, task) : code;
}

void bench_input_close(bench_input *in) {
    image_free(&in->picture);
}

/* As the pixel type wants it; real numbers are as in the picture. */
static unsigned as_type(weft_pixel pixel, unsigned value, int depth) {
    if (pixel == WEFT_PIXEL_U8 && depth != 8) {
        return image_to_8_bits(value);
    }
    return pixel == WEFT_PIXEL_U16 && depth == 8 ? value * SCALE_8_TO_16 : value;
}

void bench_input_pixels(const bench_input *in, const bench_task *task, size_t b, void *pixels) {
    const image *p = &in->picture;
    const size_t plane = b % p->planes * image_plane_samples(p);
    for (size_t m = 0; m < task->height; m++) {
        for (size_t n = 0; n < task->width; n++) {
            const size_t from = plane + m % p->height * p->width + n % p->width;
            element_set(pixels, m * task->width + n, task->precision, task->pixel,
                        as_type(task->pixel, image_sample(p, from), p->depth));
        }
    }
}
