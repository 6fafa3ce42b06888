/* SPDX-License-Identifier: MIT
 * What the reader and the writer of TIFF share: libtiff's way of failing. It says what is wrong to
 * one function for the whole program, which finds its file by the pointer that the file was opened
 * with.
 */
#ifndef WEFT_TOOL_FILES_TIFF_H
#define WEFT_TOOL_FILES_TIFF_H

#include <tiffio.h>

enum { TIFF_TEXT = 300 };

/* The first member of what is given to TIFFClientOpen(). */
typedef struct tiff_failure {
    int code;             /* EXIT_DONE, or that of a failure that has been complained about */
    int has_failed;       /* libtiff has said something, */
    int out_of_memory;    /* when memory had run out, */
    char text[TIFF_TEXT]; /* at first this */
} tiff_failure;

void tiff_begin(tiff_failure *f); /* before TIFFClientOpen() */
/* EXIT_DONE, or the code of what failed, after a complaint that begins with what, such as "damaged
 * TIFF". `code`: of what no one has complained about, but for a lack of memory. */
int tiff_outcome(const tiff_failure *f, int code, const char *path, const char *what);

#endif
