/* SPDX-License-Identifier: MIT
 * Memory of a picture, and the change between planes and interleaved rows.
 */
#include "files/image.h"

#include <stdint.h>
#include <stdlib.h>

#include "files/image_extras.h"
#include "shell/complain.h"

int image_allocate(image *picture, size_t height, size_t width, size_t planes, int depth,
                   int has_alpha) {
    *picture = (image){.height = height, .width = width, .planes = planes, .depth = depth};
    picture->pixels = allocate(image_plane_samples(picture), planes * image_sample_bytes(picture));
    if (picture->pixels && has_alpha) {
        picture->alpha = allocate(image_plane_samples(picture), image_sample_bytes(picture));
    }
    if (picture->pixels && (picture->alpha || !has_alpha)) {
        return EXIT_DONE;
    }
    image_free(picture);
    return EXIT_MEMORY;
}

void image_free(image *picture) {
    free(picture->pixels);
    free(picture->alpha);
    image_extras_free(picture);
    *picture = (image){0};
}

size_t image_sample_bytes(const image *picture) {
    return (size_t)picture->depth / 8;
}

size_t image_plane_samples(const image *picture) {
    return picture->height * picture->width;
}

unsigned image_largest(int depth) {
    return depth == 16 ? UINT16_MAX : UINT8_MAX;
}

unsigned image_to_8_bits(unsigned value) {
    const unsigned level = UINT16_MAX / UINT8_MAX; /* of 8 bits, in 16 */
    return (value + level / 2) / level;
}

double image_value(const image *picture, size_t i) {
    if (picture->depth == 32) {
        return ((const float *)picture->pixels)[i];
    }
    return image_sample(picture, i);
}

unsigned image_sample(const image *picture, size_t i) {
    if (picture->depth == 16) {
        return ((const uint16_t *)picture->pixels)[i];
    }
    return ((const uint8_t *)picture->pixels)[i];
}

void image_set_sample(image *picture, size_t i, unsigned value) {
    if (picture->depth == 16) {
        ((uint16_t *)picture->pixels)[i] = (uint16_t)value;
    } else {
        ((uint8_t *)picture->pixels)[i] = (uint8_t)value;
    }
}

size_t image_channels(const image *picture) {
    return picture->planes + (picture->alpha != NULL);
}

/* Where this channel's part of a row lies; alpha is the channel after the colours. */
static void *channel_row(const image *picture, size_t channel, size_t row) {
    size_t start = row * picture->width;
    char *samples = picture->alpha;

    if (channel < picture->planes) {
        start += channel * image_plane_samples(picture);
        samples = picture->pixels;
    }
    return samples + start * image_sample_bytes(picture);
}

/* Steps are in samples. */
static void copy_samples(size_t count, size_t bytes, void *to, size_t to_step, const void *from,
                         size_t from_step) {
    if (bytes == 1) {
        for (size_t i = 0; i < count; i++) {
            ((uint8_t *)to)[i * to_step] = ((const uint8_t *)from)[i * from_step];
        }
    } else if (bytes == 4) {
        for (size_t i = 0; i < count; i++) {
            ((uint32_t *)to)[i * to_step] = ((const uint32_t *)from)[i * from_step];
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            ((uint16_t *)to)[i * to_step] = ((const uint16_t *)from)[i * from_step];
        }
    }
}

/* Rows of three colours of 8 bits, as most pictures have them, where the CPU can change their order
 * within a vector: a tenth of the time. The compiler finds the instructions if it may. */
#ifdef __x86_64__
static int is_quick(const image *picture) {
    return picture->depth == 8 && image_channels(picture) == 3 && __builtin_cpu_supports("ssse3");
}

__attribute__((target("ssse3"))) static void split_quickly(size_t count, const uint8_t *from,
                                                           uint8_t *restrict red,
                                                           uint8_t *restrict green,
                                                           uint8_t *restrict blue) {
    for (size_t i = 0; i < count; i++) {
        red[i] = from[3 * i];
        green[i] = from[3 * i + 1];
        blue[i] = from[3 * i + 2];
    }
}

__attribute__((target("ssse3"))) static void join_quickly(size_t count, uint8_t *restrict to,
                                                          const uint8_t *red, const uint8_t *green,
                                                          const uint8_t *blue) {
    for (size_t i = 0; i < count; i++) {
        to[3 * i] = red[i];
        to[3 * i + 1] = green[i];
        to[3 * i + 2] = blue[i];
    }
}
#endif

void image_split_row(image *picture, size_t row, const void *interleaved) {
    size_t channels = image_channels(picture), bytes = image_sample_bytes(picture);

#ifdef __x86_64__
    if (is_quick(picture)) {
        split_quickly(picture->width, interleaved, channel_row(picture, 0, row),
                      channel_row(picture, 1, row), channel_row(picture, 2, row));
        return;
    }
#endif
    for (size_t channel = 0; channel < channels; channel++) {
        copy_samples(picture->width, bytes, channel_row(picture, channel, row), 1,
                     (const char *)interleaved + channel * bytes, channels);
    }
}

void image_join_row(const image *picture, size_t row, void *interleaved) {
    size_t channels = image_channels(picture), bytes = image_sample_bytes(picture);

#ifdef __x86_64__
    if (is_quick(picture)) {
        join_quickly(picture->width, interleaved, channel_row(picture, 0, row),
                     channel_row(picture, 1, row), channel_row(picture, 2, row));
        return;
    }
#endif
    for (size_t channel = 0; channel < channels; channel++) {
        copy_samples(picture->width, bytes, (char *)interleaved + channel * bytes, channels,
                     channel_row(picture, channel, row), 1);
    }
}

static float luma_of_floats(const float *red, size_t samples) {
    return 0.299F * red[0] + 0.587F * red[samples] + 0.114F * red[2 * samples];
}

static unsigned luma(const image *picture, size_t i, size_t samples) {
    return (299 * image_sample(picture, i) + 587 * image_sample(picture, samples + i) +
            114 * image_sample(picture, 2 * samples + i) + 500) /
           1000;
}

void image_to_gray(image *picture) {
    size_t samples = image_plane_samples(picture);

    if (picture->planes == 1) {
        return;
    }
    for (size_t i = 0; i < samples; i++) {
        if (picture->depth == 32) {
            ((float *)picture->pixels)[i] = luma_of_floats((float *)picture->pixels + i, samples);
        } else {
            image_set_sample(picture, i, luma(picture, i, samples));
        }
    }
    picture->planes = 1;
    image_extras_free(picture);
}
