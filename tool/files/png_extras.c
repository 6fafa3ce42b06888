/* SPDX-License-Identifier: MIT
 * Chunks as libpng passes on those that it does not know; see png_extras.h.
 */
#include "files/png_extras.h"

#include "files/exif.h"
#include "files/image_extras.h"
#include "shell/complain.h"

const char png_format[] = "PNG";

static const char *const wanted[] = {"cICP", "iCCP", "sRGB", "gAMA", "cHRM", "pHYs", "eXIf"};
enum { WANTED = sizeof wanted / sizeof *wanted, NAME_SIZE = 5 };

void png_extras_want(png_structp png) {
    png_byte names[WANTED * NAME_SIZE];

    for (size_t i = 0; i < sizeof names; i++) {
        names[i] = (png_byte)wanted[i / NAME_SIZE][i % NAME_SIZE];
    }
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, names, WANTED);
}

int png_extras_keep(png_structp png, png_infop info, image *picture) {
    png_unknown_chunkp chunks = NULL;
    const int count = png_get_unknown_chunks(png, info, &chunks);
    int code = EXIT_DONE;

    for (int i = 0; i < count && code == EXIT_DONE; i++) {
        const char *name = (const char *)chunks[i].name;

        if (name[0] == 'e') { /* eXIf; its orientation is nothing that PNG is turned by */
            exif_forget_thumbnail(chunks[i].data, chunks[i].size);
        }
        code = image_extras_keep(picture, png_format, name, chunks[i].data, chunks[i].size);
    }
    return code;
}
