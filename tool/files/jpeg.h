/* SPDX-License-Identifier: MIT
 * What the reader and the writer of JPEG share: libjpeg's way of failing, and the names under which
 * the two pass on what a file says beside its pixels.
 */
#ifndef WEFT_TOOL_FILES_JPEG_H
#define WEFT_TOOL_FILES_JPEG_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

/* libjpeg's functions end in a jump to `back`, after a complaint. */
typedef struct jpeg_failure {
    struct jpeg_error_mgr manager; /* the first: libjpeg knows this one */
    jmp_buf back;
    const char *path, *what; /* such as "damaged JPEG" */
    int code;                /* of the complaint; before that, the one of such a failure */
    int is_strict;           /* warnings that cost pixels are failures, too */
} jpeg_failure;

struct jpeg_error_mgr *jpeg_failing(jpeg_failure *f, const char *path, const char *what, int code);

extern const char jpeg_format[], jpeg_exif[], jpeg_density[]; /* of extras */
extern const unsigned char jpeg_exif_start[6];                /* of such a marker */

#endif
