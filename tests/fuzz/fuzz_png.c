/* SPDX-License-Identifier: MIT
 * Reading PNG: the input is a file that the tool is to read. What it takes must be a picture whose
 * memory is as large as it says.
 */
#include "files/image.h"
#include "fuzz.h"
#include "input_file.h"
#include "shell/complain.h"

enum { MAX_PIXELS = 1 << 16 };

static void use_every_sample(image *picture) {
    size_t samples = image_plane_samples(picture), channels = image_channels(picture);
    size_t row_bytes = picture->width * channels * image_sample_bytes(picture);
    void *row = malloc(row_bytes);

    must(samples >= 1 && samples <= MAX_PIXELS, "%zux%zu", picture->height, picture->width);
    must(picture->planes == 1 || picture->planes == 3, "%zu planes", picture->planes);
    must(row != NULL, "no memory for a row of %zu bytes", row_bytes);
    for (size_t m = 0; m < picture->height; m++) {
        image_join_row(picture, m, row);
        image_split_row(picture, m, row);
    }
    free(row);
    image_to_gray(picture);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    image picture;
    if (image_read_png(&picture, input_file(bytes, count), MAX_PIXELS) == EXIT_DONE) {
        use_every_sample(&picture);
    } else {
        must(picture.pixels == NULL && picture.alpha == NULL, "a refused picture has memory");
    }
    image_free(&picture);
    return 0;
}
