/* SPDX-License-Identifier: MIT
 * RGBA out of planes; see picture.h.
 */
#include "reproduce/dx11/picture.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "bench/task.h"
#include "files/scene.h"
#include "shell/complain.h"

enum { COLOURS = 3, CHANNELS = 4 };

static unsigned char sample_of(const image *from, size_t plane, size_t row, size_t column) {
    const size_t at = (plane % from->planes * from->height + row) * from->width + column;
    const unsigned value = image_sample(from, at);
    return (unsigned char)(from->depth == 8 ? value : image_to_8_bits(value));
}

static void fill(dx11_picture *p, const image *from) {
    for (size_t row = 0; row < p->height; row++) {
        for (size_t column = 0; column < p->width; column++) {
            unsigned char *pixel = p->rgba + CHANNELS * (row * p->width + column);
            const int inside = row < from->height && column < from->width;
            for (size_t plane = 0; plane < COLOURS; plane++) {
                pixel[plane] = inside ? sample_of(from, plane, row, column) : 0;
            }
            pixel[COLOURS] = UCHAR_MAX;
        }
    }
}

static int draw(dx11_picture *p) {
    image scene = {0};
    int code = image_allocate(&scene, p->height, p->width, COLOURS, 16, 0);
    if (code == EXIT_DONE) {
        code = scene_render(p->height, p->width, 16, COLOURS, bench_seed, scene.pixels);
    }
    if (code == EXIT_DONE) {
        fill(p, &scene);
    }
    image_free(&scene);
    return code;
}

int dx11_picture_make(dx11_picture *p, const image *from, size_t height, size_t width) {
    *p = (dx11_picture){.height = height, .width = width};
    p->rgba = allocate(height * width, CHANNELS);
    if (p->rgba == NULL) {
        return EXIT_MEMORY;
    }
    if (from == NULL) {
        return draw(p);
    }
    fill(p, from);
    return EXIT_DONE;
}

void dx11_picture_free(dx11_picture *p) {
    free(p->rgba);
    *p = (dx11_picture){0};
}

float dx11_picture_value(const dx11_picture *p, size_t plane, size_t i) {
    return (float)p->rgba[CHANNELS * i + plane] / UCHAR_MAX;
}

double dx11_picture_psnr(const dx11_picture *p, const float *values, size_t pixel_step,
                         size_t plane_step) {
    const size_t pixels = p->height * p->width;
    double sums[COLOURS];

#pragma omp parallel for
    for (size_t plane = 0; plane < COLOURS; plane++) {
        double sum = 0;
        for (size_t i = 0; i < pixels; i++) {
            const float error =
                values[plane * plane_step + i * pixel_step] - dx11_picture_value(p, plane, i);
            sum += (double)error * error;
        }
        sums[plane] = sum;
    }
    return -10 * log10((sums[0] + sums[1] + sums[2]) / (double)(COLOURS * pixels));
}
