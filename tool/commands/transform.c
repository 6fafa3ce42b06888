/* SPDX-License-Identifier: MIT
 * One plan for all planes of a picture. Forward, the library reads the samples as they are where
 * the strategy can, and real numbers made of them where it cannot. Back, it is always real numbers,
 * because the tool counts what it has to clamp.
 */
#include "commands/transform.h"

#include <stdio.h>
#include <stdlib.h>

#include "commands/overflow.h"
#include "files/npy.h"
#include "shell/complain.h"
#include "shell/progress.h"

static weft_desc describe(const transform_options *o, const spectrum *s) {
    return (weft_desc){.height = s->height,
                       .width = s->width,
                       .batch = s->planes,
                       .precision = s->precision,
                       .layout = s->layout,
                       .norm = s->norm,
                       .strategy = o->strategy,
                       .threads = (int)o->threads,
                       .device = (int)o->device};
}

/* The samples as real numbers, or NULL after a complaint. */
static void *to_real(const image *picture, weft_precision precision) {
    size_t count = picture->planes * image_plane_samples(picture);
    void *real = allocate(count, npy_real_bytes(precision));

    if (!real) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (precision == WEFT_F64) {
            ((double *)real)[i] = image_value(picture, i);
        } else {
            ((float *)real)[i] = (float)image_value(picture, i);
        }
    }
    return real;
}

/* The plan; after --verbose it is described. */
static weft_status make_plan(weft_plan **plan, const weft_desc *desc, const transform_options *o) {
    weft_status status;

    progress_start("planning");
    status = weft_plan_create(plan, desc);
    progress_end();
    if (status == WEFT_OK && o->verbose) {
        fputs(weft_plan_describe(*plan), stderr);
    }
    return status;
}

static int finish(weft_status status) {
    progress_end();
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}

static int forward_real(const weft_plan *plan, const image *picture, spectrum *s) {
    void *real = to_real(picture, s->precision);
    int code = real ? finish(weft_forward_host(plan, real, s->values)) : EXIT_MEMORY;

    free(real);
    return code;
}

static int run_forward(const transform_options *o, const image *picture, spectrum *s) {
    weft_desc desc = describe(o, s);
    weft_plan *plan;
    weft_status status;
    int code;

    desc.pixel = picture->depth == 8    ? WEFT_PIXEL_U8
                 : picture->depth == 16 ? WEFT_PIXEL_U16
                                        : WEFT_PIXEL_REAL;
    status = make_plan(&plan, &desc, o);
    if (status == WEFT_UNSUPPORTED) {
        desc.pixel = WEFT_PIXEL_REAL;
        status = make_plan(&plan, &desc, o);
    }
    if (status != WEFT_OK) {
        return complain_plan(status, &desc);
    }
    progress_start("transforming");
    if (desc.pixel == WEFT_PIXEL_REAL) {
        code = forward_real(plan, picture, s);
    } else {
        code = finish(weft_forward_host(plan, picture->pixels, s->values));
    }
    weft_plan_destroy(plan);
    return code;
}

int transform_forward(const transform_options *o, const image *picture, weft_layout layout,
                      weft_norm norm, spectrum *s) {
    int code = EXIT_MEMORY;

    *s = (spectrum){.height = picture->height,
                    .width = picture->width,
                    .planes = picture->planes,
                    .depth = picture->depth,
                    .precision = o->precision < 0 ? WEFT_F32 : (weft_precision)o->precision,
                    .layout = layout,
                    .norm = norm};
    s->values = allocate(spectrum_reals(s), npy_real_bytes(s->precision));
    if (s->values) {
        code = run_forward(o, picture, s);
    }
    if (code == EXIT_DONE) {
        code = check_spectrum_overflow(o, s);
    }
    if (code != EXIT_DONE) {
        spectrum_free(s);
    }
    return code;
}

int transform_inverse(const transform_options *o, const spectrum *s, void **real) {
    weft_desc desc = describe(o, s);
    weft_plan *plan;
    weft_status status;
    int code;

    *real = allocate(s->planes * s->height * s->width, npy_real_bytes(s->precision));
    if (!*real) {
        return EXIT_MEMORY;
    }
    status = make_plan(&plan, &desc, o);
    if (status == WEFT_OK) {
        progress_start("transforming");
        code = finish(weft_inverse_host(plan, s->values, *real));
    } else {
        code = complain_plan(status, &desc);
    }
    weft_plan_destroy(plan);
    if (code == EXIT_DONE) {
        code =
            check_overflow(o, "picture", *real, s->precision, s->planes * s->height * s->width, 1);
    }
    if (code != EXIT_DONE) {
        free(*real);
        *real = NULL;
    }
    return code;
}
