/* SPDX-License-Identifier: MIT
 * Times the whole way from a PNG file to a PNG file: decode, forward, inverse, encode, with the
 * plan made beforehand. A GPU strategy's share includes its transfers. The files lie in a folder of
 * their own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/sampler.h"
#include "elements.h"
#include "shell/complain.h"
#include "shell/output.h"
#include "shell/work_folder.h"

typedef struct file_state {
    sampler base;
    bench_task task; /* its batch is the picture's planes */
    weft_plan *plan;
    const memory_space *space;
    work_folder files;
    void *host;                     /* the batch on the host */
    void *pixels, *spectrum, *work; /* in the strategy's memory */
    double factor;                  /* of a whole round trip */
} file_state;

/* What an exit code says, as a status. Of all that a file sampler does only a file is a bad
 * argument: measure.c relies on it. */
static weft_status file_status(int code, const char *path) {
    return code == EXIT_DONE ? WEFT_OK
                             : weft_fail(code == EXIT_MEMORY ? WEFT_NO_MEMORY : WEFT_BAD_ARGUMENT,
                                         "%s: could not be read or written", path);
}

static weft_status write_png(const image *picture, const char *path) {
    output out;
    int code = output_open(&out, path);
    if (code == EXIT_DONE) {
        code = image_write_png(picture, &out);
    }
    if (code == EXIT_DONE) {
        code = output_commit(&out);
    }
    output_abandon(&out);
    return file_status(code, path);
}

/* ---- one sample ------------------------------------------------------------------------------ */

static weft_status transform(file_state *s) {
    const size_t bytes = plan_image_bytes(s->plan);
    weft_status status;
    if ((status = s->space->copy_in(0, s->pixels, s->host, bytes)) != WEFT_OK ||
        (status = weft_forward(s->plan, s->pixels, s->spectrum, s->work, NULL)) != WEFT_OK ||
        (status = weft_inverse(s->plan, s->spectrum, s->pixels, s->work, NULL)) != WEFT_OK ||
        (status = s->space->wait(0)) != WEFT_OK) {
        return status;
    }
    return s->space->copy_out(0, s->host, s->pixels, bytes);
}

/* The picture's depth decides; integer pixels of another depth were scaled on the way in. */
static void store_pixels(const file_state *s, image *picture) {
    const double largest = image_largest(picture->depth);
    const double scale = s->task.pixel == WEFT_PIXEL_U8    ? largest / 255
                         : s->task.pixel == WEFT_PIXEL_U16 ? largest / 65535
                                                           : 1 / s->factor;
    for (size_t i = 0; i < picture->planes * image_plane_samples(picture); i++) {
        const double value =
            rint(element_get(s->host, i, s->task.precision, s->task.pixel) * scale);
        image_set_sample(picture, i, (unsigned)fmin(fmax(value, 0), largest));
    }
}

static weft_status png_to_png(file_state *s) {
    bench_input in = {0};
    const size_t bytes = plan_image_bytes(s->plan) / s->task.batch;
    weft_status status;

    status = file_status(image_read_png(&in.picture, s->files.from, SIZE_MAX), s->files.from);
    if (status != WEFT_OK) {
        return status;
    }
    for (size_t b = 0; b < s->task.batch; b++) {
        bench_input_pixels(&in, &s->task, b, (char *)s->host + b * bytes);
    }
    status = transform(s);
    if (status == WEFT_OK) {
        store_pixels(s, &in.picture);
        status = write_png(&in.picture, s->files.to);
    }
    bench_input_close(&in);
    return status;
}

static weft_status sample(sampler *base, double *us) {
    const double start = clock_us();
    const weft_status status = png_to_png((file_state *)base);
    *us = clock_us() - start;
    return status;
}

/* ---- before and after ------------------------------------------------------------------------ */

static void end(sampler *base) {
    file_state *s = (file_state *)base;
    if (s->space != NULL) {
        s->space->release(0, s->pixels);
        s->space->release(0, s->spectrum);
        s->space->release(0, s->work);
    }
    weft_plan_destroy(s->plan);
    free(s->host);
    work_folder_remove(&s->files);
    free(s);
}

static weft_status make_folder(file_state *s, const image *picture) {
    const char *why = work_folder_make(&s->files, "in.png", "out.png");
    return why == NULL ? write_png(picture, s->files.from)
                       : weft_fail(WEFT_BAD_ARGUMENT, "%s", why);
}

static weft_status allocate_buffers(file_state *s) {
    weft_status status;
    s->host = malloc(plan_image_bytes(s->plan));
    if (s->host == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a picture");
    }
    if ((status = s->space->allocate(0, plan_image_bytes(s->plan), &s->pixels)) != WEFT_OK ||
        (status = s->space->allocate(0, plan_spectrum_bytes(s->plan), &s->spectrum)) != WEFT_OK) {
        return status;
    }
    return s->space->allocate(0, weft_plan_workspace(s->plan), &s->work);
}

static weft_status prepare(file_state *s, const sampler_request *request) {
    weft_desc desc = request->of->desc;
    weft_status status;

    desc.batch = s->task.batch = request->input->picture.planes;
    status = plan_create_over(&s->plan, &desc, request->of->strategy);
    if (status != WEFT_OK) {
        return status;
    }
    s->space = request->of->strategy->space;
    s->factor = desc.norm == WEFT_NORM_NONE ? (double)desc.height * (double)desc.width : 1;
    if ((status = allocate_buffers(s)) != WEFT_OK ||
        (status = make_folder(s, &request->input->picture)) != WEFT_OK) {
        return status;
    }
    return png_to_png(s); /* warm-up */
}

weft_status file_sampler(sampler **made, const sampler_request *request) {
    file_state *s = sampler_allocate(sizeof *s);
    weft_status status;
    if (s == NULL) {
        return WEFT_NO_MEMORY;
    }
    s->base = (sampler){sample, end};
    s->task = *request->task;
    status = prepare(s, request);
    if (status != WEFT_OK) {
        end(&s->base);
        return status;
    }
    *made = &s->base;
    return WEFT_OK;
}
