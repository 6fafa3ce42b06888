/* SPDX-License-Identifier: MIT
 * Some tags of EXIF's first directory, of the camera's, which that one points to, and of the one
 * behind it; see exif.h. Every offset is untrusted.
 */
#include "files/exif.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "shell/complain.h"

enum {
    ENTRY_SIZE = 12,
    TAG_ORIENTATION = 0x112,
    TAG_RESOLUTION_ACROSS = 0x11a,
    TAG_RESOLUTION_DOWN = 0x11b,
    TAG_THUMBNAIL = 0x201,
    TAG_THUMBNAIL_SIZE = 0x202,
    TAG_CAMERA = 0x8769,
    TAG_WIDTH = 0xa002,
    TAG_HEIGHT = 0xa003,
    ORIENTATIONS = 8
};

typedef struct exif {
    unsigned char *bytes;
    size_t count;
    int is_big_endian;
} exif;

/* A number of 2 or 4 bytes; 0 beyond the end. */
static size_t number_at(const exif *e, size_t at, size_t size) {
    size_t number = 0;

    if (at > e->count || size > e->count - at) {
        return 0;
    }
    for (size_t i = 0; i < size; i++) {
        number = number << 8 | e->bytes[at + (e->is_big_endian ? i : size - 1 - i)];
    }
    return number;
}

/* Where the value of a directory's tag lies, 0 if there is none. */
static size_t find_tag(const exif *e, size_t directory, size_t tag) {
    const size_t entries = number_at(e, directory, 2);

    for (size_t i = 0; i < entries; i++) {
        const size_t entry = directory + 2 + i * ENTRY_SIZE;

        if (entry > e->count || ENTRY_SIZE > e->count - entry) {
            return 0;
        }
        if (number_at(e, entry, 2) == tag) {
            return entry + 8;
        }
    }
    return 0;
}

static void wipe(const exif *e, size_t at, size_t size) {
    if (at < e->count) {
        memset(e->bytes + at, 0, size < e->count - at ? size : e->count - at);
    }
}

static exif exif_of(unsigned char *bytes, size_t count) {
    return (exif){.bytes = bytes, .count = count, .is_big_endian = count > 0 && bytes[0] == 'M'};
}

/* The directory behind the first one describes the small picture. */
void exif_forget_thumbnail(unsigned char *bytes, size_t count) {
    const exif e = exif_of(bytes, count);
    const size_t first = number_at(&e, 4, 4);
    const size_t link = first + 2 + number_at(&e, first, 2) * ENTRY_SIZE;
    const size_t second = number_at(&e, link, 4);
    const size_t start = find_tag(&e, second, TAG_THUMBNAIL);
    const size_t size = find_tag(&e, second, TAG_THUMBNAIL_SIZE);

    if (second == 0 || first == 0) {
        return;
    }
    if (start != 0 && size != 0) {
        wipe(&e, number_at(&e, start, 4), number_at(&e, size, 4));
    }
    wipe(&e, link, 4);
}

/* Of two tags of one type, each gets what the other says. */
static void swap_tags(const exif *e, size_t directory, size_t one, size_t other) {
    const size_t a = find_tag(e, directory, one), b = find_tag(e, directory, other);

    if (a == 0 || b == 0 || number_at(e, a - 6, 2) != number_at(e, b - 6, 2)) {
        return;
    }
    for (size_t i = 0; i < 4; i++) {
        const unsigned char kept = e->bytes[a + i];

        e->bytes[a + i] = e->bytes[b + i];
        e->bytes[b + i] = kept;
    }
}

int exif_take_orientation(unsigned char *bytes, size_t count) {
    const exif e = exif_of(bytes, count);
    const size_t first = number_at(&e, 4, 4);
    const size_t value = find_tag(&e, first, TAG_ORIENTATION);
    const size_t orientation = value != 0 ? number_at(&e, value, 2) : 1;

    if (value != 0) {
        bytes[value] = !e.is_big_endian;
        bytes[value + 1] = (unsigned char)e.is_big_endian;
    }
    if (orientation > 4 && orientation <= ORIENTATIONS) { /* its rows will be columns */
        const size_t link = find_tag(&e, first, TAG_CAMERA);

        swap_tags(&e, first, TAG_RESOLUTION_ACROSS, TAG_RESOLUTION_DOWN);
        if (link != 0) {
            swap_tags(&e, number_at(&e, link, 4), TAG_WIDTH, TAG_HEIGHT);
        }
    }
    return orientation >= 1 && orientation <= ORIENTATIONS ? (int)orientation : 1;
}

/* ---- turning --------------------------------------------------------------------------------- */

/* Where the upright picture's first sample lies in the stored plane, and the way from there to the
 * next column and to the next row. */
typedef struct way {
    ptrdiff_t start, right, down;
} way;

static way way_through(const image *stored, int orientation) {
    const ptrdiff_t height = (ptrdiff_t)stored->height, width = (ptrdiff_t)stored->width;
    const int from_below =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const int from_right =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const ptrdiff_t start = (from_below ? (height - 1) * width : 0) + (from_right ? width - 1 : 0);
    const ptrdiff_t along = from_right ? -1 : 1, across = from_below ? -width : width;

    return orientation >= 5 ? (way){start, across, along} : (way){start, along, across};
}

static void turn_plane(const image *upright, way w, const char *from, char *to) {
    const size_t each = image_sample_bytes(upright);

    for (size_t row = 0; row < upright->height; row++) {
        ptrdiff_t at = w.start + (ptrdiff_t)row * w.down;

        for (size_t column = 0; column < upright->width; column++, at += w.right, to += each) {
            memcpy(to, from + at * (ptrdiff_t)each, each);
        }
    }
}

int image_turn_upright(image *picture, int orientation) {
    const size_t plane_bytes = image_plane_samples(picture) * image_sample_bytes(picture);
    image upright;
    int code;

    if (orientation <= 1 || orientation > ORIENTATIONS) {
        return EXIT_DONE;
    }
    code = image_allocate(&upright, orientation >= 5 ? picture->width : picture->height,
                          orientation >= 5 ? picture->height : picture->width, picture->planes,
                          picture->depth, picture->alpha != NULL);
    if (code != EXIT_DONE) {
        return code;
    }
    for (size_t plane = 0; plane < picture->planes; plane++) {
        turn_plane(&upright, way_through(picture, orientation),
                   (char *)picture->pixels + plane * plane_bytes,
                   (char *)upright.pixels + plane * plane_bytes);
    }
    if (picture->alpha != NULL) {
        turn_plane(&upright, way_through(picture, orientation), picture->alpha, upright.alpha);
    }
    upright.extras = picture->extras;
    picture->extras = NULL;
    image_free(picture);
    *picture = upright;
    return EXIT_DONE;
}
