/* SPDX-License-Identifier: MIT
 * The taps of bells; see bells.h. Of each program by its source, but of OpenCV by its results.
 */
#include "filter/bells.h"

#include <math.h>

static const double least_of_vips = 0.2, steps_of_vips = 20, least_of_imagemagick = 1.0 / 65535;

static double at(double x, double sigma) {
    return exp(-x * x / (2 * sigma * sigma));
}

static double tap(bell b, double sigma, size_t distance) {
    const double x = (double)distance;

    return b == BELL_IMAGEMAGICK ? at(x - 1.0 / 3, sigma) + at(x, sigma) + at(x + 1.0 / 3, sigma)
           : b == BELL_VIPS      ? rint(steps_of_vips * at(x, sigma))
                                 : at(x, sigma);
}

/* The first tap, from the third on, that is too small a part of all of them is left out. */
static size_t reach_of_imagemagick(double sigma) {
    double sum = 1 + 2 * at(1, sigma);
    size_t reach = 2;

    for (;; reach++) {
        const double next = at((double)reach, sigma);

        sum += 2 * next;
        if (next / sum < least_of_imagemagick) {
            return reach - 1;
        }
    }
}

static size_t reach_of_vips(double sigma) {
    size_t end = 0;

    while (at((double)end, sigma) >= least_of_vips) {
        end++;
    }
    return end > 0 ? end - 1 : 0;
}

size_t bell_reach(bell b, double sigma, int is_of_bytes) {
    switch (b) {
    case BELL_SKIMAGE:
        return (size_t)(4 * sigma + 0.5);
    case BELL_OPENCV: /* the width is odd: the next one above a whole number */
        return ((size_t)lrint((is_of_bytes ? 6 : 8) * sigma + 1) | 1) / 2;
    case BELL_VIPS:
        return reach_of_vips(sigma);
    case BELL_IMAGEMAGICK:
        return reach_of_imagemagick(sigma);
    case BELL_WHOLE:
        break;
    }
    return 0;
}

void bell_respond(bell b, double sigma, int is_of_bytes, size_t length, size_t count, double *to) {
    const size_t reach = bell_reach(b, sigma, is_of_bytes);
    double sum = tap(b, sigma, 0);

    for (size_t k = 0; k < count; k++) {
        to[k] = sum;
    }
    for (size_t x = 1; x <= reach; x++) {
        const double value = 2 * tap(b, sigma, x);

        sum += value;
        for (size_t k = 0; k < count; k++) {
            to[k] += value * cos(2 * M_PI * (double)(k * x % length) / (double)length);
        }
    }
    for (size_t k = 0; k < count; k++) {
        to[k] /= sum;
    }
}
