/* SPDX-License-Identifier: MIT
 * libtiff's failures as complaints; see tiff.h.
 */
#include "files/tiff.h"

#include <errno.h>
#include <stdio.h>

#include "shell/complain.h"

/* errno tells whether malloc() failed, which the texts do not. */
__attribute__((format(printf, 3, 0))) static void on_error(thandle_t file, const char *module,
                                                           const char *format, va_list values) {
    tiff_failure *f = file;

    (void)module;
    if (f != NULL && !f->has_failed) {
        f->has_failed = 1;
        f->out_of_memory = errno == ENOMEM;
        vsnprintf(f->text, sizeof f->text, format, values);
    }
}

void tiff_begin(tiff_failure *f) {
    *f = (tiff_failure){.code = EXIT_DONE};
    errno = 0;
    TIFFSetErrorHandler(NULL);
    TIFFSetWarningHandler(NULL);
    TIFFSetErrorHandlerExt(on_error);
}

int tiff_outcome(const tiff_failure *f, int code, const char *path, const char *what) {
    if (f->code != EXIT_DONE || !f->has_failed) {
        return f->code;
    }
    return f->out_of_memory ? complain(EXIT_MEMORY, "%s: out of memory for TIFF", path)
                            : complain(code, "%s: %s: %s", path, what, f->text);
}
