/* SPDX-License-Identifier: MIT
 * Tags kept and written again; see tiff_extras.h. Descriptions by other programs are dropped: they
 * may name other files, or count pages that are not written.
 */
#include "files/tiff_extras.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files/image_extras.h"
#include "shell/complain.h"

static const char format[] = "TIFF", size_of_pixel[] = "SIZE", words[] = "TEXT";
const char tiff_of_imagej[] = "ImageJ=";

typedef struct resolution {
    float across, down; /* pixels in a unit */
    uint16_t unit;
} resolution;

static int keep_resolution(TIFF *tiff, image *picture) {
    resolution r = {0};
    uint16_t orientation;

    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &r.unit);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    if (!TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &r.across) ||
        !TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &r.down) || !(r.across > 0) || !(r.down > 0) ||
        !isfinite(r.across) || !isfinite(r.down)) {
        return EXIT_DONE;
    }
    if (orientation >= ORIENTATION_LEFTTOP) { /* rows will be columns */
        r = (resolution){.across = r.down, .down = r.across, .unit = r.unit};
    }
    return image_extras_keep(picture, format, size_of_pixel, &r, sizeof r);
}

static int keep_profile(TIFF *tiff, image *picture) {
    uint32_t count = 0;
    const void *bytes = NULL;

    return TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &count, &bytes) && count > 0
               ? image_extras_keep(picture, format, image_profile, bytes, count)
               : EXIT_DONE;
}

/* Lines that a filter or the choice of a page makes wrong. ImageJ would take the number of images
 * for a promise that they lie behind one another. */
static int is_outdated(const char *line) {
    static const char *const starts[] = {"images=", "min=", "max="};

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(line, starts[i], strlen(starts[i])) == 0) {
            return 1;
        }
    }
    return 0;
}

static int keep_words(TIFF *tiff, image *picture) {
    const char *text = NULL;
    size_t used = 0;
    char *kept;
    int code;

    if (!TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) || text == NULL ||
        strncmp(text, tiff_of_imagej, strlen(tiff_of_imagej)) != 0) {
        return EXIT_DONE;
    }
    kept = allocate(strlen(text) + 1, 1);
    if (kept == NULL) {
        return EXIT_MEMORY;
    }
    while (*text != '\0') {
        const char *end = strchr(text, '\n');
        const size_t length = end != NULL ? (size_t)(end - text) + 1 : strlen(text);

        if (!is_outdated(text)) {
            memcpy(kept + used, text, length);
            used += length;
        }
        text += length;
    }
    kept[used] = '\0';
    code = image_extras_keep(picture, format, words, kept, used + 1);
    free(kept);
    return code;
}

int tiff_extras_keep(TIFF *tiff, image *picture) {
    int code = keep_resolution(tiff, picture);

    if (code == EXIT_DONE) {
        code = keep_profile(tiff, picture);
    }
    return code == EXIT_DONE ? keep_words(tiff, picture) : code;
}

void tiff_extras_write(TIFF *tiff, const image *picture, const char *path) {
    const image_extras *extras = image_extras_of(picture, format);
    const image_extra *profile = image_extras_profile(picture, format, path);

    if (profile != NULL) {
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, (uint32_t)profile->count, profile->bytes);
    }
    for (size_t i = 0; i < extras->count; i++) {
        const image_extra *e = &extras->list[i];
        resolution r;

        if (strcmp(e->name, words) == 0) {
            TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, (const char *)e->bytes);
        } else if (strcmp(e->name, size_of_pixel) == 0) {
            memcpy(&r, e->bytes, sizeof r);
            TIFFSetField(tiff, TIFFTAG_XRESOLUTION, r.across);
            TIFFSetField(tiff, TIFFTAG_YRESOLUTION, r.down);
            TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, r.unit);
        }
    }
}
