/* SPDX-License-Identifier: MIT
 * libjpeg's failures as complaints; see jpeg.h.
 */
#include "files/jpeg.h"

#include <jerror.h>

#include "shell/complain.h"

const char jpeg_format[] = "JPEG", jpeg_exif[] = "EXIF", jpeg_density[] = "DENS";
const unsigned char jpeg_exif_start[6] = "Exif\0";

static void on_error(j_common_ptr codec) {
    jpeg_failure *f = (jpeg_failure *)codec->err;
    char text[JMSG_LENGTH_MAX];

    codec->err->format_message(codec, text);
    f->code = codec->err->msg_code == JERR_OUT_OF_MEMORY
                  ? complain(EXIT_MEMORY, "%s: out of memory for JPEG", f->path)
                  : complain(f->code, "%s: %s: %s", f->path, f->what, text);
    longjmp(f->back, 1);
}

/* Of a warning, which has a level below 0, or of progress. Some say that pixels were made up; what
 * is wrong with the headers, or lies between the markers, costs none. */
static void on_message(j_common_ptr codec, int level) {
    const int which = codec->err->msg_code;

    if (level < 0 && ((jpeg_failure *)codec->err)->is_strict && which != JWRN_EXTRANEOUS_DATA &&
        which != JWRN_ADOBE_XFORM && which != JWRN_JFIF_MAJOR && which != JWRN_BOGUS_ICC) {
        on_error(codec);
    }
}

struct jpeg_error_mgr *jpeg_failing(jpeg_failure *f, const char *path, const char *what, int code) {
    f->path = path;
    f->what = what;
    f->code = code;
    jpeg_std_error(&f->manager);
    f->manager.error_exit = on_error;
    f->manager.emit_message = on_message;
    return &f->manager;
}
