/* SPDX-License-Identifier: MIT
 * What a picture file says besides its pixels, and the same format should say again: colour
 * profile, gamma, resolution, EXIF. A format keeps its own chunks here, and gets them back from a
 * picture that it has read itself; of these, other formats understand the profile alone.
 */
#ifndef WEFT_TOOL_FILES_IMAGE_EXTRAS_H
#define WEFT_TOOL_FILES_IMAGE_EXTRAS_H

#include "files/image.h"

enum { IMAGE_EXTRA_NAME = 4, IMAGE_MOST_EXTRAS = 16 };

typedef struct image_extra {
    char name[IMAGE_EXTRA_NAME + 1]; /* the format's own, such as iCCP */
    size_t count;
    unsigned char *bytes; /* never NULL */
} image_extra;

typedef struct image_extras {
    const char *format; /* that kept them, such as "PNG" */
    size_t count;
    image_extra list[IMAGE_MOST_EXTRAS];
} image_extras;

/* A copy of the bytes; what has the same name already, and more than there is room for, is left
 * out. An exit code, after a complaint. */
int image_extras_keep(image *picture, const char *format, const char *name, const void *bytes,
                      size_t count);
/* Those that this format kept; a list of none where another did, or nobody. */
const image_extras *image_extras_of(const image *picture, const char *format);

extern const char image_profile[]; /* the name of a colour profile, as ICC defines its bytes */
enum { MOST_PROFILE = 8 << 20 };   /* bytes of one that goes from format to format */
/* The profile, for a file of this format; NULL if there is none or if, which is said, that of
 * another format is not one of such a picture. */
const image_extra *image_extras_profile(const image *picture, const char *format, const char *path);
/* That it is lost, if there is one. */
void image_extras_say_no_profile(const image *picture, const char *path);
void image_extras_free(image *picture);

#endif
