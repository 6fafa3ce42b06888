/* SPDX-License-Identifier: MIT
 * Chunks as libpng passes on those that it does not know; see png_extras.h.
 */
#include "files/png_extras.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "files/exif.h"
#include "files/image_extras.h"
#include "shell/complain.h"

const char png_format[] = "PNG", png_profile[] = "iCCP";

static const char *const wanted[] = {"cICP", png_profile, "sRGB", "gAMA", "cHRM", "pHYs", "eXIf"};
enum { WANTED = sizeof wanted / sizeof *wanted, NAME_SIZE = 5 };

void png_extras_want(png_structp png) {
    png_byte names[WANTED * NAME_SIZE];

    for (size_t i = 0; i < sizeof names; i++) {
        names[i] = (png_byte)wanted[i / NAME_SIZE][i % NAME_SIZE];
    }
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, names, WANTED);
}

/* For other formats: the name and the way of compression, then the profile, compressed. Empty where
 * that is damaged, so that it is said to be left out. */
static int keep_profile(const png_unknown_chunk *chunk, image *picture) {
    const unsigned char *bytes = chunk->data, *name_end = memchr(bytes, 0, chunk->size);
    const size_t start = name_end != NULL ? (size_t)(name_end - bytes) + 2 : chunk->size;
    uLongf count = MOST_PROFILE;
    unsigned char *profile;
    int code, state = Z_DATA_ERROR;

    profile = allocate(MOST_PROFILE, 1);
    if (profile == NULL) {
        return EXIT_MEMORY;
    }
    if (start < chunk->size) {
        state = uncompress(profile, &count, bytes + start, (uLong)(chunk->size - start));
    }
    code = state == Z_MEM_ERROR ? complain(EXIT_MEMORY, "out of memory for a colour profile")
                                : image_extras_keep(picture, png_format, image_profile, profile,
                                                    state == Z_OK ? count : 0);
    free(profile);
    return code;
}

int png_extras_keep(png_structp png, png_infop info, image *picture) {
    png_unknown_chunkp chunks = NULL;
    const int count = png_get_unknown_chunks(png, info, &chunks);
    int code = EXIT_DONE;

    for (int i = 0; i < count && code == EXIT_DONE; i++) {
        const char *name = (const char *)chunks[i].name;

        if (chunks[i].size == 0) {
            continue; /* it says nothing, and has no bytes */
        }
        if (name[0] == 'e') { /* eXIf; its orientation is nothing that PNG is turned by */
            exif_forget_thumbnail(chunks[i].data, chunks[i].size);
        }
        code = image_extras_keep(picture, png_format, name, chunks[i].data, chunks[i].size);
        if (code == EXIT_DONE && strcmp(name, png_profile) == 0) {
            code = keep_profile(&chunks[i], picture);
        }
    }
    return code;
}
