/* SPDX-License-Identifier: MIT
 * Pixels from a PNG or from the scene; see input.h. A scene larger than scene_render makes
 * repeats itself.
 */
#include "bench/input.h"

#include "bench/memory.h"
#include "files/scene.h"
#include "shell/complain.h"

enum { MOST_PIXELS = 1 << 30, SCALE_8_TO_16 = 257 };

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
    int code = image_read_png(&in->picture, in->path, MOST_PIXELS);
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

size_t pixel_type_bytes(weft_pixel pixel, weft_precision precision) {
    if (pixel == WEFT_PIXEL_REAL) {
        return precision == WEFT_F32 ? sizeof(float) : sizeof(double);
    }
    return pixel == WEFT_PIXEL_U8 ? 1 : 2;
}

static void store(void *pixels, const bench_task *task, size_t i, unsigned value, int depth) {
    switch (task->pixel) {
    case WEFT_PIXEL_U8:
        ((unsigned char *)pixels)[i] = (unsigned char)(depth == 8 ? value : image_to_8_bits(value));
        break;
    case WEFT_PIXEL_U16:
        ((unsigned short *)pixels)[i] =
            (unsigned short)(depth == 8 ? value * SCALE_8_TO_16 : value);
        break;
    case WEFT_PIXEL_REAL:
    default:
        if (task->precision == WEFT_F32) {
            ((float *)pixels)[i] = (float)value;
        } else {
            ((double *)pixels)[i] = value;
        }
    }
}

void bench_input_pixels(const bench_input *in, const bench_task *task, size_t b, void *pixels) {
    const image *p = &in->picture;
    const size_t plane = b % p->planes * image_plane_samples(p);
    for (size_t m = 0; m < task->height; m++) {
        for (size_t n = 0; n < task->width; n++) {
            const size_t from = plane + m % p->height * p->width + n % p->width;
            store(pixels, task, m * task->width + n, image_sample(p, from), p->depth);
        }
    }
}
