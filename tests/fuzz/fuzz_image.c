/* SPDX-License-Identifier: MIT
 * Reading pictures of every other format, page after page: the input is a file that the tool is to
 * read. What it takes must be a picture whose memory is as large as it says; written by each format
 * that holds all of it and read again, it is the same.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "files/image.h"
#include "fuzz.h"
#include "input_file.h"
#include "shell/complain.h"

enum { MAX_PIXELS = 1 << 16, MOST_PAGES = 20 };

static void check_numbers(const image *p) {
    const size_t samples = image_plane_samples(p);

    must(samples >= 1 && samples <= MAX_PIXELS, "%zux%zu", p->height, p->width);
    must(p->planes == 1 || p->planes == 3, "%zu planes", p->planes);
    must(p->depth == 8 || p->depth == 16 || p->depth == 32, "depth %d", p->depth);
    for (size_t i = 0; i < p->planes * samples; i++) {
        must(isfinite(image_value(p, i)), "sample %zu: %g", i, image_value(p, i));
    }
}

static int is_same(const image *a, const image *b) {
    const size_t plane = image_plane_samples(a) * image_sample_bytes(a);

    return a->height == b->height && a->width == b->width && a->planes == b->planes &&
           a->depth == b->depth && (a->alpha == NULL) == (b->alpha == NULL) &&
           memcmp(a->pixels, b->pixels, a->planes * plane) == 0 &&
           (a->alpha == NULL || memcmp(a->alpha, b->alpha, plane) == 0);
}

/* The name, of a file of this process, says the format. */
static void check_return(const image *picture, const char *name) {
    image again;
    output out = {.file = fopen(name, "wb"), .path = name};

    must(out.file != NULL && image_write(picture, &out, NULL) == EXIT_DONE &&
             fclose(out.file) == 0 && image_read(&again, name, MAX_PIXELS) == EXIT_DONE,
         "cannot be written and read again as %s", name);
    must(is_same(picture, &again), "is read as another picture from %s", name);
    image_free(&again);
    unlink(name);
}

static void check_page(image *picture) {
    static char names[2][64];

    if (names[0][0] == '\0') {
        snprintf(names[0], sizeof names[0], "/tmp/weft-fuzz-%ld.png", (long)getpid());
        snprintf(names[1], sizeof names[1], "/tmp/weft-fuzz-%ld.npy", (long)getpid());
    }
    check_numbers(picture);
    if (picture->depth != 32) {
        check_return(picture, names[0]);
    }
    if (picture->alpha == NULL) {
        check_return(picture, names[1]);
    }
    image_to_gray(picture);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    image_pages p;
    image picture = {0};
    int code = image_pages_open(&p, input_file(bytes, count), MAX_PIXELS);

    while (code == EXIT_DONE && p.next < p.end && p.next < MOST_PAGES) {
        code = image_pages_read(&p, &picture);
        if (code == EXIT_DONE) {
            check_page(&picture);
        } else {
            must(picture.pixels == NULL && picture.alpha == NULL && picture.extras == NULL,
                 "a refused picture has memory");
        }
        image_free(&picture);
    }
    image_pages_close(&p);
    return 0;
}
