/* SPDX-License-Identifier: MIT
 * A short list of copies; see image_extras.h.
 */
#include "files/image_extras.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell/complain.h"

/* Of the header of a profile: its bytes, and where it says which colours it is of. */
enum { ICC_HEADER = 128, ICC_COLOURS = 16 };

const char image_profile[] = "ICC";

int image_extras_keep(image *picture, const char *format, const char *name, const void *bytes,
                      size_t count) {
    image_extras *extras = picture->extras;
    image_extra *extra;

    if (extras == NULL) {
        extras = allocate(1, sizeof *extras);
        if (extras == NULL) {
            return EXIT_MEMORY;
        }
        *extras = (image_extras){.format = format};
        picture->extras = extras;
    }
    for (size_t i = 0; i < extras->count; i++) {
        if (strcmp(extras->list[i].name, name) == 0) {
            return EXIT_DONE;
        }
    }
    if (extras->count == IMAGE_MOST_EXTRAS) {
        return EXIT_DONE;
    }
    extra = &extras->list[extras->count];
    extra->bytes = allocate(count, 1);
    if (extra->bytes == NULL) {
        return EXIT_MEMORY;
    }
    memcpy(extra->bytes, bytes, count);
    extra->count = count;
    snprintf(extra->name, sizeof extra->name, "%s", name);
    extras->count++;
    return EXIT_DONE;
}

const image_extras *image_extras_of(const image *picture, const char *format) {
    static const image_extras none;

    return picture->extras != NULL && strcmp(picture->extras->format, format) == 0 ? picture->extras
                                                                                   : &none;
}

static const image_extra *find_profile(const image *picture) {
    for (size_t i = 0; picture->extras != NULL && i < picture->extras->count; i++) {
        if (strcmp(picture->extras->list[i].name, image_profile) == 0) {
            return &picture->extras->list[i];
        }
    }
    return NULL;
}

const image_extra *image_extras_profile(const image *picture, const char *format,
                                        const char *path) {
    const image_extra *e = find_profile(picture);

    if (e == NULL || strcmp(picture->extras->format, format) == 0) {
        return e;
    }
    if (e->count < ICC_HEADER || e->count > MOST_PROFILE ||
        memcmp(e->bytes + ICC_COLOURS, picture->planes == 3 ? "RGB " : "GRAY", 4) != 0) {
        complain(EXIT_DONE, "%s: the input's colour profile is not one of a %s picture; left out",
                 path, picture->planes == 3 ? "colour" : "gray");
        return NULL;
    }
    return e;
}

void image_extras_say_no_profile(const image *picture, const char *path) {
    if (find_profile(picture) != NULL) {
        complain(EXIT_DONE, "%s: its format has no colour profile, which is left out", path);
    }
}

void image_extras_free(image *picture) {
    for (size_t i = 0; picture->extras != NULL && i < picture->extras->count; i++) {
        free(picture->extras->list[i].bytes);
    }
    free(picture->extras);
    picture->extras = NULL;
}
